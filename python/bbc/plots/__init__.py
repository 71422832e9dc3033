"""Plots of results: displays in the style of scikit-learn."""

from ._calibration import CalibrationDisplay
from ._comparison import ComparisonDisplay
from ._decision_curve import DecisionCurveDisplay
from ._difference import DifferenceDisplay
from ._forest import ForestDisplay
from ._optimism import OptimismDisplay
from ._performance_curve import PerformanceCurveDisplay
from ._replicates import ReplicateDisplay
from ._sample_size import SampleSizeDisplay
from ._selection import SelectionDisplay
from ._subgroups import SubgroupDisplay
from ._survival import SurvivalDisplay
from ._tuning_path import TuningPathDisplay

__all__ = [
    "CalibrationDisplay",
    "ComparisonDisplay",
    "DecisionCurveDisplay",
    "DifferenceDisplay",
    "ForestDisplay",
    "OptimismDisplay",
    "PerformanceCurveDisplay",
    "ReplicateDisplay",
    "SampleSizeDisplay",
    "SelectionDisplay",
    "SubgroupDisplay",
    "SurvivalDisplay",
    "TuningPathDisplay",
]
