"""What corrections, protocols, intervals and bounds return: frozen results; `bbc.results`."""

from .._design import Design
from .._docstrings import described, show_names
from .._result import Result
from ..predictions import OutOfSamplePredictions
from ..selection import Rungs
from ._binary import (
    Calibration,
    Curve,
    DecisionCurve,
    PerformanceCurve,
    Quantity,
)
from ._bound import Bound, BoundComparison
from ._clinical import ClinicalPerformance, Per1000
from ._comparison import Comparison, Difference
from ._estimate import PerformanceEstimate
from ._negative_control import NegativeControl
from ._of_winner import OfWinner
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
    "Per1000",
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

# What those that are read of a correction's winner hold.
_FIELDS = """
performance : PerformanceEstimate
    The correction by the selection metric.
of_class : str or None
    The class of more than two that is set against all others; None for two classes.
shares_left_out : bool
    Whether intervals do not hold how the shares of the classes vary between samples, because
    the draws keep them.
"""
for _each in vars().copy().values():
    if isinstance(_each, type) and issubclass(_each, OfWinner):
        described(_FIELDS, section="Attributes")(_each)
show_names(vars())
