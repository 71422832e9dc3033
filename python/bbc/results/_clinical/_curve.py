"""A curve with its bands."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._typing import FloatArray, IndexArray
from .._text import data_frame
from ._document import WinnerDocument

_LIMITS = ("lows", "highs", "simultaneous_lows", "simultaneous_highs")


@dataclass(frozen=True, eq=False)
class Curve(WinnerDocument):
    """A curve of the winner, corrected for selection, with its bands.

    Attributes
    ----------
    x : ndarray of shape (n_points,)
        Where it is evaluated.
    estimates : ndarray of shape (n_points,)
        At each point the mean of the replicates that are defined there.
    apparent : ndarray of shape (n_points,)
        The uncorrected curve, on all rows.
    lows, highs : ndarray of shape (n_points,) or None
        Pointwise band: order statistics of the replicates at each point, and at least the score
        interval of as many events. None if the draws give no interval.
    simultaneous_lows, simultaneous_highs : ndarray of shape (n_points,) or None
        The band within which a share `confidence_level` of the replicates lies wholly, and that
        holds the score intervals.
    n_undefined : ndarray of int of shape (n_points,)
        Replicates that are undefined at each point, and left out there.
    n_bootstraps : int
        Number of replicates.
    confidence_level : float
        Level of both bands.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
    >>> roc.curve.x.shape, bool((roc.curve.simultaneous_lows <= roc.curve.lows).all())
    ((101,), True)
    """

    x: FloatArray
    estimates: FloatArray
    apparent: FloatArray
    lows: FloatArray | None
    highs: FloatArray | None
    simultaneous_lows: FloatArray | None
    simultaneous_highs: FloatArray | None
    n_undefined: IndexArray
    n_bootstraps: int
    confidence_level: float = 0.95

    _arrays: ClassVar[dict[str, Any]] = {
        "x": np.float64,
        "estimates": np.float64,
        "apparent": np.float64,
        **dict.fromkeys(_LIMITS, np.float64),
        "n_undefined": np.int64,
    }

    def __repr__(self) -> str:
        return f"Curve({len(self.x)} points, {self.n_bootstraps} replicates)"

    def to_frame(self) -> Any:
        """Return the curve as a pandas frame, a row per point.

        Returns
        -------
        pandas.DataFrame
            Columns x, estimate, low, high, simultaneous_low, simultaneous_high, apparent and
            n_undefined; limits are NaN if there is no band.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> roc = bbc.roc_curve(s.y, risks, metric="roc_auc", random_state=1)
        >>> len(roc.curve.to_frame())
        101
        """
        none = np.full(len(self.x), np.nan)
        return data_frame(
            {"x": self.x, "estimate": self.estimates}
            | {
                name[:-1]: none if values is None else values
                for name, values in ((name, getattr(self, name)) for name in _LIMITS)
            }
            | {"apparent": self.apparent, "n_undefined": self.n_undefined}
        )
