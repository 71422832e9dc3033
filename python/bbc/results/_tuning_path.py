"""The path of a search: corrected performance of the best of the first t configurations."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import numpy as np

from .._drawable import Drawable
from .._frozen import NO_INDICES
from .._page import Page, limits, remarks
from .._result import PerEntry, Result
from .._typing import FloatArray, IndexArray
from ..findings import Finding
from ..findings import found as shown_by
from ._comparison import Difference
from ._estimate import PerformanceEstimate, head_of, text_of

#: A value for each number of configurations of a path.
PerPoint: TypeAlias = Annotated[FloatArray, PerEntry("n_configurations")]


@dataclass(frozen=True, eq=False)
class TuningPath(Drawable, Result):
    """Performance of the best of the first t configurations: what `Correction.tuning_path` returns.

    Rows of `to_frame` are numbers of configurations.

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
    stopped : ndarray of int
        Indices of the configurations that the search stopped early, as a pruner does, where the
        predictions show it.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> path = c.tuning_path()
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
    stopped: IndexArray = field(default_factory=lambda: NO_INDICES)

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
        """Whether the corrected curve falls from its best point while the apparent one rises.

        It is never said of a metric that did not select, whose apparent curve may fall as well, nor
        of a search that dropped configurations.
        """
        return bool(self._overtuned)

    @property
    def _overtuned(self) -> tuple[Finding, ...]:
        place = self._peak
        by_rungs = self.estimate.design.selection == "rungs"
        if place == len(self.falls) or self.estimate.decided_by or by_rungs:
            return ()
        fall = self.falls[place]
        interval = fall.confidence_interval
        rise = float(self.apparent[-1] - self.apparent[place])
        return shown_by(
            "path",
            {
                "n_at_peak": int(self.n_configurations[place]),
                "n_configurations": int(self.n_configurations[-1]),
                "fall": fall.estimate,
                "fall_low": None if interval is None else interval.low,
                "apparent_rise": rise if self.estimate.greater_is_better else -rise,
            },
        )

    @property
    def n_stopped(self) -> int:
        """How many configurations the search is known to have stopped early."""
        return self.stopped.size

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the estimate of all configurations, and BBC019."""
        return (*self.estimate.findings, *self._overtuned)

    def _page(self) -> Page:
        table: list[tuple[str, ...]] = [("t", "corrected", "interval", "apparent", "winner")]
        text = text_of(self.estimate)
        columns = (self.estimates, self.lows, self.highs, self.apparent, self.winners)
        for t, estimate, low, high, apparent, winner in zip(
            self.n_configurations, *columns, strict=True
        ):
            interval = limits(None if math.isnan(low) else (low, high), text)
            table.append((str(t), text(estimate), interval, text(apparent), str(winner)))
        head = head_of(self.estimate, "of the best of t")
        facts = [] if self.n_stopped == 0 else [("stopped early", f"{self.n_stopped} of {t}")]
        return Page(head, facts, tables=[table], remarks=remarks(self.findings))

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

        n = self.estimate.n_configurations + len(self.estimate.left_out_configurations)
        if self.stopped.size and not 0 <= self.stopped.min() <= self.stopped.max() < n:
            raise ValueError("stopped has a configuration that is not there")

    def __repr__(self) -> str:
        return (
            f"TuningPath({self.estimate.metric}, {self.n_configurations[-1]} configurations, "
            f"best of the first {self.best}, overtuned={self.overtuned})"
        )
