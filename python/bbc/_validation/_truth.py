"""The truth in canonical form: its classes, their order, and which of two is the positive one."""

from typing import Any, NamedTuple, NoReturn

import numpy as np

from .._frozen import as_array, two_labels
from .._names import again
from .._typing import (
    AnyArray,
    BoolArray,
    CodeArray,
    FloatArray,
    IndexArray,
    Range,
    Target,
)
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ._values import (
    UNNAMED_CLASSES,
    at,
    first_true,
    frame_array,
    is_frame,
    missing_objects,
    own_array,
    plain_array,
    real_numbers,
    refuse_missing,
    shown,
)


def takes_one(metric: Metric) -> bool:
    """Whether label 1 is the positive class, as in scikit-learn's function of that name.

    Specificity has no function there; its other half is their recall.
    """
    if metric.target != "binary" or metric.function is not None:
        return False
    return bool(metric._facts.get("one_class"))


def reads_one_class(metric: Metric) -> bool:
    """Whether one column of scores is read as the scores of the positive class."""
    if metric.function is not None or not metric.has_classes:
        return False
    return metric.predicts not in ("labels", "any")


def positive_class(metric: Metric, said: Any, scored: Any) -> Any:
    """The positive class that is said, or else that of the scores, where they decide.

    None leaves it to the labels of the truth. `scored` is the class whose scores are read, None if
    they are of all classes or of none.
    """
    if said is not None or scored is None or not reads_one_class(metric):
        return said
    return None if takes_one(metric) and scored != 1 else scored


def agreed(metric: Metric, pos_label: Any) -> Any:
    """The positive class by the argument or by those of the metric's scorer."""
    if metric.pos_label is None:
        return pos_label
    if pos_label is not None and pos_label != metric.pos_label:
        raise InvalidValueError(
            Argument("pos_label", pos_label),
            f": the scorer of metric {metric.name!r} says {metric.pos_label!r}",
        )
    return metric.pos_label


def place_of_positive(classes: AnyArray, codes: CodeArray, metric: Metric) -> int:
    """Place of label 1 among two sorted classes, for a metric that takes it for positive."""
    place = place_of_one(classes)
    if place is None:
        refuse_unknown_positive(classes, codes, metric, "")
    return place


def place_of_one(classes: AnyArray) -> int | None:
    """Place of label 1 among classes; None if they lack it, as text does."""
    ones: list[int] = [] if is_text(classes) else np.flatnonzero(classes == 1).tolist()
    return ones[0] if ones else None


def is_text(classes: AnyArray) -> bool:
    """Whether labels are other than numbers, so that none is the larger."""
    return classes.dtype.kind not in "biuf"


def refuse_unknown_positive(
    classes: AnyArray, codes: CodeArray, metric: Metric, why: str
) -> NoReturn:
    """Refuse two classes of which none is known to be the positive one."""
    counts = np.bincount(codes, minlength=2)
    first, second = classes.tolist()
    raise InvalidValueError(
        "pos_label",
        f"must name the positive class for metric {metric.name!r}{why}: the truth has {counts[0]} "
        f"rows of class {first!r} and {counts[1]} of class {second!r}",
        hint=("{} or {}", Argument("pos_label", first), Argument("pos_label", second)),
    )


class Order(NamedTuple):
    """The sources of the order of classes; None where there is none.

    `labels` of the caller, the names of the columns of class `scores`, and the `categories` of an
    ordered pandas categorical that have rows.
    """

    labels: AnyArray | None
    scores: AnyArray | None
    categories: AnyArray | None

    def of_columns(self) -> AnyArray | None:
        """The classes in the order of the columns of class scores; None if sorted."""
        said, named = self.labels, self.scores
        if said is not None:
            _refuse_twice(said)
            if self.categories is not None:
                _refuse_other_sequence(said, self.categories)
        return (
            self.categories if said is None and named is None else said if named is None else named
        )

    def of_scale(self, classes: AnyArray, metric: Metric) -> AnyArray:
        """The classes in the order in which a metric counts the steps between them."""
        said = self.categories if self.labels is None else self.labels
        if not is_text(classes):
            if said is not None and len(said) > 2 and not _is_monotone(said):
                raise InvalidValueError(
                    "labels" if self.labels is not None else "y_true",
                    f"has the order {shown(said)}: metric {metric.name!r} counts steps between "
                    "numbers in their own order",
                )
            return classes
        if said is None:
            raise InvalidTypeError(
                "y_true",
                f"has labels that are text, whose order metric {metric.name!r} cannot know",
                hint="code the classes 0, 1, 2, ... in their order, or give an ordered pandas "
                "categorical",
            )
        return said


