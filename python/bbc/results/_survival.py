"""Results about censored times: calibration of the winner's risks at a time, and all of a page."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from .._drawable import Drawable
from .._page import Page, four, remarks
from .._result import PerEntry, Result, Share
from .._titles import metric_title
from .._typing import FloatArray, IndexArray
from ..findings import Finding
from ._binary import TITLES, Curve, OfQuantities, Quantity, cells_of, head_of, or_nan
from ._estimate import PerformanceEstimate, text_of
from ._of_winner import OfWinner


@dataclass(frozen=True, eq=False)
class SurvivalCalibration(OfQuantities, OfWinner, Drawable, Result):
    """Calibration of the winner's risks at a time: what `Correction.survival_calibration` returns.

    Risks are probabilities of an event by the time, 1 - S(time). Rows of `to_frame` are quantities;
    `curve` has a frame of its own.

    Attributes
    ----------
    time : float
        The time.
    intercept : Quantity
        Calibration in the large: a in cloglog P(event) = a + cloglog p, where cloglog p is
        log(-log(1 - p)). Ideally 0; negative where risks are too high. exp(a) is the ratio of the
        cumulative hazards, observed to predicted.
    slope, slope_intercept : Quantity
        b and a in cloglog P(event) = a + b cloglog p. Ideally 1 and 0; a slope below 1 means that
        risks are too extreme.
    observed_expected : Quantity
        Observed risk over the mean of the risks. Ideally 1.
    curve : Curve
        Observed against predicted risk, smoothed, over the range of the winner's predictions.
    group_risks, group_observed : ndarray of shape (n_groups,)
        Of groups of all rows by the winner's risk, the mean risk and what Kaplan-Meier observes.
        They are apparent, as the winner was selected on these rows.
    group_counts : ndarray of int of shape (n_groups,)
        How many rows each has.
    share_certain : float
        Share of the rows that the winner gives a risk of exactly 0 or 1: intercept and slope leave
        them out.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.survival(150, 10, random_state=0)
    >>> survival = np.exp(-np.exp(s.predictions) / 2)
    >>> e = bbc.correct(
    ...     s.y, survival, metric=bbc.metrics.survival_brier_score(1.0), random_state=1)
    >>> c = e.survival_calibration(1.0)
    >>> [quantity.ideal for quantity in c.quantities]
    [0.0, 1.0, 0.0, 1.0]
    """

    performance: PerformanceEstimate
    time: float
    intercept: Quantity
    slope: Quantity
    slope_intercept: Quantity
    observed_expected: Quantity
    curve: Curve
    group_risks: FloatArray
    group_observed: Annotated[FloatArray, PerEntry("group_risks")]
    group_counts: Annotated[IndexArray, PerEntry("group_risks")]
    share_certain: Share = 0.0
    shares_left_out: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the numbers."""
        found = []
        if self.share_certain > 0:
            found.append(
                f"{100 * self.share_certain:.3g} % of the winner's risks are exactly 0 or 1; "
                "intercept and slope leave them out"
            )
        n = self.slope.n_undefined
        if n > 0:
            found.append(
                f"the slope is undefined in {n} of {self.curve.n_bootstraps} replicates, whose "
                "rows have too few events or equal risks"
            )
        return tuple(found)

    def _page(self) -> Page:
        groups = [("rows", "mean risk", "observed")]
        table = zip(self.group_counts, self.group_risks, self.group_observed, strict=True)
        groups += [(str(n), four(risk), four(observed)) for n, risk, observed in table]
        return Page(
            head_of(f"calibration at {self.time:g}", self.performance),
            tables=[[TITLES, *(each.cells for each in self.quantities)], groups],
            remarks=[*remarks(notes=self.notes), *self._remarks],
        )

    def __repr__(self) -> str:
        parts = ", ".join(repr(each)[9:-1] for each in (self.intercept, self.slope))
        return f"SurvivalCalibration(time={self.time:g}, {parts})"


