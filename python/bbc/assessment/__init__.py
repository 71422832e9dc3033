"""Resampling errors of a learner without tuning."""

from .resampling_error import resampling_error
from .splitters import ClusterKFold, QuantileKFold

__all__ = ["ClusterKFold", "QuantileKFold", "resampling_error"]
