"""Subgroups of rows: the winner's performance in each, and differences between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._drawable import Drawable
from .._page import Page, remarks, short
from .._result import Result
from ..findings import Finding
from ._comparison import Difference, difference_between, differences_table
from ._estimate import PerformanceEstimate, cells, findings_of, head_of

_MOST_CLASSES = 4


@dataclass(frozen=True, eq=False)
class Subgroup(Result):
    """Rows that share a label, and the winner's performance on them.

    Attributes
    ----------
    name : str
        The label.
    n_rows : int
        Its rows with predictions.
    counts : mapping of str to int
        Rows of each class; for survival metrics "events" and "censored"; empty for a real truth.
    estimate : PerformanceEstimate or None
        The corrected performance on these rows; its `n_undefined` counts replicates without a
        score. None if the subgroup is too small for the metric.
    too_small : str or None
        Why there is no estimate.

    Examples
    --------
    >>> from bbc.results import Subgroup
    >>> Subgroup("women", 3, {"0": 3}, too_small="no row of class 1").estimate is None
    True
    """

    name: str
    n_rows: int
    counts: Mapping[str, int]
    estimate: PerformanceEstimate | None = None
    too_small: str | None = None

    def _row(self) -> dict[str, Any]:
        estimate = self.estimate
        low, high = (estimate and estimate.confidence_interval) or (None, None)
        return {
            "subgroup": self.name,
            "n_rows": self.n_rows,
            **{f"n_{name}": count for name, count in self.counts.items()},
            "estimate": None if estimate is None else estimate.estimate,
            "low": low,
            "high": high,
            "apparent": None if estimate is None else estimate.apparent,
            "n_undefined": None if estimate is None else estimate.n_undefined,
            "too_small": self.too_small,
        }

    def _check(self) -> None:
        super()._check()
        if (self.estimate is None) != (self.too_small is not None):
            raise ValueError(f"subgroup {self.name!r} has neither an estimate nor a reason")


@dataclass(frozen=True, eq=False)
class Subgroups(Drawable, Result):
    """The winner's performance in subgroups of rows: what `Correction.subgroups` returns.

    Rows of `to_frame` are subgroups, with their counts, or the reason why they are too small.

    Attributes
    ----------
    overall : PerformanceEstimate
        The performance on all rows: what `bbc.correct` gives.
    groups : tuple of Subgroup
        In the order of their labels.
    differences : tuple of Difference
        One per pair of subgroups that have estimates; with a reference only pairs against it.
        Positive values mean that the performance is better in the first.
    reference : str
        The subgroup that the others are compared to; "" if all pairs are compared.
    notes : tuple of str
        What the analysis assumes.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> found = c.subgroups(np.arange(120) % 2)
    >>> [(each.name, each.n_rows) for each in found.groups], len(found.differences)
    ([('0', 60), ('1', 60)], 1)
    """

    overall: PerformanceEstimate
    groups: tuple[Subgroup, ...]
    differences: tuple[Difference, ...] = ()
    reference: str = ""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Subgroup:
        """Return the subgroup of that label."""
        for each in self.groups:
            if each.name == str(name):
                return each
        known = ", ".join(repr(each.name) for each in self.groups)
        raise KeyError(f"no subgroup {name!r}, only {known}")

    @property
    def estimates(self) -> dict[str, PerformanceEstimate]:
        """The estimates of the subgroups that have one, by name."""
        return {each.name: each.estimate for each in self.groups if each.estimate is not None}

    def difference(self, first: str, second: str) -> Difference:
        """Return the difference between two subgroups, in either order.

        Parameters
        ----------
        first, second : str
            Names of the subgroups.

        Returns
        -------
        Difference
            Positive values mean that the performance is better in `first`.

        Raises
        ------
        ValueError
            If the two were not compared.

        Examples
        --------
        >>> import numpy as np
        >>> import bbc
        >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
        >>> found = c.subgroups(np.arange(120) % 2)
        >>> found.difference("1", "0").estimate == -found.difference("0", "1").estimate
        True
        """
        return difference_between(self.differences, first, second)

    def _page(self) -> Page:
        shown = self._classes if len(self._classes) <= _MOST_CLASSES else []
        titles = shown if shown == ["events", "censored"] else [f"of {short(c)}" for c in shown]
        table: list[tuple[str, ...]] = [("subgroup", "rows", *titles, "estimate", "interval")]
        n_rows = sum(each.n_rows for each in self.groups)
        counts = {c: sum(each.counts.get(c, 0) for each in self.groups) for c in shown}
        for each in (Subgroup("all rows", n_rows, counts, self.overall), *self.groups):
            numbers = (
                ("too small", "-")
                if each.estimate is None
                else cells(each.estimate, self.overall)[:2]
            )
            of_classes = (str(each.counts.get(c, 0)) for c in shown)
            table.append((short(each.name), str(each.n_rows), *of_classes, *numbers))
        pairs = [differences_table(self.differences)] if self.differences else []
        head = head_of(self.overall, f"of one winner in {len(self.groups)} subgroups")
        return Page(head, tables=[table, *pairs], remarks=self._remarks())

    def _remarks(self) -> list[tuple[str, str]]:
        """Subgroups without a number and why, undefined replicates, findings, and notes."""
        lines = [
            ("too small", f"{each.name}: {each.too_small}")
            for each in self.groups
            if each.too_small
        ]
        found: dict[Finding, list[str]] = {one: [] for one in self.overall.findings}
        for name, e in self.estimates.items():
            if e.n_undefined:
                lines.append(("left out", f"{name}: {e.n_undefined} replicates without a score"))
            if e.infeasible:
                lines.append(("no interval", f"{name}: {e.infeasible}"))
            for one in e.findings:
                if one not in self.overall.findings:
                    found.setdefault(one, []).append(name)
        return [*lines, *findings_of(found), *remarks(notes=self.notes)]

    @property
    def _classes(self) -> list[str]:
        return list(dict.fromkeys(name for each in self.groups for name in each.counts))

    def _frame(self) -> Any:
        none = {f"n_{name}": 0 for name in self._classes}
        rows = [each._row() for each in self.groups]
        return [{"subgroup": row["subgroup"], "n_rows": row["n_rows"]} | none | row for row in rows]

    def _check(self) -> None:
        super()._check()
        for pair in self.differences:
            if not {pair.first, pair.second} <= set(self.estimates):
                raise ValueError(f"{pair.first!r} and {pair.second!r} have no estimates")

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.groups)
        return f"Subgroups({self.overall.metric}, groups=[{names}], method={self.overall.method!r})"
