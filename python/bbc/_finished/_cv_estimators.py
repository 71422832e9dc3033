"""Estimators with built-in cross-validation are refused: what does the same keeps predictions."""

from typing import Any

from ..errors import InvalidTypeError

__all__ = ["is_cv_estimator", "kind_of", "refuse_cv_estimator"]


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


def is_cv_estimator(source: Any) -> bool:
    """Whether a source is an estimator of scikit-learn that tunes itself."""
    return bool(_called(source))


def refuse_cv_estimator(source: Any) -> None:
    """Refuse an estimator that hands out no predictions of its configurations."""
    name = _called(source)
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


def _called(source: Any) -> str:
    """The name of the class in scikit-learn that a source is of; empty of others."""
    kinds = (kind for kind in type(source).__mro__ if kind.__module__.startswith("sklearn."))
    return next((kind.__name__ for kind in kinds if kind.__name__ in _INSTEAD), "")
