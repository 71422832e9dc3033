"""Families compared: an estimate of each, and the paired differences between them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from .._frozen import made_anew, read_only
from .._typing import Alternative, FloatArray
from . import _comparison_text
from ._documents import Document, estimate_of, fields_of, part_of
from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval
from ._text import data_frame

_REVERSED: dict[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}
_REALS = (
    *("estimate", "standard_error", "degrees_of_freedom", "p_value"),
    *("first_better", "second_better"),
)


@dataclass(frozen=True)
class Difference:
    """Difference in performance between two families; positive values favour the first.

    Attributes
    ----------
    first, second : str
        Names of the families.
    estimate : float
        Mean over the replicates of the difference between the out-of-bag scores, signed so that
        positive means that the first family is better, whatever the direction of the metric.
    standard_error : float or None
        Standard error of the estimate; None if the design is too small for one.
    degrees_of_freedom : float or None
        Those of the t-distribution to which the estimate is compared.
    confidence_interval : ConfidenceInterval or None
        Interval of the difference. With ``alternative="greater"`` it has a lower bound only.
    p_value : float or None
        Of the hypothesis that the families are equally good, against `alternative`: "two-sided",
        "greater" (the first is better) or "less". It is not adjusted for the number of pairs. It is
        below 1 - confidence_level exactly where the interval excludes zero.
    first_better, second_better : float
        Shares of the replicates in which one family scores better than the other, by more than
        rounding. They describe the replicates and are no probabilities that a family is better.
    infeasible : str or None
        Why there is no interval.

    Examples
    --------
    >>> from bbc.results import Difference
    >>> difference = Difference("svm", "forest", 0.02, first_better=0.9, second_better=0.1)
    >>> difference.reversed().estimate
    -0.02
    """

    first: str
    second: str
    estimate: float
    standard_error: float | None = None
    degrees_of_freedom: float | None = None
    confidence_interval: ConfidenceInterval | Any = None
    p_value: float | None = None
    first_better: float = 0.0
    second_better: float = 0.0
    infeasible: str | None = None

    def reversed(self) -> "Difference":
        """Return the same difference with the second family first.

        Returns
        -------
        Difference
            With the opposite sign; a one-sided alternative changes its side.

        Examples
        --------
        >>> from bbc.results import Difference
        >>> Difference("svm", "forest", 0.02, first_better=0.9).reversed().second_better
        0.9
        """
        interval = self.confidence_interval
        if interval is not None:
            interval = replace(
                interval,
                low=0.0 - interval.high,
                high=0.0 - interval.low,
                alternative=_REVERSED[interval.alternative],
            )
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=0.0 - self.estimate,
            confidence_interval=interval,
            first_better=self.second_better,
            second_better=self.first_better,
        )


@dataclass(frozen=True, eq=False)
class Comparison(Document):
    """Families of configurations compared on the same draws: what `bbc.compare` returns.

    Attributes
    ----------
    estimates : mapping of str to PerformanceEstimate
        The corrected performance of each family's winner.
    differences : tuple of Difference
        One per pair of families, in order; with a reference only pairs against it, and positive
        values favour the other family.
    reference : str
        The family that the others are compared to; "" if all pairs are compared.
    notes : tuple of str
        What the analysis assumes.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> comparison = bbc.compare(
    ...     s.y, {"tuned": s.predictions, "default": s.predictions[:, :1]}, metric="accuracy",
    ...     reference="default", random_state=1)
    >>> list(comparison.estimates), comparison.differences[0].first
    (['tuned', 'default'], 'tuned')

    Written as JSON, it is restored with every bit; other text is refused:

    >>> bbc.Comparison.from_json(comparison.to_json()) == comparison
    True
    >>> bbc.Comparison.from_json("{}")
    Traceback (most recent call last):
    ...
    ValueError: text is not a Comparison written by to_json
    """

    estimates: Mapping[str, PerformanceEstimate]
    differences: tuple[Difference, ...]
    reference: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        fields = self.__dict__
        fields["estimates"] = MappingProxyType(dict(self.estimates))
        fields["differences"] = tuple(self.differences)
        fields["notes"] = tuple(self.notes)

    def __reduce__(self) -> tuple[Any, ...]:
        return made_anew(self)

    @property
    def metric(self) -> str:
        """The metric of all families."""
        return next(iter(self.estimates.values())).metric

    @property
    def greater_is_better(self) -> bool:
        """Direction of the metric."""
        return next(iter(self.estimates.values())).greater_is_better

    @property
    def method(self) -> str:
        """What the replicates drew."""
        return next(iter(self.estimates.values())).method

    def difference(self, first: str, second: str) -> Difference:
        """Return the difference between two families, in either order.

        Parameters
        ----------
        first, second : str
            Names of the families.

        Returns
        -------
        Difference
            Positive values favour `first`.

        Raises
        ------
        ValueError
            If the two were not compared.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> halves = {"a": s.predictions[:, :10], "b": s.predictions[:, 10:]}
        >>> comparison = bbc.compare(s.y, halves, metric="accuracy", random_state=1)
        >>> comparison.difference("b", "a").estimate == -comparison.difference("a", "b").estimate
        True
        """
        for each in self.differences:
            if (each.first, each.second) == (first, second):
                return each
            if (each.first, each.second) == (second, first):
                return each.reversed()
        raise ValueError(f"{first!r} and {second!r} were not compared")

    def replicates(self, first: str, second: str) -> FloatArray:
        """Return the difference of each replicate.

        Parameters
        ----------
        first, second : str
            Names of the families.

        Returns
        -------
        ndarray of shape (n_bootstraps,)
            Positive values favour `first`.

        Raises
        ------
        ValueError
            If there is no such family.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> halves = {"a": s.predictions[:, :10], "b": s.predictions[:, 10:]}
        >>> comparison = bbc.compare(s.y, halves, metric="accuracy", random_state=1)
        >>> comparison.replicates("a", "b").shape
        (1000,)
        """
        for name in (first, second):
            if name not in self.estimates:
                known = ", ".join(map(repr, self.estimates))
                raise ValueError(f"there is no family {name!r}, only {known}")
        both = (of_replicates(self.estimates[name]) for name in (first, second))
        return paired(*both, greater_is_better=self.greater_is_better)

    def summary(self) -> str:
        """Describe the comparison in at most 80 columns of text.

        Returns
        -------
        str
            A line per family, a line per pair, then findings and notes.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> halves = {"a": s.predictions[:, :10], "b": s.predictions[:, 10:]}
        >>> text = bbc.compare(s.y, halves, metric="accuracy", random_state=1).summary()
        >>> text.split("\\n")[0]
        'accuracy of 2 families (higher is better), method bbc, pooled'
        """
        return _comparison_text.summary(self)

    def to_frame(self) -> Any:
        """Return the differences as a pandas frame, a row per pair.

        Returns
        -------
        pandas.DataFrame
            The attributes of each `Difference`, and the estimates of both families.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
        >>> halves = {"a": s.predictions[:, :10], "b": s.predictions[:, 10:]}
        >>> frame = bbc.compare(s.y, halves, metric="accuracy", random_state=1).to_frame()
        >>> frame.loc[0, "first"], frame.loc[0, "second"]
        ('a', 'b')
        """
        return data_frame(_comparison_text.rows(self))

    def _written(self) -> dict[str, Any]:
        estimates = {name: fields_of(each) for name, each in self.estimates.items()}
        return self._values() | {"estimates": estimates}

    @classmethod
    def _read(cls, values: dict[str, Any]) -> "Comparison":
        estimates = values.pop("estimates").items()
        pairs = tuple(part_of(Difference, one, _REALS) for one in values.pop("differences"))
        result = cls({name: estimate_of(one) for name, one in estimates}, pairs, **values)
        for each in result.differences:
            result.replicates(each.first, each.second)
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        return list(self.estimates) == list(other.estimates) and super().__eq__(other)

    __hash__ = None

    def __repr__(self) -> str:
        return _comparison_text.one_line(self)

    def _repr_html_(self) -> str:
        return _comparison_text.html_table(self)


def of_replicates(estimate: PerformanceEstimate) -> FloatArray:
    """The replicates of an estimate that has some."""
    if estimate.replicates is None:
        raise ValueError("an estimate has no replicates")
    return estimate.replicates


def paired(first: FloatArray, second: FloatArray, *, greater_is_better: bool) -> FloatArray:
    """Differences of paired replicates; positive values favour the first."""
    if len(first) != len(second):
        raise ValueError("the estimates have different numbers of replicates")
    difference = first - second
    return read_only(difference if greater_is_better else 0.0 - difference)
