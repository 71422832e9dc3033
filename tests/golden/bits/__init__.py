"""Replicates recorded bit by bit."""
