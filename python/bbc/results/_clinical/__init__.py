"""Results about binary outcomes: calibration, net benefit and curves."""

from ._calibration import Calibration
from ._curve import Curve
from ._decision_curve import DecisionCurve
from ._performance_curve import PerformanceCurve
from ._quantity import Quantity

__all__ = ["Calibration", "Curve", "DecisionCurve", "PerformanceCurve", "Quantity"]