@dataclass(frozen=True, eq=False)
class SurvivalPerformance(Result):
    """Discrimination and calibration of a survival model at stated times, from one correction.

    `Correction.clinical` returns it, and `bbc.report` writes it as a page.

    Rows of `to_frame` are metrics, quantities at each time and, with their `x`, points of the
    calibration curves.

    Attributes
    ----------
    performances : tuple of PerformanceEstimate
        By every metric; the first is the selection metric.
    calibrations : tuple of SurvivalCalibration
        At each time.
    n_events : int
        Number of rows whose event was seen.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.survival(150, 10, random_state=0)
    >>> at = (0.5, 1.0)
    >>> survival = np.exp(-np.exp(s.predictions)[:, :, None] * at / 2)
    >>> c = bbc.correct(
    ...     s.y, {"scores": s.predictions, "survival": survival}, times=at,
    ...     metric="uno_concordance", random_state=1)
    >>> p = c.clinical(times=at)
    >>> p.times, p.n_events
    ((0.5, 1.0), 95)
    """

    performances: tuple[PerformanceEstimate, ...]
    calibrations: tuple[SurvivalCalibration, ...]
    n_events: int

    @property
    def performance(self) -> PerformanceEstimate:
        """The correction by the selection metric."""
        return self.performances[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the correction, and BBC035."""
        return self.calibrations[0].findings

    @property
    def times(self) -> tuple[float, ...]:
        """The times of the calibrations."""
        return tuple(each.time for each in self.calibrations)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Name, corrected value, interval, apparent value and count of undefined replicates."""
        return [cells_of(e.metric, e) for e in self.performances] + [
            cells_of(f"{quantity.name} at {each.time:g}", quantity)
            for each in self.calibrations
            for quantity in each.quantities
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the numbers of calibration."""
        return tuple(
            f"at {each.time:g}, {note}" for each in self.calibrations for note in each.notes
        )

    def _page(self) -> Page:
        e = self.performance
        return Page(
            f"{head_of('performance', e)}, {e.n_rows} rows, {self.n_events} events",
            tables=[
                [TITLES[:4], *(cells_of(metric_title(e.metric), e)[:4] for e in self.performances)],
                *(
                    [(f"at {each.time:g}", *TITLES[1:]), *(one.cells for one in each.quantities)]
                    for each in self.calibrations
                ),
            ],
            remarks=[*remarks(notes=self.notes), *self.calibrations[0]._remarks],
        )

    def _frame(self) -> Any:
        columns = ("estimate", "low", "high", "apparent", "n_undefined")
        none = {"time": np.nan, "x": np.nan}
        rows = []
        for e in self.performances:
            one = {name: or_nan(e._row()[name]) for name in columns}
            rows.append({"quantity": e.metric, **none, **one})
        for each in self.calibrations:
            here = none | {"time": each.time}
            for row in each._frame():
                rows.append({"quantity": row["quantity"], **here} | {n: row[n] for n in columns})
            curve = each.curve._frame()
            for values in zip(*(curve[name] for name in ("x", *columns)), strict=True):
                point = dict(zip(("x", *columns), values, strict=True))
                rows.append({"quantity": "calibration curve", **here} | point)
        return rows

    def _check(self) -> None:
        super()._check()
        if not (self.performances and self.calibrations):
            raise ValueError("there is no performance, or no calibration")

    def __repr__(self) -> str:
        e = self.performance
        at = ", ".join(f"{time:g}" for time in self.times)
        return f"SurvivalPerformance({e.metric}={text_of(e)(e.estimate)}, calibration at {at})"


def groups_by_risk(risks: FloatArray, n_groups: int) -> list[IndexArray]:
    """The rows of groups of about equal size in order of risk; equal risks stay together."""
    edges = np.unique(np.quantile(risks, np.arange(1, n_groups) / n_groups))
    place = np.searchsorted(edges, risks, side="left")
    return [np.flatnonzero(place == group) for group in np.unique(place)]
