"""Predictions -> one canonical array per repeat, without a copy where that is possible."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from .._frozen import ends_in_nul, small_integers
from .._typing import AnyArray, BoolArray, CodeArray, IndexArray
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ._columns import refuse_no_predictions
from ._texts import refuse_number_texts
from ._truth import Truth, check_range, reads_one_class, refuse_unknown_positive
from ._values import (
    UNNAMED_CLASSES,
    all_finite,
    at,
    first_true,
    frame_array,
    is_frame,
    missing_objects,
    plain_array,
    real_numbers,
    shown,
)

_invalid = partial(InvalidValueError, "predictions")
_invalid_type = partial(InvalidTypeError, "predictions")
AXES = ("repeat", "row", "configuration", "class")
_AXES_OF_TIMES = ("repeat", "row", "configuration", "time")
# What the kernel reads as it is; other integers are widened.
_KERNEL_LABELS = frozenset(map(np.dtype, ("bool", "int8", "uint8", "int16", "int32", "int64")))
_NUMERIC = "biuf"
#: The lowest and highest number of each repeat, where they are known.
Extents: TypeAlias = Sequence[tuple[float, float] | None]
#: Up to so many labels are looked for one after the other.
_FEW = 32


def per_repeat(predictions: Any) -> tuple[list[AnyArray], tuple[str, ...] | None]:
    """The arrays of the repeats, of shape (n_rows, n_configurations[, n_classes]), and names."""
    if type(predictions) is not np.ndarray:
        if isinstance(predictions, list | tuple):
            return _listed(predictions)
        if is_frame(predictions):
            array, columns = _of_frame(predictions, "predictions")
            return _checked([array]), columns
        refuse_no_predictions(predictions)
    array = plain_array(predictions, "predictions")
    if array.ndim == 4:
        return _checked(list(array)), None
    return _checked([array]), None


def _of_frame(frame: Any, name: str) -> tuple[AnyArray, tuple[str, ...]]:
    """The values and the names of the columns; refused are numbers that are text."""
    array, columns = frame_array(frame, name)
    if array.dtype.kind in "OU" and array.ndim == 2:
        refuse_number_texts(name, dict(zip(columns, array.T, strict=True)))
    return array, columns


def _listed(predictions: Any) -> tuple[list[AnyArray], tuple[str, ...] | None]:
    if not predictions:
        raise _invalid("is an empty list: a list is one array per repeat")
    columns: tuple[str, ...] | None = None
    arrays: list[AnyArray] = []
    for repeat, item in enumerate(predictions):
        name = f"predictions[{repeat}]"
        if is_frame(item):
            array, own = _of_frame(item, name)
            if columns is not None and own != columns:
                raise InvalidValueError(name, "has other columns than predictions[0]")
            columns = own
        else:
            array = plain_array(item, name)
            if array.ndim < 2:
                raise InvalidValueError(
                    name,
                    f"must have shape (n_rows, n_configurations), got {array.shape}: a list is one "
                    "array per repeat",
                    hint="use numpy.column_stack(predictions) for one list per configuration, "
                    "numpy.asarray(predictions) for one per row",
                )
        arrays.append(array)
    return _checked(arrays), columns


def _checked(arrays: list[AnyArray]) -> list[AnyArray]:
    """Refuse wrong and unequal shapes."""
    if not arrays:
        raise _invalid("has no repeats")
    shape = arrays[0].shape
    if len(shape) == 1:
        raise _invalid(
            f"must have shape (n_rows, n_configurations), got {shape}",
            hint="for one configuration use predictions.reshape(-1, 1)",
        )
    if len(shape) not in (2, 3):
        raise _invalid(
            "must have the axes (row, configuration[, class]) or "
            f"(repeat, row, configuration, class), got shape {shape}"
        )
    for axis, word in enumerate(("rows", "configurations", "classes")[: len(shape)]):
        if shape[axis] == 0:
            raise _invalid(f"has no {word}, its shape is {shape}")
    for repeat, array in enumerate(arrays):
        if array.shape != shape:
            raise _invalid(f": repeat {repeat} has shape {array.shape}, repeat 0 has {shape}")
        if array.dtype.kind == "V":
            raise _invalid_type("is a structured array")
    return arrays


def check_kind(
    arrays: list[AnyArray],
    metric: Metric,
    truth: Truth,
    columns: tuple[str, ...] | None = None,
) -> None:
    """Refuse predictions of a kind that the metric does not take; `columns` are a frame's."""
    array, predicts = arrays[0], metric.predicts
    by_class = array.ndim == 3
    takes_classes = predicts in ("class_scores", "class_probabilities")
    if predicts == "any":
        return
    for repeat in arrays:
        kind = repeat.dtype.kind
        if kind not in _NUMERIC and predicts != "labels":
            _refuse_text(repeat, metric, columns or ())
            raise _invalid_type(
                f"must be numbers ({predicts}) for metric {metric.name!r}, got dtype {repeat.dtype}"
            )
        if kind == "f" and repeat.dtype.itemsize > 8:
            raise _invalid_type(f"have dtype {repeat.dtype}: scores are compared as float64")
    if predicts == "survival":
        _check_times(array, metric)
        return
    if by_class and not takes_classes and predicts not in ("score", "probability"):
        raise _invalid(
            f"have shape {array.shape}, class scores, but metric {metric.name!r} "
            f"takes {predicts} of shape (n_rows, n_configurations)"
        )
    if by_class and truth.classes is not None and array.shape[2] != truth.n_classes:
        raise _invalid(
            f"have {array.shape[2]} classes on the last axis, the truth has {truth.n_classes} "
            f"({shown(truth.classes)})",
            hint=UNNAMED_CLASSES,
        )
    if truth.assumed and not by_class and reads_one_class(metric):
        assert truth.classes is not None
        assert truth.codes is not None
        why = ", because predictions do not say of which class they are the scores"
        refuse_unknown_positive(truth.classes, truth.codes, metric, why)
    if takes_classes and not by_class and truth.n_classes > 2:
        raise _invalid(
            f"must have shape (n_rows, n_configurations, {truth.n_classes}) for metric "
            f"{metric.name!r} with {truth.n_classes} classes, got {array.shape}"
        )


