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
from ._negative_control import NegativeControl
from ._possible_winners import PossibleWinners
from ._rows_plan import RowsPlan
from ._subgroups import Subgroup, Subgroups
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
    "NegativeControl",
    "PerformanceCurve",
    "PerformanceEstimate",
    "PossibleWinners",
    "Quantity",
    "RowsPlan",
    "Subgroup",
    "Subgroups",
    "TuningPath",
    "WeightedMeanCorrection",
]
