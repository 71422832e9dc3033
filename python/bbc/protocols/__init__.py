"""Protocols: they train models, and take GridSearchCV's place."""

from .bbc import BBC
from .cvt import CVT

__all__ = ["BBC", "CVT"]
