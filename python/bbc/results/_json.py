"""JSON that restores every float64 bit and stays valid JSON with infinities."""

import json
import math
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

_TYPE = "bbc.PerformanceEstimate"
_SCHEMA = 1
_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
# Only these may hold the special strings; a configuration may be called "Infinity".
_NUMBERS = frozenset(
    {"estimate", "apparent", "replicate_sd", "replicates", "low", "high"}
    | {"undefined_fold_share", "effective_sample_size"}
)


def dumps(values: dict[str, Any], indent: int | None) -> str:
    """The document of a result's fields."""
    document = {"type": _TYPE, "schema": _SCHEMA} | {
        name: _plain(value) for name, value in values.items()
    }
    return json.dumps(document, indent=indent, allow_nan=False)


def loads(text: str) -> dict[str, Any]:
    """The fields of a document, with floats and nested tuples restored."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"text is not JSON: {error}") from None
    if not isinstance(document, dict) or document.pop("type", None) != _TYPE:
        raise ValueError("text is not a PerformanceEstimate written by to_json")
    schema = document.pop("schema", None)
    if schema != _SCHEMA:
        raise ValueError(f"text has schema {schema!r}, this version of bbc reads {_SCHEMA}")
    return {name: _restored(name, value) for name, value in document.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(item) for name, item in asdict(value).items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _restored(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _restored(key, item) for key, item in value.items()}
    if name in _NUMBERS:
        if isinstance(value, list):
            return [_restored(name, item) for item in value]
        return _SPECIAL.get(value, value) if isinstance(value, str) else value
    return value
