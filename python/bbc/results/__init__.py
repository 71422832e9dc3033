"""What corrections, protocols, intervals and bounds return: frozen results."""

from ._bound import Bound, BoundComparison
from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval

__all__ = ["Bound", "BoundComparison", "ConfidenceInterval", "PerformanceEstimate"]
