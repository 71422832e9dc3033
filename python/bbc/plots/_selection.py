"""Displays of an estimate: the distribution of its replicates, and what they selected."""

from typing import Any

import numpy as np

from .._docstrings import described
from .._page import limits
from .._sentences import counted
from .._titles import concise, metric_title
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


class SelectionDisplay(Display):
    """Share of the replicates that each configuration won, in decreasing order.

    Parameters
    ----------
    estimate : PerformanceEstimate
        A result that has replicates.
    n_shown : int, default=10
        Number of configurations shown; the others are shown as a sum.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display = bbc.plots.selection(e)
    >>> display.ax_.get_xlabel()
    'chosen in % of the replicates'
    """

    def __init__(self, estimate: PerformanceEstimate, n_shown: int = 10) -> None:
        self.estimate = estimate
        self.n_shown = integer(n_shown, "n_shown", lowest=1)
        if not selects(estimate):
            raise InvalidValueError(
                "estimate", f": method {estimate.method!r} selects nothing in its replicates"
            )
        chosen, self._shares = most_chosen_first(estimate)
        self._shown, self._others = chosen[:n_shown], chosen[n_shown:]

    @property
    def _height(self) -> float:
        return 1.2 + _ROW * (len(self._shown) + bool(self._others))

    def _draw(self, ax: Any) -> None:
        e = self.estimate
        known = concise(e.names) if e.names else None
        names = [
            shortened(known[index] if known else f"configuration {index}") for index in self._shown
        ]
        n_shown = len(self._shown)
        widths = [100 * float(share) for share in self._shares[:n_shown]]
        colours = [CORRECTED if index == e.winner else NEUTRAL for index in self._shown]
        if self._others:
            others = self._shares[n_shown:]
            joint = others.sum() if e.weights is None else others[0]
            rest = counted(len(self._others), "other")
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
        if e.winner in self._shown:
            bars[self._shown.index(e.winner)].set_label(
                "the winner" if e.weights is None else "the largest weight"
            )
            legend_above(ax)
        else:
            ax.set_title("the winner is not shown")


@described(AXES)
def selection(
    estimate: Correction | PerformanceEstimate, *, n_shown: int = 10, ax: Any | None = None
) -> SelectionDisplay:
    """Draw how often each configuration was selected.

    Parameters
    ----------
    estimate : Correction or PerformanceEstimate
        A result that has replicates.
    n_shown : int, default=10
        Number of configurations shown; the others are shown as a sum.

    Returns
    -------
    SelectionDisplay
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
    return SelectionDisplay(checked(estimate, *RESULT), n_shown).plot(ax=ax)


class ReplicateDisplay(Display):
    """Histogram of the replicates, with apparent and corrected performance.

    Parameters
    ----------
    estimate : PerformanceEstimate
        A result that has replicates.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 60)
    >>> predictions = np.where(rng.random((60, 20)) < 0.7, y[:, None], 1 - y[:, None])
    >>> e = bbc.correct(y, predictions, metric="accuracy", random_state=1)
    >>> e.plot().ax_.get_xlabel()
    'accuracy'
    """

    def __init__(self, estimate: PerformanceEstimate) -> None:
        self.estimate = estimate
        if estimate.replicates is None:
            raise InvalidValueError(
                "plot",
                f"needs replicates, and method {estimate.method!r} has none",
                hint=("{} draws estimates without", Argument("bbc.plots.forest")),
            )

    @property
    def _height(self) -> float:
        return 4.8

    def _draw(self, ax: Any) -> None:
        e, text = self.estimate, text_of(self.estimate)
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
