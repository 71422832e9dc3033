"""Metrics that do not decide: scored on the winners, and the replicates, of one that does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray, IndexArray
from .._validation import Problem
from ..metrics import Metric
from ..selection import BEST
from ._convert import Plan, kernel_options, kernel_predictions, kernel_target
from ._folds import fold_scores, mean_of_folds
from ._replay import CELLS_AT_ONCE
from ._scorer import Scorer


@dataclass(frozen=True, eq=False)
class Contender:
    """A metric with the data that it reads and the plan by which it is scored."""

    problem: Problem
    metric: Metric
    plan: Plan

    @property
    def draws_folds(self) -> bool:
        """Whether replicates draw folds, of whose scores means are taken (BBC-F)."""
        return self.plan.resampling.unit == "fold"


@dataclass(frozen=True, eq=False)
class OnWinners:
    """What a metric says of given winners; replicates are NaN where it is undefined."""

    apparent: float
    replicates: FloatArray
    undefined_fold_share: float


def score_winners(
    contender: Contender,
    deciding: Contender,
    raw: dict[str, Any],
    *,
    n_threads: int,
) -> OnWinners:
    """Score the winners of a correction by another metric on the same out-of-bag units.

    `raw` is what the correction by the deciding metric gave.
    """
    winners, winner = raw["replicate_winners"], raw["winner"]
    chosen, places = np.unique([*winners, winner], return_inverse=True)
    score, apparent, n_fold_sides = _scorer(contender, chosen, int(places[-1]), n_threads)
    replicates = np.empty(len(winners))
    n_undefined = 0
    for first, counts in _counts(deciding, raw, n_threads):
        part = slice(first, first + len(counts))
        replicates[part], undefined = score(first, counts, places[part])
        n_undefined += undefined
    share = n_undefined / n_fold_sides if contender.plan.folds is not None else 0.0
    return OnWinners(apparent, replicates, share)


_Score = Callable[[int, AnyArray, IndexArray], tuple[FloatArray, int]]


def _scorer(
    contender: Contender, chosen: IndexArray, winner: int, n_threads: int
) -> tuple[_Score, float, int]:
    """The out-of-bag scores of chosen configurations; the winner's apparent score; fold sides."""
    problem, metric, plan = contender.problem, contender.metric, contender.plan
    if contender.draws_folds:
        scores = fold_scores(problem, metric, n_threads=n_threads)
        table = np.ascontiguousarray(scores[:, :, chosen])
        contest = _fold_contest(table, metric, plan, n_threads, decides=False)
    elif metric.family == "callable":
        return _by_function(contender, chosen, winner)
    else:
        contest = _core.Contest(
            kernel_target(problem.truth, problem.label_values, metric),
            kernel_predictions(
                [one[:, chosen] for one in problem.predictions], problem.truth, metric
            ),
            kernel_options(plan, metric),
            n_threads,
            decides=False,
        )

    def score(first: int, counts: AnyArray, places: IndexArray) -> tuple[FloatArray, int]:
        found: tuple[FloatArray, int] = contest.out_of_bag(
            first, counts, places.astype(np.int64), n_threads
        )
        return found

    return score, float(contest.on_all_rows(n_threads)[winner]), contest.n_fold_sides


def _by_function(
    contender: Contender, chosen: IndexArray, winner: int
) -> tuple[_Score, float, int]:
    two_level = contender.plan.drawn_folds is not None
    scorer = Scorer(contender.problem, contender.metric, contender.plan.folds, two_level=two_level)

    def score(first: int, counts: AnyArray, places: IndexArray) -> tuple[FloatArray, int]:
        found = [
            scorer.score(np.flatnonzero(own == 0), int(chosen[place]), contender.plan.repeat(b))
            for b, (own, place) in enumerate(zip(counts, places, strict=True), start=first)
        ]
        return np.array([value for value, _ in found]), sum(n for _, n in found)

    apparent, _ = scorer.score(np.arange(contender.problem.n_rows), int(chosen[winner]))
    return score, apparent, scorer.n_folds * contender.plan.resampling.n_bootstraps


def _counts(
    deciding: Contender, raw: dict[str, Any], n_threads: int
) -> Iterator[tuple[int, AnyArray]]:
    """The replicates that decided, a part at a time: the first one's number, and counts.

    Rows (folds, for BBC-F) whose count is zero are out of bag. Whether a draw is acceptable depends
    on the truth and the units only, so that one configuration is enough to draw them again.
    """
    problem, metric = deciding.problem, deciding.metric
    plan = replace(deciding.plan, selection=BEST, selection_folds=None)
    n_bootstraps = plan.resampling.n_bootstraps
    if deciding.draws_folds:
        assert problem.folds is not None
        n_units = int(problem.folds.max()) + 1
        contest = _fold_contest(np.zeros((problem.n_repeats, n_units, 1)), metric, plan, n_threads)
    elif metric.family == "callable":
        sampler = _core.Sampler(
            kernel_target(problem.truth, None, metric), kernel_options(plan, metric)
        )
        for b, attempt in enumerate(raw["attempts"]):
            yield b, sampler.draw(b, int(attempt))[1][None]
        return
    else:
        n_units = problem.n_rows
        contest = _core.Contest(
            kernel_target(problem.truth, problem.label_values, metric),
            kernel_predictions([one[:, :1] for one in problem.predictions], problem.truth, metric),
            kernel_options(plan, metric),
            n_threads,
        )
    at_once = max(1, CELLS_AT_ONCE // n_units)
    for first in range(0, n_bootstraps, at_once):
        yield first, contest.in_bag(first, min(at_once, n_bootstraps - first), n_threads)[1]


def _fold_contest(
    table: FloatArray, metric: Metric, plan: Plan, n_threads: int, *, decides: bool = True
) -> Any:
    """A contest of fold scores, of which each replicate sees one repeat."""
    return _core.Contest(
        _core.Target.real(np.zeros(table.shape[1]), "folds"),
        list(table),
        kernel_options(plan, mean_of_folds(metric), rotate_repeats=True),
        n_threads,
        decides=decides,
    )
