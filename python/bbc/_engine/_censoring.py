"""Truths and losses of metrics whose rows are weighted for censoring."""

from collections.abc import Sequence

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray
from .._validation import Problem, Truth
from ..metrics import Metric


def weighted_target(truth: Truth, metric: Metric) -> _core.Target:
    """The truth whose concordance index is the metric."""
    (time,) = metric.times
    make = _core.uno_target if metric.censoring == "uno" else _core.dynamic_auc_target
    return make(*_rows(truth), _probabilities(truth, ())[0], time)


def brier_losses(predictions: Sequence[AnyArray], truth: Truth, metric: Metric) -> list[FloatArray]:
    """The losses of survival probabilities, of shape (n_rows, n_configurations)."""
    times, weights = _brier_weights(truth, metric)
    return _losses(predictions, times, weights, metric)


def against_curve(
    problem: Problem, metric: Metric, configuration: int
) -> tuple[float, float, bool]:
    """Score of a configuration, of the Kaplan-Meier curve, and whether the former is worse."""
    column = [array[:, configuration : configuration + 1] for array in problem.predictions]
    times, weights = _brier_weights(problem.truth, metric)
    return _core.against_curve(
        _losses(column, times, weights, metric),
        times,
        weights,
        metric.times,
        problem.sample_weight,
        problem.groups,
        problem.parts("pooled"),
    )


def _brier_weights(truth: Truth, metric: Metric) -> tuple[FloatArray, FloatArray]:
    """Times of the rows, and their weights at each of the metric's times."""
    events, times = _rows(truth)
    own, later = _probabilities(truth, metric.times)
    return times, _core.brier_weights(events, times, own, later, metric.times)


def _losses(
    predictions: Sequence[AnyArray], times: FloatArray, weights: FloatArray, metric: Metric
) -> list[FloatArray]:
    return [
        _core.brier_losses(times, weights, metric.times, np.asarray(array, np.float64)).T
        for array in predictions
    ]


def _rows(truth: Truth) -> tuple[AnyArray, FloatArray]:
    assert truth.event is not None
    assert truth.time is not None
    return truth.event.view(np.uint8), truth.time


def _probabilities(truth: Truth, times: tuple[float, ...]) -> tuple[FloatArray, FloatArray]:
    """Of being uncensored just before each row's time, and beyond each time for each row."""
    assert truth.time is not None
    if truth.uncensored is not None:
        own, later = truth.uncensored[:, 0], truth.uncensored[:, 1:]
        return np.ascontiguousarray(own), np.ascontiguousarray(later)
    assert truth.censored is not None
    event, time, weight = truth.censored
    estimated = _core.Censoring(event.view(np.uint8), time, weight)
    later = estimated.beyond(np.array(times))
    by_row = np.broadcast_to(later, (len(truth.time), len(times)))
    return estimated.before(truth.time), np.ascontiguousarray(by_row)
