"""Early stopping on a part of the training rows."""

import inspect
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import GroupShuffleSplit, StratifiedGroupKFold, train_test_split
from sklearn.utils import _safe_indexing, check_random_state, get_tags, indexable
from sklearn.utils.validation import _check_sample_weight

from .. import _validation
from .._training._configurations import ROUNDS
from .._typing import IndexArray
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["EarlyStopping"]


class EarlyStopping(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A gradient boosting whose training stops by a part of the rows that it is given.

    The fold that a model is scored on must not decide when its training stops. Here `fit` splits
    the rows that it is given, trains on one part and stops by the other. Every fit of a search, and
    the refit, then stops by training rows of its own.

    Parameters
    ----------
    estimator : estimator
        A model of XGBoost, LightGBM or CatBoost, a ``HistGradientBoosting`` of scikit-learn, or one
        with the arguments of one of these. Its number of trees (``n_estimators``, ``max_iter``) is
        the largest allowed.
    validation_fraction : float, default=0.1
        The share of the rows by which training stops. Classes have the same shares in both parts if
        they have enough rows.
    n_iter_no_change : int, default=10
        So many rounds without a better score on these rows end the training, unless the estimator
        has its own ``early_stopping_rounds``.
    random_state : int, RandomState or None, default=None
        Of the split. A protocol sets it, if it is None.

    Attributes
    ----------
    estimator_ : estimator
        The fitted model.

    Notes
    -----
    Other attributes and methods, such as ``classes_`` and ``predict_proba``, are those of
    `estimator_`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> import bbc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boosting = HistGradientBoostingClassifier(max_iter=500, random_state=0)
    >>> stopped = bbc.EarlyStopping(boosting, validation_fraction=0.2, random_state=0)
    >>> stopped.fit(X, y).estimator_.n_iter_ < 500
    True
    >>> grid = {"estimator__learning_rate": [0.1, 0.3]}
    >>> search = bbc.BBC(stopped, grid, cv=3, random_state=1).fit(X, y)
    >>> search.performance_.estimate > 0.9
    True
    """

    def __init__(
        self,
        estimator: Any,
        validation_fraction: float = 0.1,
        *,
        n_iter_no_change: int = 10,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> "EarlyStopping":
        """Train on a part of the rows, and stop by the others.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.
        y : array-like of shape (n_rows,)
            The truth.
        groups : array-like of shape (n_rows,), optional
            Groups, of which none has rows in both parts.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows, of either part.

        Returns
        -------
        EarlyStopping
            Itself.
        """
        share = _validation.share(self.validation_fraction, "validation_fraction")
        if share in (0, 1):
            raise InvalidValueError(
                "validation_fraction", f"must be between 0 and 1, got {share:g}"
            )
        rounds = _validation.integer(self.n_iter_no_change, "n_iter_no_change", lowest=1)
        if y is None:
            raise InvalidValueError("fit", "requires y to be passed, but the target y is None")
        X, y, groups, sample_weight = indexable(X, y, groups, sample_weight)
        whole = _check_sample_weight(sample_weight, X)
        rows = np.flatnonzero(whole)  # others are in neither part
        among = None if groups is None else _safe_indexing(groups, rows)
        train, stop = (rows[part] for part in self._split(np.asarray(y)[rows], among, share))
        parts = [_safe_indexing(each, part) for part in (train, stop) for each in (X, y)]
        weights = None if sample_weight is None else (whole[train], whole[stop])
        model = clone(self.estimator)
        told = _told(model, parts[2], parts[3], rounds, None if weights is None else weights[1])
        if weights is not None:
            told["sample_weight"] = weights[0]
        self.estimator_ = model.fit(parts[0], parts[1], **told)
        return self

    def _split(self, y: Any, groups: Any, share: float) -> tuple[IndexArray, IndexArray]:
        """The rows that train, and those by which training stops."""
        rng = check_random_state(self.random_state)
        rows = np.arange(len(y))
        classes = y if is_classifier(self) and y.ndim == 1 else None
        if groups is None:
            n_stop = int(np.ceil(share * len(y)))
            if n_stop >= len(y):
                raise InvalidValueError(
                    "validation_fraction", f"leaves no row to train on, of n_samples={len(y)}"
                )
            if classes is not None:
                found, counts = np.unique(classes, return_counts=True)
                if counts.min() < 2 or min(n_stop, len(y) - n_stop) < len(found):
                    classes = None
            split = train_test_split(rows, test_size=n_stop, stratify=classes, random_state=rng)
            return np.sort(split[0]), np.sort(split[1])
        if classes is None:
            splitter: Any = GroupShuffleSplit(1, test_size=share, random_state=rng)
        else:
            n_parts = max(2, round(1 / share))
            splitter = StratifiedGroupKFold(n_parts, shuffle=True, random_state=rng)
        found_train, found_stop = next(iter(splitter.split(rows, y, groups)))
        return found_train, found_stop

    def __getattr__(self, name: str) -> Any:
        """Predictions and the like are those of the fitted model, as its own class makes them."""
        if name.startswith("__") or name in ("estimator", "estimator_"):
            raise AttributeError(name)
        if name in self.estimator.get_params(deep=False):  # which are set by estimator__NAME
            raise AttributeError(f"an EarlyStopping has no attribute {name!r}")
        return getattr(self.__dict__.get("estimator_", self.estimator), name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        tags.input_tags, tags.target_tags = inner.input_tags, inner.target_tags
        tags.non_deterministic = inner.non_deterministic
        return tags


def _told(model: Any, X: Any, y: Any, rounds: int, weight: Any) -> dict[str, Any]:
    """What `fit` of a booster is told of the rows to stop by; sets its rounds."""
    takes = inspect.signature(model.fit).parameters
    known = model.get_params(deep=False)
    if "X_val" in takes:  # scikit-learn
        model.set_params(early_stopping=True, n_iter_no_change=rounds)
        told = {"X_val": X, "y_val": y}
        weighted = "sample_weight_val"
    elif "eval_set" not in takes:
        raise InvalidTypeError(
            "estimator",
            f": {type(model).__name__} has no early stopping: its fit takes neither eval_set, as "
            "of XGBoost, LightGBM and CatBoost, nor X_val, as of HistGradientBoosting from "
            "scikit-learn 1.7 on",
        )
    elif "early_stopping_rounds" in takes:  # CatBoost
        told = {"eval_set": (X, y), "verbose": False}
        if known.get("early_stopping_rounds") is None:
            told["early_stopping_rounds"] = rounds
        weighted = ""
    elif "early_stopping_rounds" in known and "callbacks" not in takes:  # XGBoost
        if known["early_stopping_rounds"] is None:
            model.set_params(early_stopping_rounds=rounds)
        told = {"eval_set": [(X, y)], "verbose": False}
        weighted = "sample_weight_eval_set"
    else:  # LightGBM, whose early_stopping_round is one of the parameters that it passes on
        if not any(known.get(name) for name in ROUNDS):
            model.set_params(early_stopping_round=rounds)
        told = {"eval_X": X, "eval_y": y} if "eval_X" in takes else {"eval_set": [(X, y)]}
        weighted = "eval_sample_weight"
    if weight is None:
        return told
    if weighted not in takes:
        raise InvalidValueError(
            "sample_weight", f"is not taken for the rows to stop by, by {type(model).__name__}"
        )
    return told | {weighted: weight if weighted == "sample_weight_val" else [weight]}
