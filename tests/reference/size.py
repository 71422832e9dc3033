"""What the number of rows does to a metric, apart from selection.

The rows out of bag are fewer than all. The expectation of a mean over rows, or of an AUC, is the
same on fewer rows; that of other metrics is not. The shift of a configuration is the mean over the
replicates of its score out of bag, less its score on all rows; a replicate's score loses the shift
of its winner.

Readings chosen where the texts are silent:

- Which metrics these are is found by simulation (benches/size), and listed here again.
- A replicate whose out-of-bag side leaves the metric undefined is left out of the mean.
- R2 has no shift: its squared errors are divided by the variance of all rows (`Problem`).
- Of a user's function of all rows it is not known, so it has a shift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .arithmetic import Array, Num, mean
from .metrics import Metric
from .problem import Problem

DEPENDENT = frozenset(
    (
        *("precision", "negative_predictive_value", "f1", "jaccard", "mcc", "kappa", "callable"),
        *("linear_weighted_kappa", "quadratic_weighted_kappa"),
        "matthews_corrcoef",
        *("euclidean_distance_to_corner", "average_precision", "spearman"),
        *("explained_variance", "squared_pearson", "jaccard_micro"),
        *(
            f"{name}_{kind}"
            for name in ("precision", "f1", "jaccard")
            for kind in ("macro", "weighted")
        ),
        *(f"{sign}root_mean_squared_{log}error" for sign in ("", "neg_") for log in ("", "log_")),
    )
)


def is_dependent(metric: Metric) -> bool:
    """Whether the expectation of the metric depends on the number of rows."""
    return metric.name in DEPENDENT or metric.name.startswith("f_beta")


def out_of_bag_score(
    problem: Problem, configuration: int, left: Array, repeats: Sequence[int]
) -> float:
    """Score of a configuration on the rows left out, in some repeats; NaN where undefined."""
    if not all(problem.defined_parts(left, r) for r in repeats):
        return math.nan
    scores: list[Num] = [problem.repeat_score(configuration, left, r) for r in repeats]
    return float(mean(scores))


def shifts(
    problem: Problem,
    winners: Sequence[int],
    left_out: Sequence[Array],
    everything: Array,
    *,
    two_level: bool = False,
) -> list[float]:
    """The shift of each replicate's winner; `everything` counts all rows."""
    of_winner = {}
    for winner in set(winners):
        scores = [
            out_of_bag_score(
                problem,
                winner,
                left,
                [b % problem.n_repeats] if two_level else range(problem.n_repeats),
            )
            for b, left in enumerate(left_out)
        ]
        defined = [score for score in scores if not math.isnan(score)]
        of_winner[winner] = math.fsum(defined) / max(1, len(defined)) - problem.score(
            winner, everything
        )
    return [of_winner[winner] for winner in winners]


def without_shifts(
    problem: Problem,
    replicates: Sequence[float],
    winners: Sequence[int],
    left_out: Sequence[Array],
    *,
    two_level: bool = False,
    inside: Array | None = None,
) -> tuple[list[float], float | None]:
    """The replicates without the shifts of their winners, and the mean of these.

    `inside` marks the rows that are scored at all, as `left_out` does.
    """
    if not is_dependent(problem.metric):
        return list(replicates), None
    everything = np.ones(problem.n_rows, dtype=np.int64)
    if inside is not None:
        everything = everything * inside
    chosen = [int(winner) for winner in winners]
    lost = shifts(problem, chosen, left_out, everything, two_level=two_level)
    defined = [shift for r, shift in zip(replicates, lost, strict=True) if not math.isnan(r)]
    own = [r - shift for r, shift in zip(replicates, lost, strict=True)]
    return own, math.fsum(defined) / max(1, len(defined))


def within(interval: tuple[float, float], bounds: tuple[float, float]) -> tuple[float, float]:
    """Limits of scores that lost a shift end where the metric does."""
    low, high = (min(max(limit, bounds[0]), bounds[1]) for limit in interval)
    return low, high
