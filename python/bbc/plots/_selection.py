"""Displays of an estimate: the distribution of its replicates, and what they selected."""

from typing import Any, NamedTuple

import numpy as np

from .._docstrings import described
from .._page import limits
from .._sentences import counted
from .._titles import concise, metric_title
from .._typing import FloatArray
from .._validation import integer
from ..correction import Correction
from ..errors import Argument, InvalidValueError
from ..results import PerformanceEstimate
from ..results._estimate import most_chosen_first, selects, size, text_of
from ._display import (
    APPARENT,
    AXES,
    CORRECTED,
    NEUTRAL,
    RESULT,
    Display,
    checked,
    drawn,
    histogram,
    legend_above,
    shortened,
)

_ROW = 0.32  # inches per bar
_FEWEST_ROWS = 3  # a single bar is as high as one of several


@described(AXES)
def selection(
    estimate: Correction | PerformanceEstimate, *, n_shown: int = 10, ax: Any | None = None
) -> Display:
    """Draw how often each configuration was selected.

    Parameters
    ----------
    estimate : Correction or PerformanceEstimate
        A result that has replicates.
    n_shown : int, default=10
        Number of configurations shown; the others are shown as a sum.

    Returns
    -------
    Display
        The display.

    Raises
    ------
    ValueError
        If nothing was selected in replicates.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display = bbc.plots.selection(c, n_shown=3)
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['configuration 17', 'configuration 13', 'configuration 6', '8 others']
    """
    return display_of_selection(checked(estimate, *RESULT), n_shown).plot(ax=ax)


class _Shares(NamedTuple):
    """Which configurations are shown, which are summed, and the share of each."""

    estimate: PerformanceEstimate
    shown: list[int]
    others: list[int]
    of_each: FloatArray


def display_of_selection(estimate: PerformanceEstimate, n_shown: int = 10) -> Display:
    """Share of the replicates that each configuration won, in decreasing order."""
    integer(n_shown, "n_shown", lowest=1)
    if not selects(estimate):
        raise InvalidValueError(
            "estimate", f": method {estimate.method!r} selects nothing in its replicates"
        )
    chosen, of_each = most_chosen_first(estimate)
    shares = _Shares(estimate, chosen[:n_shown], chosen[n_shown:], of_each)
    height = 1.2 + _ROW * (len(shares.shown) + bool(shares.others))
    return Display(_draw_selection, shares, height=height)


def _draw_selection(ax: Any, shares: _Shares) -> None:
    e = shares.estimate
    known = concise(e.names) if e.names else None
    names = [
        shortened(known[index] if known else f"configuration {index}") for index in shares.shown
    ]
    n_shown = len(shares.shown)
    widths = [100 * float(share) for share in shares.of_each[:n_shown]]
    colours = [CORRECTED if index == e.winner else NEUTRAL for index in shares.shown]
    if shares.others:
        others = shares.of_each[n_shown:]
        joint = others.sum() if e.weights is None else others[0]
        rest = counted(len(shares.others), "other")
        names.append(rest + (", at most" if e.weights is not None else ""))
        widths.append(100 * float(joint))
        colours.append("none")
    places = np.arange(len(names))
    bars = ax.barh(places, widths, color=colours, edgecolor=NEUTRAL, linewidth=0.8)
    ax.bar_label(bars, fmt="%.1f", padding=3)
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    if len(names) < _FEWEST_ROWS:
        ax.set_ylim(_FEWEST_ROWS - 0.5, -0.5)
    ax.margins(x=0.12)
    ax.set_xlabel(f"{'chosen' if e.weights is None else 'taking part'} in % of the replicates")
    if e.winner in shares.shown:
        bars[shares.shown.index(e.winner)].set_label(
            "the winner" if e.weights is None else "the largest weight"
        )
        legend_above(ax)
    else:
        ax.set_title("the winner is not shown")


def display_of_replicates(estimate: PerformanceEstimate) -> Display:
    """Histogram of the replicates, with apparent and corrected performance."""
    if estimate.replicates is None:
        raise InvalidValueError(
            "plot",
            f"needs replicates, and method {estimate.method!r} has none",
            hint=("{} draws estimates without", Argument("bbc.plots.forest")),
        )
    return Display(_draw_replicates, estimate, height=4.8)


def _draw_replicates(ax: Any, e: PerformanceEstimate) -> None:
    text = text_of(e)
    assert e.replicates is not None
    histogram(ax, e.replicates)
    interval = e.confidence_interval
    if interval is not None:
        low, high = ax.get_xlim()
        ax.axvspan(
            max(interval.low, low),
            min(interval.high, high),
            color=CORRECTED,
            alpha=0.15,
            label=f"{100 * interval.confidence_level:g} % interval {limits(interval, text)}",
        )
    corrected = f"corrected {text(e.estimate)}"
    ax.axvline(e.estimate, color=CORRECTED, linewidth=2.0, label=corrected)
    if e.apparent is not None:
        ax.axvline(
            e.apparent,
            color=APPARENT,
            linewidth=2.0,
            linestyle="--",
            label=f"apparent {text(e.apparent)}",
        )
    ax.set_xlabel(drawn(metric_title(e.metric)))
    ax.set_title(size(e))
    legend_above(ax)
