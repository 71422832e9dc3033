"""JSON that restores every float64 bit and stays valid JSON with infinities."""

import json
import math
from contextlib import suppress
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import metrics
from .._design import Design
from ..findings import FINDINGS, Finding, finding

if TYPE_CHECKING:
    from ._estimate import PerformanceEstimate

_TYPE = "bbc.PerformanceEstimate"
_SCHEMA = 2
_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
# Only these fields may hold the special strings: a configuration may be called "Infinity".
_NUMBERS = frozenset(
    {"estimate", "apparent", "replicate_sd", "replicates", "low", "high"}
    | {"undefined_fold_share", "effective_sample_size", "metric_range"}
    | {"predicted_bias", "luck_variance", "row_variance"}
    | {"threshold", "replicate_thresholds", "weights", "membership_frequency"}
)
_WHOLE = frozenset(
    {"n_rows", "n_configurations", "winner", "n_redrawn", "n_undefined", "n_folds", "n_repeats"}
    | {"seed", "replicate_winners", "left_out_rows", "left_out_configurations"}
)
_RAW: dict[str, tuple[type, ...]] = (
    dict.fromkeys(_WHOLE, (int,))
    | dict.fromkeys(_NUMBERS, (int, float))
    | {"confidence_level": (int, float), "greater_is_better": (bool,)}
)
# Methods whose estimate may leave the metric's range: they subtract a bias.
_BEYOND = frozenset({"tt", "nested-cv", "cv"})
_ROUNDING = 1e-9
_NONE = type(None)
_PLAIN: dict[Any, tuple[type, ...]] = {
    int: (int,),
    int | None: (int, _NONE),
    float: (float, int),
    float | None: (float, int, _NONE),
    str: (str,),
    str | None: (str, _NONE),
    bool: (bool,),
}
_MOST = {"n_configurations": 10**8, "n_rows": 2**31 - 1}
_TEXTS = ("metric", "method", "pooling", "unit", "winner_name", "decided_by", "version")
_KINDS: dict[str, Any] = dict.fromkeys(_TEXTS, str) | {
    "estimate": float,
    "greater_is_better": bool,
    "winner": int,
    "infeasible": str | None,
}


def dumps(values: dict[str, Any], indent: int | None) -> str:
    """The document of a result's fields."""
    document = {"type": _TYPE, "schema": _SCHEMA} | {
        name: plain(value) for name, value in values.items()
    }
    return json.dumps(document, indent=indent, allow_nan=False)


def loads(text: str) -> dict[str, Any]:
    """The fields of a document, with infinities and NaN restored; `check` validates them."""
    document = strict(text)
    if not isinstance(document, dict) or document.pop("type", None) != _TYPE:
        raise ValueError("text is not a PerformanceEstimate written by to_json")
    schema = document.pop("schema", None)
    if schema not in (1, _SCHEMA):
        raise ValueError(f"text has schema {schema!r}, this version of bbc reads {_SCHEMA}")
    values = {
        name: value if name == "design" else _restored(name, value)
        for name, value in document.items()
    }
    return _upgraded(values) if schema == 1 else values


def strict(text: str) -> Any:
    """What JSON text holds; constants that JSON lacks and duplicate fields are refused."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"text is not JSON: {error}") from None


def _upgraded(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a document of schema 1, which had findings among the notes."""
    notes = values.get("notes", [])
    found = [text for text in notes if str(text)[:6] in FINDINGS]
    with suppress(TypeError, ValueError):  # a metric without a name
        values["metric_range"] = list(metrics.get(values.get("metric")).range)
    return values | {
        "notes": [text for text in notes if text not in found],
        "data_findings": [_from_text(text) for text in found],
    }


def _from_text(text: str) -> dict[str, str]:
    kind = FINDINGS[text[:6]]
    return {"code": kind.code, "detail": text.partition(": ")[2].removesuffix(f"; {kind.advice}")}


