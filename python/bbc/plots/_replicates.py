"""Distribution of the replicates, with the apparent score."""

from typing import Any

from .._sentences import rounded
from .._titles import metric_title
from ..results._facts import size
from ._display import APPARENT, CORRECTED, EstimateDisplay, drawn, histogram, legend_above


class ReplicateDisplay(EstimateDisplay):
    """Histogram of the replicates, with apparent and corrected performance.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 60)
    >>> predictions = np.where(rng.random((60, 20)) < 0.7, y[:, None], 1 - y[:, None])
    >>> e = bbc.correct(y, predictions, metric="accuracy", random_state=1)
    >>> bbc.plots.ReplicateDisplay.from_estimate(e).ax_.get_xlabel()
    'accuracy'
    """

    @property
    def _height(self) -> float:
        return 4.8

    def _draw(self, ax: Any) -> None:
        e = self.estimate
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
                label=f"{100 * interval.confidence_level:g} % interval "
                f"[{rounded(interval.low)}, {rounded(interval.high)}]",
            )
        corrected = f"corrected {rounded(e.estimate)}"
        ax.axvline(e.estimate, color=CORRECTED, linewidth=2.0, label=corrected)
        if e.apparent is not None:
            ax.axvline(
                e.apparent,
                color=APPARENT,
                linewidth=2.0,
                linestyle="--",
                label=f"apparent {rounded(e.apparent)}",
            )
        ax.set_xlabel(drawn(metric_title(e.metric)))
        ax.set_title(size(e))
        legend_above(ax)
