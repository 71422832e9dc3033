"""Which configurations could be the best."""

from typing import Any, NamedTuple

import numpy as np

from .. import _engine, _validation
from .._typing import FloatArray
from .._validation import Options, Problem
from .._winners import Winners
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval, PossibleWinners
from ._rows import best_of, given_models, refuse_design

_Z = 1.959963984540054  # of a two-sided interval at level .95


class _Tested(NamedTuple):
    """What a test found: p-values and possible winners, all scores, and the error of the best."""

    raw: dict[str, Any]
    scores: FloatArray
    winner: int
    error: float
    tuning: FloatArray
    n_redrawn: int = 0


def possible_winners_of(winners: Winners, test: str) -> PossibleWinners:
    """The configurations that could be the best, on the replicates of a correction."""
    _validation.choice(test, "test", ("mcs", "argmin"))
    options, threads, draws = winners.options, winners.n_threads, test == "mcs"
    metric, problem = options.metric, winners.problem(options.metric)
    n, most = problem.n_configurations, _engine.kernel.MOST_RIVALS
    if n > most:  # before anything is computed, which takes memory, too
        text = f"have {n} configurations, at most {most} can be compared with each other"
        raise InvalidValueError("predictions", text)
    found = (_model_confidence_set if draws else _discrete_argmin)(problem, options, threads)
    score, error = float(found.scores[found.winner]), found.error
    luck = given_models(
        winners.asked.data.predictions,
        problem,
        options,
        winner=found.winner,
        winners=winners.raw["replicate_winners"],
        score=score,
        interval=ConfidenceInterval(score - _Z * error, score + _Z * error),
        n_redrawn=found.n_redrawn,
        n_threads=threads,
    )
    return PossibleWinners(
        p_values=problem.of_all(found.raw["p_values"], np.nan),
        possible=problem.of_all(found.raw["possible"], fill=False),
        scores=problem.of_all(found.scores, np.nan),
        winner=problem.index_given(found.winner),
        confidence_level=options.confidence_level,
        metric=metric.name,
        greater_is_better=metric.greater_is_better,
        method=test,
        tuning=problem.of_all(found.tuning),
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        n_repeats=problem.n_repeats,
        n_bootstraps=options.n_bootstraps if draws else 0,
        n_redrawn=found.n_redrawn,
        unit=options.unit(problem),
        seed=options.seed if draws else None,
        names=problem.names,
        version=_engine.kernel_version(),
        **luck,
    )


def _model_confidence_set(problem: Problem, options: Options, threads: int) -> _Tested:
    scores = _engine.in_bag_scores(problem, options, n_threads=threads)
    raw = _engine.model_confidence_set(scores, options, n_threads=threads)
    winner = best_of(problem, options, threads)
    error = float(raw["standard_errors"][winner])
    none = np.zeros(problem.n_configurations)
    return _Tested(raw, scores.on_all_rows, winner, error, none, scores.n_redrawn)


def _discrete_argmin(problem: Problem, options: Options, threads: int) -> _Tested:
    by = Argument("test", "argmin")
    refuse_design(problem, options, by)
    if problem.groups is not None:
        raise InvalidValueError("groups", "are not taken by {}", by)
    rows = _engine.row_values(problem, options.metric, n_threads=threads)
    raw = _engine.discrete_argmin(rows, options, n_threads=threads)
    winner = best_of(problem, options, threads)
    error = _engine.winner_standard_error(rows, options, winner)
    return _Tested(raw, rows.scores, winner, error, raw["lambdas"])
