"""Results about binary outcomes: calibration, net benefit and curves."""

from ._calibration import Calibration
from ._clinical_performance import ClinicalPerformance
from ._curve import Curve
from ._decision_curve import DecisionCurve
from ._performance_curve import PerformanceCurve
from ._quantity import Quantity

__all__ = [
    "Calibration",
    "ClinicalPerformance",
    "Curve",
    "DecisionCurve",
    "PerformanceCurve",
    "Quantity",
]
