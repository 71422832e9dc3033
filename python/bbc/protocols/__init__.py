"""Protocols: they train models, and take GridSearchCV's place."""

from .bbc import BBC
from .cvm_cv import CVMCV
from .cvt import CVT
from .ncv import NCV

__all__ = ["BBC", "CVMCV", "CVT", "NCV"]
