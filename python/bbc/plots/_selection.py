"""How stable the winner is."""

from typing import Any

import numpy as np

from ..results import PerformanceEstimate
from ._matplotlib import CORRECTED, NEUTRAL, Display, shortened

_ROW = 0.32  # inches per bar


class SelectionDisplay(Display):
    """Share of the replicates that each configuration won, most often chosen first.

    Parameters
    ----------
    estimate : PerformanceEstimate
        A result that has replicates.
    n_shown : int, default=10
        Most configurations shown one by one; the others are added up.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes drawn on.
    figure_ : matplotlib.figure.Figure
        Their figure.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display = bbc.plots.SelectionDisplay.from_estimate(e)
    >>> display.ax_.get_xlabel()
    'chosen in % of the replicates'
    """

    def __init__(self, estimate: PerformanceEstimate, n_shown: int = 10) -> None:
        if estimate.selection_frequency is None:
            raise ValueError(
                f"estimate: method {estimate.method!r} has no replicates, so nothing was chosen"
            )
        self.estimate = estimate
        self.n_shown = n_shown

    @classmethod
    def from_estimate(
        cls, estimate: PerformanceEstimate, *, n_shown: int = 10, ax: Any | None = None
    ) -> "SelectionDisplay":
        """Draw a result.

        Parameters
        ----------
        estimate : PerformanceEstimate
            A result that has replicates.
        n_shown : int, default=10
            Most configurations shown one by one.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        SelectionDisplay
            The picture.
        """
        return cls(estimate, n_shown).plot(ax=ax)

    def plot(self, *, ax: Any | None = None) -> "SelectionDisplay":
        """Draw on `ax`, or on a new figure.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw.

        Returns
        -------
        SelectionDisplay
            This display.
        """
        e = self.estimate
        shares = e.selection_frequency
        assert shares is not None
        # A stable sort of the negative: equal shares stay in the order of the configurations.
        chosen = [int(index) for index in np.argsort(-shares, kind="stable") if shares[index] > 0]
        shown, others = chosen[: self.n_shown], chosen[self.n_shown :]
        names = [
            shortened(e.names[index] if e.names else f"configuration {index}") for index in shown
        ]
        widths = [100 * float(shares[index]) for index in shown]
        colours = [CORRECTED if index == e.winner else NEUTRAL for index in shown]
        if others:
            names.append(f"{len(others)} others")
            widths.append(100 * float(shares[others].sum()))
            colours.append("none")
        ax = self._on(ax, height=1.2 + _ROW * len(names))
        places = np.arange(len(names))
        bars = ax.barh(places, widths, color=colours, edgecolor=NEUTRAL, linewidth=0.8)
        ax.bar_label(bars, fmt="%.1f", padding=3)
        ax.set_yticks(places, names)
        ax.invert_yaxis()
        ax.margins(x=0.12)
        ax.set_xlabel("chosen in % of the replicates")
        ax.set_title(
            "the winner is the blue one" if e.winner in shown else "the winner is not shown"
        )
        return self._finished()
