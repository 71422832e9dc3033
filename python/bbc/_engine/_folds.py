"""Scores of folds, and BBC-F, which needs nothing else."""

from typing import Any

import numpy as np

from .. import _core
from .._typing import FloatArray
from .._validation import Options, Problem
from ..metrics import Metric, row_loss
from ._kernel import kernel_metric, kernel_predictions, kernel_target, replicate_options
from ._replay import correct_by_rule
from ._scorer import Scorer

_ROWS = 64  # of a block


def fold_scores(
    problem: Problem, metric: Metric, *, every_fold: bool = True, n_threads: int
) -> FloatArray:
    """Scores on the rows of each fold, of shape (n_repeats, n_folds, n_configurations).

    A fold that leaves the metric undefined is an error; unless `every_fold`, its scores are NaN.
    """
    assert problem.folds is not None
    if metric.family == "callable":
        fold_ids = problem.fold_labels if every_fold else None
        return Scorer(problem, metric, None).fold_scores(problem.folds, fold_ids)
    return _core.fold_scores(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        kernel_metric(metric),
        problem.folds,
        problem.sample_weight,
        every_fold,
        n_threads,
    )


def row_scores(problem: Problem, metric: Metric, *, n_threads: int) -> FloatArray:
    """Scores of single rows, of shape (n_repeats, n_rows, n_configurations).

    Each row is passed to the kernel as a fold, a block of rows at a time.
    """
    blocks = []
    for first in range(0, problem.n_rows, _ROWS):
        rows = np.arange(first, min(first + _ROWS, problem.n_rows))
        folds = np.tile(np.arange(len(rows), dtype=np.int32), (len(problem.predictions), 1))
        block = problem._replace(
            truth=problem.truth.take(rows),
            predictions=tuple(repeat[rows] for repeat in problem.predictions),
            folds=folds,
            sample_weight=None,
        )
        blocks.append(fold_scores(block, metric, every_fold=False, n_threads=n_threads))
    return np.concatenate(blocks, axis=1)


def correct_fold_scores(scores: FloatArray, options: Options, *, n_threads: int) -> dict[str, Any]:
    """BBC-F on a matrix of fold scores; keys as PerformanceEstimate's fields."""
    if options.selection.function is None:
        metric = kernel_metric(mean_of_folds(options.metric))
        settings = replicate_options(options, metric, complexity=options.selection.complexity)
        return _core.correct_fold_scores(scores, settings, n_threads)
    scorer = fold_scorer(scores, options, n_threads)
    raw = correct_by_rule(scorer, None, options, n_threads=n_threads)
    return raw | {"infeasible": _core.too_few_folds(scores.shape[1])}


def fold_scorer(
    scores: FloatArray, options: Options, n_threads: int, *, decides: bool = True
) -> _core.ReplicateScorer:
    """A scorer of fold scores, of which each replicate reads one repeat."""
    target, settings = fold_draws(scores.shape[1], options)
    return _core.ReplicateScorer(target, list(scores), settings, n_threads, decides=decides)


def fold_draws(n_folds: int, options: Options) -> tuple[_core.Target, _core.Options]:
    """The kernel's truth and options for draws of folds, which it takes as rows."""
    metric = kernel_metric(mean_of_folds(options.metric))
    return (
        _core.Target.real(np.zeros(n_folds)),
        replicate_options(options, metric, rotate_repeats=True),
    )


def mean_of_folds(metric: Metric) -> Metric:
    """The mean of scores as a metric, with the direction of another."""
    return row_loss(lambda y, scores: scores, metric.greater_is_better)
