"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""
