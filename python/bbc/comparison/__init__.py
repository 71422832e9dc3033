"""Families of configurations, subgroups of rows, and the path of a search."""

from ._compare import compare, compare_of
from ._subgroups import subgroups_of
from ._tuning_path import path_of

__all__ = ["compare", "compare_of", "path_of", "subgroups_of"]
