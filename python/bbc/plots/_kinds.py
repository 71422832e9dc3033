"""Which display draws which result."""

from collections.abc import Callable
from functools import partial
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
from ._clinical import draw_calibration, draw_decision_curve, draw_performance_curve
from ._course import draw_rows_plan, draw_tuning_path
from ._display import Display
from ._forest import display_of_comparison, display_of_subgroups
from ._selection import display_of_replicates

#: What is drawn of each class of results that is `Drawable`.
DISPLAYS: dict[type[Result], Callable[[Any], Display]] = {
    Calibration: partial(Display, draw_calibration, height=5.6),
    Comparison: display_of_comparison,
    DecisionCurve: partial(Display, draw_decision_curve),
    PerformanceCurve: partial(Display, draw_performance_curve, height=5.2),
    PerformanceEstimate: display_of_replicates,
    RowsPlan: partial(Display, draw_rows_plan),
    Subgroups: display_of_subgroups,
    SurvivalCalibration: partial(Display, draw_calibration, height=5.6),
    TuningPath: partial(Display, draw_tuning_path),
}


def display_of(result: Any) -> Display:
    """The display of a result, which is not drawn yet; of a correction that of its record."""
    found = record_of(result)
    return DISPLAYS[type(found)](found)
