"""What is known of rows: folds, groups, strata, draws, and probabilities of being uncensored."""

import math
from typing import Any

import numpy as np

from .._typing import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..selection import Rungs
from ._columns import is_real, refuse_splits
from ._truth import Censored, Truth, lacking_class
from ._values import at, first_true, own_array, plain_array, refuse_missing

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


def codes_by_first_row(values: AnyArray, name: str) -> tuple[CodeArray, AnyArray]:
    """Codes numbered in order of first row, and the value of each code; errors say the name."""
    try:
        found, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    except TypeError:
        raise InvalidTypeError(name, "has values of types that cannot be sorted") from None
    order = np.argsort(first, kind="stable")
    ranks = np.empty(len(found), np.int32)
    ranks[order] = np.arange(len(found), dtype=np.int32)
    return ranks[inverse.reshape(values.shape)], found[order]


def _per_row(value: Any, name: str, n_rows: int) -> AnyArray:
    array = own_array(value, name)
    if array.ndim != 1:
        raise InvalidValueError(name, f"must have shape (n_rows,), got {array.shape}")
    if len(array) != n_rows:
        raise InvalidValueError(name, f"has {len(array)} rows, predictions have {n_rows}")
    return array


def folds(
    value: Any,
    n_repeats: int,
    n_rows: int,
    rows: IndexArray | None,
    seen: BoolArray | None = None,
) -> tuple[CodeArray, tuple[AnyArray, ...]]:
    """Codes of the folds per repeat and row, and per repeat what each code stands for.

    Rows that a repeat did not predict (`seen` is False) are in no fold (-1).
    """
    refuse_splits(value)
    array = own_array(value, "folds")
    if array.ndim == 1:
        array = array[None, :]
    if array.ndim != 2:
        raise InvalidValueError(
            "folds", f"must have shape (n_rows,) or (n_repeats, n_rows), got {array.shape}"
        )
    if array.shape[1] != n_rows:
        raise InvalidValueError("folds", f"has {array.shape[1]} rows, predictions have {n_rows}")
    if array.shape[0] != n_repeats:
        raise InvalidValueError(
            "folds",
            f"has {array.shape[0]} repeats, predictions have {n_repeats}",
            hint="each repeat needs its own partition, shape (n_repeats, n_rows)",
        )
    if rows is not None:
        array = array[:, rows]
    refuse_missing(array, "folds", ("repeat", "row"))
    coded = np.full(array.shape, -1, np.int32)
    labels = []
    for repeat, own in enumerate(array):
        there = slice(None) if seen is None else seen[repeat]
        coded[repeat, there], found = codes_by_first_row(own[there], "folds")
        # A fold of all rows divides nothing; one of some rows is a hold-out.
        of_all_rows = rows is None and (seen is None or bool(seen[repeat].all()))
        if of_all_rows and len(found) < 2:
            raise InvalidValueError(
                "folds", f"has one value ({found[0]}) in repeat {repeat}: needs two folds"
            )
        labels.append(found)
    return coded, tuple(labels)


def fold_codes(numbers: AnyArray) -> tuple[CodeArray, tuple[AnyArray, ...]]:
    """Codes of folds that have numbers, -1 where there is none, and what each code stands for."""
    coded = np.full(numbers.shape, -1, np.int32)
    found = []
    for codes, own in zip(coded, numbers, strict=True):
        codes[own >= 0], labels = codes_by_first_row(own[own >= 0], "folds")
        found.append(labels)
    return coded, tuple(found)


def check_fold_classes(
    folds: CodeArray, labels: tuple[AnyArray, ...], truth: Truth, metric: Metric
) -> None:
    """Refuse a fold that lacks a class without which its own score is undefined."""
    if truth.codes is None or truth.classes is None or not metric.needs_classes:
        return
    n_classes = truth.n_classes
    for repeat, own in enumerate(folds):
        there = own >= 0
        cells = np.bincount(
            own[there] * n_classes + truth.codes[there], minlength=len(labels[repeat]) * n_classes
        )
        for fold, counts in enumerate(cells.reshape(-1, n_classes)):
            lacking = lacking_class(counts, metric.needs_classes)
            if lacking is not None:
                raise UndefinedMetricError(
                    "folds",
                    f": no row of class {truth.classes[lacking]}, so {metric.name!r} is undefined",
                    place={"repeat": repeat, "fold": labels[repeat][fold]},
                )


def row_labels(
    value: Any, name: str, n_rows: int, rows: IndexArray | None = None
) -> tuple[CodeArray, AnyArray]:
    """Codes of labels of rows, of which none is missing, and what each code stands for."""
    array = _per_row(value, name, n_rows)
    if rows is not None:
        array = array[rows]
    refuse_missing(array, name)
    return codes_by_first_row(array, name)


def groups(value: Any, n_rows: int, rows: IndexArray | None) -> tuple[CodeArray, AnyArray]:
    """Codes of the groups, the units of resampling, and what each code stands for."""
    coded, found = row_labels(value, "groups", n_rows, rows)
    if len(found) < 2:
        raise InvalidValueError(
            "groups", f"has one group ({found[0]}): nothing would be out of bag"
        )
    return coded, found