def findings(values: Any) -> tuple[Finding, ...]:
    """The findings of a document."""
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        raise TypeError("data_findings must be objects with code and detail")
    for each in values:
        if each.keys() != {"code", "detail"} or not isinstance(each["detail"], str):
            raise TypeError(f"data_findings has {each!r}")
        if each["code"] not in FINDINGS:
            raise ValueError(f"data_findings has the code {each['code']!r}")
    return tuple(finding(each["code"], each["detail"]) for each in values)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without duplicate fields."""
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise ValueError(f"text has the field {name!r} twice")
        values[name] = value
    return values


def _no_constant(name: str) -> None:
    raise ValueError(f"text is not JSON: {name} is not a number there")


def check_plain(kind: Any, values: Any) -> None:
    """Refuse texts, flags and numbers that the fields of a dataclass do not take.

    Whole numbers are counts, places and seeds; a larger count than any analysis has would only ask
    for memory.
    """
    for item in fields(kind):
        kinds = _PLAIN.get(item.type)
        if kinds is None or item.name not in values:
            continue
        value = values[item.name]
        real = float in kinds and isinstance(value, str) and value in _SPECIAL
        if type(value) not in kinds and not real:
            raise TypeError(f"{item.name} is {value!r}")
        if type(value) is int and not 0 <= value <= _MOST.get(item.name, 2**53) and int is kinds[0]:
            raise ValueError(f"{item.name} is {value}")


def check_types(values: dict[str, Any]) -> None:
    """Refuse numbers of another type; the result itself would convert them."""
    for name, value in values.items():
        if name == "design":  # which checks its own
            continue
        if isinstance(value, dict):
            check_types(value)
        kinds = _RAW.get(name)
        for item in value if isinstance(value, list) else [value]:
            if kinds and item is not None and type(item) not in kinds:
                raise TypeError(f"{name} has {item!r}")


def check(result: "PerformanceEstimate") -> None:
    """Refuse values that no analysis gives."""
    for name, kind in _KINDS.items():
        if not isinstance(getattr(result, name), kind):
            raise TypeError(f"{name} is {getattr(result, name)!r}")
    if not all(isinstance(note, str) for note in result.notes):
        raise TypeError("notes must be texts")
    if len(result.metric_range) != 2 or not result.metric_range[0] < result.metric_range[1]:
        raise ValueError(f"metric_range is {result.metric_range}")
    if result.replicates is not None and result.replicates.ndim != 1:
        raise ValueError(f"replicates have shape {result.replicates.shape}")
    n_configurations = result.n_configurations
    drawn = [] if result.replicate_winners is None else result.replicate_winners.tolist()
    winners = [result.winner, *drawn]
    if not 0 <= min(winners) <= max(winners) < n_configurations:
        raise ValueError(f"a winner is none of the {n_configurations} configurations")
    if result.names is not None and len(result.names) != n_configurations:
        raise ValueError(f"{len(result.names)} names for {n_configurations} configurations")
    for name in ("n_rows", "n_redrawn", "n_undefined", "n_folds", "n_repeats", "replicate_sd"):
        if (getattr(result, name) or 0) < 0:
            raise ValueError(f"{name} is {getattr(result, name)}")
    for name in ("weights", "membership_frequency"):
        shares = getattr(result, name)
        if shares is None:
            continue
        if shares.shape != (n_configurations,) or not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(f"{name} are not {n_configurations} numbers from 0 to 1")
    cuts = result.replicate_thresholds
    if cuts is not None and (cuts.shape != (result.n_bootstraps,) or np.isnan(cuts).any()):
        raise ValueError("replicate_thresholds are not a number for each replicate")
    if result.threshold is not None and math.isnan(result.threshold):
        raise ValueError("threshold is not a number")
    _check_values(result)


def _check_values(result: "PerformanceEstimate") -> None:
    """Refuse values outside the metric's range."""
    interval = result.confidence_interval
    values = {"apparent": result.apparent, "replicates": result.replicates}
    if interval is not None:
        values |= {"low": interval.low, "high": interval.high}
        if interval.low > interval.high:
            raise ValueError(f"the interval is [{interval.low}, {interval.high}]")
        if not 0 < interval.confidence_level < 1:
            raise ValueError(f"confidence_level is {interval.confidence_level}")
        if interval.alternative not in ("two-sided", "greater", "less"):
            raise ValueError(f"alternative is {interval.alternative!r}")
    lowest, highest = result.metric_range
    slack = _ROUNDING * max(1.0, abs(lowest), abs(highest))
    slack = slack if math.isfinite(slack) else _ROUNDING
    for name, value in ({"estimate": result.estimate} | values).items():
        numbers = np.atleast_1d(np.asarray([] if value is None else value, np.float64))
        if np.isnan(numbers).any():
            raise ValueError(f"{name} is not a number")
        beyond = (numbers < lowest - slack) | (numbers > highest + slack)
        if name == "estimate" and result.method in _BEYOND:
            continue
        if name == "replicates" and result.size_bias is not None:
            continue  # a replicate that lost the shift of its winner may pass the range
        if name in ("low", "high"):
            beyond &= np.isfinite(numbers)
        if beyond.any():
            raise ValueError(
                f"{name} has {numbers[beyond][0]:g}, but {result.metric} is within "
                f"[{lowest:g}, {highest:g}]"
            )


def plain(value: Any) -> Any:
    """A value in terms of JSON; infinities and NaN are texts."""
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Design):
        return value.as_document()
    if isinstance(value, Finding):
        return {"code": value.code, "detail": value.detail}
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def _restored(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _restored(key, item) for key, item in value.items()}
    if name in _NUMBERS:
        if isinstance(value, list):
            return [_restored(name, item) for item in value]
        return _SPECIAL.get(value, value) if isinstance(value, str) else value
    return value
