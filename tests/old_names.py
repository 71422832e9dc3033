"""Functions of earlier versions by what took their place, for tests that are not moved yet."""

from typing import Any

import bbc

_OF_QUESTIONS = {
    "calibration": ("n_bins", "of_class"),
    "decision_curve": ("thresholds", "of_class"),
    "roc_curve": ("of_class",),
    "precision_recall_curve": ("of_class",),
    "survival_calibration": ("time", "n_groups"),
    "clinical": ("times", "secondary", "thresholds", "n_bins", "n_groups"),
    "possible_winners": ("test",),
    "winner_interval": ("conditional",),
}


def _ask(question: str, y: Any, predictions: Any, options: dict[str, Any]) -> Any:
    own = {name: options.pop(name) for name in _OF_QUESTIONS[question] if name in options}
    return getattr(_corrected(y, predictions, options), question)(**own)


def _corrected(y: Any, predictions: Any, options: dict[str, Any]) -> Any:
    kept = getattr(predictions, "oos_predictions_", predictions)
    of_rows = hasattr(kept, "__array__") or isinstance(kept, list | bbc.OutOfSamplePredictions)
    is_frame = hasattr(kept, "columns")
    if (y is None and not of_rows) or not (of_rows or is_frame or isinstance(kept, dict)):
        return bbc.correct(predictions, **options)
    return bbc.correct(y, kept, **options)


def calibration(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("calibration", y, predictions, options)


def decision_curve(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("decision_curve", y, predictions, options)


def roc_curve(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("roc_curve", y, predictions, options)


def precision_recall_curve(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("precision_recall_curve", y, predictions, options)


def survival_calibration(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("survival_calibration", y, predictions, options)


def clinical_performance(y: Any, predictions: Any, **options: Any) -> Any:
    return _ask("clinical", y, predictions, options)


survival_performance = clinical_performance


def possible_winners(y: Any, predictions: Any, *, method: str = "mcs", **options: Any) -> Any:
    return _ask("possible_winners", y, predictions, {"test": method} | options)


def winner_interval(y: Any, predictions: Any, *, method: str = "hybrid", **options: Any) -> Any:
    return _ask(
        "winner_interval", y, predictions, {"conditional": method == "conditional"} | options
    )


def _by_metrics(metric: Any, decided_by: Any) -> tuple[dict[str, Any], str]:
    """Metrics by name, and the one that selects, of a list or dict of several."""
    named = metric if isinstance(metric, dict) else {bbc.metrics.get(m).name: m for m in metric}
    return named, decided_by or next(iter(named))


def subgroups(
    y: Any, predictions: Any, *, by: Any, metric: Any, reference: Any = None, **options: Any
) -> Any:
    decided_by = options.pop("decided_by", None)
    if not isinstance(metric, list | tuple | dict):
        corrected = _corrected(y, predictions, {"metric": metric} | options)
        return corrected.subgroups(by, reference=reference)
    named, deciding = _by_metrics(metric, decided_by)
    corrected = _corrected(y, predictions, {"metric": named[deciding]} | options)
    return {
        name: corrected.subgroups(by, reference=reference, metric=None if name == deciding else m)
        for name, m in named.items()
    }


def tuning_path(
    y: Any, predictions: Any, *, metric: Any = None, method: str = "auto", **options: Any
) -> Any:
    decided_by = options.pop("decided_by", None)
    if method == "auto":
        folds = options.get("folds")
        if folds is None:
            kept = getattr(predictions, "oos_predictions_", predictions)
            folds = getattr(kept, "folds", None)
        several = folds is not None and options.get("resamples") is None
        fewest = min(len(set(each) - {-1}) for each in _per_repeat(folds)) if several else 0
        method = "bbc-two-level" if fewest >= 4 else "bbc"
    options |= {} if method == "bbc" else {"method": method}
    if not isinstance(metric, list | tuple | dict):
        return _corrected(y, predictions, {"metric": metric} | options).tuning_path()
    named, deciding = _by_metrics(metric, decided_by)
    corrected = _corrected(y, predictions, {"metric": named[deciding]} | options)
    return {
        name: corrected.tuning_path(metric=None if name == deciding else m)
        for name, m in named.items()
    }


def _per_repeat(folds: Any) -> list[list[Any]]:
    import numpy as np

    return np.atleast_2d(np.asarray(folds)).tolist()
