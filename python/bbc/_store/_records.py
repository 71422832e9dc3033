"""Records as JSON and raw arrays: reading one runs nothing that came with it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._typing import AnyArray

# Booleans, integers, floats, bytes and text of one byte or more: no type that could run code.
_DTYPE = re.compile(r"[<>|][biufSU][1-9]\d{0,8}")
_HIGHEST_CHARACTER = 0x10FFFF


def packed(content: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return a record's JSON, with the types and shapes of its arrays, and the bytes of these."""
    plain: dict[str, Any] = {}
    layout: list[tuple[str, str, str, tuple[int, ...]]] = []
    pieces: list[bytes] = []
    for name, value in content.items():
        if not isinstance(value, np.ndarray):
            plain[name] = value
            continue
        for field in value.dtype.names or [""]:
            column = value[field] if field else value
            if not _DTYPE.fullmatch(column.dtype.str):
                raise TypeError(f"a store keeps numbers, booleans and strings, not {column.dtype}")
            layout.append((name, field, column.dtype.str, column.shape))
            pieces.append(column.tobytes())
    return json.dumps([plain, layout], allow_nan=False), b"".join(pieces)


def unpacked(head: str, data: bytes) -> dict[str, Any]:
    """Return the record that `packed` gave, or raise a ValueError."""
    try:
        content, layout = json.loads(head, parse_constant=_refuse)
        rest = memoryview(data)
        columns: dict[str, dict[str, AnyArray]] = {}
        for name, field, dtype, shape in layout:
            column = columns.setdefault(name, {})[field] = _array(dtype, shape, rest)
            rest = rest[column.nbytes :]
        arrays = {name: _joined(fields) for name, fields in columns.items()}
    except (ArithmeticError, LookupError, RecursionError, TypeError) as error:
        raise ValueError(str(error)) from error
    if not isinstance(content, dict) or len(rest):
        raise ValueError("no record")
    return content | arrays


def matches(value: Any, pattern: Any) -> bool:
    """Whether a record, or a part of it, matches a pattern.

    A type matches values of that type, ``"iu1"`` arrays of these kinds and one dimension, ``[p]``
    lists of p, ``{str: p}`` dicts of p, another dict just these keys, a tuple any of its patterns.
    """
    if isinstance(pattern, str):
        is_array = isinstance(value, np.ndarray) and value.ndim == int(pattern[-1])
        return is_array and value.dtype.kind in pattern
    if isinstance(pattern, tuple):
        return any(matches(value, choice) for choice in pattern)
    if isinstance(pattern, list):
        return isinstance(value, list) and all(matches(item, pattern[0]) for item in value)
    if not isinstance(pattern, dict):
        return type(value) is pattern
    if not isinstance(value, dict):
        return False
    if str in pattern:
        return all(matches(item, pattern[str]) for item in value.values())
    return value.keys() == pattern.keys() and all(
        matches(value[name], part) for name, part in pattern.items()
    )


def _array(dtype: str, shape: list[int], data: memoryview) -> AnyArray:
    if not _DTYPE.fullmatch(dtype) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"no array: {dtype}, {shape}")
    array = np.frombuffer(data, np.dtype(dtype), math.prod(shape)).reshape(shape)
    if array.dtype.kind == "U" and array.size:
        codes = np.frombuffer(data, f"{array.dtype.str[0]}u4", array.nbytes // 4)
        if codes.max() > _HIGHEST_CHARACTER:
            raise ValueError("no text")
    return array


def _joined(fields: dict[str, AnyArray]) -> AnyArray:
    """A structured array of named columns; a column without a name is returned as it is."""
    if list(fields) == [""]:
        return fields[""]
    (shape,) = {column.shape for column in fields.values()}
    dtype = [(name, column.dtype) for name, column in fields.items()]
    joined: AnyArray = np.empty(shape, dtype)
    for name, column in fields.items():
        joined[name] = column
    return joined


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")
