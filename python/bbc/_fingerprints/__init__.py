"""Digests of data, learners and code, by which a store knows a run again."""
