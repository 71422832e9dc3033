"""Finished searches that kept scores of folds: one reader of all sources.

What a source is, is told without importing scikit-learn; reading it may.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["claim_of", "fold_scores", "keeps_fold_scores"]


def keeps_fold_scores(source: Any) -> bool:
    """True for what `fold_scores` reads or refuses by name, and no predictions are."""
    from ._cv_estimators import is_cv_estimator
    from ._scores import FoldScores

    if isinstance(source, FoldScores) or is_cv_estimator(source):
        return True
    if hasattr(source, "oos_predictions_") or hasattr(source, "__array_interface__"):
        return False
    if isinstance(source, str | PathLike):
        return True
    if isinstance(source, Mapping) or hasattr(source, "columns"):
        from ._cv_results import has_fold_scores

        return has_fold_scores(source if isinstance(source, Mapping) else source.columns)
    if isinstance(source, type):
        return False
    kept = ("cv_results_", "trials_", "directions")
    return any(hasattr(source, name) for name in kept)


def fold_scores(source: Any, metric: Any = None) -> Any:
    """The scores of folds that a finished search kept, as `FoldScores`."""
    from ._scores import FoldScores

    if not isinstance(source, FoldScores):
        return FoldScores._of(claim_of(source), metric)
    if metric is not None and _name(metric) != source.metric.name:
        raise InvalidValueError("metric", f"must be that of the scores, {source.metric.name!r}")
    return source


def _name(metric: Any) -> str:
    from ..metrics import get

    return metric if isinstance(metric, str) else get(metric).name


def claim_of(source: Any, dynamic: bool = False) -> Any:
    """What a finished search of any kind says, as a `Claim`."""
    from ._cv_estimators import refuse_cv_estimator

    refuse_cv_estimator(source)
    if hasattr(source, "oos_predictions_"):
        raise InvalidTypeError("search", _instead(source))
    if hasattr(source, "trials") and hasattr(source, "directions"):
        from ._studies import claim_of_study

        return claim_of_study(source)
    results = getattr(source, "cv_results_", None)
    if results is not None and not hasattr(source, "cv"):
        source = results
    if isinstance(source, str | PathLike | Mapping) or hasattr(source, "columns"):
        from ._cv_results import claim_of_results

        found = claim_of_results(source)
        return replace(found, told={"n_searched": len(found.names)}) if dynamic else found
    from ._searches import claim_of_search

    return claim_of_search(source, dynamic)


def _instead(search: Any) -> str:
    instead = 'bbc.correct(search) draws rows, bbc.correct(search, method="bbc-f") folds'
    return f"is a {type(search).__name__}, which kept its predictions: {instead}"
