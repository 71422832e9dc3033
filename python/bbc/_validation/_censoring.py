"""What censoring leaves of a truth at the times of a metric."""

import math
from typing import Any

import numpy as np

from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from ..errors import InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ._truth import Censored, Truth
from ._values import at, first_true, plain_array, refuse_missing

_OWN, _LATER = "censoring_survival", "censoring_survival_at"


def with_censoring(
    truth: Truth,
    metric: Metric,
    weights: FloatArray | None,
    n_rows: int,
    rows: IndexArray | None,
) -> Truth:
    """The truth with what weights its rows for censoring, for a metric that asks for it.

    `rows` are those of `n_rows` that stay, of which this is the truth.
    """
    assert truth.event is not None
    assert truth.time is not None
    _check(truth.event, truth.time, metric)
    if metric.censoring_survival is None:
        return truth._replace(censored=Censored(truth.event, truth.time, weights))
    return truth._replace(uncensored=_given(truth, metric, n_rows, rows))


def given_by_row(metric: Metric) -> dict[str, Any]:
    """A metric's own arguments with a value for each row, by name."""
    given = metric.censoring_survival
    return {} if given is None else given.by_argument


def refuse_given_censoring(metric: Metric, reads: str) -> None:
    """Refuse probabilities of being uncensored where other rows are scored than they are for."""
    if metric.censoring_survival is not None:
        raise InvalidValueError(
            _OWN,
            f"belongs to the rows of one truth, but {reads}",
            hint="without it, the censoring is estimated on the rows that are scored",
        )


def _given(truth: Truth, metric: Metric, n_rows: int, rows: IndexArray | None) -> FloatArray:
    """Probabilities just before each row's time and beyond each time of the metric."""
    given, event, time = metric.censoring_survival, truth.event, truth.time
    assert given is not None
    assert event is not None
    assert time is not None
    own = _numbers(given.own, _OWN)
    if own.ndim != 1:
        raise InvalidValueError(_OWN, f"must have shape (n_rows,), got {own.shape}")
    columns = [_of_rows(own[:, None], _OWN, n_rows, rows)]
    reaches = (time < metric.times[0]) if metric.censoring == "uno" else time <= metric.times[-1]
    _check_positive(columns[0], (event & reaches)[:, None], _OWN, ("row",))
    if metric.censoring != "brier":
        _check_function_of_time(own if rows is None else own[rows], time, event & reaches)
    else:
        columns.append(_later(given.later, metric, n_rows, rows, len(time)))
        beyond = time[:, None] > np.asarray(metric.times)
        axes = ("row", "time") if len(metric.times) > 1 else ("row",)
        _check_positive(columns[1], beyond, _LATER, axes)
    return np.hstack(columns)


def _check_function_of_time(values: FloatArray, time: FloatArray, read: BoolArray) -> None:
    """Refuse probabilities that differ at one time or rise with time."""
    order = np.flatnonzero(read)
    order = order[np.lexsort((-values[order], time[order]))]
    rises = np.diff(values[order])
    wrong = np.where(np.diff(time[order]) > 0, rises > 0, rises != 0)
    if wrong.any():
        place = int(np.argmax(wrong))
        first, second = order[place : place + 2].tolist()
        raise InvalidValueError(
            _OWN,
            f"must not rise with time or differ at one time, got {values[first]:g} at row {first} "
            f"(time {time[first]:g}) and {values[second]:g} at row {second} (time "
            f"{time[second]:g})",
            hint="both rows of a pair are weighted at the time of the event, so it must be one "
            "function of time; probabilities given the inputs are for the Brier scores",
        )


def _later(
    value: Any, metric: Metric, n_rows: int, rows: IndexArray | None, n_kept: int
) -> FloatArray:
    """Probabilities at the times of the metric, of shape (n_kept, n_times)."""
    given, n_times = _numbers(value, _LATER), len(metric.times)
    by_row = given if n_times > 1 else given[..., None]
    if by_row.ndim not in (1, 2) or by_row.shape[-1] != n_times:
        expected = f"({n_times},) or (n_rows, {n_times})" if n_times > 1 else "() or (n_rows,)"
        raise InvalidValueError(_LATER, f"must have shape {expected}, got {given.shape}")
    if by_row.ndim == 1:
        return np.broadcast_to(by_row, (n_kept, n_times))
    return _of_rows(by_row, _LATER, n_rows, rows)


def _numbers(value: Any, name: str) -> AnyArray:
    array = plain_array(value, name)
    if array.dtype.kind not in "biuf":
        raise InvalidTypeError(name, f"must be numbers, got dtype {array.dtype}")
    return array.astype(np.float64)


def _of_rows(array: AnyArray, name: str, n_rows: int, rows: IndexArray | None) -> FloatArray:
    if len(array) != n_rows:
        raise InvalidValueError(name, f"has {len(array)} rows, the truth has {n_rows}")
    return array if rows is None else array[rows]


def _check_positive(values: FloatArray, read: BoolArray, name: str, axes: tuple[str, ...]) -> None:
    """Refuse what is not in (0, 1] where it is read."""
    used = np.where(read, values, 1.0)
    if len(axes) < used.ndim:
        used = used[:, 0]
    refuse_missing(used, name, axes)
    outside = ~((used > 0) & (used <= 1))
    if outside.any():
        raise InvalidValueError(
            name,
            f"must be in (0, 1], got {used[first_true(outside)]:g}",
            **at(outside, axes),
            hint="it is the probability of being uncensored, by which rows are divided",
        )


def _check(event: BoolArray, time: FloatArray, metric: Metric) -> None:
    """Refuse times that the rows were not followed up to, and those without an event before."""
    name, last = metric.name, float(time.max())
    if metric.censoring == "uno":
        (tau,) = metric.times
        if math.isfinite(tau) and tau > last:
            raise UndefinedMetricError(
                "tau", f"must be at most {last:g}, the last time, got {tau:g}"
            )
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
