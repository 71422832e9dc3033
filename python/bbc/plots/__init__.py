"""Plots of results: displays in the style of scikit-learn."""

from ._clinical import CalibrationDisplay, DecisionCurveDisplay, PerformanceCurveDisplay
from ._course import SampleSizeDisplay, SurvivalDisplay, TuningPathDisplay
from ._difference import DifferenceDisplay
from ._forest import ComparisonDisplay, ForestDisplay, SubgroupDisplay
from ._optimism import OptimismDisplay
from ._selection import ReplicateDisplay, SelectionDisplay

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