def rungs(given: Rungs, n_rows: int, n_repeats: int) -> tuple[CodeArray | None, tuple[int, ...]]:
    """Codes of the rungs of the rows of each repeat, in rising order, and of those that choose.

    Without numbers rungs are found later, and are numbered from 0.
    """
    if given.of_row is None:
        return None, tuple(given.choose_only)
    array = own_array(given.of_row, "rungs")
    if n_repeats == 1 and array.ndim == 1:
        array = _per_row(array, "rungs", n_rows)[None]
    elif array.shape != (n_repeats, n_rows):
        raise InvalidValueError(
            "rungs",
            f"must have shape {(n_repeats, n_rows)}, a rung for each row of each repeat, "
            f"got {array.shape}",
        )
    if array.dtype.kind not in "iu":
        raise InvalidTypeError("rungs", f"must be integers, got dtype {array.dtype}")
    numbers, codes = np.unique(array, return_inverse=True)
    places = {number: place for place, number in enumerate(numbers.tolist())}
    unknown = next((each for each in given.choose_only if each not in places), None)
    if unknown is not None:
        raise InvalidValueError("choose_only", f"names rung {unknown}, which no row has")
    shaped: CodeArray = codes.reshape(array.shape).astype(np.int32)
    return shaped, tuple(places[each] for each in given.choose_only)


def stratified_by(value: Any, n_rows: int, rows: IndexArray | None) -> CodeArray:
    """Codes of the labels within which folds were drawn."""
    coded, found = row_labels(value, "stratified_by", n_rows, rows)
    if len(found) < 2:
        raise InvalidValueError(
            "stratified_by", f"has one label ({found[0]}), within which all rows are"
        )
    if is_real(found):
        raise InvalidValueError(
            "stratified_by",
            f"has {len(found)} different real numbers",
            hint="give the bins within which folds were drawn, as of pandas.cut",
        )
    return coded


def strata(
    truth: Truth, labelled: CodeArray | None, grouped: tuple[CodeArray, AnyArray] | None
) -> CodeArray:
    """Codes of the classes, or of other labels, within which rows or groups are drawn."""
    stratified = Argument("stratify_bootstrap", True)
    values: AnyArray | None = truth.class_codes() if labelled is None else labelled
    if values is None and truth.target == "any":
        values = truth.values
    if values is None:
        raise InvalidValueError(stratified, "needs classes, the truth has none for this metric")
    coded, found = codes_by_first_row(values, "y_true")
    if is_real(found):
        raise InvalidValueError(stratified, "needs classes, the truth has real numbers")
    if grouped is not None:
        group_codes, group_labels = grouped
        first = np.full(int(group_codes.max()) + 1, -1, np.int32)
        # Reversed, so that the first row of each group is written last.
        first[group_codes[::-1]] = coded[::-1]
        spanning = coded != first[group_codes]
        if spanning.any():
            label = group_labels[group_codes[first_true(spanning)]]
            raise InvalidValueError(
                "groups",
                f": group {label} spans classes",
                **at(spanning, ("row",)),
                hint=("{} needs groups within one class", stratified),
            )
    return coded


def sample_weight(value: Any, n_rows: int, rows: IndexArray | None) -> FloatArray:
    """Finite weights of which none is negative and not all are zero."""
    array = _per_row(value, "sample_weight", n_rows)
    if array.dtype.kind not in "biuf":
        raise InvalidTypeError("sample_weight", f"must be numbers, got dtype {array.dtype}")
    if rows is not None:
        array = array[rows]
    weights = array.astype(np.float64)
    refuse_missing(weights, "sample_weight")
    if (weights < 0).any():
        raise InvalidValueError("sample_weight", "is negative", **at(weights < 0, ("row",)))
    if not weights.any():
        raise InvalidValueError("sample_weight", "is zero in every row")
    return weights


def resamples(value: Any, n_units: int, unit: str, *, out_of_bag: bool = True) -> CodeArray:
    """Given draws: an index of a unit per draw, of shape (n_bootstraps, n_units).

    `out_of_bag` says that each replicate must leave a unit out.
    """
    array = plain_array(value, "resamples")
    if array.ndim != 2 or array.shape[1] != n_units:
        raise InvalidValueError(
            "resamples",
            f"must have shape (n_bootstraps, {n_units}), one draw per {unit}, got {array.shape}",
        )
    if len(array) == 0:
        raise InvalidValueError("resamples", "has no replicates")
    if array.dtype.kind not in "iu":
        raise InvalidTypeError("resamples", f"must be integers, got dtype {array.dtype}")
    outside = (array < 0) | (array >= n_units)
    if outside.any():
        raise InvalidValueError(
            "resamples",
            f"must be between 0 and {n_units - 1}, got {array[first_true(outside)]}",
            **at(outside, ("replicate", "draw")),
        )
    if out_of_bag:
        _refuse_permutations(array)
    return array.astype(np.int32, order="C")


def _refuse_permutations(drawn: AnyArray) -> None:
    """A replicate leaves nothing out of bag exactly if it is a permutation of the units."""
    permutation = (np.sort(drawn, axis=1) == np.arange(drawn.shape[1])).all(axis=1)
    if permutation.any():
        raise InvalidValueError(
            "resamples", "leaves nothing out of bag", **at(permutation, ("replicate",))
        )
