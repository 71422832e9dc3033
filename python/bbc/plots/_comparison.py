"""The differences between families, with their intervals."""

import math
from typing import Any, Self

from .._titles import metric_title
from ..results import Comparison
from ._display import CORRECTED, DARK, Display, checked, drawn, shortened

_ROW = 0.45  # inches per difference


class ComparisonDisplay(Display):
    """A line per pair of families: the difference with its interval, and the p-value.

    `ForestDisplay` draws the estimates of the families: ``comparison.estimates``.

    Parameters
    ----------
    comparison : Comparison
        What `bbc.compare` returns.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> halves = {"a": s.predictions[:, :10], "b": s.predictions[:, 10:]}
    >>> comparison = bbc.compare(s.y, halves, metric="accuracy", random_state=1)
    >>> bbc.plots.ComparisonDisplay.from_comparison(comparison).ax_.get_xlabel()
    'accuracy: first family better by'
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = checked(comparison, Comparison, "comparison", "what bbc.compare returns")

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, ax: Any | None = None) -> Self:
        """Plot a comparison."""
        return cls(comparison).plot(ax=ax)

    @property
    def _height(self) -> float:
        return 1.4 + _ROW * len(self.comparison.differences)

    def _draw(self, ax: Any) -> None:
        pairs = self.comparison.differences
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
        ax.set_xlabel(f"{drawn(metric_title(self.comparison.metric))}: first family better by")
