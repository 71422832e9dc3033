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
    make = _core.Censoring.uno_target if metric.censoring == "uno" else _core.Censoring.dynamic_auc
    return make(_censoring(truth), *_rows(truth), time)


def brier_losses(predictions: Sequence[AnyArray], truth: Truth, metric: Metric) -> list[FloatArray]:
    """The losses of survival probabilities, of shape (n_rows, n_configurations)."""
    events, times = _rows(truth)
    weights = _censoring(truth).brier_weights(events, times, metric.times)
    return [
        _core.brier_losses(times, weights, metric.times, np.asarray(array, np.float64)).T
        for array in predictions
    ]


def _rows(truth: Truth) -> tuple[AnyArray, FloatArray]:
    assert truth.event is not None
    assert truth.time is not None
    return truth.event.view(np.uint8), truth.time


def _censoring(truth: Truth) -> _core.Censoring:
    assert truth.censored is not None
    event, time, weight = truth.censored
    return _core.Censoring(event.view(np.uint8), time, weight)
