"""JSON documents of results, and of results that hold several estimates."""

import json
import math
from dataclasses import fields
from typing import Any, TypeVar

from ._estimate import PerformanceEstimate
from ._interval import ConfidenceInterval
from ._json import plain, strict

_SCHEMA = 1
_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf}
_Part = TypeVar("_Part")


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
