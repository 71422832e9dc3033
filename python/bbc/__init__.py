"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from typing import Any as _Any

__version__ = _version("bbc-cv")

# Modules are imported when something of them is used: scikit-learn and the plots take seconds.
# What tools read of this file is __init__.pyi, which has the same names (a test compares them).
_NAMES = {
    # What was predicted, or scored by fold.
    "sources": ("Predictions",),
    "_finished._scores": ("FoldScores",),
    "streaming": ("Blocks",),
    # Correct it, or compare several, and what is found.
    "api": (
        "compare",
        "correct",
    ),
    "correction": ("Correction",),
    "results": (
        "Comparison",
        "ConfidenceInterval",
        "PerformanceEstimate",
    ),
    "reporting": ("report",),
    # Rules of choice.
    "selection": (
        "best_threshold",
        "greedy_ensemble",
        "one_standard_error",
        "top_k",
    ),
    # Train with one of the protocols, or plan it.
    "adapters": ("keep_predictions",),
    "search": (
        "BBC",
        "BBCD",
        "CVT",
        "NCV",
        "TT",
        "StoredRun",
    ),
    "study": (
        "negative_control",
        "plan_rows",
    ),
}
_MODULES = (
    *("adapters", "baselines", "errors", "findings", "metrics", "plots", "results", "simulate"),
)
_WHERE = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted([*_WHERE, *_MODULES, "__version__"])


def __getattr__(name: str) -> _Any:
    if name in _WHERE:
        value = getattr(_import_module(f".{_WHERE[name]}", __name__), name)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        try:
            value = _import_module(f".{name}", __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
