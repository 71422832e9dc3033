"""Calibration of the winner's probabilities."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._typing import IndexArray
from .._comparison_text import aligned
from .._estimate import PerformanceEstimate
from .._text import cut, wrapped
from ._curve import Curve
from ._document import WinnerDocument
from ._quantity import Quantity, frame_of

_QUANTITIES = (
    *("intercept", "slope", "slope_intercept", "observed_expected", "brier_score"),
    *("reliability", "resolution", "uncertainty", "within_bins", "calibration_error"),
)

_MANY = 0.02  # of the replicates


@dataclass(frozen=True, eq=False)
class Calibration(WinnerDocument):
    """Calibration of the winner, corrected for selection: what `bbc.calibration` returns.

    Attributes
    ----------
    performance : PerformanceEstimate
        The correction by the selection metric.
    intercept : Quantity
        Calibration in the large: a in logit P(event) = a + logit p. Ideally 0; negative where
        risks are too high.
    slope, slope_intercept : Quantity
        b and a in logit P(event) = a + b logit p. Ideally 1 and 0; a slope below 1 means that
        risks are too extreme.
    observed_expected : Quantity
        Number of events over the sum of the probabilities. Ideally 1.
    brier_score : Quantity
        Mean squared difference of probability and event.
    reliability, resolution, uncertainty, within_bins : Quantity
        Its decomposition: Brier score = reliability - resolution + uncertainty + within_bins.
    calibration_error : Quantity
        Expected calibration error: mean absolute difference of a bin's observed and mean
        predicted risk, weighted by the rows.
    curve : Curve
        Observed against predicted risk, smoothed, over the range of the winner's predictions.
    n_bins : int
        Number of bins of equal size for the decomposition and the calibration error.
    share_certain : float
        Share of the rows that the winner gives a probability of exactly 0 or 1. These have no
        logit: intercept and slope leave them out.
    event_counts, other_counts : ndarray of int of shape (50,)
        How many events, and how many other rows, have a probability of 0 to 0.02, 0.02 to 0.04 and
        so on; with repeats a row counts in each.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
    >>> [quantity.ideal for quantity in (c.intercept, c.slope, c.observed_expected)]
    [0.0, 1.0, 1.0]
    """

    performance: PerformanceEstimate
    intercept: Quantity
    slope: Quantity
    slope_intercept: Quantity
    observed_expected: Quantity
    brier_score: Quantity
    reliability: Quantity
    resolution: Quantity
    uncertainty: Quantity
    within_bins: Quantity
    calibration_error: Quantity
    curve: Curve
    event_counts: IndexArray
    other_counts: IndexArray
    n_bins: int = 10
    share_certain: float = 0.0

    _arrays: ClassVar[dict[str, Any]] = {"event_counts": np.int64, "other_counts": np.int64}
    _parts: ClassVar[dict[str, Any]] = {
        "performance": PerformanceEstimate,
        "curve": Curve,
        **dict.fromkeys(_QUANTITIES, Quantity),
    }

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All that are one number."""
        return tuple(getattr(self, name) for name in _QUANTITIES)

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the numbers."""
        found = []
        if self.share_certain > 0:
            found.append(
                f"{100 * self.share_certain:.3g} % of the winner's probabilities are exactly 0 or "
                "1; intercept and slope leave them out"
            )
        n, n_bootstraps = self.slope.n_undefined, self.curve.n_bootstraps
        if n > 0:
            note = (
                f"the slope is undefined in {n} of {n_bootstraps} replicates, in which a cut-off "
                "separates the classes or all probabilities with a logit are equal"
            )
            if _MANY * n_bootstraps < n < n_bootstraps:
                note += "; the others are those with smaller slopes"
            found.append(note)
        return tuple(found)

    def summary(self) -> str:
        """Describe the calibration in at most 80 columns of text.

        Returns
        -------
        str
            A line per quantity, then notes and findings.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
        >>> c.summary().split("\\n")[0]
        'calibration of the winner by roc_auc, method bbc'
        """
        return text(
            f"calibration of the winner by {self.performance.metric}, "
            f"method {self.performance.method}",
            list(self.quantities),
            self.performance,
            self.notes,
        )

    def to_frame(self) -> Any:
        """Return the quantities as a pandas frame; `curve` has its own.

        Returns
        -------
        pandas.DataFrame
            A row per quantity, as `Quantity.to_frame`.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
        >>> c.to_frame()["quantity"].tolist()[:2]
        ['calibration in the large', 'calibration slope']
        """
        return frame_of(list(self.quantities))

    def __repr__(self) -> str:
        parts = ", ".join(repr(each)[9:-1] for each in (self.intercept, self.slope))
        return f"Calibration({parts})"


def text(
    head: str,
    quantities: list[Quantity],
    performance: PerformanceEstimate,
    notes: tuple[str, ...] = (),
) -> str:
    """Head, a line per quantity, notes and findings."""
    titles = ("", "corrected", "interval", "apparent", "undefined")
    lines = [cut(head), *map(cut, aligned([titles, *(each.cells for each in quantities)]))]
    for note in notes:
        lines.extend(wrapped("note", note))
    if performance.infeasible is not None:
        lines.extend(wrapped("no interval", performance.infeasible))
    for each in performance.findings:
        lines.extend(wrapped(each.code, str(each).removeprefix(f"{each.code} ")))
    return "\n".join(lines)
