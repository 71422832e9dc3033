"""One rule of which row is which, for everything that is passed together.

Arrays are read row by row as they stand. Where pandas objects name their rows, these names must be
the same, or rows would be paired wrongly in silence. The index that pandas makes by default (0, 1,
2, ...) names nothing. In another order, as `pandas.concat` leaves it, the same numbers say where
the rows were: they are compared like names, and not paired with a default index by place.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ._warn import warn
from .errors import Argument, ArgumentError, InvalidValueError

_WORDS = {"y_true": "the truth", "y": "the truth"}
_DEFAULT, _RENUMBERED, _NAMED = "default", "renumbered", "named"


class _Seen(NamedTuple):
    argument: str
    index: Any

    def __str__(self) -> str:
        return _WORDS.get(self.argument, self.argument)


class RowNames:
    """The names of the rows, as the first of several arguments gives them.

    The first argument, which is the truth where it is passed, may be in any order: what stands
    beside it without names was made for it.
    """

    def __init__(self) -> None:
        self._first: _Seen | None = None
        self._seen: dict[str, _Seen] = {}  # the first of each kind
        self._warned = False

    def check(self, **given: Any) -> None:
        """Refuse arguments that name the rows otherwise than those before them."""
        for argument, value in given.items():
            if value is None:
                continue
            if self._first is None:
                self._first = _Seen(argument, _index(value))
            for part, index in _indices(argument, value):
                self._compare(_Seen(part, index))
        renumbered = self._seen.get(_RENUMBERED)
        if renumbered and self._first and self._first.index is None and not self._warned:
            self._warn(renumbered, self._first)

    def _compare(self, new: _Seen) -> None:
        kind = _kind(new.index)
        for other_kind, other in self._seen.items():
            if len(other.index) != len(new.index):  # said where lengths are compared
                continue
            if {kind, other_kind} == {_DEFAULT, _RENUMBERED}:
                renumbered, default = (new, other) if kind == _RENUMBERED else (other, new)
                self._numbered_twice(renumbered, default)
            elif _DEFAULT not in (kind, other_kind) and not new.index.equals(other.index):
                self._refuse(new, other)
        self._seen.setdefault(kind, new)

    def _numbered_twice(self, renumbered: _Seen, default: _Seen) -> None:
        """Of two orders of the same numbers, one is that of the rows."""
        assert self._first is not None
        if {renumbered.argument, default.argument} == {"X", self._first.argument}:
            self._warn(renumbered, default)  # a label encoder loses the index of y
        elif self._first.index is None or _kind(self._first.index) != _RENUMBERED:
            raise InvalidValueError(
                renumbered.argument,
                f": the index has the numbers of the rows of {default} in another order",
                hint=(
                    "use {0}.sort_index(), as after pandas.concat of folds, or {0}.to_numpy() if "
                    "the order is right as it is",
                    Argument(renumbered.argument),
                ),
            )

    def _warn(self, renumbered: _Seen, other: _Seen) -> None:
        self._warned = True
        warn(
            f"{renumbered.argument}: the index has the numbers of the rows in another order than "
            f"{other}, and rows are paired as they stand; use {renumbered.argument}.sort_index(), "
            f"or {renumbered.argument}.to_numpy() if the order is right as it is"
        )

    def _refuse(self, new: _Seen, other: _Seen) -> None:
        same = _same_names(new.index, other.index)
        problem = (
            f"the rows of {other} in another order" if same else f"other rows than that of {other}"
        )
        raise InvalidValueError(
            new.argument,
            f": the index has {problem}",
            hint=(
                "sort one by the other, or pass {}.to_numpy() if the order is right as it is",
                Argument(new.argument),
            ),
        )


def refuse_other_rows(**given: Any) -> None:
    """Refuse arguments of one call that name the same rows differently; the truth comes first."""
    RowNames().check(**given)


def name_place(error: ArgumentError, names: Any, predictions: Any, y_true: Any) -> None:
    """Give the place of an error the names of configuration and row that were passed."""
    if names is None:
        names = getattr(predictions, "names", getattr(predictions, "columns", None))
    if hasattr(names, "__len__"):
        error._name("configuration", list(names))
    indices = [index for one in (y_true, predictions) if (index := _index(one)) is not None]
    named = next((index for index in indices if _kind(index) != _DEFAULT), None)
    if named is not None:
        error._name("row", named)


def has_time_index(*given: Any) -> bool:
    """True if pandas objects name their rows by times that rise."""
    for value in given:
        index: Any = getattr(value, "index", None)
        of_times = type(index).__name__ in ("DatetimeIndex", "PeriodIndex")
        if of_times and len(index) > 1 and index.is_monotonic_increasing:
            return bool(index[0] < index[-1])
    return False


def refuse_unordered_times(**given: Any) -> None:
    """Refuse times that neither rise nor fall, for what takes neighbouring rows for a stretch."""
    argument = _with_unordered_times(given)
    if argument:
        raise InvalidValueError(
            argument,
            ": the index has times in no order, but {} draws rows that follow each other",
            Argument("block_length"),
            hint=(
                "sort all that is passed by time, or pass {}.to_numpy() if the order is right as "
                "it is",
                Argument(argument),
            ),
        )


def why_no_blocks(**fitted: Any) -> tuple[str, str] | None:
    """Why the rows that a search was fitted on are not drawn in blocks, and what to do about it."""
    argument = _with_unordered_times(fitted)
    if not argument:
        return None
    return (
        "draws rows that follow each other, but the search was fitted with an index of times in no "
        f"order, that of {argument}",
        f"sort X and y by time and fit again, or fit with {argument}.to_numpy() if the order is "
        "right as it is",
    )


def _with_unordered_times(given: Mapping[str, Any]) -> str:
    """The first argument that names its rows by times that neither rise nor fall; "" if none."""
    for argument, value in given.items():
        index: Any = getattr(value, "index", None)
        if type(index).__name__ not in ("DatetimeIndex", "PeriodIndex"):
            continue
        if not (index.is_monotonic_increasing or index.is_monotonic_decreasing):
            return argument
    return ""


def _indices(argument: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The indices that name rows in an argument, and in which part of it."""
    index = _index(value)
    if index is not None:
        yield argument, index
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _indices(f"{argument}[{name!r}]", part)
    elif isinstance(value, list | tuple) and value and _is_array(value[0]):
        for number, part in enumerate(value):
            yield from _indices(f"{argument}[{number}]", part)


def _is_array(value: Any) -> bool:
    """True if this is no number: a list of numbers has no parts."""
    return hasattr(value, "shape") and not isinstance(value, np.generic)


def _index(value: Any) -> Any:
    """The index of a pandas object."""
    index: Any = getattr(value, "index", None)
    return index if hasattr(index, "equals") else None


def _kind(index: Any) -> str:
    """What an index says: nothing, the numbers of the rows in another order, or names."""
    if type(index).__name__ == "RangeIndex":
        if index.start == 0 and index.step == 1:
            return _DEFAULT
    elif getattr(index.dtype, "kind", "") not in "iu" or index.hasnans:
        return _NAMED
    numbers = np.asarray(index)
    in_order = np.arange(len(numbers))
    if np.array_equal(numbers, in_order):
        return _DEFAULT
    return _RENUMBERED if np.array_equal(np.sort(numbers), in_order) else _NAMED


def _same_names(one: Any, other: Any) -> bool:
    """True if two indices have the same names, whatever these are."""
    try:
        return bool(
            one.nlevels == other.nlevels and one.isin(other).all() and other.isin(one).all()
        )
    except (TypeError, ValueError, NotImplementedError):  # of types that pandas cannot compare
        return False
