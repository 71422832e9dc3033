"""Arrays as bytes, and rows with check sums, so that a damaged byte is never another number."""

import json
import math
import zlib
from typing import Any

import numpy as np

from ._typing import AnyArray

_ARRAY_KINDS = "biufSU"


def encoded(array: AnyArray) -> tuple[str, str, bytes]:
    """Type, shape and bytes of an array of numbers, booleans or strings."""
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    if array.dtype.kind not in _ARRAY_KINDS:
        raise TypeError(f"a store keeps numbers, booleans and strings, not {array.dtype}")
    return array.dtype.str, json.dumps(array.shape), array.tobytes()


def decoded(dtype: str, shape: str, data: bytes) -> AnyArray:
    """The array that was encoded so; an error if none was. Runs nothing that came with it."""
    kind = np.dtype(dtype)
    sizes = tuple(int(size) for size in json.loads(shape))
    if kind.kind not in _ARRAY_KINDS or min(sizes, default=0) < 0:
        raise ValueError(dtype)
    if math.prod(sizes) * kind.itemsize != len(data):
        raise ValueError(shape)
    return np.frombuffer(data, dtype=kind).reshape(sizes)


def checksum(*row: Any) -> int:
    """The check sum of a row's values; bytes stand last."""
    *words, last = row
    data = last if isinstance(last, bytes) else repr(last).encode("utf-8", "surrogatepass")
    return zlib.crc32(data, zlib.crc32(repr(words).encode("utf-8", "surrogatepass")))


def sealed(*row: Any) -> tuple[Any, ...]:
    """The row with its check sum behind it."""
    return (*row, checksum(*row))
