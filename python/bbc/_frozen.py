"""Arrays of frozen objects."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def kept(values: Any, dtype: Any = None) -> NDArray[Any]:
    """A read-only array that changes with nobody else's: a copy, unless it is read-only already."""
    if isinstance(values, np.ndarray) and dtype in (None, values.dtype):
        fixed: NDArray[Any] = values
        if not fixed.flags.writeable:
            return fixed
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of an array that nobody else has, so that `kept` need not copy it."""
    view = array.view()
    view.flags.writeable = False
    return view
