"""A scikit-learn search that keeps its out-of-sample predictions."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, check_cv
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._frozen import read_only
from .._names import configuration_name
from .._typing import AnyArray
from ..correction import correct
from ..errors import arguments_called
from ..predictions import OutOfSamplePredictions, is_time_ordered
from ..results import PerformanceEstimate
from ._recorder import RECORD, Recorder, RowArray
from ._splits import as_rows, partitions

__all__ = ["KeptSearch", "keep_predictions"]


def keep_predictions(search: Any) -> "KeptSearch":
    """Make a scikit-learn search keep what each configuration predicted for each held-out row.

    The search does what it does without this: same splits, same fits, same `cv_results_`. Its
    predictions pass through a temporary folder that its worker processes must share.

    Parameters
    ----------
    search : GridSearchCV or RandomizedSearchCV
        The search, not fitted yet; it is cloned.

    Returns
    -------
    KeptSearch
        Fit it in the search's place; then it has `oos_predictions_`, `search_` and `correct`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=5)
    >>> kept = bbc.keep_predictions(grid).fit(X, y)
    >>> kept.correct("accuracy", random_state=1).winner_name
    'n_neighbors=5'
    """
    return KeptSearch(search)


class KeptSearch(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A search and the predictions that it made; see `keep_predictions`.

    Parameters
    ----------
    search : GridSearchCV or RandomizedSearchCV
        The search.

    Attributes
    ----------
    search_ : GridSearchCV or RandomizedSearchCV
        The fitted search.
    oos_predictions_ : OutOfSamplePredictions
        What each configuration predicted for the rows of each fold.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> kept = bbc.keep_predictions(GridSearchCV(tree, {"max_depth": [1, 3]}, cv=5)).fit(X, y)
    >>> kept.oos_predictions_
    OutOfSamplePredictions(n_repeats=1, n_rows=150, n_configurations=2, labels and scores)
    """

    def __init__(self, search: Any) -> None:
        self.search = search

    def fit(self, X: Any, y: ArrayLike, **params: Any) -> Self:
        """Fit the search and collect its predictions.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.
        y : array-like of shape (n_rows,)
            The truth.
        **params : dict
            What the search's `fit` takes, such as `groups`.

        Returns
        -------
        self
            With `search_` and `oos_predictions_`.
        """
        search = _cloned(self.search)
        truth = np.asarray(y)
        if truth.ndim != 1:
            raise ValueError(f"y must have shape (n_rows,), got {truth.shape}")
        classes = np.unique(truth) if is_classifier(search.estimator) else None
        scoring, refit = search.scoring, search.refit
        own = scoring if callable(scoring) else check_scoring(search.estimator, scoring=scoring)
        with tempfile.TemporaryDirectory(prefix="bbc-") as folder:
            several = isinstance(scoring, list | tuple | set | dict)
            # A function of the user's own may give any names.
            names = list(scoring) if several else [] if callable(scoring) else ["score"]
            recorder = Recorder(own, Path(folder), classes, names, search.error_score)
            search.set_params(scoring=recorder, refit="score" if refit is True else refit)
            search.fit(X, RowArray.of(truth), **params)
            self.oos_predictions_ = replace(
                _collected(search, Path(folder), truth, classes, params),
                dynamic_search=not isinstance(search, GridSearchCV | RandomizedSearchCV),
                time_ordered=is_time_ordered(_splits(search, X, truth, params)),
            )
        search.set_params(scoring=scoring, refit=refit)
        search.scorer_, search.multimetric_ = own, several
        for name in [name for name in search.cv_results_ if name.endswith(RECORD)]:
            del search.cv_results_[name]
        self.search_ = search
        return self

    @arguments_called(y_true="y")
    def correct(self, metric: Any, **options: Any) -> PerformanceEstimate:
        """Correct the winner's performance; no model is trained.

        Parameters
        ----------
        metric : str, Metric, scorer or callable
            What is estimated.
        **options : dict
            As in `bbc.correct`.

        Returns
        -------
        PerformanceEstimate
            The corrected estimate.
        """
        check_is_fitted(self, "search_")
        own = self.oos_predictions_
        estimate: PerformanceEstimate = correct(own.y, own, metric=metric, **options)
        return estimate

    @available_if(lambda self: hasattr(self.search, "predict"))  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> AnyArray:
        """Predict with the winner, trained on all rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.

        Returns
        -------
        ndarray
            Predictions.
        """
        check_is_fitted(self, "search_")
        predicted: AnyArray = self.search_.predict(X)
        return predicted


