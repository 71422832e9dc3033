"""One rule of which row is which, for everything that is passed together.

Arrays are read row by row as they stand. Where pandas objects name their rows, these names must be
the same, or rows would be paired wrongly in silence. The index that pandas makes by default (0, 1,
2, ... as a range) names nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .errors import Argument, InvalidValueError

_WORDS = {"y_true": "the truth", "y": "the truth"}


class RowNames:
    """The names of the rows, as the first of several arguments gives them."""

    def __init__(self) -> None:
        self._index: Any = None
        self._argument = ""

    def check(self, **given: Any) -> None:
        """Refuse arguments that name the rows otherwise than those before them."""
        for argument, value in given.items():
            if value is None or type(value) is np.ndarray:
                continue
            for part, index in _indices(argument, value):
                if self._index is None:
                    self._index, self._argument = index, part
                elif len(index) == len(self._index) and not index.equals(self._index):
                    self._refuse(part, index)

    def _refuse(self, argument: str, index: Any) -> None:
        other = _WORDS.get(self._argument, self._argument)
        same = _same_names(index, self._index)
        problem = (
            f"the rows of {other} in another order" if same else f"other rows than that of {other}"
        )
        raise InvalidValueError(
            argument,
            f": the index has {problem}",
            hint=f"sort one by the other, or pass {argument}.to_numpy() if the order is right as "
            "it is",
        )


def refuse_other_rows(**given: Any) -> None:
    """Refuse arguments of one call that name the same rows differently."""
    RowNames().check(**given)


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
    for argument, value in given.items():
        index: Any = getattr(value, "index", None)
        if type(index).__name__ not in ("DatetimeIndex", "PeriodIndex"):
            continue
        if not (index.is_monotonic_increasing or index.is_monotonic_decreasing):
            raise InvalidValueError(
                argument,
                ": the index has times in no order, but {} draws rows that follow each other",
                Argument("block_length"),
                hint=f"sort all that is passed by time, or pass {argument}.to_numpy() if the order "
                "is right as it is",
            )


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
    """The index of a pandas object, unless it is pandas' default."""
    index: Any = getattr(value, "index", None)
    if not hasattr(index, "equals"):
        return None
    default = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
    return None if default else index


def _same_names(one: Any, other: Any) -> bool:
    """True if two indices have the same names, whatever these are."""
    try:
        return bool(
            one.nlevels == other.nlevels and one.isin(other).all() and other.isin(one).all()
        )
    except (TypeError, ValueError, NotImplementedError):  # of types that pandas cannot compare
        return False