def _refuse_text(array: AnyArray, metric: Metric, columns: Sequence[str]) -> None:
    """Refuse labels in a frame, by the name of their column."""
    for name, column in zip(columns, array.T, strict=False):
        if any(isinstance(cell, str) for cell in column):
            raise _invalid_type(
                f": column {name!r} is text, metric {metric.name!r} reads {metric.response}: "
                "give numbers, or a metric of labels"
            )


def _check_times(array: AnyArray, metric: Metric) -> None:
    """Refuse survival probabilities that are not one per time."""
    n_times = len(metric.times)
    several = f", {n_times}" if n_times > 1 else ""
    if array.shape[2:] != ((n_times,) if n_times > 1 else ()):
        raise _invalid(
            f"must have shape (n_rows, n_configurations{several}) for metric {metric.name!r}, "
            f"survival probabilities at {shown(metric.times)}, got {array.shape}",
            hint="survival at more times is told by times=[...]; beside risks it is an entry of "
            'a dict: {"survival": array, "scores": risks}',
        )


def holes(
    arrays: list[AnyArray], mask: BoolArray | None, extents: Extents
) -> list[BoolArray] | None:
    """Per repeat, True where a prediction is missing; None if none is. Infinities are errors."""
    if mask is not None and mask.all():
        mask = None
    found: list[BoolArray | None] = [None] * len(arrays)
    complete = True
    for repeat, array in enumerate(arrays):
        missing = None if mask is None else ~mask[repeat]
        if array.dtype.kind == "O":
            there = _per_prediction(missing_objects(array))
            missing = there if missing is None else missing | there
        elif array.dtype.kind == "f" and not (extents[repeat] or all_finite(array)):
            infinite = np.isinf(array)
            if infinite.any():
                place = at(infinite, AXES, (repeat,))
                place["count"] = sum(
                    np.count_nonzero(np.isinf(each)) for each in arrays if each.dtype.kind == "f"
                )
                raise _invalid("are infinite", **place)
            there = _per_prediction(np.isnan(array))
            missing = there if missing is None else missing | there
        if missing is not None and missing.any():
            found[repeat] = missing
            complete = False
    if complete:
        return None
    none = np.zeros(arrays[0].shape[:2], np.bool_)
    return [none if one is None else one for one in found]


