"""One number about the winner."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._typing import FloatArray
from .._estimate import PerformanceEstimate
from .._interval import ConfidenceInterval
from .._text import data_frame, number
from ._document import WinnerDocument


@dataclass(frozen=True, eq=False)
class Quantity(WinnerDocument):
    """A number that describes the winner, corrected for selection.

    Attributes
    ----------
    name : str
        What it is.
    estimate : float or None
        Mean of the replicates; None if it is undefined in all of them.
    apparent : float or None
        Its uncorrected value on all rows; None if it is undefined there.
    confidence_interval : ConfidenceInterval or None
        Order statistics of the replicates; None if too few are defined, or if the draws give no
        interval.
    n_undefined : int
        Replicates that are left out because it is undefined in them.
    ideal : float or None
        The value of perfect calibration, if there is one.
    replicates : ndarray
        The defined replicates.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
    >>> c.slope.name, c.slope.ideal
    ('calibration slope', 1.0)
    """

    name: str
    estimate: float | None
    apparent: float | None
    confidence_interval: ConfidenceInterval | Any
    n_undefined: int
    replicates: FloatArray
    ideal: float | None = None

    _arrays: ClassVar[dict[str, Any]] = {"replicates": np.float64}
    _parts: ClassVar[dict[str, Any]] = {"confidence_interval": ConfidenceInterval}

    def __repr__(self) -> str:
        return f"Quantity({self.name} = {', '.join(self.cells[1:3])})"

    @property
    def cells(self) -> tuple[str, ...]:
        """Name, estimate, interval, apparent value and count of undefined replicates as text."""
        return cells_of(self.name, self)

    def to_frame(self) -> Any:
        """Return the numbers as a pandas frame of one row.

        Returns
        -------
        pandas.DataFrame
            Columns quantity, estimate, low, high, apparent, ideal and n_undefined.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.calibration(s.y, risks, metric="roc_auc", random_state=1)
        >>> c.slope.to_frame().loc[0, "quantity"]
        'calibration slope'
        """
        return frame_of([self])


def cells_of(name: str, found: Quantity | PerformanceEstimate) -> tuple[str, ...]:
    """What `Quantity.cells` has, of a quantity or a metric."""
    interval = found.confidence_interval
    return (
        name,
        _shown(found.estimate),
        "-" if interval is None else f"[{_shown(interval.low)}, {_shown(interval.high)}]",
        _shown(found.apparent),
        str(found.n_undefined or 0),
    )


def frame_of(quantities: list[Quantity]) -> Any:
    """A row for each quantity."""
    return data_frame(
        {
            "quantity": [each.name for each in quantities],
            "estimate": [_or_nan(each.estimate) for each in quantities],
            "low": [_limit(each, "low") for each in quantities],
            "high": [_limit(each, "high") for each in quantities],
            "apparent": [_or_nan(each.apparent) for each in quantities],
            "ideal": [_or_nan(each.ideal) for each in quantities],
            "n_undefined": [each.n_undefined for each in quantities],
        }
    )


def _limit(quantity: Quantity, side: str) -> float:
    return float(getattr(quantity.confidence_interval, side, np.nan))


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _shown(value: float | None) -> str:
    return "-" if value is None else number(round(value, 4) + 0.0)
