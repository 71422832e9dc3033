"""What corrections, protocols, intervals and bounds return: frozen results; `bbc.results`."""

from .._design import Design
from .._result import Result
from ..predictions import OutOfSamplePredictions
from ..selection import Rungs
from ._binary import (
    Calibration,
    ClinicalPerformance,
    Curve,
    DecisionCurve,
    PerformanceCurve,
    Quantity,
)
from ._bound import Bound, BoundComparison
from ._comparison import Comparison, Difference
from ._estimate import PerformanceEstimate
from ._negative_control import NegativeControl
from ._parts import ConfidenceInterval, Deployed, ModelLuck, MonteCarloError
from ._possible_winners import PossibleWinners
from ._remaining_optimism import RemainingOptimism
from ._rows_plan import RowsPlan
from ._subgroups import Subgroup, Subgroups
from ._survival import SurvivalCalibration, SurvivalPerformance
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
    "Deployed",
    "Design",
    "Difference",
    "ModelLuck",
    "MonteCarloError",
    "NegativeControl",
    "OutOfSamplePredictions",
    "PerformanceCurve",
    "PerformanceEstimate",
    "PossibleWinners",
    "Quantity",
    "RemainingOptimism",
    "Result",
    "RowsPlan",
    "Rungs",
    "Subgroup",
    "Subgroups",
    "SurvivalCalibration",
    "SurvivalPerformance",
    "TuningPath",
    "WeightedMeanCorrection",
]
