"""Truths and losses of metrics whose rows are weighted for censoring."""

from collections.abc import Sequence

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray
from .._validation import Truth
from ..metrics import Metric


def weighted_target(truth: Truth, metric: Metric) -> _core.Target:
    """The truth whose concordance index is the metric."""
    (time,) = metric.times
    make = _core.uno_target if metric.censoring == "uno" else _core.dynamic_auc_target
    return make(*_rows(truth), _probabilities(truth, ())[0], time)


def brier_losses(predictions: Sequence[AnyArray], truth: Truth, metric: Metric) -> list[FloatArray]:
    """The losses of survival probabilities, of shape (n_rows, n_configurations)."""
    events, times = _rows(truth)
    own, later = _probabilities(truth, metric.times)
    weights = _core.brier_weights(events, times, own, later, metric.times)
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
