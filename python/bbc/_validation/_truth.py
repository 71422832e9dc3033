"""The truth -> codes of classes, real numbers, or events and times."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from .._typing import (
    AnyArray,
    BoolArray,
    CodeArray,
    FloatArray,
    IndexArray,
    Range,
    Target,
)
from ..errors import UndefinedMetricError
from ..metrics import Metric
from ._arrays import (
    all_finite,
    first_true,
    frame_array,
    is_frame,
    missing_objects,
    place_text,
    plain_array,
)

_MANY = 10
_NAME = ContextVar("_NAME", default="y_true")


class Truth(NamedTuple):
    """The truth in canonical form; what the target does not use is None.

    `classes` holds the user's label of each code: sorted, except that the positive class of two
    is always code 1 (`swapped` if that is not the sorted order). `integer_labels` are the labels
    themselves where they are integers, in the order of the codes. `name` is what errors call it:
    the name of the argument that it came by.
    """

    target: Target
    name: str
    values: AnyArray
    codes: CodeArray | None = None
    classes: AnyArray | None = None
    integer_labels: IndexArray | None = None
    swapped: bool = False
    real: FloatArray | None = None
    event: BoolArray | None = None
    time: FloatArray | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 where the truth has none."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def pos_label(self) -> Any:
        """The positive class of two, else None."""
        if self.classes is None or len(self.classes) != 2:
            return None
        return self.classes.tolist()[1]

    def take(self, rows: IndexArray) -> "Truth":
        """The truth of some rows; the classes stay."""
        arrays = {
            name: getattr(self, name)[rows]
            for name in ("values", "codes", "real", "event", "time")
            if getattr(self, name) is not None
        }
        return self._replace(**arrays)


@contextmanager
def truth_called(name: str) -> Iterator[None]:
    """What errors call the truth where the user did not pass it as y_true."""
    token = _NAME.set(name)
    try:
        yield
    finally:
        _NAME.reset(token)


def truth_name() -> str:
    """What errors call the truth here."""
    return _NAME.get()


def truth(given: Any, metric: Metric, *, pos_label: Any, labels: Any) -> Truth:
    """The canonical truth for the metric's target."""
    name = _NAME.get()
    if metric.target in ("real", "survival", "any"):
        for argument, value in (("pos_label", pos_label), ("labels", labels)):
            if value is not None:
                raise ValueError(f"{argument} has no meaning for metric {metric.name!r}")
    if metric.target == "survival":
        return _survival(given, name)
    values = _one_dimensional(given, name)
    if metric.target == "real":
        return _real(values, metric, name)
    if metric.target == "any":
        _refuse_missing(values, name)
        return Truth("any", name, values)
    return _classes(values, metric, pos_label, labels, name)


def check_classes(given: Truth, metric: Metric) -> None:
    """Refuse a truth that lacks a class without which the metric is undefined."""
    if given.codes is None or given.classes is None or not metric.needs_classes:
        return
    counts = np.bincount(given.codes, minlength=len(given.classes))
    if counts.all() and len(counts) > 1:
        return
    lacking = lacking_class(counts, metric.needs_classes)
    if lacking is None:
        return
    there = [str(label) for label, count in zip(given.classes, counts, strict=True) if count]
    lack = f", none of class {given.classes[lacking]}" if lacking < len(counts) else ""
    raise UndefinedMetricError(
        f"{given.name} has rows of class {shown(there)} only{lack}: "
        f"metric {metric.name!r} is undefined"
    )


def lacking_class(counts: IndexArray, needed: str) -> int | None:
    """Code of the first class without rows that the metric needs; len(counts) if there is none.

    None if no class is lacking. `needed` is a metric's `needs_classes`.
    """
    if counts.all() and len(counts) > 1:
        return None
    empty = np.flatnonzero(counts == 0)
    if needed in ("two", "all") and np.count_nonzero(counts) < 2:
        return int(empty[0]) if empty.size else len(counts)
    among = {"positive": (1,), "negative": (0,), "two": (), "all": range(len(counts))}[needed]
    return next((int(code) for code in empty if code in among), None)


