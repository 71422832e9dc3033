"""Plots of results: displays in the style of scikit-learn.

``result.plot()`` makes that of a single result, and the functions here the others.
"""

from ._clinical import CalibrationDisplay, DecisionCurveDisplay, PerformanceCurveDisplay
from ._course import SampleSizeDisplay, SurvivalDisplay, TuningPathDisplay, dropping
from ._difference import DifferenceDisplay, difference
from ._display import Display
from ._forest import ComparisonDisplay, ForestDisplay, SubgroupDisplay, forest
from ._optimism import OptimismDisplay, optimism
from ._selection import ReplicateDisplay, SelectionDisplay, selection

__all__ = [
    "CalibrationDisplay",
    "ComparisonDisplay",
    "DecisionCurveDisplay",
    "DifferenceDisplay",
    "Display",
    "ForestDisplay",
    "OptimismDisplay",
    "PerformanceCurveDisplay",
    "ReplicateDisplay",
    "SampleSizeDisplay",
    "SelectionDisplay",
    "SubgroupDisplay",
    "SurvivalDisplay",
    "TuningPathDisplay",
    "difference",
    "dropping",
    "forest",
    "optimism",
    "selection",
]
