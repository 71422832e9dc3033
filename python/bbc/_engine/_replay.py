"""Selection rules that are Python functions: scores by the kernel, winners chosen in Python."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray, IndexArray
from .._validation import Options, Problem

if TYPE_CHECKING:
    from .._core import ReplicateScorer

CELLS_AT_ONCE = 1 << 22


def correct_by_rule(
    scorer: "ReplicateScorer", problem: Problem | None, options: Options, *, n_threads: int
) -> dict[str, Any]:
    """Correct for a rule that is a Python function, on the replicates of every other rule.

    `problem` is None if folds are drawn.
    """

    def choose(scores: FloatArray, counts: AnyArray) -> int:
        return options.selection.choose(
            scores, counts, greater_is_better=options.metric.greater_is_better
        )

    on_all_rows = scorer.on_all_rows(n_threads)
    winner = choose(on_all_rows, np.ones(scorer.n_rows, np.int64))
    n_bootstraps = options.n_bootstraps
    replicates = np.empty(n_bootstraps)
    winners = np.empty(n_bootstraps, np.int64)
    n_redrawn = n_undefined = 0
    at_once = max(1, CELLS_AT_ONCE // (scorer.n_rows + len(on_all_rows)))
    for first in range(0, n_bootstraps, at_once):
        n = min(at_once, n_bootstraps - first)
        counts, scoring, scores, redrawn, undefined = scorer.in_bag(first, n, n_threads)
        n_redrawn += redrawn
        n_undefined += undefined
        chosen = winners[first : first + n]
        for i in range(n):
            chosen[i] = choose(scores[i], counts[i].astype(np.int64))
        replicates[first : first + n] = scorer.out_of_bag(first, scoring, chosen, n_threads)[0]
    by_parts = problem is not None and options.parts(problem) is not None
    return summary(replicates, winners, options, problem) | {
        "apparent": float(on_all_rows[winner]),
        "winner": winner,
        "n_redrawn": n_redrawn,
        "undefined_fold_share": n_undefined / scorer.n_fold_sides if by_parts else 0.0,
    }


def summary(
    replicates: FloatArray, winners: IndexArray, options: Options, problem: Problem | None
) -> dict[str, Any]:
    """Estimate and interval from replicates; keys as the kernel's."""
    interval = limits(replicates, options, problem)
    return {"infeasible": ""} | moments(replicates, winners) | interval


def moments(replicates: FloatArray, winners: IndexArray) -> dict[str, Any]:
    """Mean and standard deviation of replicates."""
    n_bootstraps = len(replicates)
    return {
        "estimate": math.fsum(replicates) / n_bootstraps,
        "replicate_sd": float(np.std(replicates, ddof=1)) if n_bootstraps > 1 else 0.0,
        "replicates": replicates,
        "replicate_winners": winners,
    }


def limits(replicates: FloatArray, options: Options, problem: Problem | None) -> dict[str, Any]:
    """The limits of the replicates' interval, or why there is none."""
    if problem is not None and options.method == "bbc-two-level":
        reason = _core.too_few_folds(problem.fewest_folds)
        if reason:
            return {"low": math.nan, "high": math.nan, "infeasible": reason}
    metric = options.metric
    low, high = _core.order_statistic_interval(
        replicates, options.confidence_level, options.alternative, metric.lowest, metric.highest
    )
    return {"low": low, "high": high}
