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
NO_RATES = np.empty((0, 6))


def loses_size_shift(options: Options, metric: _core.Metric) -> bool:
    """Whether replicates lose their winner's shift; of a Python function it is not known."""
    if not options.size_correction or options.method == "bbc-f":
        return False
    return options.metric.family == "callable" or metric.size_dependent


class Shifts:
    """The shift of each configuration: its mean score out of bag, beyond that on all rows."""

    def __init__(self, on_all_rows: FloatArray, n_bootstraps: int) -> None:
        self._on_all_rows = on_all_rows
        self._scores = np.empty((n_bootstraps, len(on_all_rows)))

    def add(self, first: int, scores: FloatArray) -> None:
        """Take scores out of bag, (replicate, configuration), NaN where undefined."""
        self._scores[first : first + len(scores)] = scores

    def of(self, places: IndexArray) -> FloatArray:
        """The shift of each replicate's configuration."""
        defined = self._scores[~np.isnan(self._scores[:, 0])]
        means = [math.fsum(column) / max(1, len(defined)) for column in defined.T]
        shifts: FloatArray = (np.array(means) - self._on_all_rows)[places]
        return shifts


def without_shift(replicates: FloatArray, shifts: FloatArray) -> dict[str, Any]:
    """Replicates that lost their shifts, and the mean of these over those that are defined."""
    defined = ~np.isnan(replicates)
    mean = math.fsum(shifts[defined]) / max(1, int(np.count_nonzero(defined)))
    return {"replicates": replicates - shifts, "size_bias": mean}


def correct_by_rule(
    scorer: "ReplicateScorer",
    problem: Problem | None,
    options: Options,
    *,
    draws: "tuple[_core.Target, _core.Options] | None" = None,
    n_threads: int,
) -> dict[str, Any]:
    """Correct for a rule that is a Python function, on the replicates of every other rule.

    `problem` is None if folds are drawn. `draws` draws the replicates again where they lose the
    shifts of their winners.
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
    size_bias = None
    if draws is not None:
        chosen, places = np.unique(winners, return_inverse=True)
        shifts = Shifts(on_all_rows[chosen], n_bootstraps)
        for first in range(0, n_bootstraps, at_once):
            n = min(at_once, n_bootstraps - first)
            scoring = _core.scoring_counts(*draws, first, n, n_threads)
            shifts.add(first, scorer.out_of_bag_scores(first, scoring, chosen, n_threads))
        lost = without_shift(replicates, shifts.of(places))
        replicates, size_bias = lost["replicates"], lost["size_bias"]
    rates = scorer.rates(winner)
    found = summary(replicates, winners, options, problem, size_bias=size_bias, rates=rates)
    return found | {
        "apparent": float(on_all_rows[winner]),
        "winner": winner,
        "n_redrawn": n_redrawn,
        "undefined_fold_share": n_undefined / scorer.n_fold_sides if by_parts else 0.0,
    }


def summary(
    replicates: FloatArray,
    winners: IndexArray,
    options: Options,
    problem: Problem | None,
    *,
    size_bias: float | None = None,
    rates: FloatArray = NO_RATES,
) -> dict[str, Any]:
    """Estimate and interval from replicates; keys as the kernel's."""
    found = moments(replicates, winners)
    interval = limits(replicates, found["estimate"], options, problem, rates=rates)
    return {"infeasible": "", "size_bias": size_bias} | found | interval


def moments(replicates: FloatArray, winners: IndexArray) -> dict[str, Any]:
    """Mean and standard deviation of replicates."""
    n_bootstraps = len(replicates)
    return {
        "estimate": math.fsum(replicates) / n_bootstraps,
        "replicate_sd": float(np.std(replicates, ddof=1)) if n_bootstraps > 1 else 0.0,
        "replicates": replicates,
        "replicate_winners": winners,
    }


def limits(
    replicates: FloatArray,
    estimate: float,
    options: Options,
    problem: Problem | None,
    *,
    rates: FloatArray,
) -> dict[str, Any]:
    """The limits of a corrected performance, or why there are none.

    `rates` are those of the winner, which the score interval rests on; none for other metrics.
    """
    if problem is not None and options.method == "bbc-two-level":
        reason = _core.too_few_folds(problem.fewest_folds)
        if reason:
            return {"low": math.nan, "high": math.nan, "infeasible": reason}
    metric = options.metric
    n_classes = math.inf if problem is None else problem.truth.n_classes
    return _core.corrected_limits(
        replicates,
        estimate,
        rates,
        options.confidence_level,
        options.alternative,
        *metric.limits(n_classes),
    )
