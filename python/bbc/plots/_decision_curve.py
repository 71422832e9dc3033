"""Net benefit against the threshold."""

from typing import Any, Self

import numpy as np

from .._docstrings import described
from ..results import DecisionCurve
from ._band import draw_curve
from ._display import AXES, DARK, Display, checked, legend_above


class DecisionCurveDisplay(Display):
    """Net benefit of the winner, corrected and apparent, against treating all and none.

    Parameters
    ----------
    decision_curve : DecisionCurve
        What `bbc.decision_curve` returns.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> d = bbc.decision_curve(s.y, risks, metric="roc_auc", random_state=1)
    >>> bbc.plots.DecisionCurveDisplay.from_decision_curve(d).ax_.get_ylabel()
    'net benefit'
    """

    def __init__(self, decision_curve: DecisionCurve) -> None:
        self.decision_curve = checked(
            decision_curve, DecisionCurve, "decision_curve", "what bbc.decision_curve returns"
        )

    @classmethod
    @described(AXES)
    def from_decision_curve(cls, decision_curve: DecisionCurve, *, ax: Any | None = None) -> Self:
        """Plot a decision curve.

        Parameters
        ----------
        decision_curve : DecisionCurve
            What `bbc.decision_curve` returns.

        Returns
        -------
        DecisionCurveDisplay
            The display.
        """
        return cls(decision_curve).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        d = self.decision_curve
        draw_curve(ax, d.net_benefit)
        all_treated = d.treat_all.estimates
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
        ax.set_xlabel("threshold probability")
        ax.set_ylabel("net benefit")
        legend_above(ax)
