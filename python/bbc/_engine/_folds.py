"""Scores of folds, and what is computed from them alone: TT and BBC-F."""

from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from .._typing import FloatArray
from .._validation import Problem
from ..metrics import Metric, row_loss
from ._convert import (
    Plan,
    kernel_codes,
    kernel_metric,
    kernel_options,
    kernel_predictions,
    kernel_target,
)
from ._replay import correct_by_rule
from ._scorer import Scorer


def fold_scores(problem: Problem, metric: Metric, *, n_threads: int) -> FloatArray:
    """Scores of shape (n_repeats, n_folds, n_configurations) on each fold's own rows."""
    assert problem.folds is not None
    if metric.family == "callable":
        return Scorer(problem, metric, None).fold_scores(problem.folds, problem.fold_labels)
    scores: FloatArray = _core.fold_scores(
        kernel_target(problem.truth, problem.label_values, metric),
        kernel_predictions(problem.predictions, problem.truth, metric),
        kernel_metric(metric),
        kernel_codes(problem.folds),
        problem.sample_weight,
        n_threads,
    )
    return scores


def tt(
    deciding: FloatArray, decides: Metric, reported: FloatArray, metric: Metric
) -> dict[str, Any]:
    """Estimate, apparent score, optimism and winner by the method of Tibshirani and Tibshirani.

    The winner, and the best of each fold, are those of `deciding`; scores are `reported`.
    """
    result: dict[str, Any] = _core.tt(
        deciding, decides.greater_is_better, reported, metric.greater_is_better
    )
    return result


def correct_fold_scores(
    scores: FloatArray, metric: Metric, plan: Plan, *, n_threads: int
) -> dict[str, Any]:
    """BBC-F on a matrix of fold scores; keys as PerformanceEstimate's fields."""
    of_folds = mean_of_folds(metric)
    if plan.selection.function is None:
        result: dict[str, Any] = _core.correct_fold_scores(
            scores, kernel_options(plan, of_folds), n_threads
        )
        return result
    found = correct_by_rule(
        _core.Target.real(np.zeros(scores.shape[1]), "folds"),
        list(scores),
        kernel_options(plan, of_folds, rotate_repeats=True),
        metric,
        plan,
        n_threads=n_threads,
    )
    return found | {"infeasible": _core.too_few_folds(scores.shape[1])}


def mean_of_folds(metric: Metric) -> Metric:
    """The metric whose value is the mean of given scores, with another's direction and range."""
    mean = row_loss(lambda y, scores: scores, metric.greater_is_better)
    return replace(mean, lowest=metric.lowest, highest=metric.highest)
