"""Families compared: an estimate of each, and the paired differences between them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._digits import decimals, shown
from .._drawable import Drawable
from .._frozen import read_only
from .._page import Page, Table, limits, remarks, short
from .._result import Result, Share
from .._sentences import say
from .._titles import readers_title
from .._typing import FloatArray
from ._estimate import (
    NO_SECONDARY,
    PerformanceEstimate,
    cells,
    coarsest,
    grouped_remarks,
    head_of,
)
from ._parts import ConfidenceInterval

#: Pairs that a conclusion names; tables have all.
_MOST_NAMED = 3


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
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=0.0 - self.estimate,
            confidence_interval=None if interval is None else interval._negated(),
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
class Comparison(Drawable, Result):
    """Families of configurations compared on the same draws: what `bbc.compare` returns.

    Rows of `to_frame` are pairs by each metric: their attributes, and the estimates of both
    families.

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
    secondary : mapping of str to Comparison
        The same winners compared by further metrics, by their names.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> families = {"tuned": s.predictions, "default": s.predictions[:, :1]}
    >>> comparison = bbc.compare(
    ...     {name: bbc.Predictions(s.y, each) for name, each in families.items()},
    ...     metric="accuracy", reference="default", random_state=1)
    >>> list(comparison.estimates), comparison.differences[0].first
    (['tuned', 'default'], 'tuned')
    """

    estimates: Mapping[str, PerformanceEstimate]
    differences: tuple[Difference, ...]
    reference: str = ""
    notes: tuple[str, ...] = ()
    secondary: "Mapping[str, Comparison]" = field(default_factory=lambda: NO_SECONDARY)

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

    @property
    def _by_metric(self) -> tuple["Comparison", ...]:
        """The comparison by the metric that selects, and those by others."""
        return (self, *self.secondary.values())

    @property
    def conclusion(self) -> str:
        """What the differences by this metric show, in a sentence that their intervals carry.

        With several pairs, those that differ are told by p-values adjusted for their number
        (Bonferroni), at the level of the intervals.
        """
        return say("conclusion", self._concluded)

    @property
    def _concluded(self) -> dict[str, Any]:
        """The facts that a conclusion names."""
        pairs = self.differences
        tested = [pair for pair in pairs if pair.p_value is not None and pair.confidence_interval]
        level = tested[0].confidence_interval.confidence_level if tested else 0.95
        alpha = round(1 - level, 12)
        differing = [pair for pair in tested if _differs(pair, alpha / len(tested))]
        named = [say("pair_better", self._facts_of(pair)) for pair in differing[:_MOST_NAMED]]
        more = say("more_pairs", {"n_more": len(differing) - len(named)})
        reasons = dict.fromkeys(pair.infeasible for pair in pairs if pair.infeasible)
        return {
            **(self._facts_of(pairs[0]) if pairs else {}),
            "title": readers_title(self.metric),
            "n_families": len(self.estimates),
            "reference": self.reference,
            "n_pairs": len(pairs),
            "n_compared": len(tested),
            "n_undecided": len(pairs) - len(differing),
            "alpha": alpha,
            "alternative": tested[0].confidence_interval.alternative if tested else None,
            "differing_pairs": "; ".join(filter(None, [*named, more])),
            "infeasible": "; ".join(reasons) or None,
        }

    def _facts_of(self, pair: Difference) -> dict[str, Any]:
        """The facts of a pair; where it differs, the better family is the first."""
        if _excludes_zero(pair) and pair.estimate < 0:
            pair = pair.reversed()
        interval = pair.confidence_interval
        facts = {
            "first": pair.first,
            "second": pair.second,
            "title": readers_title(self.metric),
            "difference": pair.estimate,
            "decimals": self._decimals,
        }
        if interval is None:
            return facts
        return facts | {
            "level": 100 * interval.confidence_level,
            "low": interval.low,
            "high": interval.high,
            "alternative": interval.alternative,
        }

    @cached_property
    def _decimals(self) -> int | None:
        """The decimals of all differences: the fewest that one has."""
        found = []
        for pair in self.differences:
            values = self.replicates(pair.first, pair.second)
            error = float(np.std(values)) / max(1, len(values)) ** 0.5
            found.append(decimals([error], pair.confidence_interval))
        return min((places for places in found if places is not None), default=None)

    def _cells_of(self, pair: Difference) -> tuple[str, str, str]:
        """A difference, its interval and its p-value, with the digits that they carry."""
        places = self._decimals
        interval = limits(pair.confidence_interval, lambda value: shown(value, places))
        return shown(pair.estimate, places), interval, _p_value(pair.p_value)

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
        >>> p = bbc.Predictions(s.y, s.predictions)
        >>> halves = ["a"] * 10 + ["b"] * 10
        >>> comparison = bbc.compare(p, by=halves, metric="accuracy", random_state=1)
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
        >>> p = bbc.Predictions(s.y, s.predictions)
        >>> halves = ["a"] * 10 + ["b"] * 10
        >>> comparison = bbc.compare(p, by=halves, metric="accuracy", random_state=1)
        >>> comparison.replicates("a", "b").shape
        (5000,)
        """
        for name in (first, second):
            if name not in self.estimates:
                known = ", ".join(map(repr, self.estimates))
                raise ValueError(f"there is no family {name!r}, only {known}")
        both = (of_replicates(self.estimates[name]) for name in (first, second))
        return paired(*both, greater_is_better=self.greater_is_better)

    def _page(self) -> Page:
        first = next(iter(self.estimates.values()))
        pages = [("", self._of_metric())]
        pages += [(f"{short(name)}: ", each._of_metric()) for name, each in self.secondary.items()]
        of_first = pages[0][1].remarks
        shared = [line for line in of_first if all(line in page.remarks for _, page in pages)]
        tables: list[Table] = []
        lines: list[tuple[str, str]] = []
        for name, page in pages:
            for title, *rows in page.tables:
                tables.append([(f"{name}{title[0]}", *title[1:]), *rows])
            own = [line for line in page.remarks if line not in shared]
            lines += [(label, f"{name}{text}") for label, text in own]
        head = head_of(first, f"of {len(self.estimates)} families")
        return Page(head, tables=tables, remarks=[*lines, *shared])

    def _of_metric(self) -> Page:
        """Families and their differences by the metric that selects alone."""
        table = [("family", "estimate", "interval", "apparent", "of")]
        like = coarsest(self.estimates.values())
        for name, each in self.estimates.items():
            table.append((short(name), *cells(each, like), str(each.n_configurations)))
        reasons = dict.fromkeys(each.infeasible for each in self.differences if each.infeasible)
        return Page(
            "",
            tables=[table, differences_table(self.differences)],
            remarks=[
                *(("no interval", reason) for reason in reasons),
                *grouped_remarks(self.estimates.items()),
                *remarks(notes=self.notes),
            ],
        )

    def _frame(self) -> Any:
        return [
            {"metric": name}
            | pair._row()
            | {
                "first_estimate": each.estimates[pair.first].estimate,
                "second_estimate": each.estimates[pair.second].estimate,
            }
            for name, each in ((self.metric, self), *self.secondary.items())
            for pair in each.differences
        ]

    def _check(self) -> None:
        super()._check()
        if not self.estimates:
            raise ValueError("there is no estimate")
        for name, other in self.secondary.items():
            if other.secondary or other.estimates.keys() != self.estimates.keys():
                raise ValueError(f"secondary has {name!r}, which is of other families")
        for each in self.differences:
            self.replicates(each.first, each.second)

    def __repr__(self) -> str:
        names = ", ".join(self.estimates)
        return f"Comparison({self.metric}, families=[{names}], method={self.method!r})"


def _excludes_zero(pair: Difference) -> bool:
    """Whether the interval of a difference lies on one side of zero."""
    interval = pair.confidence_interval
    return interval is not None and not interval.low <= 0 <= interval.high


def _differs(pair: Difference, level: float) -> bool:
    """Whether interval and p-value tell a pair apart, at the level of a single test."""
    return _excludes_zero(pair) and pair.p_value is not None and pair.p_value < level


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