def _per_prediction(missing: BoolArray) -> BoolArray:
    return np.any(missing, axis=2) if missing.ndim == 3 else missing


def canonical(
    arrays: list[AnyArray],
    missing: list[BoolArray] | None,
    metric: Metric,
    truth: Truth,
    extents: Extents,
    n_threads: int,
) -> tuple[list[AnyArray], IndexArray | None]:
    """Arrays as the kernel reads them, and the integer that stands for each code."""
    if metric.predicts == "any" or (metric.predicts == "labels" and truth.classes is None):
        return arrays, None
    if metric.predicts != "labels":
        return [
            _scores(array, metric, truth, repeat, extents[repeat])
            for repeat, array in enumerate(arrays)
        ], None
    integers, in_kernel = truth.integer_labels, metric.odds is None
    coded: list[AnyArray] = []
    gone: Sequence[BoolArray | None] = missing or [None] * len(arrays)
    for array in arrays:
        if array.dtype.kind == "f":
            _refuse_inexact(array, truth)
        in_kernel = in_kernel and array.dtype.kind in _NUMERIC
    for repeat, array in enumerate(arrays):
        # The kernel checks integers while it packs labels; of a net benefit it gets none.
        if integers is None or not in_kernel:
            coded.append(_encoded(array, gone[repeat], truth, repeat))
        elif array.dtype.kind == "f":
            coded.append(_whole(array, integers, gone[repeat], truth, repeat, n_threads))
        else:
            coded.append(array if array.dtype in _KERNEL_LABELS else _widened(array))
    if metric.function is not None:  # it gets labels as the user wrote them, checked all the same
        return arrays, None
    return coded, integers if in_kernel and integers is not None else np.arange(truth.n_classes)


def _refuse_inexact(array: AnyArray, truth: Truth) -> None:
    """Refuse floats that are too coarse for an integer label: they would stand for another."""
    assert truth.classes is not None
    if truth.classes.dtype.kind not in "iu":
        return
    with np.errstate(over="ignore"):
        held = truth.classes.astype(array.dtype)
    for label, value in zip(truth.classes.tolist(), held.tolist(), strict=True):
        if value != label:
            raise _invalid(
                f"are of dtype {array.dtype}, which cannot hold the label {label} of the truth",
                hint="give integers or strings",
            )


def _widened(array: AnyArray) -> AnyArray:
    """Integers of which the kernel does not read the type."""
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max() > 2**63 - 1:
        raise _invalid(f"have the label {array.max()}, which the truth does not have")
    narrow = array.dtype.itemsize + (array.dtype.kind == "u") <= 4
    return array.astype(np.int32 if narrow else np.int64)


def _whole(
    array: AnyArray,
    labels: IndexArray,
    missing: BoolArray | None,
    truth: Truth,
    repeat: int,
    n_threads: int,
) -> AnyArray:
    """Labels that were predicted as floats, as integers."""
    most = max(abs(int(labels.min())), abs(int(labels.max())))
    if missing is None and most < 2**7:
        small = small_integers(array, n_threads)
        if small is not None:  # of other numbers it is said which
            return small
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int8 if most < 2**7 else np.int32 if most < 2**31 else np.int64)
    unknown = whole != array
    if missing is not None:
        unknown &= ~missing
        whole[missing] = labels[0]  # dropped before it is read
    _refuse_unknown(array, unknown, truth, repeat)
    return whole


def _encoded(array: AnyArray, missing: BoolArray | None, truth: Truth, repeat: int) -> CodeArray:
    """Codes of labels that the kernel cannot compare itself: strings, fractions, objects."""
    classes = truth.classes
    assert classes is not None
    textual = [values.dtype.kind in "US" for values in (array, classes)]
    numeric = [values.dtype.kind in _NUMERIC for values in (array, classes)]
    if (textual[0] and numeric[1]) or (numeric[0] and textual[1]):
        kinds = ("text", "numbers") if textual[0] else ("numbers", "text")
        raise _invalid_type(
            f"are labels that are {kinds[0]}, those of the truth are {kinds[1]} "
            f"({shown(np.sort(classes))}): give the same labels",
            hint="classes[predictions] turns the places of sorted classes into these",
        )
    if missing is not None and array.dtype.kind == "O":
        array = array.copy()
        array[missing] = None  # pandas.NA cannot be compared
    codes = _looked_up(array, classes.tolist())
    if missing is not None:
        codes[missing] = 0  # any code will do: these are dropped before they are read
    _refuse_unknown(array, codes < 0, truth, repeat)
    return codes


