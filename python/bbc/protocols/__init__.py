"""Protocols: they train models, and take GridSearchCV's place."""

from .bbc import BBC
from .cvm_cv import CVMCV
from .cvt import CVT
from .ncv import NCV
from .resampling_error import resampling_error
from .splitters import ClusterKFold, QuantileKFold
from .stored_run import StoredRun, open  # noqa: A004

__all__ = [
    "BBC",
    "CVMCV",
    "CVT",
    "NCV",
    "ClusterKFold",
    "QuantileKFold",
    "StoredRun",
    "open",
    "resampling_error",
]
