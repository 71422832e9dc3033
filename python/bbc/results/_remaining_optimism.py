"""RemainingOptimism: what a correction leaves, a second number beside its estimate."""

import math
from dataclasses import dataclass
from typing import Any

from .._digits import number
from .._page import Page, in_lines, limits, remarks
from .._result import Result
from .._sentences import say
from ..findings import Finding
from ..findings import found as shown_by
from ._estimate import PerformanceEstimate, head_of, text_of
from ._parts import ConfidenceInterval


@dataclass(frozen=True, eq=False)
class RemainingOptimism(Result):
    """What is left of the optimism: what `Correction.remaining_optimism` returns.

    Attributes
    ----------
    estimate : PerformanceEstimate
        The correction, as it stands.
    kappa : float
        What rows of different folds, which trained each other's models, share beyond rows of one
        fold, in units of the variance of an in-bag score that rows explain: 0.5 is pure coupling,
        about 0 where no row trained the model of another.
    kappa_sd : float
        Its standard deviation over permutations of the fold labels.
    in_bag_optimism : float
        Mean difference between the replicates' winners in bag and out of bag, positive where they
        are better in bag, else 0.
    further_optimism : float
        What of this the estimate likely still holds; never negative.
    coupled_estimate : float
        The estimate without it: lower for scores, higher for losses.
    confidence_interval : ConfidenceInterval or None
        The interval of the correction, shifted alike; None if that was not asked for, or there is
        none.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> folds = [row // 2 % 5 for row in range(80)]
    >>> c = bbc.correct(s.y, s.predictions, metric="roc_auc", folds=folds, random_state=1)
    >>> found = c.remaining_optimism()
    >>> bool(found.coupled_estimate == c.estimate - found.further_optimism)
    True
    """

    estimate: PerformanceEstimate
    kappa: float
    kappa_sd: float
    in_bag_optimism: float
    further_optimism: float
    coupled_estimate: float
    confidence_interval: ConfidenceInterval | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the correction, and BBC028."""
        facts = {"further": self.further_optimism, "further_share": self._share_of_width}
        return (*self.estimate.findings, *shown_by("remaining", facts))

    @property
    def _share_of_width(self) -> float | None:
        """Of the correction's interval."""
        interval = self.estimate.confidence_interval
        width = 0.0 if interval is None else interval.high - interval.low
        return self.further_optimism / width if 0.0 < width < math.inf else None

    def _page(self) -> Page:
        own, text = self.estimate, text_of(self.estimate)
        facts = [
            ("corrected", f"{text(own.estimate)} {limits(own.confidence_interval, text)}"),
            *in_lines("left", say("remaining", {"further": self.further_optimism})),
            ("coupled", f"{text(self.coupled_estimate)} {limits(self.confidence_interval, text)}"),
            ("kappa", f"{number(self.kappa)} (sd {number(self.kappa_sd)})"),
            ("seed", f"{own.seed} (bbc {own.version})"),
        ]
        return Page(head_of(own, "of the winner"), facts, remarks=remarks(self.findings))

    def _frame(self) -> Any:
        interval = self.confidence_interval
        low, high = (math.nan, math.nan) if interval is None else interval
        return {
            "estimate": [self.estimate.estimate],
            "kappa": [self.kappa],
            "kappa_sd": [self.kappa_sd],
            "in_bag_optimism": [self.in_bag_optimism],
            "further_optimism": [self.further_optimism],
            "coupled_estimate": [self.coupled_estimate],
            "low": [low],
            "high": [high],
        }

    def __repr__(self) -> str:
        own = self.estimate
        return (
            f"RemainingOptimism({own.metric}, {text_of(own)(own.estimate)}, of which "
            f"about {self.further_optimism:.2g} is likely optimism)"
        )
