"""Finished searches that kept scores of folds: one reader of all sources.

What a source is, is told without importing scikit-learn; reading it may.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from ..errors import InvalidTypeError

__all__ = ["claim_of", "keeps_fold_scores", "kind_of", "refuse_cv_estimator"]


def keeps_fold_scores(source: Any) -> bool:
    """True for what `claim_of` reads or refuses by name, for FoldScores, and no predictions."""
    from ._scores import FoldScores

    if isinstance(source, FoldScores) or cv_estimator(source):
        return True
    if hasattr(source, "oos_predictions_") or hasattr(source, "__array_interface__"):
        return False
    if isinstance(source, str | PathLike):
        return True
    if isinstance(source, Mapping) or hasattr(source, "columns"):
        from ._cv_results import has_fold_scores

        return has_fold_scores(source if isinstance(source, Mapping) else source.columns)
    return bool(_form(source))


def _form(source: Any) -> str:
    """In which form the object of a tool keeps its scores; "" of what no reader knows."""
    if isinstance(source, type):
        return ""
    if hasattr(source, "trials") and hasattr(source, "directions"):
        return "study"
    if getattr(source, "cv_results_", None) is None:
        return "search" if hasattr(source, "trials_") else ""
    return "search" if hasattr(source, "cv") else "results"


def claim_of(source: Any, dynamic: bool = False) -> Any:
    """What a finished search of any kind says, as a `Claim`."""
    refuse_cv_estimator(source)
    if hasattr(source, "oos_predictions_"):
        raise InvalidTypeError("search", _instead(source))
    form = _form(source)
    if form == "study":
        from ._studies import claim_of_study

        return claim_of_study(source)
    if form == "results":
        source = source.cv_results_
    if isinstance(source, str | PathLike | Mapping) or hasattr(source, "columns"):
        from ._cv_results import claim_of_results

        found = claim_of_results(source)
        return replace(found, told={"n_searched": len(found.names)}) if dynamic else found
    from ._searches import claim_of_search

    return claim_of_search(source, dynamic)


def _instead(search: Any) -> str:
    instead = 'bbc.correct(search) draws rows, bbc.correct(search, method="bbc-f") folds'
    return f"is a {type(search).__name__}, which kept its predictions: {instead}"


def _search(learner: str, grid: str) -> str:
    return (
        f"search = GridSearchCV({learner}, {grid}, cv=10)\n"
        "kept = bbc.keep_predictions(search).fit(X, y)\n"
        "bbc.correct(kept)"
    )


#: The lines that do the same, by the name of the class, so that scikit-learn need not be imported.
_INSTEAD = {
    "ElasticNetCV": _search("ElasticNet()", '{"alpha": alphas, "l1_ratio": l1_ratios}'),
    "LarsCV": _search("Lars()", '{"n_nonzero_coefs": sizes}'),
    "LassoCV": _search("Lasso()", '{"alpha": alphas}'),
    "LassoLarsCV": _search("LassoLars()", '{"alpha": alphas}'),
    "LogisticRegressionCV": _search("LogisticRegression()", '{"C": Cs}'),
    "OrthogonalMatchingPursuitCV": _search(
        "OrthogonalMatchingPursuit()", '{"n_nonzero_coefs": sizes}'
    ),
    "RFECV": _search("RFE(estimator)", '{"n_features_to_select": sizes}'),
    "RidgeCV": _search("Ridge()", '{"alpha": alphas}'),
    "RidgeClassifierCV": _search("RidgeClassifier()", '{"alpha": alphas}'),
    "TunedThresholdClassifierCV": (
        'scores = cross_val_predict(estimator, X, y, cv=10, method="predict_proba")[:, [1]]\n'
        "choice = bbc.best_threshold()\n"
        'bbc.correct(y, scores, metric="balanced_accuracy", selection=choice)'
    ),
}


def refuse_cv_estimator(source: Any) -> None:
    """Refuse an estimator that hands out no predictions of its configurations."""
    name = cv_estimator(source)
    if name:
        lines = "\n    ".join(_INSTEAD[name].split("\n"))
        raise InvalidTypeError(
            "search",
            f": {name} hands out no predictions of what it tried",
            hint=f"these lines try the same and keep them:\n\n    {lines}\n",
        )


def kind_of(search: Any) -> str:
    """A description of what was passed in the place of a search, or of a fitted one."""
    if isinstance(search, type):
        return f"the class {search.__name__}"
    unfitted = hasattr(search, "cv") and not hasattr(search, "cv_results_")
    return type(search).__name__ + (" before fit" if unfitted else "")


def cv_estimator(source: Any) -> str:
    """The name of a class of scikit-learn that tunes itself; empty of other sources."""
    kinds = (kind for kind in type(source).__mro__ if kind.__module__.startswith("sklearn."))
    return next((kind.__name__ for kind in kinds if kind.__name__ in _INSTEAD), "")
