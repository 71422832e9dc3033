"""Corrected estimates on permuted truths, beside chance."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._frozen import read_only
from .._page import Page
from .._result import Level, Result
from .._typing import FloatArray
from ._estimate import PerformanceEstimate, cells, text_of


@dataclass(frozen=True, eq=False)
class NegativeControl(Result):
    """The analysis on permuted truths: what `bbc.negative_control` returns.

    Rows of `to_frame` are permutations.

    Attributes
    ----------
    estimates : tuple of PerformanceEstimate
        One per permuted truth.
    chance : tuple of float
        Beside each, the value of predictions that know nothing of the rows.
    confidence_level : float
        One minus the probability of calling an analysis without leak suspect.
    seed : int
        Seed of the permutations.

    Examples
    --------
    >>> from bbc.results import NegativeControl, PerformanceEstimate
    >>> estimates = [
    ...     PerformanceEstimate(value, "roc_auc", "bbc", True, n_rows=80, n_configurations=9)
    ...     for value in (0.61, 0.64, 0.58)]
    >>> control = NegativeControl(estimates, [0.5, 0.5, 0.5])
    >>> round(control.mean_excess, 3), control.suspect
    (0.11, True)
    """

    estimates: tuple[PerformanceEstimate, ...]
    chance: tuple[float, ...]
    confidence_level: Level = 0.95
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.estimates) != len(self.chance) or len(self.estimates) < 2:
            raise ValueError("a negative control needs two estimates, and a chance value for each")

    @property
    def metric(self) -> str:
        """The metric of all runs."""
        return self.estimates[0].metric

    @cached_property
    def excess(self) -> FloatArray:
        """By how much each estimate is better than chance, whatever the metric's direction."""
        sign = 1.0 if self.estimates[0].greater_is_better else -1.0
        better = np.array([each.estimate for each in self.estimates]) - np.array(self.chance)
        return read_only(sign * better)

    @property
    def mean_excess(self) -> float:
        """The mean excess over chance."""
        return math.fsum(self.excess) / len(self.excess)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean excess, from its variation over permutations."""
        return float(np.std(self.excess, ddof=1)) / math.sqrt(len(self.excess))

    @property
    def p_value(self) -> float:
        """Of the hypothesis that the expected excess is not above zero, by a t-test."""
        error = self.standard_error
        if error == 0.0:
            return 0.0 if self.mean_excess > 0 else 1.0
        from scipy.special import stdtr  # 0.4 s, for which each first call would wait

        return float(stdtr(len(self.excess) - 1, -self.mean_excess / error))

    @property
    def suspect(self) -> bool:
        """Whether the analysis beats chance where nothing can be learned."""
        return self.p_value < 1 - self.confidence_level

    @property
    def n_covering(self) -> int:
        """Runs whose interval holds chance, or that do not beat it where there is no interval."""
        return sum(
            excess <= 0
            if each.confidence_interval is None
            else each.confidence_interval.low <= chance <= each.confidence_interval.high
            for each, chance, excess in zip(self.estimates, self.chance, self.excess, strict=True)
        )

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        level = f"p = {self.p_value:.2g}"
        amount = f"{abs(self.mean_excess):.4f}"
        if self.suspect:
            return (
                f"on permuted truths the estimate beats chance by {amount} on average ({level}): "
                "information about held-out rows reaches training or selection, or selection is "
                "not corrected for"
            )
        side = "above" if self.mean_excess > 0 else "below"
        return (
            "on permuted truths the estimate is compatible with chance (on average "
            f"{amount} {side} it, {level}); leaks that the control cannot see are not excluded"
        )

    def _page(self) -> Page:
        n = len(self.estimates)
        table = [("permutation", "estimate", "interval", "chance")]
        for place, (each, chance) in enumerate(zip(self.estimates, self.chance, strict=True), 1):
            own = cells(each, self.estimates[0])
            table.append((str(place), *own[:2], text_of(self.estimates[0])(chance)))
        covering = f"{self.n_covering} of {n} runs do not beat chance"
        if self.estimates[0].confidence_interval is not None:
            covering = f"{self.n_covering} of {n} intervals hold chance"
        method = self.estimates[0].method
        return Page(
            f"negative control: {self.metric} on {n} permuted truths, method {method}",
            tables=[table],
            remarks=[
                ("SUSPECT" if self.suspect else "passed", self.verdict),
                ("intervals", covering),
            ],
        )

    def _frame(self) -> Any:
        lines = []
        for each, chance, excess in zip(self.estimates, self.chance, self.excess, strict=True):
            row = each._row()
            lines.append(
                {name: row[name] for name in ("estimate", "low", "high")}
                | {"chance": chance, "excess": float(excess)}
            )
        return lines

    def __repr__(self) -> str:
        return (
            f"NegativeControl({self.metric}, {len(self.estimates)} permutations, "
            f"mean_excess={self.mean_excess:.4f}, suspect={self.suspect})"
        )
