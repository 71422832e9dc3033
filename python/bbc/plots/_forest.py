"""Rows of intervals: estimates, subgroups, and differences between families."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from .._docstrings import described
from .._titles import metric_title
from ..correction import Correction
from ..errors import InvalidTypeError, InvalidValueError
from ..results import Comparison, PerformanceEstimate, Subgroups
from ._display import (
    APPARENT,
    AXES,
    CORRECTED,
    DARK,
    RESULT,
    Display,
    checked,
    drawn,
    panels_within,
    shortened,
)

_ROW = 0.4  # inches per line
_PAIR = 0.45  # inches per difference
_FRAME = 0.9  # inches of an axis with its label, beside its lines
_LINE = 0.16  # inches of a line of the conclusion
_SENTENCE = 88  # characters of such a line


@described(AXES)
def forest(
    estimates: Mapping[str, Correction | PerformanceEstimate], *, ax: Any | None = None
) -> Display:
    """Draw a line per estimate with its interval, and the apparent score as a cross.

    Parameters
    ----------
    estimates : dict of str to Correction or PerformanceEstimate
        Results of the same metric, by the name to show.

    Returns
    -------
    Display
        The display.

    Raises
    ------
    ValueError, TypeError
        If there is no estimate, or they are of different metrics.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> a, b = (bbc.correct(s.y, s.predictions, metric="accuracy", folds=s.folds, method=method,
    ...                     random_state=1) for method in ("bbc", "bbc-f"))
    >>> display = bbc.plots.forest({"rows drawn": a, "folds drawn": b})
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['rows drawn', 'folds drawn']
    """
    if not isinstance(estimates, Mapping):
        raise InvalidTypeError(
            "estimates", f"must be a dict from names to results, got {type(estimates).__name__}"
        )
    if not estimates:
        raise InvalidValueError("estimates", "is empty")
    found = {name: checked(e, *RESULT) for name, e in estimates.items()}
    metrics = {each.metric for each in found.values()}
    if len(metrics) > 1:
        raise InvalidValueError(
            "estimates", f"are of different metrics: {', '.join(sorted(metrics))}"
        )
    return Display(_draw_forest, found, height=1.4 + _ROW * len(found)).plot(ax=ax)


def _draw_forest(ax: Any, estimates: dict[str, PerformanceEstimate]) -> None:
    _draw_estimates(ax, list(estimates.values()))
    ax.set_yticks(range(len(estimates)), [shortened(name) for name in estimates])


def _draw_estimates(ax: Any, estimates: Sequence[PerformanceEstimate | None]) -> None:
    """A line per estimate, from the top; None leaves its line empty."""
    found = [each for each in estimates if each is not None]
    low_edge, high_edge = _edges(found)
    labelled = set()
    for place, e in enumerate(estimates):
        if e is None:
            continue
        interval = e.confidence_interval
        if interval is not None:
            low, high = max(interval.low, low_edge), min(interval.high, high_edge)
            ax.plot([low, high], [place, place], color=CORRECTED, linewidth=2.5, alpha=0.6)
        for value, marker, colour, name in (
            (e.estimate, "o", CORRECTED, "corrected"),
            (e.apparent, "x", APPARENT, "apparent"),
        ):
            if value is not None:
                label = None if name in labelled else name
                ax.plot(value, place, marker, color=colour, markersize=7, label=label)
                labelled.add(name)
    ax.set_ylim(len(estimates) - 0.5, -0.5)
    ax.grid(axis="x", color=DARK, alpha=0.15)
    ax.set_xlabel(drawn(metric_title(found[0].metric)))
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)


def _edges(estimates: Sequence[PerformanceEstimate]) -> tuple[float, float]:
    """The smallest and the largest finite value, where open intervals end."""
    numbers = [
        value
        for e in estimates
        for value in (e.estimate, e.apparent, *(e.confidence_interval or ()))
    ]
    finite = [value for value in numbers if value is not None and math.isfinite(value)]
    return min(finite), max(finite)


def display_of_subgroups(subgroups: Subgroups) -> Display:
    """A line for all rows and one per subgroup, with the numbers of rows.

    The dashed line is the estimate on all rows. A subgroup that is too small says so.
    """
    height = 1.4 + _ROW * (1 + len(subgroups.groups))
    return Display(_draw_subgroups, subgroups, height=height)


def _draw_subgroups(ax: Any, subgroups: Subgroups) -> None:
    groups = subgroups.groups
    overall, n_rows = subgroups.overall, sum(each.n_rows for each in groups)
    lines: list[tuple[str, int, PerformanceEstimate | None]] = [
        ("all rows", n_rows, overall),
        *((each.name, each.n_rows, each.estimate) for each in groups),
    ]
    _draw_estimates(ax, [estimate for _, _, estimate in lines])
    ax.axvline(overall.estimate, color=DARK, linewidth=0.8, linestyle="--", zorder=0)
    names = [f"{shortened(name)} ({count})" for name, count, _ in lines]
    ax.set_yticks(range(len(lines)), names)
    for place, (_, _, estimate) in enumerate(lines):
        if estimate is None:
            ax.annotate(
                "too small for this metric",
                (0.02, place),
                xycoords=("axes fraction", "data"),
                va="center",
                color=DARK,
                fontsize=9,
            )


def display_of_comparison(comparison: Comparison) -> Display:
    """For each metric a line per family, and below a line per pair under the conclusion."""
    every = comparison._by_metric
    return Display(_draw_comparison, comparison, height=sum(sum(_heights(c)) for c in every))


def _heights(comparison: Comparison) -> tuple[float, float]:
    """Inches of the families, and of the differences."""
    lines = _sentence(comparison).count("\n") + 1
    return (
        _FRAME + _ROW * len(comparison.estimates),
        _FRAME + _LINE * lines + _PAIR * max(1, len(comparison.differences)),
    )


def _sentence(comparison: Comparison) -> str:
    return textwrap.fill(drawn(comparison.conclusion), _SENTENCE)


def _draw_comparison(ax: Any, comparison: Comparison) -> tuple[Any, ...]:
    every = comparison._by_metric
    panels = panels_within(ax, [height for each in every for height in _heights(each)])
    for place, each in enumerate(every):
        estimates, differences = panels[2 * place : 2 * place + 2]
        _draw_forest(estimates, dict(each.estimates))
        if place > 0:  # the colours are those above
            estimates.get_legend().remove()
        _draw_differences(differences, each)
    return panels


def _draw_differences(ax: Any, comparison: Comparison) -> None:
    """A line per pair of families: the difference with its interval, and the p-value."""
    pairs = comparison.differences
    ends = [
        value
        for pair in pairs
        for value in (pair.estimate, *(pair.confidence_interval or ()), 0.0)
        if math.isfinite(value)
    ]
    for place, pair in enumerate(pairs):
        if pair.confidence_interval is not None:
            low = max(pair.confidence_interval.low, min(ends))
            high = min(pair.confidence_interval.high, max(ends))
            ax.plot([low, high], [place, place], color=CORRECTED, linewidth=2.5, alpha=0.6)
        ax.plot(pair.estimate, place, "o", color=CORRECTED, markersize=7)
        if pair.p_value is not None:
            shown = f"p = {pair.p_value:.2g}"
            ax.annotate(
                shown,
                (pair.estimate, place),
                (0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=DARK,
            )
    ax.axvline(0, color=DARK, linewidth=0.8, linestyle="--")
    names = [f"{shortened(pair.first)} - {shortened(pair.second)}" for pair in pairs]
    ax.set_yticks(range(len(pairs)), names)
    ax.set_ylim(len(pairs) - 0.5, -0.6)
    ax.grid(axis="x", color=DARK, alpha=0.15)
    ax.set_xlabel(f"{drawn(metric_title(comparison.metric))}: first family better by")
    # From the right edge it reaches over the names, whose widths are not known here.
    ax.set_title(_sentence(comparison), fontsize=9, loc="right", multialignment="left")
