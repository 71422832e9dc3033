"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from typing import Any as _Any

__version__ = _version("bbc-cv")

# Modules are imported when something of them is used: scikit-learn and the plots take seconds.
# What tools read of this file is __init__.pyi, which has the same names (a test compares them).
_NAMES = {
    # Correct what a search found, or predictions from any tool.
    "adapters": ("keep_predictions",),
    "batch": ("correct_many",),
    "api": (
        "compare",
        "correct",
    ),
    "correction": ("Correction",),
    "sources": ("Predictions",),
    "_finished._scores": ("FoldScores",),
    "predictions": ("OutOfSamplePredictions",),
    "streaming": (
        "Blocks",
        "StreamingCorrection",
    ),
    # Train with one of the protocols, or plan it.
    "search": (
        "BBC",
        "BBCD",
        "CVMCV",
        "CVT",
        "NCV",
        "TT",
        "Recommendation",
        "StoredRun",
        "recommend",
    ),
    "assessment": (
        "ClusterKFold",
        "QuantileKFold",
        "resampling_error",
    ),
    "study": (
        "negative_control",
        "plan_rows",
    ),
    # Compare, and ask what else the predictions show.
    "_bounds": (
        "bound",
        "compare_bounds",
    ),
    "_dominance": (
        "Dominance",
        "dominated",
    ),
    "_inference": ("wmc",),
    "reporting": ("report",),
    # Rules of choice.
    "selection": (
        "Rungs",
        "best_threshold",
        "greedy_ensemble",
        "one_standard_error",
        "top_k",
    ),
    # Results.
    "_design": ("Design",),
    "results": (
        "Bound",
        "Calibration",
        "ClinicalPerformance",
        "Comparison",
        "ConfidenceInterval",
        "Curve",
        "DecisionCurve",
        "ModelLuck",
        "NegativeControl",
        "PerformanceCurve",
        "PerformanceEstimate",
        "PossibleWinners",
        "Quantity",
        "RowsPlan",
        "Subgroups",
        "SurvivalCalibration",
        "SurvivalPerformance",
        "TuningPath",
        "WeightedMeanCorrection",
    ),
}
_MODULES = ("adapters", "errors", "findings", "intervals", "metrics", "plots", "simulate")
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
