"""Families of configurations compared, and the path of a search."""

from ._compare import compare
from ._tuning_path import tuning_path

__all__ = ["compare", "tuning_path"]
