"""Which display draws which result, and the pictures of clinical ones."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

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
from ._course import draw_rows_plan, draw_tuning_path
from ._display import DARK, NEUTRAL, Display, draw_curve, legend_above
from ._forest import display_of_comparison, display_of_subgroups
from ._selection import display_of_replicates


def draw_calibration(ax: Any, c: Calibration | SurvivalCalibration) -> None:
    """Observed against predicted risk, corrected and apparent.

    Below are the probabilities: spikes upwards are events, spikes downwards other rows, each
    relative to its longest. Of survival at a time, dots are groups of risk instead, with the
    observed risk of Kaplan-Meier.
    """
    ax.plot([0, 1], [0, 1], ":", color=DARK, linewidth=1.2, label="perfect")
    draw_curve(ax, c.curve)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.01)
    ax.set_ylabel("observed risk")
    if isinstance(c, SurvivalCalibration):
        ax.set_xlabel(f"predicted risk of an event by {c.time:g}")
        ax.plot(c.group_risks, c.group_observed, "o", color=DARK, label="groups, apparent")
    else:
        ax.set_xlabel("predicted risk" + for_class(c))
        _draw_counts(ax, c)
    legend_above(ax)


def _draw_counts(ax: Any, c: Calibration) -> None:
    """The probabilities of events and of other rows."""
    edges = np.linspace(0, 1, len(c.event_counts) + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    base, height = -0.12, 0.09
    for counts, sign in ((c.event_counts, 1), (c.other_counts, -1)):
        some = counts > 0
        # Each in proportion to its own: rare events would have no height beside the others.
        ends = base + sign * height * counts[some] / max(1, int(counts.max()))
        ax.vlines(middles[some], base, ends, color=DARK if sign > 0 else NEUTRAL, linewidth=2)
    ax.axhline(base, color=DARK, linewidth=0.6)
    for text, y in (("events", base + 0.02), ("others", base - 0.05)):
        ax.annotate(
            text,
            (1.01, y),
            xycoords="data",
            fontsize="x-small",
            color=DARK,
            annotation_clip=False,
        )
    ax.set_ylim(base - height - 0.02, 1.01)
    ax.set_yticks(np.linspace(0, 1, 6))


def draw_decision_curve(ax: Any, d: DecisionCurve) -> None:
    """Net benefit of the winner, corrected and apparent, against treating all and none."""
    draw_curve(ax, d.net_benefit)
    all_treated = d.treat_all.apparent  # nothing is fitted to it: of all rows it is known
    ax.plot(d.thresholds, all_treated, "-.", color=DARK, linewidth=1.2, label="treat all")
    ax.axhline(0, color=DARK, linestyle=":", linewidth=1.2, label="treat none")
    # Far below zero nothing is to be seen: treating all costs without limit.
    top = max(
        float(np.max(curve))
        for curve in (d.net_benefit.estimates, d.net_benefit.apparent, all_treated)
    )
    if d.net_benefit.simultaneous_highs is not None:
        top = max(top, float(np.max(d.net_benefit.simultaneous_highs)))
    ax.set_ylim(-0.25 * top if top > 0 else None, 1.05 * top if top > 0 else None)
    ax.set_xlim(0, 1)
    ax.set_xlabel("threshold probability" + for_class(d))
    ax.set_ylabel("net benefit")
    legend_above(ax)


def draw_performance_curve(ax: Any, c: PerformanceCurve) -> None:
    """The ROC or precision-recall curve of the winner, corrected and apparent."""
    roc = c.kind == "roc"
    draw_curve(ax, c.curve)
    chance = [0, 1] if roc else [c.prevalence] * 2
    ax.plot([0, 1], chance, ":", color=DARK, linewidth=1.2, label="chance")
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(-0.01, 1.02)
    ax.set_xlabel(("1 - specificity" if roc else "recall") + for_class(c))
    ax.set_ylabel("sensitivity" if roc else "precision")
    legend_above(ax)


def for_class(found: Calibration | DecisionCurve | PerformanceCurve) -> str:
    """Of several classes the one that was set against the others."""
    return f" (class {found.of_class})" if found.of_class else ""


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
