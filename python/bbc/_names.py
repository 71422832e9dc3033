"""Names of configurations: by their hyper-parameters, wherever they come from."""

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
