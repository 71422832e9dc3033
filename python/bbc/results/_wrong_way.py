"""Whether the winner's predictions run against the truth by more than chance explains."""

from typing import NamedTuple, TypeAlias

import numpy as np

from .._typing import AnyArray, FloatArray, IndexArray
from .._validation import Problem, Truth
from ..metrics import Metric

#: The normal quantile of the level .001, one-sided, as in the kernel's test of the AUC.
_LIMIT = -3.090232306167813
#: Where the values themselves are so near to chance, their ranks are not tested.
_UNLIKELY = -1.0


class Association(NamedTuple):
    """Correlation of predictions and truth within folds; whether it is below 0 beyond chance."""

    correlation: float
    runs_against: bool


UNKNOWN = Association(0.0, False)


def association(problem: Problem, metric: Metric, winner: int) -> Association:
    """Test the association of a configuration's predictions and the truth, within folds.

    Held-out rows are predicted by models that lean away from them: the mean of the training rows is
    the lower, the higher those left out are. Within a fold nothing leans, so that predictions and
    truth less their fold's mean are exchangeable if the two are independent: numbers by ranks,
    classes by indicators. The sum of their products has mean 0 and the variance of a permutation
    within folds (Hoeffding, 1951), times 1 + K / (K - 1) for K folds that share training rows
    (Nadeau and Bengio, 2003). Groups count as one row each. Without folds, and in leave-one-out,
    there is nothing to test.
    """
    if problem.folds is None:
        return UNKNOWN
    total = deviation = scale = 0.0
    for repeat, array in enumerate(problem.predictions):
        rows = (
            np.arange(len(array)) if problem.seen is None else np.flatnonzero(problem.seen[repeat])
        )
        pair = _as_columns(problem.truth, metric, array[rows, winner], problem.label_values, rows)
        if pair is None:
            return UNKNOWN
        folds = problem.folds[repeat][rows].astype(np.int64)
        if problem.groups is not None:
            pair, folds = _by_group(pair, folds, problem.groups[rows])
        if _roughly(pair, folds) > _UNLIKELY:  # as in most calls, which this keeps fast
            return UNKNOWN
        found = _moments(pair, folds)
        total, deviation, scale = (
            a + b for a, b in zip((total, deviation, scale), found, strict=True)
        )
    if not deviation > 0 or total >= 0:
        return UNKNOWN
    correlation = total / scale if scale > 0 else 0.0
    return Association(correlation, bool(total / deviation < _LIMIT))


def _as_columns(
    truth: Truth,
    metric: Metric,
    column: AnyArray,
    label_values: IndexArray | None,
    rows: IndexArray,
) -> tuple[FloatArray, FloatArray] | None:
    """Predictions and truth as columns that rise together where they agree; None of other kinds."""
    if metric.function is not None:
        return None
    if metric.predicts == "labels" and truth.codes is not None:
        labels = np.arange(truth.n_classes) if label_values is None else label_values
        return _is(column, labels), _is(truth.codes[rows], np.arange(len(labels)))
    predicted = np.asarray(column, np.float64).reshape(len(rows), -1)
    if truth.codes is not None:
        if predicted.shape[1] == 1:
            return predicted, _is(truth.codes[rows], np.array([1]))
        places = np.arange(truth.n_classes) if truth.columns is None else np.array(truth.columns)
        return predicted, _is(places[truth.codes[rows]], np.arange(predicted.shape[1]))
    if truth.real is not None:
        return predicted, truth.real[rows][:, None]
    if truth.event is None or truth.time is None or metric.predicts != "risk":
        return None
    return predicted, _events_beyond_expected(truth.event[rows], truth.time[rows])[:, None]


def _is(values: AnyArray, each: AnyArray) -> FloatArray:
    """Indicators of some values, as columns."""
    indicators: FloatArray = (values[:, None] == each).astype(np.float64)
    return indicators


def _events_beyond_expected(event: AnyArray, time: FloatArray) -> FloatArray:
    """Martingale residuals without covariates: the event less the hazard until its time."""
    times, places = np.unique(time, return_inverse=True)
    n_events = np.bincount(places, event, minlength=len(times))
    at_risk = np.bincount(places, minlength=len(times))[::-1].cumsum()[::-1]
    hazard: FloatArray = np.cumsum(n_events / at_risk)
    residuals: FloatArray = event - hazard[places]
    return residuals


Pair: TypeAlias = tuple[FloatArray, FloatArray]


def _by_group(pair: Pair, folds: IndexArray, groups: AnyArray) -> tuple[Pair, IndexArray]:
    """The means of the rows of each group in each fold."""
    both = np.column_stack([folds, groups])
    _, first, places = np.unique(both, axis=0, return_index=True, return_inverse=True)
    places = places.reshape(-1)
    sizes = np.bincount(places)[:, None]
    predicted, true = (
        np.column_stack([np.bincount(places, column) for column in each.T]) / sizes for each in pair
    )
    return (predicted, true), folds[first]


def _roughly(pair: Pair, folds: IndexArray) -> float:
    """The sum of products within folds of the values themselves, by its standard deviation."""
    sizes = np.maximum(1, np.bincount(folds)).astype(np.float64)
    total = variance = 0.0

    def within(products: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
        of_means = np.bincount(folds, one) * np.bincount(folds, other) / sizes
        found: FloatArray = np.bincount(folds, products) - of_means
        return found

    for p, t in zip(pair[0].T, pair[1].T, strict=True):
        total += float(within(p * t, p, t).sum())
        squares = within(p * p, p, p) * within(t * t, t, t)
        variance += float((squares / np.maximum(1, sizes - 1)).sum())
    return total / float(np.sqrt(variance)) if variance > 0 else 0.0


def _moments(pair: Pair, folds: IndexArray) -> tuple[float, float, float]:
    """The sum of products within folds, its standard deviation, and the largest that it can be."""
    total = variance = largest = 0.0
    order = np.argsort(folds, kind="stable")
    ends = np.cumsum(np.bincount(folds))[:-1]
    parts = [part for part in np.split(order, ends) if len(part) > 1]
    for part in parts:
        p, t = (_centred(each[part]) for each in pair)
        total += float((p * t).sum())
        of_p, of_t = p.T @ p, t.T @ t
        variance += float((of_p * of_t).sum()) / (len(part) - 1)
        largest += float(np.sqrt(np.trace(of_p) * np.trace(of_t)))
    k = len(parts)
    sharing = 1 + k / (k - 1) if k > 1 else 1.0
    return total, float(np.sqrt(sharing * variance)), largest


def _centred(values: FloatArray) -> FloatArray:
    """Less their mean; by ranks, unless they are indicators."""
    if not np.isin(values, (0.0, 1.0)).all():
        from scipy.stats import rankdata  # 2 s, and few calls come here

        values = rankdata(values, axis=0)
    centred: FloatArray = values - values.mean(axis=0)
    return centred
