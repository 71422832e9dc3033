"""Net benefit of the winner's probabilities."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._comparison_text import aligned, four
from .._estimate import PerformanceEstimate
from .._text import cut, data_frame
from ._curve import Curve
from ._document import WinnerDocument

_CURVES = ("net_benefit", "treat_all", "over_treat_all", "standardized")
_SHOWN = (0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, eq=False)
class DecisionCurve(WinnerDocument):
    """Net benefit of the winner, corrected for selection: what `bbc.decision_curve` returns.

    The net benefit of treating none is 0.

    Attributes
    ----------
    performance : PerformanceEstimate
        The correction by the selection metric.
    net_benefit : Curve
        Net benefit of treating the rows whose probability is at least the threshold, in true
        positives per row.
    treat_all : Curve
        Net benefit of treating every row.
    over_treat_all : Curve
        The difference of the two on the same rows.
    standardized : Curve
        Net benefit over the prevalence: 1 is that of perfect predictions.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> d = bbc.decision_curve(s.y, risks, metric="roc_auc", random_state=1)
    >>> d.thresholds.shape
    (99,)
    """

    performance: PerformanceEstimate
    net_benefit: Curve
    treat_all: Curve
    over_treat_all: Curve
    standardized: Curve

    _parts: ClassVar[dict[str, Any]] = {
        "performance": PerformanceEstimate,
        **dict.fromkeys(_CURVES, Curve),
    }

    @property
    def thresholds(self) -> Any:
        """Threshold probabilities of the curves."""
        return self.net_benefit.x

    def summary(self) -> str:
        """Describe the net benefit at some thresholds in at most 80 columns of text.

        Returns
        -------
        str
            A line per threshold.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> d = bbc.decision_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> d.summary().split("\\n")[0]
        'net benefit of the winner by roc_auc, method bbc'
        """
        table: list[tuple[str, ...]] = [
            ("threshold", "corrected", "interval", "apparent", "treat all")
        ]
        shown = sorted({int(np.argmin(np.abs(self.thresholds - at))) for at in _SHOWN})
        curve = self.net_benefit
        for i in shown:
            limits = "-"
            if curve.lows is not None and curve.highs is not None:
                limits = f"[{four(curve.lows[i])}, {four(curve.highs[i])}]"
            table.append(
                (
                    f"{curve.x[i]:.4g}",
                    four(curve.estimates[i]),
                    limits,
                    four(curve.apparent[i]),
                    four(self.treat_all.estimates[i]),
                )
            )
        head = (
            f"net benefit of the winner by {self.performance.metric}, "
            f"method {self.performance.method}"
        )
        return "\n".join([cut(head), *map(cut, aligned(table))])

    def to_frame(self) -> Any:
        """Return the curves as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            A row per curve and threshold: columns curve and threshold, then as `Curve.to_frame`.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> d = bbc.decision_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> sorted(set(d.to_frame()["curve"]))
        ['net_benefit', 'over_treat_all', 'standardized', 'treat_all']
        """
        frames = {name: getattr(self, name).to_frame() for name in _CURVES}
        columns = {"curve": np.repeat(_CURVES, len(self.thresholds))} | {
            "threshold" if column == "x" else column: np.concatenate(
                [frame[column].to_numpy() for frame in frames.values()]
            )
            for column in frames["net_benefit"].columns
        }
        return data_frame(columns)

    def __repr__(self) -> str:
        return f"DecisionCurve({self.performance.metric}, {len(self.thresholds)} thresholds)"
