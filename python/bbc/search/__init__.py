"""Protocols: they train models, and take GridSearchCV's place."""

from .._training._fit import warn_of_fit
from .bbc import BBC
from .bbcd import BBCD
from .cvt import CVMCV, CVT, TT
from .ncv import NCV
from .stored_run import StoredRun

__all__ = [
    "BBC",
    "BBCD",
    "CVMCV",
    "CVT",
    "NCV",
    "TT",
    "StoredRun",
    "warn_of_fit",
]