def categories(given: Any) -> AnyArray | None:
    """The categories of an ordered pandas categorical that have rows, in their order."""
    dtype = None if type(given) is np.ndarray else getattr(given, "dtype", None)
    if not getattr(dtype, "ordered", False):
        return None
    assert dtype is not None
    values = as_array(given)
    present = set(values[~missing_objects(values)].tolist() if values.dtype.kind == "O" else values)
    categories = as_array(dtype.categories)
    return categories[[label in present for label in categories.tolist()]]


def _refuse_twice(labels: AnyArray) -> None:
    for label in again(labels.tolist()):
        raise InvalidValueError("labels", f"has {label!r} twice")


def _refuse_other_sequence(labels: AnyArray, categories: AnyArray) -> None:
    """Refuse labels whose order contradicts that of the truth's categories."""
    known = set(categories.tolist())
    if [label for label in labels.tolist() if label in known] != categories.tolist():
        raise InvalidValueError(
            "labels",
            f"has the order {shown(labels)}, but the truth is an ordered categorical with "
            f"{shown(categories)}",
            hint="give the truth as a numpy array if labels= is the order of the class scores",
        )


def _is_monotone(values: AnyArray) -> bool:
    steps = np.diff(values.astype(np.float64))
    return bool((steps > 0).all() or (steps < 0).all())


#: Classes are sorted, and nobody says otherwise.
UNORDERED = Order(None, None, None)
#: What to do about a truth of several columns.
ONE_OUTPUT = (
    "several outputs, real or labels, are not supported: correct each output in a call of its own, "
    "or the mean loss of each row over the outputs, with bbc.metrics.row_loss"
)
#: The same where models are fitted.
ONE_OUTPUT_FITTED = (
    "several outputs, real or labels, are not supported: fit one output at a time, or correct the "
    "fold scores of scikit-learn's GridSearchCV of them all, with bbc.correct"
)


class Censored(NamedTuple):
    """The rows on which censoring is estimated, of which a truth may be a part."""

    event: BoolArray
    time: FloatArray
    weight: FloatArray | None


class Truth(NamedTuple):
    """The truth in canonical form; what the target does not use is None.

    `classes` holds the user's label of each code: sorted, or in the order that is said where a
    metric reads it; the positive class of two, `pos_label`, is always code 1, `assumed` if nothing
    says that it is the larger of two that are text. `columns` are the places of the codes on the
    last axis of class scores, and `by_category` says that an ordered categorical put them there.
    `integer_labels` are the labels themselves where they are integers, in the order of the codes.
    Metrics that weight rows for censoring have either `censored`, which stays as it is when rows
    are taken, or `uncensored`: the probabilities that were given for each row, of shape
    (n_rows, 1 + n_times). `without_classes` says that these are some rows of a truth of numbers, so
    that two values among them are no classes.
    """

    target: Target
    values: AnyArray
    codes: CodeArray | None = None
    classes: AnyArray | None = None
    n_classes: int = 0
    pos_label: Any = None
    integer_labels: IndexArray | None = None
    assumed: bool = False
    columns: tuple[int, ...] | None = None
    by_category: bool = False
    real: FloatArray | None = None
    event: BoolArray | None = None
    time: FloatArray | None = None
    censored: Censored | None = None
    uncensored: FloatArray | None = None
    without_classes: bool = False

    def class_codes(self, *, known: bool = False) -> CodeArray | None:
        """Codes of the classes, of a truth that the metric reads as numbers, too.

        Two values are classes, and so are words; other numbers are if that is `known`.
        """
        if self.codes is not None or self.target == "survival":
            return self.codes
        try:
            found, codes = np.unique(self.values, return_inverse=True)
        except TypeError:  # objects without an order
            return None
        are_two = len(found) == 2 and not self.without_classes
        if not (known or are_two or is_text(found)):
            return None
        return codes.reshape(-1).astype(np.int32)

    def take(self, rows: IndexArray) -> "Truth":
        """The truth of some rows, of the same classes."""
        arrays = {
            name: getattr(self, name)[rows]
            for name in ("values", "codes", "real", "event", "time", "uncensored")
            if getattr(self, name) is not None
        }
        without_classes = self.class_codes() is None
        return self._replace(**arrays, without_classes=without_classes)