def _looked_up(array: AnyArray, labels: list[Any]) -> CodeArray:
    """The place of each value among labels, -1 where it has none."""
    codes = np.full(array.shape, -1, np.int32)
    few = len(labels) <= _FEW and not any(map(ends_in_nul, labels))
    if few and array.dtype.kind != "O":  # many times faster than a dict
        for code, label in enumerate(labels):
            np.putmask(codes, array == label, code)
        return codes
    place_of = {label: code for code, label in enumerate(labels)}
    with suppress(TypeError):  # lists, for one, are nobody's labels
        found = [place_of.get(value, -1) for value in array.ravel().tolist()]
        codes = np.array(found, dtype=np.int32).reshape(array.shape)
    return codes


def _refuse_unknown(array: AnyArray, unknown: BoolArray, truth: Truth, repeat: int) -> None:
    if not unknown.any():
        return
    assert truth.classes is not None
    classes, label = shown(np.sort(truth.classes)), array[first_true(unknown)]
    label = label.item() if isinstance(label, np.generic) else label
    hint: tuple[Any, ...] = UNNAMED_CLASSES
    if isinstance(label, float) and not label.is_integer():
        hint = (
            "the metric takes labels and these look like scores: metrics of scores such as "
            "'roc_auc' take them, or a threshold makes labels of them, as p > 0.5 does; for both "
            'metrics bbc.Predictions takes {"labels": labels, "scores": scores}',
        )
    raise _invalid(
        f"have the label {label!r}, which the truth does not have ({classes})",
        **at(unknown, AXES, (repeat,)),
        hint=hint,
    )


def _scores(
    array: AnyArray,
    metric: Metric,
    truth: Truth,
    repeat: int,
    extent: tuple[float, float] | None,
) -> AnyArray:
    probabilities = metric.predicts in ("probability", "class_probabilities")
    if array.ndim == 3 and metric.predicts != "survival":
        if probabilities:
            _check_sums(array, repeat)
        if metric.predicts in ("score", "probability"):
            array = array[:, :, 1 if truth.columns is None else truth.columns[1]]
        elif truth.columns is not None:
            array = _in_order(array, truth, by_code=metric.function is None)
    values = real_numbers(array, "predictions", AXES, (repeat,))
    if array.dtype == np.float32 and metric.kernel == "log_loss":
        # As scikit-learn, which keeps single precision off 0 and 1 by its own rounding.
        check_range(values, "[0, 1]", "predictions", metric.name, AXES, (repeat,), extent=extent)
        lowest = float(np.finfo(np.float32).eps)
        clipped: AnyArray = np.clip(values, lowest, 1 - lowest)
        return clipped
    allowed = "[0, 1]" if probabilities else metric.prediction_range
    if metric.predicts == "survival":
        told = "give the probability of surviving the time, not a risk"
        axes = _AXES_OF_TIMES
        check_range(values, allowed, "predictions", metric.name, axes, (repeat,), told, extent)
    elif allowed != "(-inf, inf)":
        check_range(values, allowed, "predictions", metric.name, AXES, (repeat,), extent=extent)
    return values


def _in_order(array: AnyArray, truth: Truth, *, by_code: bool) -> AnyArray:
    """Class scores in the order of the codes; a function gets them as the classes are sorted."""
    assert truth.columns is not None
    assert truth.classes is not None
    places = np.array(truth.columns)
    if not by_code:
        places = places[np.argsort(truth.classes, kind="stable")]
    if (np.diff(places) == 1).all():
        return array
    return array[:, :, ::-1] if (np.diff(places) == -1).all() else array[:, :, places]


def _check_sums(array: AnyArray, repeat: int) -> None:
    """Refuse class probabilities that do not sum to 1, to the precision of their type."""
    kind = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
    sums = array.sum(axis=2, dtype=np.float64)
    wrong = np.abs(sums - 1) > np.sqrt(np.finfo(kind).eps)
    if wrong.any():
        raise _invalid(
            f"of the classes sum to {sums[first_true(wrong)]:g} instead of 1",
            **at(wrong, AXES, (repeat,)),
        )
