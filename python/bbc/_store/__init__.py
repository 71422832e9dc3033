"""Stores of finished fits, and the digests of data, learners and code that recognise a run."""

from ._store import FitKey, Identity, Store, StoredFit

__all__ = ["FitKey", "Identity", "Store", "StoredFit"]
