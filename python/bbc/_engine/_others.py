"""Scores secondary metrics on the selection metric's replicates and winners."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from .._validation import Options, Problem
from ._folds import fold_draws, fold_scorer, fold_scores
from ._kernel import kernel_options, kernel_predictions, kernel_target
from ._replay import CELLS_AT_ONCE
from ._scorer import Scorer, scored_repeat


class ScoredProblem(NamedTuple):
    """Data of a metric, and the options by which it is scored."""

    problem: Problem
    options: Options


class WinnerScores(NamedTuple):
    """The winners' scores by a metric, NaN where it is undefined."""

    apparent: float
    replicates: FloatArray
    undefined_fold_share: float

    @property
    def defined(self) -> BoolArray:
        """Which replicates have a score."""
        defined: BoolArray = ~np.isnan(self.replicates)
        return defined

    @property
    def n_undefined(self) -> int:
        """Replicates without a score."""
        return int(np.count_nonzero(np.isnan(self.replicates)))


def score_winners(
    scored: ScoredProblem,
    selecting: ScoredProblem,
    raw: dict[str, Any],
    *,
    rows: IndexArray | None = None,
    n_threads: int,
) -> WinnerScores:
    """Score the winners of a correction by another metric on the same out-of-bag units.

    `raw` is the result of the correction by the selection metric. With `rows`, `scored` is the
    problem of these rows alone.
    """
    winners, winner = raw["replicate_winners"], raw["winner"]
    chosen, places = np.unique([*winners, winner], return_inverse=True)
    score, apparent, n_fold_sides = _scorer(scored, chosen, int(places[-1]), n_threads)
    replicates = np.empty(len(winners))
    n_undefined = 0
    for first, counts in scoring_counts(selecting, raw, n_threads):
        part = slice(first, first + len(counts))
        of_rows = counts if rows is None else np.ascontiguousarray(counts[:, rows])
        replicates[part], undefined = score(first, of_rows, places[part])
        n_undefined += undefined
    by_parts = scored.options.parts(scored.problem) is not None
    return WinnerScores(apparent, replicates, n_undefined / n_fold_sides if by_parts else 0.0)


_Score = Callable[[int, AnyArray, IndexArray], tuple[FloatArray, int]]


def _scorer(
    scored: ScoredProblem, chosen: IndexArray, winner: int, n_threads: int
) -> tuple[_Score, float, int]:
    """The out-of-bag scorer of chosen configurations, the winner's apparent score, fold sides."""
    problem, options = scored
    metric = options.metric
    if options.method == "bbc-f":
        scores = fold_scores(problem, metric, n_threads=n_threads)
        table = np.ascontiguousarray(scores[:, :, chosen])
        scorer = fold_scorer(table, options, n_threads, decides=False)
    elif metric.family == "callable":
        return _by_function(scored, chosen, winner)
    else:
        scorer = _core.ReplicateScorer(
            kernel_target(problem, metric),
            kernel_predictions(problem, metric, [each[:, chosen] for each in problem.predictions]),
            kernel_options(problem, options),
            n_threads,
            decides=False,
        )

    def score(first: int, counts: AnyArray, places: IndexArray) -> tuple[FloatArray, int]:
        return scorer.out_of_bag(first, counts, places.astype(np.int64), n_threads)

    return score, float(scorer.on_all_rows(n_threads)[winner]), scorer.n_fold_sides


def _by_function(
    scored: ScoredProblem, chosen: IndexArray, winner: int
) -> tuple[_Score, float, int]:
    problem, options = scored
    drawn_folds = options.drawn_folds(problem)
    scorer = Scorer(
        problem, options.metric, options.parts(problem), two_level=drawn_folds is not None
    )

    def score(first: int, counts: AnyArray, places: IndexArray) -> tuple[FloatArray, int]:
        found = [
            scorer.score(
                np.flatnonzero(drawn == 0), int(chosen[place]), scored_repeat(b, drawn_folds)
            )
            for b, (drawn, place) in enumerate(zip(counts, places, strict=True), start=first)
        ]
        return np.array([value for value, _ in found]), sum(n for _, n in found)

    apparent, _ = scorer.score(np.arange(problem.n_rows), int(chosen[winner]))
    return score, apparent, scorer.n_folds * options.n_bootstraps


def scoring_counts(
    selecting: ScoredProblem, raw: dict[str, Any], n_threads: int
) -> Iterator[tuple[int, AnyArray]]:
    """Replicates in parts: the number of the first, and counts per row (per fold for BBC-F).

    A row whose count is zero is out of bag.
    """
    problem, options = selecting
    n_units = problem.n_rows
    if options.method == "bbc-f":
        assert problem.folds is not None
        n_units = int(problem.folds.max()) + 1
        target, settings = fold_draws(n_units, options)
    else:
        target = kernel_target(problem, options.metric)
        settings = kernel_options(problem, options)
        if options.metric.family == "callable":
            sampler = _core.Sampler(target, settings)
            for b, attempt in enumerate(raw["attempts"]):
                yield b, sampler.draw(b, int(attempt))[1][None]
            return
    at_once = max(1, CELLS_AT_ONCE // n_units)
    for first in range(0, options.n_bootstraps, at_once):
        n = min(at_once, options.n_bootstraps - first)
        yield first, _core.scoring_counts(target, settings, first, n, n_threads)
