"""Which configurations could be the best."""

from typing import Any

import numpy as np

from .. import _engine, _validation
from .._typing import FloatArray
from .._validation import Options, Problem
from .._winners import Winners
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval, PossibleWinners
from ._rows import best_of, given_models, refuse_design

_Z = 1.959963984540054  # of a two-sided interval at level .95


def possible_winners_of(winners: Winners, test: str) -> PossibleWinners:
    """The configurations that could be the best, on the replicates of a correction."""
    _validation.choice(test, "test", ("mcs", "argmin"))
    options = winners.options._replace(alternative="greater")
    problem, predictions = winners.problem(options.metric), winners.asked.data.predictions
    _refuse_too_many(problem.n_configurations)
    if test == "argmin":
        return _discrete_argmin(predictions, problem, options, winners.n_threads)
    return _model_confidence_set(predictions, problem, options, winners.n_threads)


def _refuse_too_many(n: int) -> None:
    """Before anything is computed, which takes memory, too."""
    most = _engine.kernel.MOST_RIVALS
    if n > most:
        problem = f"have {n} configurations, at most {most} can be compared with each other"
        raise InvalidValueError("predictions", problem)


def _model_confidence_set(
    predictions: Any, problem: Problem, options: Options, threads: int
) -> PossibleWinners:
    metric = options.metric
    scores = _engine.in_bag_scores(problem, options, n_threads=threads)
    raw = _engine.model_confidence_set(
        scores,
        greater_is_better=metric.greater_is_better,
        confidence_level=options.confidence_level,
        n_threads=threads,
    )
    winner = best_of(problem, options, threads)
    error = float(raw.pop("standard_errors")[winner])
    return _result(
        raw,
        predictions,
        problem,
        options,
        scores=scores.on_all_rows,
        winner=winner,
        error=error,
        threads=threads,
        method="mcs",
        tuning=np.zeros(problem.n_configurations),
        n_redrawn=scores.n_redrawn,
    )


def _discrete_argmin(
    predictions: Any, problem: Problem, options: Options, threads: int
) -> PossibleWinners:
    by = Argument("test", "argmin")
    refuse_design(problem, options, by)
    if problem.groups is not None:
        raise InvalidValueError("groups", "are not taken by {}", by)
    metric = options.metric
    rows = _engine.row_values(problem, metric, n_threads=threads)
    raw = _engine.discrete_argmin(
        rows,
        greater_is_better=metric.greater_is_better,
        confidence_level=options.confidence_level,
        n_threads=threads,
    )
    winner = best_of(problem, options, threads)
    error = _engine.winner_standard_error(
        rows, winner=winner, greater_is_better=metric.greater_is_better
    )
    return _result(
        raw,
        predictions,
        problem,
        options,
        scores=rows.scores,
        winner=winner,
        error=error,
        threads=threads,
        method="argmin",
        tuning=raw["lambdas"],
    )


def _result(
    raw: dict[str, Any],
    predictions: Any,
    problem: Problem,
    options: Options,
    *,
    scores: FloatArray,
    winner: int,
    error: float,
    threads: int,
    method: str,
    tuning: FloatArray,
    n_redrawn: int = 0,
) -> PossibleWinners:
    metric, draws = options.metric, method == "mcs"
    score = float(scores[winner])
    luck = given_models(
        predictions,
        problem,
        options,
        winner=winner,
        score=score,
        interval=ConfidenceInterval(score - _Z * error, score + _Z * error),
        n_redrawn=n_redrawn,
        n_threads=threads,
    )
    return PossibleWinners(
        p_values=problem.of_all(raw["p_values"], np.nan),
        possible=problem.of_all(raw["possible"], fill=False),
        scores=problem.of_all(scores, np.nan),
        winner=problem.index_given(winner),
        confidence_level=options.confidence_level,
        metric=metric.name,
        greater_is_better=metric.greater_is_better,
        method=method,
        tuning=problem.of_all(tuning),
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        n_repeats=problem.n_repeats,
        n_bootstraps=options.n_bootstraps if draws else 0,
        n_redrawn=n_redrawn,
        unit=options.unit(problem),
        seed=options.seed if draws else None,
        names=problem.names,
        version=_engine.kernel_version(),
        **luck,
    )
