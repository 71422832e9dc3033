"""Rules that are Python functions: the kernel's scores, winners chosen in Python."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray, IndexArray
from ..metrics import Metric
from ._convert import Plan, fewest_folds

CELLS_AT_ONCE = 1 << 22


def correct_by_rule(
    target: Any,
    predictions: Sequence[AnyArray],
    options: Any,
    metric: Metric,
    plan: Plan,
    *,
    n_threads: int,
) -> dict[str, Any]:
    """Correct for a rule that is a Python function; replicates are those of every other rule."""
    contest = _core.Contest(target, list(predictions), options, n_threads)
    n_rows, n_configurations = predictions[0].shape[:2]

    def choose(scores: FloatArray, counts: AnyArray) -> int:
        return plan.selection.choose(scores, counts, greater_is_better=metric.greater_is_better)

    on_all_rows = contest.on_all_rows(n_threads)
    winner = choose(on_all_rows, np.ones(n_rows, np.int64))
    n_bootstraps = plan.resampling.n_bootstraps
    replicates = np.empty(n_bootstraps)
    winners = np.empty(n_bootstraps, np.int64)
    n_redrawn = n_undefined = 0
    at_once = max(1, CELLS_AT_ONCE // (n_rows + n_configurations))
    for first in range(0, n_bootstraps, at_once):
        n = min(at_once, n_bootstraps - first)
        counts, scoring, scores, redrawn, undefined = contest.in_bag(first, n, n_threads)
        n_redrawn += redrawn
        n_undefined += undefined
        chosen = winners[first : first + n]
        for i in range(n):
            chosen[i] = choose(scores[i], counts[i].astype(np.int64))
        replicates[first : first + n] = contest.out_of_bag(first, scoring, chosen, n_threads)[0]
    share = n_undefined / contest.n_fold_sides if plan.folds is not None else 0.0
    return summary(replicates, winners, metric, plan) | {
        "apparent": float(on_all_rows[winner]),
        "winner": winner,
        "n_redrawn": n_redrawn,
        "undefined_fold_share": share,
    }


def summary(
    replicates: FloatArray, winners: IndexArray, metric: Metric, plan: Plan
) -> dict[str, Any]:
    """What the kernel's correction says of replicates, of those that Python has collected."""
    return {"infeasible": ""} | moments(replicates, winners) | ends(replicates, metric, plan)


def moments(replicates: FloatArray, winners: IndexArray) -> dict[str, Any]:
    """Mean and standard deviation of replicates."""
    n_bootstraps = len(replicates)
    return {
        "estimate": math.fsum(replicates) / n_bootstraps,
        "replicate_sd": float(np.std(replicates, ddof=1)) if n_bootstraps > 1 else 0.0,
        "replicates": replicates,
        "replicate_winners": winners,
    }


def ends(replicates: FloatArray, metric: Metric, plan: Plan) -> dict[str, Any]:
    """The interval of replicates, or why there is none."""
    if plan.drawn_folds is not None:
        reason = _core.too_few_folds(fewest_folds(plan.drawn_folds))
        if reason:
            return {"low": math.nan, "high": math.nan, "infeasible": reason}
    low, high = _core.order_statistic_interval(
        replicates, plan.confidence_level, plan.alternative, metric.lowest, metric.highest
    )
    return {"low": low, "high": high}
