"""Which display draws which result."""

from typing import Any

from ..correction import record_of
from ..results import (
    Calibration,
    Comparison,
    DecisionCurve,
    PerformanceCurve,
    PerformanceEstimate,
    Result,
    RowsPlan,
    Subgroups,
    SurvivalCalibration,
    TuningPath,
)
from ._clinical import CalibrationDisplay, DecisionCurveDisplay, PerformanceCurveDisplay
from ._course import SampleSizeDisplay, TuningPathDisplay
from ._display import Display
from ._forest import ComparisonDisplay, SubgroupDisplay
from ._selection import ReplicateDisplay

#: The display of each class of results that is `Drawable`.
DISPLAYS: dict[type[Result], Any] = {
    Calibration: CalibrationDisplay,
    Comparison: ComparisonDisplay,
    DecisionCurve: DecisionCurveDisplay,
    PerformanceCurve: PerformanceCurveDisplay,
    PerformanceEstimate: ReplicateDisplay,
    RowsPlan: SampleSizeDisplay,
    Subgroups: SubgroupDisplay,
    SurvivalCalibration: CalibrationDisplay,
    TuningPath: TuningPathDisplay,
}


def display_of(result: Any) -> Display:
    """The display of a result, which is not drawn yet; of a correction that of its record."""
    found = record_of(result)
    display: Display = DISPLAYS[type(found)](found)
    return display
