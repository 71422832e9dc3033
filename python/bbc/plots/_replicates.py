"""Where the replicates lie, and how far from them the uncorrected number is."""

from typing import Any

from ..results import PerformanceEstimate
from ._matplotlib import APPARENT, CORRECTED, NEUTRAL, Display


class ReplicateDisplay(Display):
    """Histogram of the replicates with the apparent and the corrected performance.

    Parameters
    ----------
    estimate : PerformanceEstimate
        A result that has replicates.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

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

    def __init__(self, estimate: PerformanceEstimate) -> None:
        if estimate.replicates is None:
            raise ValueError(
                f"estimate: method {estimate.method!r} has no replicates, so there is nothing to "
                "draw"
            )
        self.estimate = estimate

    @classmethod
    def from_estimate(
        cls, estimate: PerformanceEstimate, *, ax: Any | None = None
    ) -> "ReplicateDisplay":
        """Draw a result.

        Parameters
        ----------
        estimate : PerformanceEstimate
            A result that has replicates.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ReplicateDisplay
            The picture.
        """
        return cls(estimate).plot(ax=ax)

    def plot(self, *, ax: Any | None = None) -> "ReplicateDisplay":
        """Draw on `ax`, or on a new figure.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw.

        Returns
        -------
        ReplicateDisplay
            This display.
        """
        e = self.estimate
        ax = self._on(ax, height=4.8)
        ax.hist(e.replicates, bins="sqrt", color=NEUTRAL, edgecolor="white", linewidth=0.4)
        interval = e.confidence_interval
        if interval is not None:
            low, high = ax.get_xlim()
            ax.axvspan(
                max(interval.low, low),
                min(interval.high, high),
                color=CORRECTED,
                alpha=0.15,
                label=f"{100 * interval.confidence_level:g} % interval "
                f"[{interval.low:.3g}, {interval.high:.3g}]",
            )
        ax.axvline(e.estimate, color=CORRECTED, linewidth=2.0, label=f"corrected {e.estimate:.3f}")
        if e.apparent is not None:
            ax.axvline(
                e.apparent,
                color=APPARENT,
                linewidth=2.0,
                linestyle="--",
                label=f"apparent {e.apparent:.3f}",
            )
        ax.set_xlabel(e.metric)
        ax.set_ylabel("replicates")
        ax.set_title(f"{e.n_rows} rows, {e.n_configurations} configurations")
        ax.legend(frameon=False, loc="upper left")
        return self._finished()
