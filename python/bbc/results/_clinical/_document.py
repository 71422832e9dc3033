"""What these results share: read-only arrays, and parts that are results."""

import math
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..._frozen import kept
from .._documents import Document, estimate_of, fields_of
from .._estimate import PerformanceEstimate
from .._interval import ConfidenceInterval
from .._json import check_plain, plain

_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}


class WinnerDocument(Document):
    """A document of arrays and other results.

    `_arrays` are the types of its array fields, `_parts` the classes of those that are results;
    fields that are not compared are no part of it.
    """

    _arrays: ClassVar[dict[str, Any]] = {}
    _parts: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        for name, dtype in self._arrays.items():
            value = vars(self)[name]
            if value is not None:
                vars(self)[name] = kept(value, dtype)

    def _written(self) -> dict[str, Any]:
        return {name: _part(value) for name, value in self._values().items()}

    @classmethod
    def _read(cls, values: dict[str, Any]) -> Self:
        expected = {item.name for item in fields(cls) if item.compare}
        if set(values) != expected:
            raise TypeError(f"its fields are not those of a {cls.__name__}")
        check_plain(cls, values)
        return cls(**{name: cls._field(name, value) for name, value in values.items()})

    @classmethod
    def _field(cls, name: str, value: Any) -> Any:
        if value is None:
            return None
        if name in cls._arrays:
            return np.array([_number(one) for one in value], dtype=cls._arrays[name])
        if isinstance(value, list):
            return tuple(cls._field(name, each) for each in value)
        kind = cls._parts.get(name)
        if kind is PerformanceEstimate:
            return estimate_of(value)
        if kind is ConfidenceInterval:
            return ConfidenceInterval(**{key: _number(one) for key, one in value.items()})
        return _number(value) if kind is None else kind._read(value)


def _part(value: Any) -> Any:
    if isinstance(value, PerformanceEstimate):
        return fields_of(value)
    if isinstance(value, tuple):
        return [_part(each) for each in value]
    if isinstance(value, WinnerDocument):
        return value._written()
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    return plain(value)


def _number(value: Any) -> Any:
    return _SPECIAL.get(value, value) if isinstance(value, str) else value
