"""Read-only arrays and mappings of frozen objects."""

from collections.abc import Callable
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray


def kept(values: Any, dtype: Any = None) -> NDArray[Any]:
    """A read-only array: a copy, unless the array is read-only already."""
    if isinstance(values, np.ndarray) and dtype in (None, values.dtype):
        fixed: NDArray[Any] = values
        if not fixed.flags.writeable:
            return fixed
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of a new array, which `kept` need not copy."""
    view = array.view()
    view.flags.writeable = False
    return view


def made_anew(frozen: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """How `pickle` and `copy` make a dataclass again: a read-only mapping has no other way."""
    values = (getattr(frozen, item.name) for item in fields(frozen))
    return type(frozen), tuple(
        dict(value) if isinstance(value, MappingProxyType) else value for value in values
    )
