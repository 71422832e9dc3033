"""Predictions that are the truth up to what the metric ignores, folds made from it, and copies."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._typing import AnyArray, CodeArray, FloatArray
from .._validation import Problem
from ..metrics import Metric

#: Relative to the spread of the truth: rounding, and what hides a copy.
_EQUAL = 1e-9
#: Share of rows that a model is far surer of than of another one.
_SURE = 0.1
#: Rows beyond one of each fold; of fewer, one value in each may be chance.
_FEWEST = 10
#: Distinct rows whose counts, all of them, chance does not make multiples of one number.
_FEWEST_DISTINCT = 20
_OF_RANKS = ("roc_auc", "average_precision", "spearman")
_OF_LINES = ("squared_pearson",)
#: Facts of a truth that neither folds nor groups tell.
NOT_TOLD = dict.fromkeys(("folds_tell_truth", "groups_tell_truth", "n_truth_folds"))


def as_function_of_truth(
    columns: Sequence[AnyArray], problem: Problem, metric: Metric
) -> str | None:
    """How the predictions of every repeat are the truth, up to what the metric ignores, if so."""
    truth = problem.truth
    values = truth.real if truth.codes is None else truth.codes.astype(np.float64)
    if values is None or truth.n_classes > 2:
        return None
    if metric.kernel in _OF_RANKS:
        follows, said = _in_order, "in another scale"
    elif metric.kernel in _OF_LINES:
        follows, said = _on_a_line, "shifted or in other units"
    else:
        follows, said = (_nearly if truth.codes is None else _hidden), "up to rounding"
    for repeat, column in enumerate(columns):
        own = values if problem.seen is None else values[problem.seen[repeat]]
        if column.ndim > 1 or not follows(np.asarray(column, np.float64), own):
            return None
    return said


def _nearly(predicted: FloatArray, true: FloatArray) -> bool:
    limit = _EQUAL * max(1e-300, float(np.ptp(true)))
    # Mostly the first row shows that they differ.
    return bool(abs(predicted[0] - true[0]) <= limit and (np.abs(predicted - true) <= limit).all())


def _hidden(predicted: FloatArray, true: FloatArray) -> bool:
    """Whether classes were made probabilities, which noise of one size may hide.

    Models that are sure of separable classes miss them by amounts of many orders.
    """
    if not _nearly(predicted, true):
        return False
    missed = np.abs(predicted - true)
    missed = missed[missed > 0]
    return not len(missed) or bool(np.mean(missed < missed.max() / 1000) < _SURE)


def _on_a_line(
    predicted: FloatArray,
    true: FloatArray,
    follows: Callable[[FloatArray, FloatArray], bool] = _nearly,
) -> bool:
    low, high = int(true.argmin()), int(true.argmax())
    rise = true[high] - true[low]
    if not rise > 0 or predicted[high] == predicted[low]:
        return False
    slope = (predicted[high] - predicted[low]) / rise
    return follows(true[low] + (predicted - predicted[low]) / slope, true)


def _in_order(predicted: FloatArray, true: FloatArray) -> bool:
    """Whether predictions rise, or fall, with the truth, and are equal where it is, up to noise."""
    low, high = int(true.argmin()), int(true.argmax())
    ends = {predicted[low], predicted[high]}
    if len(ends) > 1 and ends == {predicted.min(), predicted.max()}:
        order = np.argsort(true, kind="stable")
        steps, rises = np.diff(predicted[order]), np.diff(true[order]) > 0
        if predicted[high] < predicted[low]:
            steps = -steps
        if (steps[rises] > 0).all() and (steps[~rises] == 0).all():
            return True
    return _on_a_line(predicted, true, _hidden)


def determined_truth(problem: Problem) -> dict[str, Any]:
    """Whether each fold has one value of the truth, or each group, if there are as few."""
    truth, folds, groups = problem.truth, problem.folds, problem.groups
    values = truth.codes if truth.codes is not None else truth.real
    facts: dict[str, Any] = dict(NOT_TOLD)
    if values is None:
        return facts
    if folds is not None:
        own = folds[0]
        facts["folds_tell_truth"] = bool(_tell(own[own >= 0], values[own >= 0]))
        facts["n_truth_folds"] = int(own.max()) + 1
    if groups is not None and truth.codes is not None and not problem.block_length:
        few = int(groups.max()) + 1 <= truth.n_classes
        facts["groups_tell_truth"] = few and _tell(groups, values)
    return facts


def _tell(parts: CodeArray, values: AnyArray) -> bool:
    n_parts = int(parts.max(initial=0)) + 1
    if n_parts < 2 or len(values) - n_parts < _FEWEST:
        return False
    first = np.empty(n_parts, values.dtype)
    first[parts[::-1]] = values[::-1]
    return bool((values == first[parts]).all() and (first != first[0]).any())


def times_over(problem: Problem) -> int | None:
    """How often each row occurs, with the same truth and real predictions, if all do equally often.

    Rows that are equal by chance occur in all numbers, and groups say themselves what depends.
    """
    has_holes = problem.seen is not None or problem.predicted is not None
    if problem.groups is not None or has_holes:
        return None
    columns = [array.reshape(len(array), -1) for array in problem.predictions]
    first = columns[0][:, 0]
    # Mostly the first row shows that predictions are distinct.
    if np.count_nonzero(first == first[0]) < 2 or _common_factor(first) < 2:
        return None
    truth = problem.truth
    said = (truth.codes, truth.real, truth.event, truth.time)
    columns += [each.reshape(-1, 1) for each in said if each is not None]
    rows = np.column_stack([column.astype(np.float64) for column in columns])
    n_times = _common_factor(rows.view([("", np.float64)] * rows.shape[1]).reshape(-1))
    return n_times if n_times > 1 else None


def _common_factor(values: AnyArray) -> int:
    """The largest number that divides the counts of all distinct values; 1 if they are few."""
    counts = np.unique(values, return_counts=True)[1]
    return int(np.gcd.reduce(counts)) if len(counts) >= _FEWEST_DISTINCT else 1
