"""Fitted searches: results, and the winner's methods and attributes."""

from collections.abc import Callable
from types import MethodType
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._training._configurations import Configuration, method_of, named_estimators
from .._typing import AnyArray
from ..correction import Correction
from ..predictions import OutOfSamplePredictions


def delegated(attribute: str) -> Callable[[Any], bool]:
    """True if the winner, or before `fit` an estimator, has a method."""

    def check(self: Any) -> bool:
        needs_final_model(self, attribute)
        if hasattr(self, "best_estimator_"):
            method_of(self.best_estimator_, attribute)
        else:
            for learner in named_estimators(self.estimator).values():
                method_of(learner, attribute)
        return True

    return check


def needs_final_model(owner: Any, attribute: str) -> None:
    """Refuse what requires a final model, if there is none."""
    if not owner.refit:
        raise AttributeError(
            f"refit=False: {type(owner).__name__} has trained no final model for {attribute}"
        )


def _method(name: str, does: str, returns: str) -> Any:
    """A method of the winner, trained on all rows."""

    def method(self: Any, X: Any) -> Any:
        check_is_fitted(self)
        result = method_of(self.best_estimator_, name)(X)
        return result if name.endswith("transform") else np.asarray(result)

    method.__name__, method.__qualname__ = name, f"FittedSearch.{name}"
    method.__doc__ = f"""{does} with the winner, trained on all rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.

        Returns
        -------
        array-like
            {returns}
        """
    return _OfWinner(method)


class _OfWinner:
    """A method that exists where the winner has it; the error says why there is none."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self.method
        delegated(self.method.__name__)(owner)
        return MethodType(self.method, owner)


class FittedSearch:
    """Results of `fit`, and what the winner, trained on all rows, provides.

    Attributes
    ----------
    performance_ : Correction
        The winner's performance, which is asked further questions where the protocol draws
        replicates. `secondary` is the same winner's performance by the other metrics of `scoring`,
        with a note for one that is undefined.
    best_index_, best_params_, best_estimator_, best_score_
        The winner, as in GridSearchCV; the score is in the metric's own units. With a dict of
        estimators, ``configurations_[best_index_].estimator_name`` says whose parameters they are.
    configurations_ : tuple of Configuration
        All configurations, in order.
    oos_predictions_ : OutOfSamplePredictions
        Predictions of the configurations that never failed, for any further analysis.
    cv_results_ : dict
        As in GridSearchCV, in the metric's own units. ``rank_test_score`` ranks the scores that
        decide: with ``pooling="pooled"`` those of all rows together, in ``pooled_test_score``.
    n_models_trained_ : int
        Models that the result rests on, the final one included.
    n_models_from_store_ : int
        How many of them were found in the store.
    refit_time_ : float
        Seconds of the final fit.
    seed_ : int
        The seed of the run.
    checked_scores_ : dict of str to str
        By metric, whether scikit-learn's scorer gives the same scores (see `check_scores`), or why
        that was not checked.
    """

    estimator: Any
    refit: bool | str
    best_estimator_: Any
    best_index_: int
    best_params_: dict[str, Any]
    best_score_: float
    configurations_: tuple[Configuration, ...]
    checked_scores_: dict[str, str]
    cv_results_: dict[str, Any]
    n_models_from_store_: int
    n_models_trained_: int
    oos_predictions_: OutOfSamplePredictions
    performance_: Correction
    refit_time_: float
    _scoring: Any
    seed_: int

    predict = _method("predict", "Predict", "Labels or values.")
    predict_proba = _method(
        "predict_proba", "Predict probabilities", "Probabilities of the classes in `classes_`."
    )
    predict_log_proba = _method(
        "predict_log_proba",
        "Predict log-probabilities",
        "Logarithms of the probabilities of the classes in `classes_`.",
    )
    decision_function = _method("decision_function", "Compute decision values", "Decision values.")
    predict_survival_function = _method(
        "predict_survival_function",
        "Predict survival",
        "A function of time for each row: the probability of surviving it.",
    )
    score_samples = _method("score_samples", "Score each row", "What `score_samples` returns.")
    transform = _method("transform", "Transform", "What the winner's `transform` returns.")
    inverse_transform = _method(
        "inverse_transform", "Invert the transformation", "What `inverse_transform` returns."
    )

    @property
    def classes_(self) -> AnyArray:
        """Classes of the winner."""
        delegated("classes_")(self)
        return np.asarray(self.best_estimator_.classes_)

    @property
    def n_splits_(self) -> int:
        """Number of folds, over all repeats."""
        keys = (key.partition("_")[0] for key in self.cv_results_)
        return len({key for key in keys if key.removeprefix("split").isdigit()})

    @property
    def multimetric_(self) -> bool:
        """True if `scoring` has several metrics."""
        return bool(self._scoring.secondary)

    @property
    def n_features_in_(self) -> int:
        """Number of features that the winner was trained with."""
        return int(self._winner_attribute("n_features_in_"))

    @property
    def feature_names_in_(self) -> AnyArray:
        """Names of the features that the winner was trained with."""
        return np.asarray(self._winner_attribute("feature_names_in_"))

    def _winner_attribute(self, name: str) -> Any:
        if not hasattr(self, "best_estimator_"):
            raise AttributeError(f"{type(self).__name__} object has no {name} before fit")
        return getattr(self.best_estimator_, name)
