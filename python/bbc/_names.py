"""What configurations and runs are called: names by hyper-parameters, and how two runs differ."""

from collections.abc import Mapping
from typing import Any


def configuration_name(params: Mapping[str, Any], learner: str = "") -> str:
    """Return ``name=value, ...``, within ``learner(...)`` if several learners compete."""
    shown = ", ".join(f"{key}={_shown(value)}" for key, value in params.items())
    if learner:
        return f"{learner}({shown})" if shown else learner
    return shown or "defaults"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(repr(value).split())  # reprs of nested estimators have line breaks


def printable(text: str) -> str:
    """Text that moves no cursor: control characters, and others without a shape, are escaped."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def difference(stored: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The first difference between two identities, in words; empty if there is none."""
    for name, here in given.items():
        there = stored.get(name)
        if there == here:
            continue
        if not (isinstance(there, list) and isinstance(here, list)):
            return f"{name} differs ({there} there, {here} here)"
        if len(there) != len(here):
            return f"{name} differs ({len(there)} there, {len(here)} here)"
        pairs = zip(there, here, strict=True)
        first = next(place for place, (old, new) in enumerate(pairs) if old != new)
        return f"{name} differs at {first} ({there[first]} there, {here[first]} here)"
    return ""
