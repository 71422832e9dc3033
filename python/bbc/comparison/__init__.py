"""Families of configurations, subgroups of rows, and the path of a search."""

from ._families import Family, compare_families, compare_of, split
from ._subgroups import subgroups_of
from ._tuning_path import path_of

__all__ = ["Family", "compare_families", "compare_of", "path_of", "split", "subgroups_of"]
