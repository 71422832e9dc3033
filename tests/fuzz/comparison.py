"""What may differ between bbc's answer and the oracle's: rounding, and the choice between ties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.case import Array, Case
from reference.problem import Problem
from reference.selection import standard_error

_TOLERANCE = 1e-12
# A root taken of the oracle's rounding errors: of a covariance that is zero but for them.
_TOLERANCE_OF_WEIGHTED_ROOTS = 1e-7
_FEW_FOLDS = 4  # whose limits are by Student's t, which test_drawn_folds checks
# Logarithms differ in their last bit between mathematical libraries, so that sums which are equal
# as numbers need not be equal as floats.
_OF_LOGARITHMS = ("log_loss", "deviance", "squared_log_error")


class DisagreementError(AssertionError):
    """bbc and the oracle differ."""


@dataclass
class Comparison:
    """Two answers to one question about a problem."""

    case: Case
    problem: Problem

    @property
    def is_exact(self) -> bool:
        """Whether exact arithmetic decides who wins."""
        if self._by_fold_scores or self.case.by_function:
            return False
        if callable(self.case.design.get("selection")):  # sees scores, rounded as they may be
            return False
        of_logarithms = any(part in self.case.measure.name for part in _OF_LOGARITHMS)
        return self.problem.compares_exactly and not of_logarithms

    @property
    def _by_fold_scores(self) -> bool:
        return self.case.question in ("bbc-f", "tt")

    def dominance(self, ours: Any, theirs: Any) -> None:
        """Results of `dominated`; shares can be compared only where comparisons are exact."""
        if ours.best != theirs.best:
            self._must_be_tied(self._everything(), ours.best, theirs.best, "all rows")
        elif self.is_exact and not np.array_equal(ours.share_worse, theirs.share_worse):
            raise DisagreementError(
                f"share_worse {ours.share_worse}, the oracle's {theirs.share_worse}"
            )

    def estimate(self, ours: Any, theirs: Any) -> bool:
        """Results of `correct` and `tt`; whether no choice differs, as ties let it."""
        agree = self._choice(self._everything(), ours.winner, theirs.winner, "all rows")
        if agree:
            self.close(ours.apparent, theirs.apparent, "apparent")
        same = agree if self.case.question == "tt" else self._replicates(ours, theirs)
        if same:
            self.close(ours.estimate, theirs.estimate, "estimate")
        return agree and same

    def other(self, ours: Any, theirs: Any) -> None:
        """Another metric on the same winners and replicates."""
        self.close(ours.apparent, theirs.apparent, "other: apparent")
        defined = ~np.isnan(theirs.replicates)
        if ours.n_undefined != np.count_nonzero(~defined):
            raise DisagreementError(f"other: {ours.n_undefined} undefined, {theirs.replicates}")
        for b, pair in enumerate(zip(ours.replicates, theirs.replicates[defined], strict=True)):
            self.close(*pair, f"other: defined replicate {b}")
        self.close(ours.estimate, theirs.estimate, "other: estimate")

    def _replicates(self, ours: Any, theirs: Any) -> bool:
        """Whether the replicates, and what is made of them, are the same."""
        if ours.n_redrawn != theirs.n_redrawn:
            raise DisagreementError(f"{ours.n_redrawn} redrawn, the oracle {theirs.n_redrawn}")
        agree = True
        for b, counts in enumerate(theirs.counts):
            where = f"replicate {b}"
            winners = ours.replicate_winners[b], theirs.replicate_winners[b]
            if self._choice(counts, *winners, where, b):
                self.close(ours.replicates[b], theirs.replicates[b], where)
            else:
                agree = False
        interval = ours.confidence_interval
        if interval is None:
            raise DisagreementError(f"no interval, the oracle's low {theirs.low}")
        if agree and not self._draws_few_folds(ours):
            # At least the oracle's order statistics: score intervals and the classes' shares may
            # reach farther.
            self.close(min(interval.low, theirs.low), interval.low, "low")
            self.close(max(interval.high, theirs.high), interval.high, "high")
        return agree

    def _draws_few_folds(self, ours: Any) -> bool:
        if ours.method == "bbc" or self.problem.folds is None:
            return False
        return min(len(np.unique(own[own >= 0])) for own in self.problem.folds) <= _FEW_FOLDS

    def _choice(self, counts: Array, given: int, theirs: int, where: str, b: int = 0) -> bool:
        """Whether the winners are the same; another winner must be a tie."""
        kept = self.case.kept
        ours = int(given if kept is None else np.flatnonzero(kept == given)[0])
        if ours != theirs:
            self._must_be_tied(counts, ours, int(theirs), where, b)
        return ours == theirs

    def _must_be_tied(self, counts: Array, ours: int, theirs: int, where: str, b: int = 0) -> None:
        text = f"{where}: winner {ours}, the oracle's {theirs}"
        if self._by_fold_scores:
            table = self.problem.fold_scores()
            # The overall winner is chosen by all fold scores, a replicate's within one repeat.
            own = (
                table.reshape(-1, table.shape[-1])
                if len(counts) != table.shape[1]
                else table[b % len(table)]
            )
            scores = [float(counts @ own[:, c]) for c in (ours, theirs)]
        else:
            scores = [self.problem.score(c, counts) for c in (ours, theirs)]
        tied = self._near(*scores) and not self.is_exact
        if not tied and not self._on_edge(counts, scores):
            raise DisagreementError(f"{text}: scores {scores}")

    def _on_edge(self, counts: Array, scores: list[float]) -> bool:
        """Whether one of the scores is one standard error from the best, to within rounding."""
        if not isinstance(self.case.design.get("selection"), list):
            return False
        problem = self.problem
        sign = 1.0 if problem.metric.greater_is_better else -1.0
        best = max(sign * problem.score(c, counts) for c in range(problem.n_configurations))
        edge = best - standard_error(problem)
        return any(self._near(sign * score, edge) for score in scores)

    def _everything(self) -> Array:
        if self._by_fold_scores:
            return np.ones(self.problem.fold_scores()[..., 0].size, dtype=np.int64)
        return np.ones(self.problem.n_rows, dtype=np.int64)

    def _near(self, a: float, b: float) -> bool:
        of_weighted_root = (
            self.case.measure.rooted
            and self.case.measure.row_loss is None
            and "sample_weight" in self.case.design
        )
        tolerance = _TOLERANCE_OF_WEIGHTED_ROOTS if of_weighted_root else _TOLERANCE
        return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)

    def close(self, ours: float, theirs: float, what: str) -> None:
        if not self._near(float(ours), float(theirs)):
            raise DisagreementError(f"{what}: {ours!r}, the oracle's {theirs!r}")