def truth(
    given: Any, metric: Metric, pos_label: Any = None, labels: Any = None, classes: Any = None
) -> Truth:
    """The canonical truth for the metric's target.

    `labels` are the classes as the caller orders them, `classes` the names of the columns of class
    scores where these are known.
    """
    if metric.pos_label is not None:
        pos_label = agreed(metric, pos_label)
    if metric.target in ("real", "survival", "any"):
        for argument, value in (("pos_label", pos_label), ("labels", labels)):
            if value is not None:
                raise InvalidValueError(argument, f"has no meaning for metric {metric.name!r}")
    if metric.target == "survival":
        return _survival(given)
    values = _one_dimensional(given, "y_true")
    if metric.target == "real":
        return _real(values, metric)
    if metric.target == "any":
        refuse_missing(values, "y_true")
        return Truth("any", values)
    order = UNORDERED
    if labels is not None or classes is not None or type(given) is not np.ndarray:
        order = Order(_listed(labels, "labels"), _listed(classes, "classes"), categories(given))
    return _classes(values, metric, pos_label, order)


def check_classes(given: Truth, metric: Metric) -> None:
    """Refuse a truth that lacks a class without which the metric is undefined."""
    if given.codes is None or given.classes is None or not metric.needs_classes:
        return
    counts = np.bincount(given.codes, minlength=len(given.classes))
    lacking = lacking_class(counts, metric.needs_classes)
    if lacking is None:
        return
    there = [str(label) for label, count in zip(given.classes, counts, strict=True) if count]
    lack = f", none of class {given.classes[lacking]}" if lacking < len(counts) else ""
    raise UndefinedMetricError(
        "y_true",
        f"has rows of class {shown(there)} only{lack}: metric {metric.name!r} is undefined",
    )


def lacking_class(counts: IndexArray, needed: str) -> int | None:
    """Code of the first class without rows that the metric needs; len(counts) if there is none.

    None if no class is lacking. `needed` is a metric's `needs_classes`.
    """
    if len(counts) > 1 and all(counts.tolist()):
        return None
    empty = np.flatnonzero(counts == 0)
    if needed in ("two", "all") and np.count_nonzero(counts) < 2:
        return int(empty[0]) if empty.size else len(counts)
    among = {"positive": (1,), "negative": (0,), "two": (), "all": range(len(counts))}[needed]
    return next((int(code) for code in empty if code in among), None)


def _one_dimensional(given: Any, name: str) -> AnyArray:
    values = own_array(given, name)
    if values.ndim != 1:
        flat = values.ndim == 2 and values.shape[1] == 1
        several = values.ndim == 2 and values.shape[1] > 1 and name == "y_true"
        flattened = ("use {}.ravel()", Argument(name)) if flat else ""
        raise InvalidValueError(
            name,
            f"must have shape (n_rows,), got {values.shape}",
            hint=ONE_OUTPUT if several else flattened,
        )
    if values.size == 0:
        raise InvalidValueError(name, "has no rows")
    if values.dtype.kind == "V":
        raise InvalidTypeError(
            name, "is a structured array: only survival metrics take (event, time)"
        )
    return values


