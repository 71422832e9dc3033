"""Digests of data, learners and code, by which a store recognises a run."""
