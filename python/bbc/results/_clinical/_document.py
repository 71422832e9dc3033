"""What these results share: read-only arrays, equality and JSON."""

import math
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..._frozen import kept
from .._documents import dump, estimate_of, fields_of, load
from .._estimate import PerformanceEstimate
from .._interval import ConfidenceInterval
from .._json import plain

_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}


class Document:
    """A frozen dataclass that compares by value and can be written as JSON.

    `_arrays` are the types of its array fields, `_parts` the classes of those that are results;
    fields that are not compared are no part of it.
    """

    _arrays: ClassVar[dict[str, Any]] = {}
    _parts: ClassVar[dict[str, Any]] = {}
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        for name, dtype in self._arrays.items():
            value = vars(self)[name]
            if value is not None:
                vars(self)[name] = kept(value, dtype)

    def _values(self) -> dict[str, Any]:
        """The fields that make the result."""
        return {
            item.name: getattr(self, item.name)
            for item in fields(self)
            if item.compare  # others are no part of the result
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the result as valid JSON from which `from_json` restores every bit.

        Parameters
        ----------
        indent : int, optional
            As in `json.dumps`.

        Returns
        -------
        str
            The document.
        """
        values = {name: _part(value) for name, value in self._values().items()}
        return dump(type(self).__name__, values, indent)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Restore a result that `to_json` wrote.

        Parameters
        ----------
        text : str
            The document.

        Returns
        -------
        result
            Equal to the one that was written.

        Raises
        ------
        ValueError
            If the text is not such a document.
        """
        values = load(text, cls.__name__)
        try:
            return cls._restored(values)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ValueError(f"text is not a complete {cls.__name__}: {error}") from None

    @classmethod
    def _restored(cls, values: dict[str, Any]) -> Self:
        expected = {item.name for item in fields(cls) if item.compare}
        if set(values) != expected:
            raise TypeError(f"its fields are not those of a {cls.__name__}")
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
        return _number(value) if kind is None else kind._restored(value)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            np.array_equal(value, getattr(other, name), equal_nan=True)
            if isinstance(value, np.ndarray)
            else bool(value == getattr(other, name))
            for name, value in self._values().items()
        )

    __hash__ = None  # type: ignore[assignment]


def _part(value: Any) -> Any:
    if isinstance(value, PerformanceEstimate):
        return fields_of(value)
    if isinstance(value, tuple):
        return [_part(each) for each in value]
    if isinstance(value, Document):
        return {name: _part(each) for name, each in value._values().items()}
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    return plain(value)


def _number(value: Any) -> Any:
    return _SPECIAL.get(value, value) if isinstance(value, str) else value
