"""The order of classes: as listed by the caller, named by predictions, or of a categorical."""

from typing import Any, NamedTuple

import numpy as np

from .._typing import AnyArray
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ._arrays import missing_objects, shown
from ._positive import is_text


class Order(NamedTuple):
    """What says in which order classes come; None where nothing does.

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
    values = np.asarray(given)
    present = set(values[~missing_objects(values)].tolist() if values.dtype.kind == "O" else values)
    categories = np.asarray(dtype.categories)
    return categories[[label in present for label in categories.tolist()]]


def _refuse_twice(labels: AnyArray) -> None:
    seen: set[Any] = set()
    for label in labels.tolist():
        if label in seen:
            raise InvalidValueError("labels", f"has {label!r} twice")
        seen.add(label)


def _refuse_other_sequence(labels: AnyArray, categories: AnyArray) -> None:
    """Refuse labels whose order contradicts that of the truth's categories."""
    known = set(categories.tolist())
    if [label for label in labels.tolist() if label in known] != categories.tolist():
        raise InvalidValueError(
            "labels",
            f"has the order {shown(labels)}, but y_true is an ordered categorical with "
            f"{shown(categories)}",
            hint="pass numpy.asarray(y_true) if labels= is the order of the class scores",
        )


def _is_monotone(values: AnyArray) -> bool:
    steps = np.diff(values.astype(np.float64))
    return bool((steps > 0).all() or (steps < 0).all())
