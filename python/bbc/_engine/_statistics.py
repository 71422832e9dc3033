"""Statistics of a correction's winners on their out-of-bag rows, and bands of their replicates."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray
from ._kernel import kernel_metric, kernel_options, kernel_predictions, kernel_target
from ._kernel import replicate_options as options_of
from ._others import ScoredProblem, scoring_counts


class StatisticOfWinner(NamedTuple):
    """The values of a statistic, NaN where undefined.

    On all rows, of shape (n_values,); out of bag without the winners' shifts, of shape
    (n_bootstraps, n_values); of each value the rates that its limits rest on, and its range.
    """

    apparent: FloatArray
    replicates: FloatArray
    rates: list[FloatArray]
    ranges: FloatArray


def winner_statistics(
    statistic: _core.Statistic,
    scored: ScoredProblem,
    selecting: ScoredProblem,
    raw: dict[str, Any],
    *,
    n_threads: int,
) -> StatisticOfWinner:
    """The statistic of the winner on all rows, and of each replicate's winner out of bag.

    `raw` is the result of the correction by the selection metric.
    """
    problem, options = scored
    winners, winner = raw["replicate_winners"], raw["winner"]
    chosen, places = np.unique([*winners, winner], return_inverse=True)
    places = places.astype(np.int64)
    by_fold = options.method == "bbc-f"
    if by_fold:
        parts = problem.parts("pooled")
        settings = options_of(
            options,
            kernel_metric(options.metric),
            folds=parts,
            row_weights=problem.sample_weight,
            rotate_repeats=True,
        )
    else:
        settings = kernel_options(problem, options)
    scorer = _core.WinnerStatistics(
        kernel_target(problem, options.metric),
        kernel_predictions(problem, options.metric, [a[:, chosen] for a in problem.predictions]),
        settings,
        n_threads,
    )
    own = int(places[-1])
    shifts = _core.StatisticShifts(scorer, statistic, settings, places[:-1], own)
    replicates = []
    for first, counts in scoring_counts(selecting, raw, n_threads):
        drawn = _by_row(first, counts, problem.folds) if by_fold else counts
        part = places[first : first + len(counts)]
        found = scorer.out_of_bag(statistic, first, drawn, part, n_threads)
        shifts.add(first, drawn, found, n_threads)
        replicates.append(found)
    return StatisticOfWinner(
        scorer.on_all_rows(statistic, own),
        shifts.without(np.concatenate(replicates)),
        scorer.rates(statistic, own),
        _core.value_ranges(statistic),
    )


def _by_row(first: int, counts: AnyArray, folds: AnyArray | None) -> AnyArray:
    """How often the fold of each row was drawn, in the repeat of the replicate."""
    assert folds is not None
    repeats = np.arange(first, first + len(counts)) % len(folds)
    return np.ascontiguousarray(np.take_along_axis(counts, folds[repeats], axis=1))


def curve_band(
    replicates: FloatArray,
    confidence_level: float,
    rates: Sequence[FloatArray],
    ranges: FloatArray,
) -> dict[str, AnyArray]:
    """Means and bands of (replicate, point) curves, and the undefined replicates of each point."""
    return _core.curve_band(
        np.ascontiguousarray(replicates),
        confidence_level,
        list(rates),
        np.ascontiguousarray(ranges),
    )
