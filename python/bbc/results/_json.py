"""JSON that restores every float64 bit and stays valid JSON with infinities."""

import json
import math
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._estimate import PerformanceEstimate

_TYPE = "bbc.PerformanceEstimate"
_SCHEMA = 1
_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
# Only these may hold the special strings; a configuration may be called "Infinity".
_NUMBERS = frozenset(
    {"estimate", "apparent", "replicate_sd", "replicates", "low", "high"}
    | {"undefined_fold_share", "effective_sample_size"}
    | {"predicted_bias", "luck_variance", "row_variance"}
)
_TEXTS = ("metric", "method", "pooling", "unit", "winner_name", "decided_by", "version")
_KINDS: dict[str, Any] = dict.fromkeys(_TEXTS, str) | {
    "estimate": float,
    "winner": int,
    "infeasible": str | None,
}


def dumps(values: dict[str, Any], indent: int | None) -> str:
    """The document of a result's fields."""
    document = {"type": _TYPE, "schema": _SCHEMA} | {
        name: _plain(value) for name, value in values.items()
    }
    return json.dumps(document, indent=indent, allow_nan=False)


def loads(text: str) -> dict[str, Any]:
    """The fields of a document, with infinities and NaN restored; `check` looks at the values."""
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


def check(result: "PerformanceEstimate") -> None:
    """Refuse what no analysis gives: a document may hold anything."""
    for name, kind in _KINDS.items():
        if not isinstance(getattr(result, name), kind):
            raise TypeError(f"{name} is {getattr(result, name)!r}")
    if not all(isinstance(note, str) for note in result.notes):
        raise TypeError("notes must be texts")
    if result.replicates is not None and result.replicates.ndim != 1:
        raise ValueError(f"replicates have shape {result.replicates.shape}")
    n_configurations = result.n_configurations
    drawn = [] if result.replicate_winners is None else result.replicate_winners.tolist()
    winners = [result.winner, *drawn]
    if not 0 <= min(winners) <= max(winners) < n_configurations:
        raise ValueError(f"a winner is none of the {n_configurations} configurations")
    if result.names is not None and len(result.names) != n_configurations:
        raise ValueError(f"{len(result.names)} names for {n_configurations} configurations")


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
