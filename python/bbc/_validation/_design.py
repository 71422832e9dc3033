"""Folds, groups, strata, weights and given resamples."""

from typing import Any

import numpy as np

from .._typing import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..selection import Rungs
from ._columns import refuse_splits
from ._truth import Truth, lacking_class, truth
from ._values import at, first_true, plain_array, refuse_missing


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
    array = plain_array(value, name)
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
    array = plain_array(value, "folds")
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


def scored_in_every_fold(
    y_true: Any, folds: AnyArray, metric: Metric, *, pos_label: Any, classes: Any
) -> bool:
    """Whether each fold has the classes without which its own score is undefined.

    Rows of fold -1 were not predicted.
    """
    given = truth(y_true, metric, pos_label=pos_label, labels=None, classes=classes)
    try:
        check_fold_classes(*fold_codes(folds), given, metric)
    except UndefinedMetricError:
        return False
    return True


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


def rungs(given: Rungs, n_rows: int) -> tuple[CodeArray | None, tuple[int, ...]]:
    """Codes of the rungs of the rows, in rising order of their numbers, and of those that choose.

    Without numbers rungs are found later, and are numbered from 0.
    """
    if given.of_row is None:
        return None, tuple(given.choose_only)
    array = _per_row(given.of_row, "rungs", n_rows)
    if array.dtype.kind not in "iu":
        raise InvalidTypeError("rungs", f"must be integers, got dtype {array.dtype}")
    numbers, codes = np.unique(array, return_inverse=True)
    places = {number: place for place, number in enumerate(numbers.tolist())}
    unknown = next((each for each in given.choose_only if each not in places), None)
    if unknown is not None:
        raise InvalidValueError("choose_only", f"names rung {unknown}, which no row has")
    return codes.astype(np.int32), tuple(places[each] for each in given.choose_only)


def strata(truth: Truth, grouped: tuple[CodeArray, AnyArray] | None) -> CodeArray:
    """Codes of the classes within which rows or groups are drawn."""
    stratified = Argument("stratify_bootstrap", True)
    if truth.codes is not None:
        values: AnyArray = truth.codes
    elif truth.target == "any":
        values = truth.values
    else:
        raise InvalidValueError(stratified, "needs classes, the truth has none for this metric")
    coded, found = codes_by_first_row(values, "y_true")
    if truth.target == "any" and values.dtype.kind == "f" and (found != np.floor(found)).any():
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