def _real(values: AnyArray, metric: Metric) -> Truth:
    if values.dtype.kind not in "biuf":
        raise InvalidTypeError(
            "y_true", f"must be numbers for metric {metric.name!r}, got dtype {values.dtype}"
        )
    real = real_numbers(values, "y_true", ("row",))
    refuse_missing(real, "y_true")
    check_range(real, metric.target_range, "y_true", metric.name, ("row",))
    return Truth("real", values, real=real)


def check_range(
    values: AnyArray,
    allowed: Range,
    name: str,
    metric: str,
    axes: tuple[str, ...],
    before: tuple[int, ...] = (),
    hint: str = "",
    extent: tuple[float, float] | None = None,
) -> None:
    """Refuse numbers outside an interval such as "[0, inf)"; NaN passes.

    `axes` and `before` are those of `at`; `extent` the lowest and the highest, if known.
    """
    if allowed == "(-inf, inf)":
        return
    ends = allowed[1:-1].split(", ")
    low, high = float(ends[0]), float(ends[1])
    closed = allowed[0] == "["
    if extent and extent[1] <= high and (low < extent[0] or (closed and low == extent[0])):
        return
    outside = values < low if closed else values <= low
    if np.isfinite(high):
        outside |= values > high
    if outside.any():
        raise InvalidValueError(
            name,
            f"must be in {allowed} for metric {metric!r}, got {values[first_true(outside)]:g}",
            **at(outside, axes, before),
            hint=hint,
        )


def _survival(given: Any) -> Truth:
    name = "y_true"
    array = frame_array(given, name)[0].copy() if is_frame(given) else own_array(given, name)
    event, time = (plain_array(column, name) for column in _event_and_time(array))
    if len(event) == 0:
        raise InvalidValueError(name, "has no rows")
    if event.dtype.kind not in "biuf" or time.dtype.kind not in "biuf":
        raise InvalidTypeError(name, f": event must be bool and time a number, got {array.dtype}")
    times = np.ascontiguousarray(time, dtype=np.float64)
    refuse_missing(event, name, part="(event) ")
    refuse_missing(times, name, part="(time) ")
    other = (event != 0) & (event != 1)
    if other.any():
        raise InvalidValueError(
            name,
            f": event must be 0 or 1, got {event[first_true(other)]}",
            **at(other, ("row",)),
            hint="the order is (event, time)",
        )
    events = np.ascontiguousarray(event, dtype=np.bool_)
    values = np.column_stack([events, times]) if array.dtype.kind == "O" else array
    return Truth("survival", values, event=events, time=times)


def _event_and_time(array: AnyArray) -> tuple[AnyArray, AnyArray]:
    """The two columns of a structured array (scikit-survival) or of shape (n_rows, 2)."""
    fields = array.dtype.names
    if fields is not None and len(fields) == 2 and array.ndim == 1:
        flags = [field for field in fields if array.dtype[field].kind == "b"]
        event = flags[0] if len(flags) == 1 else fields[0]
        time = fields[1] if event == fields[0] else fields[0]
        return array[event], array[time]
    if fields is None and array.ndim == 2 and array.shape[1] == 2:
        return array[:, 0], array[:, 1]
    raise InvalidValueError(
        "y_true",
        "must be a structured array (event, time) or have shape (n_rows, 2) for a survival metric, "
        f"got shape {array.shape} and dtype {array.dtype}",
    )


def _listed(classes: Any, name: str) -> AnyArray | None:
    return None if classes is None else _one_dimensional(classes, name)


