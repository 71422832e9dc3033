"""What a clinical paper reports of the winner: counts in 1000 rows, and all numbers together."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._digits import number
from .._page import Page, limits, remarks, short
from .._result import Result, Share
from ..findings import Finding
from ._binary import (
    TITLES,
    Calibration,
    DecisionCurve,
    OfQuantities,
    PerformanceCurve,
    Quantity,
    cells_of,
    head_of,
    or_nan,
)
from ._estimate import PerformanceEstimate, text_of
from ._of_winner import OfWinner


@dataclass(frozen=True, eq=False)
class Per1000(OfQuantities, OfWinner, Result):
    """Right and wrong calls in 1000 rows: what `Correction.per_1000` returns.

    Rows of `to_frame` are the four counts, which add up to 1000.

    Attributes
    ----------
    found : Quantity
        Events that the winner calls so: true positives.
    missed : Quantity
        Events that it does not call so: false negatives.
    false_alarms : Quantity
        Others that it calls events: false positives.
    left_alone : Quantity
        Others that it does not call events: true negatives.
    prevalence : float
        Share of events in the rows that were seen.
    threshold : float or None
        The cut-off of the winner; None where it predicts labels.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> counts = bbc.correct(s.y, risks, metric="roc_auc", random_state=1).per_1000()
    >>> round(sum(each.estimate for each in counts.quantities), 9)
    1000.0
    """

    performance: PerformanceEstimate
    found: Quantity
    missed: Quantity
    false_alarms: Quantity
    left_alone: Quantity
    prevalence: Share
    threshold: float | None = None
    of_class: str | None = None
    shares_left_out: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Which rows these are, and what to do about others."""
        share = self.prevalence
        if not 0 < share < 1:
            return ()
        return (
            f"of 1000 rows that were seen {1000 * share:.0f} are events; where a share p is, "
            f"multiply found and missed by p / {share:.3g}, and the others by (1 - p) / "
            f"{1 - share:.3g}",
        )

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Name, corrected count, interval, apparent count and number of undefined replicates."""
        return [
            (
                each.name,
                _whole(each.estimate),
                limits(each.confidence_interval, _whole),
                _whole(each.apparent),
                str(each.n_undefined),
            )
            for each in self.quantities
        ]

    @property
    def _title(self) -> str:
        at = "" if self.threshold is None else f" at the cut-off {number(self.threshold)}"
        return f"per 1000 rows{f' for {short(self.of_class)}' if self.of_class else ''}{at}"

    def _page(self) -> Page:
        e = self.performance
        return Page(
            f"{self._title}, of the winner by {e.metric}, method {e.method}",
            tables=[[TITLES, *self.rows]],
            remarks=[*remarks(notes=self.notes), *self._remarks],
        )

    def __repr__(self) -> str:
        return f"Per1000({', '.join(repr(each)[9:-1] for each in self.quantities)})"


def _whole(count: float | None) -> str:
    return "-" if count is None else f"{count:.0f}"


def in_1000_rows(share: Quantity) -> Quantity:
    """A share of the rows as a count."""
    interval = share.confidence_interval

    def counted(value: float | None) -> float | None:
        return None if value is None else 1000 * value

    return replace(
        share,
        estimate=counted(share.estimate),
        apparent=counted(share.apparent),
        confidence_interval=None
        if interval is None
        else replace(interval, low=1000 * interval.low, high=1000 * interval.high),
        replicates=1000 * share.replicates,
    )


@dataclass(frozen=True, eq=False)
class ClinicalPerformance(Result):
    """Discrimination, calibration and net benefit of the winner, from one correction.

    `Correction.clinical` returns it, and `bbc.report` writes it as a page.

    Rows of `to_frame` are metrics, quantities and, with their `x`, points of the curves.

    Attributes
    ----------
    performances : tuple of PerformanceEstimate
        By every metric; the first is the selection metric.
    calibration : Calibration
        Intercept, slope, Brier score and calibration curve.
    decision_curve : DecisionCurve
        Net benefit.
    roc_curve, precision_recall_curve : PerformanceCurve
        The curves.
    n_events : int
        Number of rows of the positive class.
    per_1000 : Per1000 or None
        Right and wrong calls in 1000 rows; None in documents of earlier versions.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> c = bbc.correct(s.y, risks, metric="log_loss", random_state=1)
    >>> p = c.clinical()
    >>> [each.metric for each in p.performances]
    ['log_loss', 'roc_auc', 'average_precision', 'brier_score']
    """

    performances: tuple[PerformanceEstimate, ...]
    calibration: Calibration
    decision_curve: DecisionCurve
    roc_curve: PerformanceCurve
    precision_recall_curve: PerformanceCurve
    n_events: int
    per_1000: Per1000 | None = None

    @property
    def performance(self) -> PerformanceEstimate:
        """The correction by the selection metric."""
        return self.performances[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the correction, and BBC035."""
        return self.calibration.findings

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Name, corrected value, interval, apparent value and count of undefined replicates."""
        metrics = [cells_of(e.metric, e) for e in self.performances]
        names = {e.metric.replace("_", " ").casefold() for e in self.performances}
        return metrics + [
            each.cells for each in self.calibration.quantities if each.name.casefold() not in names
        ]

    def _page(self) -> Page:
        e, counts = self.performance, self.per_1000
        tables = [[TITLES, *self.rows]]
        if counts is not None:
            tables.append([(counts._title, *TITLES[1:]), *counts.rows])
        return Page(
            f"{head_of('performance', e)}, {e.n_rows} rows, {self.n_events} events",
            tables=tables,
            remarks=[*remarks(notes=self.calibration.notes), *self.calibration._remarks],
        )

    def _frame(self) -> Any:
        columns = ("estimate", "low", "high", "apparent", "n_undefined")
        rows = []
        for each in self.performances:
            one = {name: each._row()[name] for name in columns}
            numbers = {name: or_nan(value) for name, value in one.items()}
            rows.append({"quantity": each.metric, "x": np.nan, **numbers})
        for each in self.calibration._frame():
            rows.append({"quantity": each["quantity"], "x": np.nan} | {n: each[n] for n in columns})
        for each in () if self.per_1000 is None else self.per_1000._frame():
            name = f"{each['quantity']} per 1000"
            rows.append({"quantity": name, "x": np.nan} | {n: each[n] for n in columns})
        curves = {
            "calibration curve": self.calibration.curve,
            "net benefit": self.decision_curve.net_benefit,
            "net benefit of treating all": self.decision_curve.treat_all,
            "ROC curve": self.roc_curve.curve,
            "precision-recall curve": self.precision_recall_curve.curve,
        }
        for name, curve in curves.items():
            found = curve._frame()
            values = zip(*(found[column] for column in ("x", *columns)), strict=True)
            rows += [
                dict(zip(("quantity", "x", *columns), (name, *v), strict=True)) for v in values
            ]
        return rows

    def _check(self) -> None:
        super()._check()
        if not self.performances:
            raise ValueError("there is no performance")

    def __repr__(self) -> str:
        e = self.performance
        return f"ClinicalPerformance({e.metric}={text_of(e)(e.estimate)}, {self.n_events} events)"
