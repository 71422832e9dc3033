"""What censoring leaves of a truth at the times of a metric."""

import math

import numpy as np

from .._typing import BoolArray, FloatArray
from ..errors import InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ._truth import Censored, Truth


def with_censoring(truth: Truth, metric: Metric, weights: FloatArray | None) -> Truth:
    """The truth with the rows that estimate its censoring, for a metric that asks for them."""
    assert truth.event is not None
    assert truth.time is not None
    _check(truth.event, truth.time, metric)
    return truth._replace(censored=Censored(truth.event, truth.time, weights))


def _check(event: BoolArray, time: FloatArray, metric: Metric) -> None:
    """Refuse times that the rows were not followed up to, and those without an event before."""
    name, last = metric.name, float(time.max())
    if metric.censoring == "uno":
        (tau,) = metric.times
        if math.isfinite(tau) and tau > last:
            raise InvalidValueError("tau", f"must be at most {last:g}, the last time, got {tau:g}")
        if not event[time < tau].any():
            raise UndefinedMetricError(
                "y_true",
                f"has no event{f' before {tau:g}' if math.isfinite(tau) else ''}: "
                f"metric {name!r} is undefined",
            )
        return
    if metric.times[-1] >= last:
        argument = "times" if len(metric.times) > 1 else "time"
        raise UndefinedMetricError(
            argument,
            f"must be before {last:g}, the last time of the truth, got {metric.times[-1]:g}: "
            "no row is followed beyond",
        )
    if metric.censoring == "dynamic_auc" and not event[time <= metric.times[0]].any():
        raise UndefinedMetricError(
            "y_true", f"has no event by {metric.times[0]:g}: metric {name!r} is undefined"
        )
    if not np.any(event):
        raise UndefinedMetricError("y_true", f"has no event: metric {name!r} is undefined")