def _classes(values: AnyArray, metric: Metric, pos_label: Any, order: Order) -> Truth:
    found, codes = _sorted_classes(values, "y_true")
    if values.dtype.kind == "f" and len(found) > 2 and not (found == np.floor(found)).all():
        raise InvalidValueError(
            "y_true",
            f"has {len(found)} different real numbers, metric {metric.name!r} needs classes",
        )
    classes = found
    columns = None if order is UNORDERED else order.of_columns()
    if columns is not None:
        classes = _sorted_classes(columns, "labels", "place")[0]
        if order.labels is not None and order.scores is not None:
            _refuse_other_classes(order, classes)
    n_classes = len(classes)
    if metric.target == "binary" and n_classes != 2:
        _refuse_number_of_classes(classes, metric)
    if n_classes > 2 and metric.orders_classes:
        classes = order.of_scale(classes, metric)
    if columns is not None:
        codes = _recoded(codes, found, classes)
    positive = 1  # as scikit-learn: the larger label, but for metrics that take label 1
    if pos_label is not None:
        positive = _place_of_positive(classes, pos_label)
    elif n_classes == 2 and metric.target == "binary" and takes_one(metric):
        positive = place_of_positive(classes, codes, metric)
    if positive == 0:
        classes, codes = classes[::-1], np.int32(1) - codes
    places = None
    if positive == 0 or columns is not None:
        listed = (found if columns is None else columns).tolist()
        place_of = dict(zip(listed, range(len(listed)), strict=True))
        places = tuple(map(place_of.__getitem__, classes.tolist()))
    integers = classes.astype(np.int64) if classes.dtype.kind in "bi" else _whole(classes)
    return Truth(
        metric.target,
        values,
        codes,
        classes,
        n_classes,
        classes.tolist()[1] if n_classes == 2 else None,
        integers,
        assumed=integers is None and pos_label is None and n_classes == 2 and is_text(classes),
        columns=places,
        by_category=columns is not None and order.labels is None and order.scores is None,
    )


def _refuse_other_classes(order: Order, classes: AnyArray) -> None:
    """Refuse labels that are not the classes of which the predictions are."""
    assert order.labels is not None
    said = _sorted_classes(order.labels, "labels", "place")[0]
    if said.tolist() != classes.tolist():
        raise InvalidValueError(
            "labels", f"has {shown(said)}, but predictions are of the classes {shown(classes)}"
        )


def _sorted_classes(values: AnyArray, name: str, axis: str = "row") -> tuple[AnyArray, CodeArray]:
    """The labels, and the code of each value; none may be missing."""
    if values.dtype.kind in "biu":
        two = two_labels(values)
        if two is not None:
            return two
    refuse_missing(values, name, (axis,))
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise InvalidTypeError(name, "has labels of types that cannot be sorted") from None
    return classes, codes.astype(np.int32)


def _whole(classes: AnyArray) -> IndexArray | None:
    """Labels that are whole numbers of another type as int64; None for others."""
    if classes.dtype.kind not in "uf":
        return None
    with np.errstate(invalid="ignore"):
        whole: IndexArray = classes.astype(np.int64)
    return whole if (whole == classes).all() else None


def _recoded(codes: CodeArray, found: AnyArray, classes: AnyArray) -> CodeArray:
    """Codes in `labels`, which must have every class that there is."""
    labels = found.tolist()
    order = dict(zip(classes.tolist(), range(len(classes)), strict=True))
    places = list(map(order.get, labels))
    if None in places:
        unknown = labels[places.index(None)]
        raise InvalidValueError("y_true", f"has the label {unknown!r}, which is not in labels")
    return np.array(places, dtype=np.int32)[codes]


def _refuse_number_of_classes(classes: AnyArray, metric: Metric) -> NoReturn:
    found = f"one class ({classes[0]})"
    hint: tuple[Any, ...] = UNNAMED_CLASSES
    if len(classes) > 1:
        found = f"{len(classes)} classes ({shown(classes)})"
        hint = ("for more classes use " + " or ".join(map(repr, metric.multiclass_names)),)
        if metric.family == "additive" and metric.predicts == "score":
            hint = ("a threshold makes two classes",)
    raise InvalidValueError("y_true", f"has {found}, metric {metric.name!r} needs two", hint=hint)


def _place_of_positive(classes: AnyArray, pos_label: Any) -> int:
    # One by one: numpy would drop NUL at the end of a label.
    same = [label == pos_label for label in classes.tolist()]
    place = [index for index, one in enumerate(same) if isinstance(one, bool | np.bool_) and one]
    if len(place) != 1:
        given = Argument("pos_label", pos_label)
        raise InvalidValueError(given, f"is not a class of the truth ({shown(classes)})")
    if len(classes) != 2:
        raise InvalidValueError("pos_label", f"needs two classes, the truth has {len(classes)}")
    return place[0]
