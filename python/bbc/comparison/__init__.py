"""Families of configurations, subgroups of rows, and the path of a search."""

from ._compare import compare
from ._subgroups import subgroups
from ._tuning_path import tuning_path

__all__ = ["compare", "subgroups", "tuning_path"]
