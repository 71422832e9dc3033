"""Inference on the winner of given predictions: by the kernel, from scores and row values."""

from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._typing import FloatArray, IndexArray
from .._validation import Options, Problem
from ..metrics import Metric
from ._kernel import (
    OF_FUNCTION,
    kernel_options,
    kernel_predictions,
    kernel_scored,
    kernel_target,
    model_luck,
)


class InBagScores(NamedTuple):
    """Scores of all configurations on all rows, and in bag: (replicate, configuration)."""

    on_all_rows: FloatArray
    replicates: FloatArray
    n_redrawn: int


def in_bag_scores(problem: Problem, options: Options, *, n_threads: int) -> InBagScores:
    """Scores of the replicates of a correction with the same options."""
    return InBagScores(
        *_core.in_bag_scores(
            kernel_target(problem, options.metric),
            kernel_scored(problem, options),
            kernel_options(problem, options),
            n_threads,
        )
    )


def model_confidence_set(
    scores: InBagScores, options: Options, *, n_threads: int
) -> dict[str, Any]:
    """p-values, possible winners and standard errors of all configurations."""
    rises, level = options.metric.greater_is_better, options.confidence_level
    return _core.model_confidence_set(
        scores.on_all_rows, scores.replicates, rises, level, n_threads
    )


def row_values(problem: Problem, metric: Metric, *, n_threads: int) -> _core.RowValues:
    """Each row's contribution to the scores, for metrics that are means of rows and for AUC."""
    return _core.RowValues(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        metric._compiled,
        n_threads,
    )


def block_length(problem: Problem, metric: Metric, *, n_threads: int) -> int:
    """The number of neighbouring rows that are drawn together, found from what they contribute.

    Of configurations that a search dropped on the way, rows are missing: the others tell.
    """
    target, predictions = kernel_target(problem, metric), kernel_predictions(problem, metric)
    if problem.predicted is not None:
        whole = np.flatnonzero(problem.predicted.all(axis=(0, 1)))
        predictions = [array[:, whole] for array in predictions]
    length, _ = _core.block_length(target, predictions, metric._compiled, n_threads)
    return length


def discrete_argmin(rows: _core.RowValues, options: Options, *, n_threads: int) -> dict[str, Any]:
    """p-values, possible winners and lambda of all configurations."""
    rises, level = options.metric.greater_is_better, options.confidence_level
    return _core.discrete_argmin(rows, rises, level, n_threads)


def winner_interval(
    rows: _core.RowValues,
    problem: Problem,
    options: Options,
    *,
    winner: int,
    n_threads: int,
) -> dict[str, Any]:
    """Estimate and limits of the winner's own performance; keys as IntervalEstimate's fields."""
    metric = options.metric
    return _core.winner_interval(
        rows,
        winner,
        metric.greater_is_better,
        options.confidence_level,
        options.alternative,
        problem.groups,
        options.seed or 0,
        n_threads,
    )


def winner_standard_error(rows: _core.RowValues, options: Options, winner: int) -> float:
    """Standard error of the winner's score."""
    return _core.winner_standard_error(rows, winner, options.metric.greater_is_better)


def remaining_optimism(
    problem: Problem, options: Options, raw: dict[str, Any], *, n_threads: int
) -> dict[str, Any]:
    """What a correction, whose numbers are `raw`, leaves of the optimism; keys as in the kernel."""
    metric, folds = options.metric, problem.folds
    return _core.remaining_optimism(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        kernel_options(problem, options),
        None if folds is None else np.ascontiguousarray(folds.ravel()),
        int(raw["winner"]),
        raw["replicate_winners"],
        raw["replicates"],
        n_threads,
    )


def luck_of(
    problem: Problem, options: Options, winners: IndexArray, *, n_threads: int
) -> dict[str, Any] | None:
    """The test of those that some replicate chose, as ModelLuck's fields; None without folds."""
    if problem.folds is None:
        return None
    metric = options.metric
    if metric.family == "callable":
        return {"untestable": OF_FUNCTION}
    target, predictions = kernel_target(problem, metric), kernel_predictions(problem, metric)
    compiled = metric._compiled
    found = model_luck(
        problem, options, target, predictions, compiled, winners, n_threads=n_threads
    )
    luck: dict[str, Any] = found["model_luck"]
    return luck
