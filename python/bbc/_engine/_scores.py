"""Uncorrected scores of all configurations."""

import numpy as np

from .. import _core
from .._typing import CodeArray, FloatArray
from .._validation import Problem
from ..metrics import Metric
from ..selection import BEST
from ._kernel import kernel_metric, kernel_predictions, kernel_target
from ._scorer import Scorer


def score(
    problem: Problem, metric: Metric, *, folds: CodeArray | None, n_threads: int
) -> tuple[FloatArray, int]:
    """Scores on all rows, or means over `folds`, NaN where undefined; and the best configuration.

    The best, by the rule of a correction, is -1 if the metric is undefined.
    """
    if metric.family == "callable":
        return _score_callable(problem, metric, folds)
    return _core.score(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric),
        kernel_metric(metric),
        folds,
        problem.sample_weight,
        n_threads,
    )


def largest_share(problem: Problem, metric: Metric, configuration: int) -> tuple[float, bool]:
    """The largest share of a single row in a configuration's loss, and whether it dominates.

    0 for metrics that are bounded, or no mean of row losses.
    """
    if metric.family != "additive":
        return 0.0, False
    column = [array[:, configuration : configuration + 1] for array in problem.predictions]
    return _core.largest_share(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric, column),
        kernel_metric(metric),
        0,
        problem.parts("pooled"),
        problem.sample_weight,
    )


def ranking(problem: Problem, metric: Metric, configuration: int) -> tuple[float, bool]:
    """A configuration's AUC within folds, and whether it is worse than chance."""
    column = [array[:, configuration : configuration + 1] for array in problem.predictions]
    parts = problem.parts("pooled") if problem.folds is None else problem.folds
    return _core.ranking(kernel_target(problem, metric), column, 0, parts)


def _score_callable(
    problem: Problem, metric: Metric, folds: CodeArray | None
) -> tuple[FloatArray, int]:
    scorer = Scorer(problem, metric, folds)
    scores, _ = scorer.scores(np.arange(problem.n_rows))
    if scores is None:
        return np.full(problem.n_configurations, np.nan), -1
    counts = np.ones(problem.n_rows, np.int64)
    return scores, BEST.choose(scores, counts, greater_is_better=metric.greater_is_better)
