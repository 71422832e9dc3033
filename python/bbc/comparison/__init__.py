"""Families of configurations compared, and the path of a search."""

from ._compare import compare

__all__ = ["compare"]