def _cloned(search: Any) -> Any:
    """A clone of a search that evaluates all configurations on all folds."""
    needed = ("cv", "scoring", "refit", "estimator")
    if not all(hasattr(search, name) for name in needed) or not hasattr(search, "_run_search"):
        raise TypeError(
            "search must be a scikit-learn search such as GridSearchCV, "
            f"got {type(search).__name__}"
        )
    if hasattr(search, "factor"):
        raise TypeError(
            f"{type(search).__name__} scores its configurations on growing numbers of rows: there "
            "are no predictions of all rows to keep"
        )
    return clone(search)


def _splits(
    search: Any, X: Any, y: AnyArray, params: dict[str, Any]
) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Splits of the search's kind: those of a splitter left to chance may be others."""
    splitter = check_cv(search.cv, y, classifier=is_classifier(search.estimator))
    for train, test in splitter.split(X, y, params.get("groups")):
        yield as_rows(train), as_rows(test)


def _collected(
    search: Any, folder: Path, y: AnyArray, classes: AnyArray | None, params: dict[str, Any]
) -> OutOfSamplePredictions:
    """The records of all folds and configurations in one array."""
    numbers = np.array(
        [search.cv_results_[f"split{fold}_test_{RECORD}"] for fold in range(search.n_splits_)]
    )
    records: dict[tuple[int, int], dict[str, AnyArray]] = {}
    for fold, configuration in zip(*np.nonzero(~np.isnan(numbers)), strict=True):
        with np.load(folder / f"{int(numbers[fold, configuration])}.npz") as record:
            records[int(fold), int(configuration)] = dict(record)
    if not records:
        raise ValueError("search: every fit failed, so there are no predictions")
    rows = {fold: record["rows"] for (fold, _), record in records.items()}
    repeats, folds = partitions([rows.get(fold) for fold in range(search.n_splits_)], len(y))
    kinds = set.intersection(*(set(record) for record in records.values())) - {"rows", "method"}
    shape = (len(folds), len(y), numbers.shape[1])
    filled = {kind: _empty(kind, shape, next(iter(records.values()))[kind]) for kind in kinds}
    there = np.zeros(shape, dtype=np.bool_)
    for (fold, configuration), record in records.items():
        there[repeats[fold], record["rows"], configuration] = True
        for kind, array in filled.items():
            array[repeats[fold], record["rows"], configuration] = record[kind]
    methods = [""] * numbers.shape[1]
    for (_, configuration), record in records.items():
        methods[configuration] = str(record["method"])
    labels, scores = filled.get("labels"), filled.get("scores")
    groups = params.get("groups")
    return OutOfSamplePredictions(
        y=y,
        labels=None if labels is None or classes is None else read_only(classes[labels]),
        scores=None if scores is None else read_only(scores),
        folds=folds,
        mask=read_only(there),
        names=tuple(configuration_name(one) for one in search.cv_results_["params"]),
        classes=classes,
        groups=None if groups is None else np.asarray(groups),
        response=tuple(methods),
    )


def _empty(kind: str, shape: tuple[int, ...], record: AnyArray) -> AnyArray:
    hole: Any = 0 if kind == "labels" else np.nan
    return np.full((*shape, *record.shape[1:]), hole, dtype=record.dtype)
