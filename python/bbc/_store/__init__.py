"""Stores of finished fits: their records, and the sealed file that holds them."""

from ._store import FitKey, Identity, Store, StoredFit

__all__ = ["FitKey", "Identity", "Store", "StoredFit"]
