"""Records as JSON and raw arrays: reading one runs nothing that came with it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._typing import AnyArray

# Booleans, integers, floats, bytes and text, of one byte at least: nothing that could run code.
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
    """Return the record that was packed so; a ValueError if none was."""
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
    """Whether a record, or a part of one, is built like a pattern.

    A type is a value of that type, ``"iu1"`` an array of such kinds and one dimension, ``[p]`` a
    list of p, ``{str: p}`` a dict of p, another dict one of just these keys, a tuple either of its
    patterns.
    """
    if isinstance(pattern, str):
        is_array = isinstance(value, np.ndarray) and value.ndim == int(pattern[-1])
        return is_array and value.dtype.kind in pattern
    if isinstance(pattern, tuple):
        return any(matches(value, one) for one in pattern)
    if isinstance(pattern, list):
        return isinstance(value, list) and all(matches(one, pattern[0]) for one in value)
    if not isinstance(pattern, dict):
        return type(value) is pattern
    if not isinstance(value, dict):
        return False
    if str in pattern:
        return all(matches(one, pattern[str]) for one in value.values())
    return value.keys() == pattern.keys() and all(
        matches(value[name], one) for name, one in pattern.items()
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
    """One array of columns by their names; a single one without a name is itself."""
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
