"""Scores of configurations on rows and folds, and what single rows contribute to them."""

from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Options, Problem
from ..metrics import Metric, row_loss
from ..selection import BEST
from ._kernel import kernel_metric, kernel_predictions, kernel_target, replicate_options
from ._replay import correct_by_rule
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


_MOST_CALLS = 500  # of a Python function
_UNDEFINED = "the metric is undefined without one of the rows or groups"


def influence(
    problem: Problem,
    options: Options,
    configuration: int,
    *,
    units: CodeArray | IndexArray | None = None,
    n_units: int = 0,
    n_threads: int,
) -> _core.Influence:
    """Contributions by unit, of which there are at least `n_units`; rows or groups by default."""
    metric = options.metric
    if units is None:
        units = problem.groups
    if metric.family == "callable":
        found = _by_function(problem, options, configuration, units)
    else:
        column = [array[:, configuration : configuration + 1] for array in problem.predictions]
        settings = replicate_options(
            options._replace(resamples=None),
            kernel_metric(metric),
            units=None if units is None else np.ascontiguousarray(units, dtype=np.int32),
            folds=problem.parts(options.pooling),
            row_weights=problem.sample_weight,
        )
        found = _core.influence(
            kernel_target(problem, metric),
            kernel_predictions(problem, metric, column),
            settings,
            0,
            n_threads,
        )
    lacking = n_units - len(found.values)
    if lacking <= 0 or found.infeasible:
        return found
    return _core.Influence(np.pad(found.values, (0, lacking)), found.n_effective, "")


def n_distinct(problem: Problem) -> int:
    """Configurations with predictions that no other has."""
    return _core.n_distinct([_comparable(array) for array in problem.predictions])


def _comparable(array: AnyArray) -> AnyArray:
    """Predictions as the kernel compares them; those for functions may be text."""
    if array.dtype.kind in "biu" or array.dtype == np.float64:
        return array
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    codes: AnyArray = np.unique(array, return_inverse=True)[1].reshape(array.shape)
    return codes


def _by_function(
    problem: Problem, options: Options, configuration: int, units: Any
) -> _core.Influence:
    """The jackknife, as in the kernel."""
    scorer = Scorer(problem, options.metric, options.parts(problem))
    of_row = np.arange(problem.n_rows) if units is None else np.asarray(units)
    there = np.unique(of_row)
    n = len(there)
    step = -(-n // _MOST_CALLS)
    whole, _ = scorer.score(np.arange(problem.n_rows), configuration)
    values = np.zeros(int(of_row.max()) + 1)
    for unit in there[::step]:
        without, _ = scorer.score(np.flatnonzero(of_row != unit), configuration)
        values[unit] = (whole - without) * np.sqrt(step * (n - 1) / n)
    if n < 2 or np.isnan(values).any():
        return _core.Influence(np.empty(0), float(n), _UNDEFINED)
    return _core.Influence(values, float(n), "")


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
