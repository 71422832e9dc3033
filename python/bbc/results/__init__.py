"""What corrections, protocols, intervals and bounds return: frozen results."""

from ._bound import Bound, BoundComparison
from ._clinical import (
    Calibration,
    ClinicalPerformance,
    Curve,
    DecisionCurve,
    PerformanceCurve,
    Quantity,
)
from ._comparison import Comparison, Difference
from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval
from ._model_luck import ModelLuck
from ._possible_winners import PossibleWinners
from ._tuning_path import TuningPath
from ._weighted_mean import WeightedMeanCorrection

__all__ = [
    "Bound",
    "BoundComparison",
    "Calibration",
    "ClinicalPerformance",
    "Comparison",
    "ConfidenceInterval",
    "Curve",
    "DecisionCurve",
    "Difference",
    "ModelLuck",
    "PerformanceCurve",
    "PerformanceEstimate",
    "PossibleWinners",
    "Quantity",
    "TuningPath",
    "WeightedMeanCorrection",
]
