"""What a clinical paper reports about the winner, from one correction."""

from ._functions import (
    calibration,
    clinical_performance,
    decision_curve,
    precision_recall_curve,
    roc_curve,
)
from ._survival import survival_calibration, survival_performance
from ._winner import WinnerPerformance

__all__ = [
    "WinnerPerformance",
    "calibration",
    "clinical_performance",
    "decision_curve",
    "precision_recall_curve",
    "roc_curve",
    "survival_calibration",
    "survival_performance",
]
