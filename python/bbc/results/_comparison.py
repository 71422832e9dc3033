"""Families compared, and the path of a search: estimates, and paired differences between them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeAlias

import numpy as np

from .._codec import PerEntry, Share
from .._frozen import read_only
from .._page import Page, four, limits, remarks, short
from .._result import Result
from .._typing import Alternative, FloatArray, IndexArray
from ..findings import Finding, finding
from ._estimate import PerformanceEstimate, cells, grouped_remarks, head_of
from ._parts import ConfidenceInterval

#: A value for each number of configurations of a path.
PerPoint: TypeAlias = Annotated[FloatArray, PerEntry("n_configurations")]
_REVERSED: dict[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}


@dataclass(frozen=True, eq=False)
class Difference(Result):
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
    p_value: Share | None = None
    first_better: Share = 0.0
    second_better: Share = 0.0
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

    def _page(self) -> Page:
        return Page(
            f"{self.first} against {self.second}",
            tables=[differences_table([self])],
            remarks=remarks(infeasible=self.infeasible),
        )


@dataclass(frozen=True, eq=False)
class Comparison(Result):
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
    """

    estimates: Mapping[str, PerformanceEstimate]
    differences: tuple[Difference, ...]
    reference: str = ""
    notes: tuple[str, ...] = ()

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
        return difference_between(self.differences, first, second)

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

    def _page(self) -> Page:
        table = [("family", "estimate", "interval", "apparent", "of")]
        for name, each in self.estimates.items():
            table.append((short(name), *cells(each), str(each.n_configurations)))
        reasons = dict.fromkeys(each.infeasible for each in self.differences if each.infeasible)
        return Page(
            head_of(next(iter(self.estimates.values())), f"of {len(self.estimates)} families"),
            tables=[table, differences_table(self.differences)],
            remarks=[
                *(("no interval", reason) for reason in reasons),
                *grouped_remarks(self.estimates),
                *remarks(notes=self.notes),
            ],
        )

    def _frame(self) -> Any:
        names = ("estimate", "low", "high", "standard_error", "degrees_of_freedom", "p_value")
        found = []
        for pair in self.differences:
            row = pair._row()
            found.append(
                {name: row[name] for name in ("first", "second", *names)}
                | {name: row[name] for name in ("first_better", "second_better")}
                | {
                    "first_estimate": self.estimates[pair.first].estimate,
                    "second_estimate": self.estimates[pair.second].estimate,
                    "infeasible": pair.infeasible,
                }
            )
        return found

    def _check(self) -> None:
        super()._check()
        for each in self.differences:
            self.replicates(each.first, each.second)

    def __repr__(self) -> str:
        names = ", ".join(self.estimates)
        return f"Comparison({self.metric}, families=[{names}], method={self.method!r})"


@dataclass(frozen=True, eq=False)
class TuningPath(Result):
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
    """

    n_configurations: IndexArray
    estimates: PerPoint
    apparent: PerPoint
    lows: PerPoint
    highs: PerPoint
    winners: Annotated[IndexArray, PerEntry("n_configurations")]
    estimate: PerformanceEstimate
    falls: tuple[Difference, ...]

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
        if self._peak == len(self.falls):
            return False
        interval = self.falls[self._peak].confidence_interval
        rise = float(self.apparent[-1] - self.apparent[self._peak])
        rises = rise > 0 if self.estimate.greater_is_better else rise < 0
        return rises and interval is not None and interval.low > 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the estimate of all configurations, and BBC019."""
        found = self.estimate.findings
        if not self.overtuned:
            return found
        place = self._peak
        fall = self.falls[place]
        assert fall.confidence_interval is not None
        t, last = self.n_configurations[[place, -1]]
        rise = abs(float(self.apparent[-1] - self.apparent[place]))
        detail = (
            f"from {t} to {last} configurations the corrected performance worsens by "
            f"{fall.estimate:.2g} (at least {fall.confidence_interval.low:.2g}), while the "
            f"apparent one improves by {rise:.2g}"
        )
        return (*found, finding("BBC019", detail))

    def _page(self) -> Page:
        table: list[tuple[str, ...]] = [("t", "corrected", "interval", "apparent", "winner")]
        columns = (self.estimates, self.lows, self.highs, self.apparent, self.winners)
        for t, estimate, low, high, apparent, winner in zip(
            self.n_configurations, *columns, strict=True
        ):
            interval = limits(None if math.isnan(low) else (low, high))
            table.append((str(t), four(estimate), interval, four(apparent), str(winner)))
        head = head_of(self.estimate, "of the best of t")
        return Page(head, tables=[table], remarks=remarks(self.findings))

    def _frame(self) -> Any:
        return {
            "n_configurations": self.n_configurations,
            "estimate": self.estimates,
            "low": self.lows,
            "high": self.highs,
            "apparent": self.apparent,
            "winner": self.winners,
            "fall": [*(fall.estimate for fall in self.falls), 0.0],
        }

    def _check(self) -> None:
        super()._check()
        if len(self.falls) != len(self.n_configurations) - 1:
            raise ValueError(f"{len(self.falls)} falls for {len(self.n_configurations)} points")

    def __repr__(self) -> str:
        return (
            f"TuningPath({self.estimate.metric}, {self.n_configurations[-1]} configurations, "
            f"best of the first {self.best}, overtuned={self.overtuned})"
        )


def difference_between(pairs: Iterable[Difference], first: str, second: str) -> Difference:
    """The difference of two that were compared, in either order."""
    for each in pairs:
        if (each.first, each.second) == (first, second):
            return each
        if (each.first, each.second) == (second, first):
            return each.reversed()
    raise ValueError(f"{first!r} and {second!r} were not compared")


def differences_table(pairs: Iterable[Difference]) -> list[tuple[str, ...]]:
    """A line per difference below a line of titles."""
    table = [("difference", "estimate", "interval", "p", "better")]
    for pair in pairs:
        shares = f"{100 * pair.first_better:.0f} % : {100 * pair.second_better:.0f} %"
        names = f"{short(pair.first)} - {short(pair.second)}"
        interval = limits(pair.confidence_interval)
        table.append((names, f"{pair.estimate:+.4f}", interval, _p_value(pair.p_value), shares))
    return [*table]


def _p_value(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


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
