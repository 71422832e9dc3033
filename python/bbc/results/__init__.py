"""What corrections, protocols and intervals return: frozen results."""

from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval

__all__ = ["ConfidenceInterval", "PerformanceEstimate"]