def shown(labels: Any) -> str:
    """Labels for a message, shortened."""
    texts = [str(label) for label in labels[:_MANY]]
    return ", ".join(texts) + (", ..." if len(labels) > _MANY else "")


def _one_dimensional(given: Any, name: str) -> AnyArray:
    values = plain_array(given, name)
    if values.ndim != 1:
        flat = values.ndim == 2 and values.shape[1] == 1
        hint = f"; use {name}.ravel()" if flat else ""
        raise ValueError(f"{name} must have shape (n_rows,), got {values.shape}{hint}")
    if values.size == 0:
        raise ValueError(f"{name} has no rows")
    if values.dtype.kind == "V":
        raise TypeError(f"{name} is a structured array: only survival metrics take (event, time)")
    return values


def _refuse_missing(values: AnyArray, name: str, word: str = "row") -> None:
    """NaN, None and infinity are errors whatever the target."""
    if values.dtype.kind == "O":
        missing = missing_objects(values)
        if missing.any():
            place, count = first_true(missing)
            raise ValueError(f"{name} is missing at {place_text(place, (word,), count)}")
    elif not all_finite(values):
        place, count = first_true(~np.isfinite(values))
        what = "NaN" if np.isnan(values[place]) else "infinite"
        raise ValueError(f"{name} is {what} at {place_text(place, (word,), count)}")


def _real(values: AnyArray, metric: Metric, name: str) -> Truth:
    if values.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must be numbers for metric {metric.name!r}, got dtype {values.dtype}"
        )
    real = values.astype(np.float64, copy=False)
    _refuse_missing(real, name)
    check_range(real, metric.target_range, name, metric.name, ("row",))
    return Truth("real", name, values, real=real)


def check_range(
    values: AnyArray,
    allowed: Range,
    name: str,
    metric: str,
    words: tuple[str, ...],
    before: tuple[int, ...] = (),
) -> None:
    """Refuse numbers outside an interval such as "[0, inf)"; NaN passes.

    `words` name the axes of a place, `before` its indices in front of those of `values`.
    """
    if allowed == "(-inf, inf)":
        return
    ends = allowed[1:-1].split(", ")
    low, high = float(ends[0]), float(ends[1])
    outside = values <= low if allowed[0] == "(" else values < low
    if np.isfinite(high):
        outside |= values > high
    if outside.any():
        place, count = first_true(outside)
        raise ValueError(
            f"{name} must be in {allowed} for metric {metric!r}, "
            f"got {values[place]:g} at {place_text((*before, *place), words, count)}"
        )


def _survival(given: Any, name: str) -> Truth:
    array = frame_array(given, name)[0] if is_frame(given) else plain_array(given, name)
    event, time = (plain_array(column, name) for column in _event_and_time(array, name))
    if len(event) == 0:
        raise ValueError(f"{name} has no rows")
    if event.dtype.kind not in "biuf" or time.dtype.kind not in "biuf":
        raise TypeError(f"{name}: event must be bool and time a number, got {array.dtype}")
    times = np.ascontiguousarray(time, dtype=np.float64)
    _refuse_missing(event, f"{name} (event)")
    _refuse_missing(times, f"{name} (time)")
    other = (event != 0) & (event != 1)
    if other.any():
        place, count = first_true(other)
        raise ValueError(
            f"{name}: event must be 0 or 1, got {event[place]} "
            f"at {place_text(place, ('row',), count)}; the order is (event, time)"
        )
    events = np.ascontiguousarray(event, dtype=np.bool_)
    values = np.column_stack([events, times]) if array.dtype.kind == "O" else array
    return Truth("survival", name, values, event=events, time=times)


