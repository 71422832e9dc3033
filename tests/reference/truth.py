"""The truth that a metric compares predictions with, and what of it a metric needs.

Readings chosen where the texts are silent:

- A class, a pair or a value counts as present if a row with positive weight has it.
- Survival truth is (event, time): a structured array with these as first and second field, or two
  columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .arithmetic import Array


@dataclass(frozen=True)
class Truth:
    """Rows' true values; the classes default to the sorted ones of y, ``pos_label`` to the last."""

    y: Array
    class_list: tuple[Any, ...] | None = None
    pos_label: Any = None
    row_weights: Array | None = None  # what censoring makes a row count

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """Classes in sorted order."""
        return tuple(np.unique(self.y).tolist()) if self.class_list is None else self.class_list

    @cached_property
    def is_positive(self) -> Array:
        """Which rows are of the positive class."""
        positive = self.classes[-1] if self.pos_label is None else self.pos_label
        return np.asarray(self.y == positive, dtype=bool)

    def is_called_positive(self, labels: Array) -> Array:
        """Which predicted labels are the positive class."""
        positive = self.classes[-1] if self.pos_label is None else self.pos_label
        return np.asarray(labels == positive, dtype=bool)

    @cached_property
    def events(self) -> Array:
        """Which survival times are events."""
        column = self.y[self.y.dtype.names[0]] if self.y.dtype.names else self.y[:, 0]
        return np.asarray(column, dtype=bool)

    @cached_property
    def times(self) -> Array:
        """Survival times."""
        column = self.y[self.y.dtype.names[1]] if self.y.dtype.names else self.y[:, 1]
        return np.asarray(column, dtype=np.float64)

    @cached_property
    def comparable(self) -> Array:
        """Harrell's comparable pairs: [i, j] is True if i is known to fail before j."""
        t, e = self.times, self.events
        earlier = t[:, None] < t[None, :]
        tied = (t[:, None] == t[None, :]) & ~e[None, :]
        if self.row_weights is not None and self.row_weights.ndim == 1:
            e = e & (self.row_weights > 0)
        return np.asarray(e[:, None] & (earlier | tied))

    def rows(self, mask: Array) -> Truth:
        """Truth of some rows, with the classes of all."""
        if self.y.dtype.names or self.y.ndim == 2:
            weights = None if self.row_weights is None else self.row_weights[mask]
            return Truth(self.y[mask], row_weights=weights)
        return Truth(self.y[mask], self.classes, self.pos_label)


def _present(truth: Truth, weights: Array) -> int:
    return len(set(truth.y[weights > 0].tolist()) & set(truth.classes))


def _varies(truth: Truth, weights: Array) -> bool:
    return len(np.unique(truth.y[weights > 0])) > 1


def _comparable(truth: Truth, weights: Array) -> bool:
    used = weights > 0
    return bool(np.any(truth.comparable[np.ix_(used, used)]))


def _case_and_control(truth: Truth, weights: Array) -> bool:
    assert truth.row_weights is not None
    used = truth.row_weights[weights > 0]
    return bool(np.any(used > 0) and np.any(used < 0))


#: What a metric may need of the truth and the weights, by name.
NEEDS: dict[str, Callable[[Truth, Array], bool]] = {
    "a row": lambda truth, w: bool(np.any(w > 0)),
    "a positive row": lambda truth, w: bool(np.any(w[truth.is_positive] > 0)),
    "a negative row": lambda truth, w: bool(np.any(w[~truth.is_positive] > 0)),
    "both classes": lambda truth, w: (
        bool(np.any(w[truth.is_positive] > 0)) and bool(np.any(w[~truth.is_positive] > 0))
    ),
    "every class": lambda truth, w: _present(truth, w) == len(truth.classes) > 1,
    "two classes": lambda truth, w: _present(truth, w) > 1,
    "varying y": _varies,
    "a comparable pair": _comparable,
    "a case and a control": _case_and_control,
}
