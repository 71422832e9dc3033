"""The path of a search: corrected performance of the best of the first t configurations."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._frozen import kept
from .._typing import FloatArray, IndexArray
from ..findings import Finding
from ..findings import found as shown_by
from . import _path_text
from ._comparison import Difference
from ._documents import Document, estimate_of, fields_of, part_of
from ._estimate import PerformanceEstimate
from ._text import data_frame

_REALS = (
    *("estimate", "standard_error", "degrees_of_freedom", "p_value"),
    *("first_better", "second_better"),
)
_ARRAYS: dict[str, Any] = {
    "n_configurations": np.int64,
    "estimates": np.float64,
    "apparent": np.float64,
    "lows": np.float64,
    "highs": np.float64,
    "winners": np.int64,
}


@dataclass(frozen=True, eq=False)
class TuningPath(Document):
    """Performance of the best of the first t configurations: what `bbc.tuning_path` returns.

    Attributes
    ----------
    n_configurations : ndarray of shape (n_points,)
        The numbers t of configurations: 1, 2, 4, ... and all.
    estimates, apparent : ndarray of shape (n_points,)
        Corrected and apparent performance of the best of the first t.
    lows, highs : ndarray of shape (n_points,)
        Limits of the interval of each corrected estimate; NaN if there is none.
    winners : ndarray of shape (n_points,)
        Index of the best of the first t on all rows.
    estimate : PerformanceEstimate
        The correction of all configurations.
    falls : tuple of Difference
        For each t but the last, the difference between the best of the first t and the best of all
        on the same draws; positive where the longer search is worse. Intervals are lower bounds
        at a nominal 90 %, whatever the level of the estimates.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> path = bbc.tuning_path(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> path.n_configurations.tolist()
    [1, 2, 4, 8, 16, 20]
    >>> bool(path.estimates[-1] == path.estimate.estimate)
    True

    Written as JSON, it is restored with every bit; other text is refused:

    >>> bbc.TuningPath.from_json(path.to_json()) == path
    True
    >>> bbc.TuningPath.from_json("{}")
    Traceback (most recent call last):
    ...
    ValueError: text is not a TuningPath written by to_json
    """

    n_configurations: IndexArray
    estimates: FloatArray
    apparent: FloatArray
    lows: FloatArray
    highs: FloatArray
    winners: IndexArray
    estimate: PerformanceEstimate
    falls: tuple[Difference, ...]

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            self.__dict__[name] = kept(getattr(self, name), dtype)
        self.__dict__["falls"] = tuple(self.falls)

    @property
    def best(self) -> int:
        """The number of configurations whose best has the best corrected estimate."""
        return int(self.n_configurations[self._peak])

    @property
    def _peak(self) -> int:
        signed = self.estimates if self.estimate.greater_is_better else -self.estimates
        return int(np.argmax(signed))

    @property
    def overtuned(self) -> bool:
        """Whether the corrected curve falls from its best point while the apparent one rises."""
        return bool(self._overtuned)

    @property
    def _overtuned(self) -> tuple[Finding, ...]:
        place = self._peak
        if place == len(self.falls):
            return ()
        fall = self.falls[place]
        interval = fall.confidence_interval
        rise = float(self.apparent[-1] - self.apparent[place])
        return shown_by(
            {
                "n_at_peak": int(self.n_configurations[place]),
                "n_configurations": int(self.n_configurations[-1]),
                "fall": fall.estimate,
                "fall_low": None if interval is None else interval.low,
                "apparent_rise": rise if self.estimate.greater_is_better else -rise,
            }
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the estimate of all configurations, and BBC019."""
        return (*self.estimate.findings, *self._overtuned)

    def summary(self) -> str:
        """Describe the path in at most 80 columns of text.

        Returns
        -------
        str
            A line per number of configurations, then findings.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> path = bbc.tuning_path(s.y, s.predictions, metric="accuracy", random_state=1)
        >>> path.summary().split("\\n")[0]
        'accuracy of the best of t (higher is better), method bbc, pooled'
        """
        return _path_text.summary(self)

    def to_frame(self) -> Any:
        """Return the path as a pandas frame, a row per number of configurations.

        Returns
        -------
        pandas.DataFrame
            Columns n_configurations, estimate, low, high, apparent, winner and fall.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> path = bbc.tuning_path(s.y, s.predictions, metric="accuracy", random_state=1)
        >>> path.to_frame()["n_configurations"].tolist()
        [1, 2, 4, 8, 16, 20]
        """
        return data_frame(
            {
                "n_configurations": self.n_configurations,
                "estimate": self.estimates,
                "low": self.lows,
                "high": self.highs,
                "apparent": self.apparent,
                "winner": self.winners,
                "fall": [*(fall.estimate for fall in self.falls), 0.0],
            }
        )

    def _written(self) -> dict[str, Any]:
        return self._values() | {"estimate": fields_of(self.estimate)}

    @classmethod
    def _read(cls, values: dict[str, Any]) -> "TuningPath":
        falls = tuple(part_of(Difference, one, _REALS) for one in values.pop("falls"))
        estimate = estimate_of(values.pop("estimate"))
        arrays = {name: _array(values.pop(name), dtype) for name, dtype in _ARRAYS.items()}
        result = cls(estimate=estimate, falls=falls, **arrays, **values)
        sizes = {len(getattr(result, name)) for name in _ARRAYS} | {len(falls) + 1}
        if len(sizes) > 1:
            raise ValueError("its arrays have different lengths")
        return result

    def __repr__(self) -> str:
        return _path_text.one_line(self)

    def _repr_html_(self) -> str:
        return _path_text.html_table(self)


def _array(values: Any, dtype: Any) -> Any:
    """The numbers of a list, whose infinities and NaN are texts."""
    kinds = (int,) if dtype is np.int64 else (int, float, str)
    if not isinstance(values, list) or not all(type(value) in kinds for value in values):
        raise TypeError(f"a list of numbers is {values!r}")
    return np.array(values, dtype=dtype)
