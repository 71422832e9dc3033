"""Estimators with built-in cross-validation: their fold scores, as a search's `cv_results_`."""

from typing import Any

import numpy as np
from sklearn.feature_selection import RFECV
from sklearn.linear_model import (
    ElasticNetCV,
    LassoCV,
    LogisticRegressionCV,
    RidgeClassifierCV,
    RidgeCV,
)
from sklearn.model_selection import TunedThresholdClassifierCV

from .._typing import FloatArray
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["cv_estimator_results", "kind_of", "refuse_cv_estimator", "scoring_of"]

#: What to do about those that keep nothing from which their selection can be repeated.
_INSTEAD = {
    TunedThresholdClassifierCV: "correct the cut-off on out-of-fold scores: "
    'scores = cross_val_predict(estimator, X, y, cv=5, method="predict_proba")[:, [1]]; '
    'bbc.correct(y, scores, metric="balanced_accuracy", selection=bbc.best_threshold())',
    RidgeCV: 'use GridSearchCV(Ridge(), {"alpha": alphas}); or keep leave-one-out predictions: '
    'ridge = RidgeCV(alphas, scoring="neg_mean_squared_error", store_cv_results=True).fit(X, y); '
    'bbc.correct(y, ridge.cv_results_, metric="mean_squared_error")',
    RidgeClassifierCV: 'use GridSearchCV(RidgeClassifier(), {"alpha": alphas})',
}
#: Searches with the same configurations, of those that keep scores but no predictions.
_SEARCHES = {
    LogisticRegressionCV: 'GridSearchCV(LogisticRegression(), {"C": Cs})',
    ElasticNetCV: 'GridSearchCV(ElasticNet(), {"alpha": alphas, "l1_ratio": l1_ratios})',
    LassoCV: 'GridSearchCV(Lasso(), {"alpha": alphas})',
    RFECV: 'GridSearchCV(RFE(estimator), {"n_features_to_select": sizes})',
}


def cv_estimator_results(estimator: Any) -> dict[str, Any] | None:
    """Parameters and scores of each configuration, in the order in which ties are decided.

    None for other searches, and for what is not fitted.
    """
    _refuse(estimator, _INSTEAD, "keeps no scores by fold")
    if isinstance(estimator, LogisticRegressionCV) and hasattr(estimator, "scores_"):
        return _of_logistic_regression(estimator)
    if isinstance(estimator, LassoCV | ElasticNetCV) and hasattr(estimator, "mse_path_"):
        return _of_coordinate_descent(estimator)
    if isinstance(estimator, RFECV) and hasattr(estimator, "cv_results_"):
        sizes = estimator.cv_results_["n_features"]
        params = [{"n_features": int(size)} for size in sizes]
        return {**estimator.cv_results_, "params": params}
    return None


def refuse_cv_estimator(estimator: Any) -> None:
    """Refuse to keep the predictions of an estimator that does not hand them out."""
    searches = {kind: f"keep those of {search}" for kind, search in _SEARCHES.items()}
    _refuse(estimator, _INSTEAD | searches, "hands out no predictions")


def kind_of(search: Any) -> str:
    """A description of what was passed in the place of a search, or of a fitted one."""
    if isinstance(search, type):
        return f"the class {search.__name__}"
    unfitted = hasattr(search, "cv") and not hasattr(search, "cv_results_")
    return type(search).__name__ + (" before fit" if unfitted else "")


def scoring_of(search: Any) -> Any:
    """The scoring of a search; Lasso and elastic net know one, "warn" stands for a default."""
    scoring = getattr(search, "scoring", "neg_mean_squared_error")
    return None if isinstance(scoring, str) and scoring == "warn" else scoring


def _refuse(estimator: Any, hints: dict[Any, str], lack: str) -> None:
    for kind, hint in hints.items():
        if isinstance(estimator, kind):
            raise InvalidTypeError("search", f"is a {kind.__name__}, which {lack}", hint=hint)


def _of_logistic_regression(estimator: Any) -> dict[str, Any]:
    if not estimator.refit:
        raise InvalidValueError(
            "search",
            ": LogisticRegressionCV(refit=False) averages the best models of the folds; BBC-F "
            "corrects the selection of one configuration, refit=True",
        )
    Cs, l1_ratios = np.ravel(estimator.Cs_), np.ravel(estimator.l1_ratios_)
    scores = estimator.scores_
    if isinstance(scores, dict):  # legacy attributes: (n_folds, n_Cs[, n_l1_ratios]) by class
        by_class = list(scores.values())
        if any(not np.array_equal(one, by_class[0]) for one in by_class):
            raise InvalidValueError(
                "search", ': with multi_class="ovr" each class has a selection of its own'
            )
        table = np.reshape(by_class[0], (-1, len(Cs), len(l1_ratios)))
    else:
        table = np.swapaxes(scores, 1, 2)
    several = len(l1_ratios) > 1
    params = [
        {"C": C} | ({"l1_ratio": l1_ratio} if several else {}) for C in Cs for l1_ratio in l1_ratios
    ]
    return _results(params, table.reshape(len(table), -1))


def _of_coordinate_descent(estimator: Any) -> dict[str, Any]:
    l1_ratios = np.ravel(getattr(estimator, "l1_ratio", 1.0))
    n_alphas = np.shape(estimator.alphas_)[-1]
    alphas = np.broadcast_to(estimator.alphas_, (len(l1_ratios), n_alphas))
    # The path is squeezed: no axis for one ratio, one alpha or one fold.
    losses = np.reshape(estimator.mse_path_, (len(l1_ratios) * n_alphas, -1))
    several = len(l1_ratios) > 1
    params = [
        {"alpha": alpha} | ({"l1_ratio": l1_ratio} if several else {})
        for l1_ratio, own in zip(l1_ratios, alphas, strict=True)
        for alpha in own
    ]
    return _results(params, -losses.T)


def _results(params: list[dict[str, Any]], scores: FloatArray) -> dict[str, Any]:
    """`cv_results_` of scores of shape (n_folds, n_configurations)."""
    return {"params": params} | {f"split{k}_test_score": row for k, row in enumerate(scores)}
