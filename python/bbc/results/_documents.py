"""JSON documents of results, and of results that hold several estimates."""

import json
import math
from dataclasses import fields
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval
from ._json import check_plain, plain, strict

_SCHEMA = 1
_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf}
_Part = TypeVar("_Part")


class Document:
    """A frozen dataclass that compares by value and can be written as JSON."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def _values(self) -> dict[str, Any]:
        """The fields that are compared, by name."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.compare}

    def _written(self) -> dict[str, Any]:
        """The values that the document keeps."""
        return self._values()

    @classmethod
    def _read(cls, values: dict[str, Any]) -> Self:
        """The inverse of `_written`."""
        return cls(**values)

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
        return dump(type(self).__name__, self._written(), indent)

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
            check_plain(cls, values)
            return cls._read(values)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"text is not a complete {cls.__name__}: {error}") from None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        theirs = other._values()
        return all(_equal(value, theirs[name]) for name, value in self._values().items())

    __hash__ = None  # type: ignore[assignment]


def _equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, np.ndarray):
        return np.array_equal(ours, theirs, equal_nan=True)
    return bool(ours == theirs)


def dump(kind: str, values: dict[str, Any], indent: int | None) -> str:
    """The document of a result of some kind; infinities are texts."""
    document = {"type": f"bbc.{kind}", "schema": _SCHEMA} | {
        name: plain(value) for name, value in values.items()
    }
    return json.dumps(document, indent=indent, allow_nan=False)


def load(text: str, kind: str) -> dict[str, Any]:
    """The fields of a document."""
    document = strict(text)
    if not isinstance(document, dict) or document.pop("type", None) != f"bbc.{kind}":
        raise ValueError(f"text is not a {kind} written by to_json")
    schema = document.pop("schema", None)
    if schema != _SCHEMA:
        raise ValueError(f"text has schema {schema!r}, this version of bbc reads {_SCHEMA}")
    return document


def fields_of(estimate: PerformanceEstimate) -> Any:
    """An estimate as a part of a document."""
    return json.loads(estimate.to_json())


def estimate_of(values: Any) -> PerformanceEstimate:
    """The estimate that a part of a document holds."""
    return PerformanceEstimate.from_json(json.dumps(values))


def part_of(kind: type[_Part], values: Any, reals: tuple[str, ...]) -> _Part:
    """A dataclass that a part of a document holds, whose `reals` are numbers."""
    values = dict(values)
    if set(values) != {item.name for item in fields(kind)}:  # type: ignore[arg-type]
        raise TypeError(f"a {kind.__name__} has other fields")
    for name in reals:
        values[name] = _real(name, values[name])
    check_plain(kind, values)
    interval = values.get("confidence_interval")
    if interval is not None:
        limits = {name: _real(name, interval[name]) for name in ("low", "high")}
        values["confidence_interval"] = ConfidenceInterval(**interval | limits)
    return kind(**values)


def _real(name: str, value: Any) -> float | None:
    value = _SPECIAL.get(value, value) if isinstance(value, str) else value
    if value is not None and type(value) not in (int, float):
        raise TypeError(f"{name} has {value!r}")
    return None if value is None else float(value)
