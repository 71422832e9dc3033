"""Several metrics of one choice: the others are scored on the winners of the one that decides.

Readings chosen where the texts are silent:

- Draws are redrawn for the deciding metric's sake only; a replicate whose out-of-bag side leaves
  another metric undefined is left out of that metric's estimate.
- Two-level BBC: the others are scored within the replicate's own repeat, as the deciding metric is.
- TT: the best configuration of each fold is the deciding metric's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array, Num, mean
from .bbc import Corrected, counts_of
from .philox import draw_units
from .problem import Problem
from .size import without_shifts


@dataclass(frozen=True)
class Other:
    """A metric that does not decide; replicates are NaN where it is undefined."""

    apparent: float
    replicates: Array
    size_bias: float | None = None
    alone: bool = False

    @property
    def estimate(self) -> float:
        """Mean of the replicates that it is defined on; of one configuration its apparent score."""
        if self.alone:
            return self.apparent
        defined = [float(r) for r in self.replicates if not math.isnan(r)]
        return math.fsum(defined) / len(defined)


def on_winners(problem: Problem, decided: Corrected, *, two_level: bool = False) -> Other:
    """Another metric's problem, scored on the replicates that decided."""
    replicates = []
    sides = zip(decided.replicate_winners, decided.left_out, strict=True)
    for b, (winner, left) in enumerate(sides):
        repeats = [b % problem.n_repeats] if two_level else range(problem.n_repeats)
        defined = all(problem.defined_parts(left, r) for r in repeats)
        scores: list[Num] = [problem.repeat_score(int(winner), left, r) for r in repeats if defined]
        replicates.append(float(mean(scores)) if defined else math.nan)
    own, size_bias = without_shifts(
        problem,
        replicates,
        list(decided.replicate_winners),
        list(decided.left_out),
        two_level=two_level,
    )
    everything = np.ones(problem.n_rows, dtype=np.int64)
    apparent = problem.score(decided.winner, everything)
    alone = problem.n_configurations == 1 and not decided.as_published
    return Other(apparent, np.asarray(own), size_bias, alone)


def on_fold_winners(fold_scores: Any, decided: Corrected, seed: int) -> Other:
    """BBC-F: another metric's table (repeat, fold, configuration)."""
    table = np.asarray(fold_scores, dtype=np.float64)
    n_repeats, n_folds, _ = table.shape
    replicates = []
    for b, winner in enumerate(decided.replicate_winners):
        attempt = int(decided.attempts[b])
        counts = counts_of(draw_units(seed, b, attempt, n_units=n_folds), range(n_folds))
        replicates.append(float(table[b % n_repeats][counts == 0, winner].mean()))
    apparent = float(table[:, :, decided.winner].mean())
    return Other(
        apparent, np.asarray(replicates), alone=table.shape[2] == 1 and not decided.as_published
    )


def tt_of_other(deciding: Any, reported: Any, *, decides: float, sign: float) -> tuple[float, int]:
    """TT's estimate of ``reported`` scores (fold, configuration), chosen by ``deciding`` ones.

    ``decides`` and ``sign`` are 1 where higher is better, else -1.
    """
    own, shown = np.asarray(deciding), np.asarray(reported)
    winner = int(np.argmax(decides * own.mean(axis=0)))
    best = np.argmax(decides * own, axis=1)
    gaps = [sign * (row[b] - row[winner]) for row, b in zip(shown, best, strict=True)]
    return float(shown[:, winner].mean() - sign * sum(gaps) / len(gaps)), winner
