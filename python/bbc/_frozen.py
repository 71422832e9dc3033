"""Read-only arrays and mappings of frozen objects; large arrays, read by several threads."""

import math
from collections.abc import Callable
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from . import _core

#: Arrays whose memory this package allocated, and that nobody else can write to, by their id.
_OURS: WeakValueDictionary[int, NDArray[Any]] = WeakValueDictionary()


#: The fields of frozen dataclasses with their defaults, and the names of those without.
_BLANKS: dict[type[Any], tuple[dict[str, Any], frozenset[str]]] = {}
_Frozen = TypeVar("_Frozen")

#: Numpy's own strings may take so many times as much memory as the characters that there are.
_MOST_PADDING = 16
#: Of fewer bytes it does not matter.
_SMALL = 2**24
#: Arrays of fewer bytes are read and copied by one thread.
LARGE = 2**20
_FLOATS = (np.float64, np.float32)


def as_array(values: Any) -> NDArray[Any]:
    """As `numpy.asarray`, but text that numpy's own strings do not hold well stays objects.

    They drop NUL at the end, so that "0" and "0\\0" would be one key, and each takes as much memory
    as the longest.
    """
    if isinstance(values, list | tuple) and set(map(type, values)) == {str}:
        lengths = list(map(len, values))
        if padding(max(lengths), sum(lengths), len(lengths)) > _SMALL:
            return np.asarray(values, dtype=object)
    array = np.asarray(values)
    if array.dtype.kind in "SU" and not isinstance(values, np.ndarray):
        objects = np.asarray(values, dtype=object)
        if any(map(ends_in_nul, objects.flat)):
            return objects
    return array


def padding(longest: int, total: int, n_texts: int) -> int:
    """Bytes that numpy's own strings waste on texts of so many characters; 0 if no great part."""
    padded = longest * n_texts
    return 4 * padded if padded > _MOST_PADDING * total else 0


def ends_in_nul(value: Any) -> bool:
    """Whether this is text of which numpy's own strings would lose the end."""
    if isinstance(value, bytes):
        return value.endswith(b"\0")
    return isinstance(value, str) and value.endswith("\0")


def frozen_copy(values: Any, dtype: Any = None) -> NDArray[Any]:
    """A read-only array: a copy, unless the memory is known to be ours.

    That an array is read-only does not say so: it may be a view of what its owner can write to, as
    pandas, polars and memory maps give.
    """
    if isinstance(values, np.ndarray) and dtype in (None, values.dtype):
        if not values.flags.writeable:
            owner = _owner(values)
            if isinstance(owner.base, bytes) or _OURS.get(id(owner)) is owner:
                return values  # to whose memory nobody can write
        small = values.nbytes < _SMALL and values.flags.c_contiguous
        if small and not values.dtype.hasobject:  # nobody can write to bytes
            return np.ndarray(values.shape, values.dtype, values.tobytes())
    return read_only(np.array(as_array(values) if dtype is None else values, dtype=dtype))


def is_large(array: NDArray[Any]) -> bool:
    """Whether the kernel's threads read an array together."""
    dense = array.flags.c_contiguous or array.flags.f_contiguous
    return array.nbytes >= LARGE and dense and not array.dtype.hasobject


def _are_large_floats(array: NDArray[Any]) -> bool:
    return array.dtype in _FLOATS and is_large(array)


def copied_by_threads(array: NDArray[Any], n_threads: int) -> NDArray[Any]:
    """A read-only copy of a large array, which `frozen_copy` need not copy; others as they are."""
    if not (is_large(array) and array.flags.writeable):
        return array
    return read_only(_core.copied(array, n_threads))


def extent(array: NDArray[Any], n_threads: int) -> tuple[float, float] | None:
    """The lowest and the highest number of a large array of floats, if all are finite."""
    if not _are_large_floats(array):
        return None
    found = _core.range(array, n_threads)
    return found if found is not None and math.isfinite(found[0] - found[1]) else None


def small_integers(array: NDArray[Any], n_threads: int) -> NDArray[Any] | None:
    """The numbers of a large array of floats as int8, if all are such integers."""
    if not _are_large_floats(array):
        return None
    return _core.small_integers(array, n_threads)


#: Two bool or integer labels that follow each other, and their codes; None of others.
two_labels = _core.two_labels


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of a new array, which `frozen_copy` need not copy."""
    owner = _owner(array)
    _OURS[id(owner)] = owner
    view = array.view()
    view.flags.writeable = False
    return view


def _owner(array: NDArray[Any]) -> NDArray[Any]:
    """The last array in the chain of which an array is a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def filled(kind: type[_Frozen], **values: Any) -> _Frozen:
    """What the constructor of a frozen dataclass makes of values that are as its fields keep them.

    Nothing is converted, copied or checked, and no function is called for each field.
    """
    blank, needed = _BLANKS.get(kind) or _blank(kind)
    made: Any = object.__new__(kind)
    own = made.__dict__
    own |= blank
    own |= values
    if len(own) != len(blank) or not needed <= values.keys():
        raise TypeError(f"{kind.__name__} does not have just the fields {sorted(values)}")
    return made  # type: ignore[no-any-return]


def _blank(kind: Any) -> tuple[dict[str, Any], frozenset[str]]:
    """What `_BLANKS` has of a class; defaults that are made are shared, so they must be frozen."""
    blank = {
        item.name: item.default if item.default_factory is MISSING else item.default_factory()
        for item in fields(kind)
    }
    needed = frozenset(name for name, value in blank.items() if value is MISSING)
    _BLANKS[kind] = blank, needed
    return blank, needed


def made_anew(frozen: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The constructor and arguments for `pickle`, which cannot copy a read-only mapping."""
    values = (getattr(frozen, item.name) for item in fields(frozen))
    return type(frozen), tuple(
        dict(value) if isinstance(value, MappingProxyType) else value for value in values
    )


#: No rows or configurations; results share it.
NO_INDICES: NDArray[np.int64] = read_only(np.empty(0, np.int64))