def _event_and_time(array: AnyArray, name: str) -> tuple[AnyArray, AnyArray]:
    """The two columns of a structured array (scikit-survival) or of shape (n_rows, 2)."""
    fields = array.dtype.names
    if fields is not None and len(fields) == 2 and array.ndim == 1:
        flags = [field for field in fields if array.dtype[field].kind == "b"]
        event = flags[0] if len(flags) == 1 else fields[0]
        time = fields[1] if event == fields[0] else fields[0]
        return array[event], array[time]
    if fields is None and array.ndim == 2 and array.shape[1] == 2:
        return array[:, 0], array[:, 1]
    raise ValueError(
        f"{name} must be a structured array (event, time) or have shape (n_rows, 2) "
        f"for a survival metric, got shape {array.shape} and dtype {array.dtype}"
    )


def _classes(values: AnyArray, metric: Metric, pos_label: Any, labels: Any, name: str) -> Truth:
    _refuse_missing(values, name)
    found, codes = _sorted_classes(values, name)
    if values.dtype.kind == "f" and len(found) > 2 and not (found == np.floor(found)).all():
        raise ValueError(
            f"{name} has {len(found)} different real numbers, metric {metric.name!r} needs classes"
        )
    classes = found
    if labels is not None:
        given = _one_dimensional(labels, "labels")
        _refuse_missing(given, "labels", "place")
        classes = _sorted_classes(given, "labels")[0]
        codes = _recoded(codes, found, classes, name)
    if metric.target == "binary" and len(classes) != 2:
        raise ValueError(_not_two(classes, metric, name))
    swapped = pos_label is not None and _positive_is_first(classes, pos_label, name)
    if swapped:
        classes, codes = classes[::-1], np.int32(1) - codes
    return Truth(metric.target, name, values, codes, classes, _as_int64(classes), swapped)


def _sorted_classes(values: AnyArray, name: str) -> tuple[AnyArray, CodeArray]:
    if values.dtype.kind in "biu":
        # Two labels need no sorting, which took 8 us of a call on 20 rows.
        lowest, highest = np.minimum.reduce(values), np.maximum.reduce(values)
        if int(highest) - int(lowest) == 1:
            return np.array([lowest, highest]), (values == highest).astype(np.int32)
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise TypeError(f"{name} has labels of types that cannot be sorted") from None
    return classes, codes.astype(np.int32)


def _as_int64(classes: AnyArray) -> IndexArray | None:
    """Labels that are whole numbers, whatever their type, as int64; None for others."""
    if classes.dtype.kind in "bi":
        return classes.astype(np.int64)
    if classes.dtype.kind not in "uf":
        return None
    with np.errstate(invalid="ignore"):
        whole: IndexArray = classes.astype(np.int64)
    return whole if (whole == classes).all() else None


def _recoded(codes: CodeArray, found: AnyArray, classes: AnyArray, name: str) -> CodeArray:
    """Codes in `labels`, which must have every class that there is."""
    order = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in found.tolist() if label not in order]
    if unknown:
        raise ValueError(f"{name} has the label {unknown[0]!r}, which is not in labels")
    return np.array([order[label] for label in found.tolist()], dtype=np.int32)[codes]


def _not_two(classes: AnyArray, metric: Metric, name: str) -> str:
    if len(classes) < 2:
        return (
            f"{name} has one class ({classes[0]}), metric {metric.name!r} needs two "
            "(labels=[...] names a class that has no rows)"
        )
    offer = " or ".join(repr(other) for other in metric.multiclass_names)
    return (
        f"{name} has {len(classes)} classes ({shown(classes)}), metric {metric.name!r} "
        f"needs two; for more classes use {offer}"
    )


def _positive_is_first(classes: AnyArray, pos_label: Any, name: str) -> bool:
    place = np.flatnonzero(classes == pos_label)
    if place.size != 1:
        raise ValueError(f"pos_label={pos_label!r} is not a class of {name} ({shown(classes)})")
    if len(classes) != 2:
        raise ValueError(f"pos_label needs two classes, {name} has {len(classes)}")
    return int(place[0]) == 0
