"""Calibration curve with the distribution of the probabilities."""

from typing import Any, Self

import numpy as np

from .._docstrings import described
from ..results import Calibration
from ._band import draw_curve
from ._display import AXES, DARK, NEUTRAL, Display, checked, legend_above


class CalibrationDisplay(Display):
    """Observed against predicted risk, corrected and apparent; below, the probabilities.

    Spikes upwards are events, spikes downwards other rows, each relative to its longest.

    Parameters
    ----------
    calibration : Calibration
        What `bbc.calibration` returns.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
    >>> bbc.plots.CalibrationDisplay.from_calibration(c).ax_.get_ylabel()
    'observed risk'
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = checked(
            calibration, Calibration, "calibration", "what bbc.calibration returns"
        )

    @classmethod
    @described(AXES)
    def from_calibration(cls, calibration: Calibration, *, ax: Any | None = None) -> Self:
        """Plot a calibration.

        Parameters
        ----------
        calibration : Calibration
            What `bbc.calibration` returns.

        Returns
        -------
        CalibrationDisplay
            The display.
        """
        return cls(calibration).plot(ax=ax)

    @property
    def _height(self) -> float:
        return 5.6

    def _draw(self, ax: Any) -> None:
        c = self.calibration
        ax.plot([0, 1], [0, 1], ":", color=DARK, linewidth=1.2, label="perfect")
        draw_curve(ax, c.curve)
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
        ax.set_xlim(0, 1)
        ax.set_ylim(base - height - 0.02, 1.01)
        ax.set_yticks(np.linspace(0, 1, 6))
        ax.set_xlabel("predicted risk")
        ax.set_ylabel("observed risk")
        legend_above(ax)
