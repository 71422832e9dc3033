"""Protocols: they train models, and take GridSearchCV's place."""

from .._training._fitting import warn_of_fit
from .bbc import BBC
from .bbcd import BBCD
from .bbcf import BBCF
from .cvm_cv import CVMCV
from .cvt import CVT
from .ncv import NCV
from .recommend import Recommendation, recommend
from .stored_run import StoredRun, open  # noqa: A004
from .tt import TT

__all__ = [
    "BBC",
    "BBCD",
    "BBCF",
    "CVMCV",
    "CVT",
    "NCV",
    "TT",
    "Recommendation",
    "StoredRun",
    "open",
    "recommend",
    "warn_of_fit",
]
