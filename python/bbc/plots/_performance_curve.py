"""ROC and precision-recall curves."""

from typing import Any, Self

from .._docstrings import described
from ..results import PerformanceCurve
from ._band import draw_curve
from ._display import AXES, DARK, Display, checked, legend_above


class PerformanceCurveDisplay(Display):
    """The ROC or precision-recall curve of the winner, corrected and apparent.

    Parameters
    ----------
    curve : PerformanceCurve
        What `bbc.roc_curve` or `bbc.precision_recall_curve` returns.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> roc = bbc.roc_curve(s.y, s.predictions, metric="roc_auc", random_state=1)
    >>> bbc.plots.PerformanceCurveDisplay.from_curve(roc).ax_.get_ylabel()
    'sensitivity'
    """

    def __init__(self, curve: PerformanceCurve) -> None:
        self.curve = checked(
            curve,
            PerformanceCurve,
            "curve",
            "what bbc.roc_curve or bbc.precision_recall_curve returns",
        )

    @classmethod
    @described(AXES)
    def from_curve(cls, curve: PerformanceCurve, *, ax: Any | None = None) -> Self:
        """Plot a curve.

        Parameters
        ----------
        curve : PerformanceCurve
            What `bbc.roc_curve` or `bbc.precision_recall_curve` returns.

        Returns
        -------
        PerformanceCurveDisplay
            The display.
        """
        return cls(curve).plot(ax=ax)

    @property
    def _height(self) -> float:
        return 5.2

    def _draw(self, ax: Any) -> None:
        roc = self.curve.kind == "roc"
        draw_curve(ax, self.curve.curve)
        chance = [0, 1] if roc else [self.curve.prevalence] * 2
        ax.plot([0, 1], chance, ":", color=DARK, linewidth=1.2, label="chance")
        ax.set_xlim(-0.01, 1.01)
        ax.set_ylim(-0.01, 1.02)
        ax.set_xlabel("1 - specificity" if roc else "recall")
        ax.set_ylabel("sensitivity" if roc else "precision")
        legend_above(ax)
