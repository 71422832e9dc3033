"""BBC-F on the fold scores that a fitted scikit-learn search keeps."""

import math
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import (
    BaseShuffleSplit,
    GridSearchCV,
    LeavePGroupsOut,
    LeavePOut,
    RandomizedSearchCV,
    TimeSeriesSplit,
)

from .. import _engine, _validation, metrics
from .._design import Design
from .._docstrings import described
from .._names import configuration_name
from .._training._splits import Partition, as_rows, folds_of, partitioned
from .._typing import Alternative, AnyArray, BoolArray, FloatArray, IndexArray
from .._validation import ANALYSIS
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError
from ..findings import found as shown_by
from ..metrics import Metric
from ..predictions import is_time_ordered
from ..results import PerformanceEstimate
from ..results._correction import interval
from ._cv_estimators import cv_estimator_results, kind_of, scoring_of

__all__ = ["correct_search"]

_MADE_UP_ROWS = 240


@described(ANALYSIS)
def correct_search(
    search: Any,
    *,
    n_bootstraps: int = 1000,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    dynamic_search: bool = False,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Correct the winner's score of a fitted search from its scores by fold (BBC-F).

    Nothing is trained. A search keeps scores but no predictions, so whole folds are drawn; drawing
    rows gives narrower and more stable intervals, but needs the predictions that
    `bbc.keep_predictions` keeps. Repeats are recognised from scikit-learn's repeated splitters and
    from lists of splits; repeated hold-outs, which share rows, are refused.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV, OptunaSearchCV, LogisticRegressionCV or the like
        Fitted. A halving search is represented by its last iteration, an Optuna search by its
        completed trials; these and searches of other packages, such as BayesSearchCV, are dynamic
        searches (finding BBC007). Of estimators with built-in cross-validation
        LogisticRegressionCV, LassoCV, ElasticNetCV (fitted without sample weights) and RFECV keep
        scores by fold.
    dynamic_search : bool, default=False
        Whether a GridSearchCV or RandomizedSearchCV was part of a dynamic search: configurations
        were chosen given the scores of others.

    Returns
    -------
    PerformanceEstimate
        The corrected estimate of the metric that selected the winner, in scikit-learn's sign. A
        search does not keep its number of rows: `n_rows` is 0.

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=10)
    >>> e = bbc.correct_search(grid.fit(X, y), random_state=1)
    >>> e.method, e.winner_name, bool(abs(e.apparent - grid.best_score_) < 1e-12)
    ('bbc-f', 'n_neighbors=5', True)
    """
    found = _fold_scores_of(search, _validation.flag(dynamic_search, "dynamic_search"))
    metric = found.metric
    options = _validation.options(
        metric=metric,
        method="bbc-f",
        n_bootstraps=n_bootstraps,
        confidence_level=confidence_level,
        alternative=alternative,
        random_state=random_state,
    )
    _validation.enough_replicates(
        options.confidence_level, options.alternative, options.n_bootstraps
    )
    findings = shown_by("search", found.told)
    for each in findings:
        warn(str(each))
    raw = _engine.correct_fold_scores(
        found.scores, options, n_threads=_validation.n_threads(n_threads)
    )
    return PerformanceEstimate(
        estimate=raw["estimate"],
        metric=metric.name,
        method="bbc-f",
        greater_is_better=True,
        n_rows=0,
        n_configurations=len(found.names),
        winner=int(found.configurations[raw["winner"]]),
        apparent=raw["apparent"],
        confidence_interval=None
        if raw["infeasible"]
        else interval(raw, options, _n_classes(search)),
        infeasible=raw["infeasible"] or None,
        replicate_sd=raw["replicate_sd"],
        replicates=raw["replicates"],
        replicate_winners=found.configurations[raw["replicate_winners"]],
        n_redrawn=raw["n_redrawn"],
        pooling="fold",
        unit="fold",
        n_folds=found.scores.shape[1],
        n_repeats=len(found.scores),
        seed=options.seed,
        version=_engine.kernel_version(),
        names=found.names,
        design=_design_of(search, found),
        left_out_configurations=np.setdiff1d(np.arange(len(found.names)), found.configurations),
        data_findings=findings,
        metric_range=metric.range,
    )


# Facts that only a search that saw scores has.
_DYNAMIC = ("n_trials", "n_last_halving", "n_searched")


class _FoldScores(NamedTuple):
    """Scores by fold of a search, of shape (n_repeats, n_folds, len(configurations)).

    `configurations` are the indices of those with a score in every fold, `names` the names of all;
    `told` are facts of the search that findings name.
    """

    metric: Metric
    scores: FloatArray
    configurations: IndexArray
    names: tuple[str, ...]
    told: dict[str, Any]


def _design_of(search: Any, found: _FoldScores) -> Design:
    """The design of a fitted search: its folds and configurations."""
    estimator = getattr(search, "estimator", search)
    cv, two_classes = getattr(search, "cv", None), np.arange(2)
    dynamic = any(found.told[name] is not None for name in _DYNAMIC)
    return Design(
        training="reported",
        time_ordered=found.told["time_ordered_folds"],
        dynamic_search=dynamic,
        n_failed=None if dynamic else len(found.names) - len(found.configurations),
        selection="best",
        interval="order-statistics",
        **folds_of(cv, two_classes, classifier=is_classifier(estimator), grouped=False),
    )


def _fold_scores_of(search: Any, dynamic: bool) -> _FoldScores:
    results = _results(search)
    key, metric = _metric(search)
    scores = _scores(results, key)
    complete: BoolArray = np.all(np.isfinite(scores), axis=0)
    infinite = np.argwhere(scores == np.inf)
    if infinite.size:
        fold, place = infinite[0].tolist()
        raise InvalidValueError(
            "search",
            f": split{fold}_test_{key} of configuration {place} is infinite, the best score there "
            "is; BBC-F averages scores of folds and requires finite ones",
        )
    told: dict[str, Any] = dict.fromkeys(_DYNAMIC)
    if hasattr(search, "trials_"):
        told["n_trials"] = len(complete)
    elif "iter" in results:
        last = np.asarray(results["iter"]) == np.max(results["iter"])
        complete &= last
        told["n_last_halving"] = int(last.sum())
    elif dynamic or _may_see_scores(search):
        told["n_searched"] = len(complete)
    if not complete.any():
        raise InvalidValueError("search", ": no configuration has a score in every fold")
    configurations = np.flatnonzero(complete)
    n_repeats = _n_repeats(search.cv)
    told["time_ordered_folds"] = _is_time_ordered(search.cv)
    if len(scores) < 2 * n_repeats:
        raise InvalidValueError(
            "search", ": BBC-F draws folds and requires two or more per repeat; the search has one"
        )
    scores = np.ascontiguousarray(scores[:, configurations])
    names = tuple(configuration_name(parameters) for parameters in results["params"])
    return _FoldScores(
        metric, scores.reshape(n_repeats, -1, len(configurations)), configurations, names, told
    )


def _may_see_scores(search: Any) -> bool:
    """True if a search is of a kind that may choose configurations by the scores of others."""
    return hasattr(search, "_run_search") and not isinstance(
        search, GridSearchCV | RandomizedSearchCV
    )


def _n_repeats(cv: Any) -> int:
    """Number of partitions; splits that share rows within one cannot be drawn."""
    if (
        isinstance(cv, BaseShuffleSplit)
        or (isinstance(cv, LeavePOut) and cv.p > 1)
        or (isinstance(cv, LeavePGroupsOut) and cv.n_groups > 1)
    ):
        raise InvalidValueError(
            "search",
            f": the splits of {type(cv).__name__} share rows, and BBC-F draws folds that do "
            "not; bbc.keep_predictions keeps what draws of rows need",
        )
    if isinstance(cv, Iterator):
        raise InvalidValueError(
            "search",
            ": its cv was a generator, which the search used up, and with it which splits make a "
            "partition; set the same splits as a list, search.set_params(cv=list(...))",
        )
    if not _is_list(cv):
        splits = _made_up_splits(cv)
        if splits is None:
            return int(getattr(cv, "n_repeats", 1))
        cv = splits
    sizes = [len(partition.folds) for partition in _partitions(cv)]
    if len(sizes) > 1 and max(sizes) == 1:
        raise InvalidValueError(
            "search",
            ": the tests of its splits overlap, and BBC-F draws folds that do not; "
            "bbc.keep_predictions keeps what draws of rows need",
        )
    if len(set(sizes)) > 1:
        raise InvalidValueError(
            "search",
            f": the first partition of its splits has {sizes[0]} folds, others differ; BBC-F "
            "requires partitions with equal numbers of folds",
        )
    return len(sizes)


def _made_up_splits(cv: Any) -> list[Any] | None:
    """The splits of another package's splitter for made-up rows; None if it needs the real ones.

    A search does not keep its rows. Splitters of scikit-learn are known by their class.
    """
    if not hasattr(cv, "split") or type(cv).__module__.startswith("sklearn."):
        return None
    n_rows = _MADE_UP_ROWS
    y, groups = np.arange(n_rows) % 2, np.arange(n_rows) % 24
    try:
        return list(deepcopy(cv).split(np.zeros((n_rows, 1)), y, groups))
    except Exception:
        return None


def _is_list(cv: Any) -> bool:
    """True if `cv` holds the splits themselves."""
    return isinstance(cv, Iterable) and not hasattr(cv, "split")


def _partitions(cv: Iterable[Any]) -> tuple[Partition, ...]:
    """The partitions of a list of splits, from which the number of rows is inferred."""
    splits = [(as_rows(train), as_rows(test)) for train, test in cv]
    n_rows = 1 + max(int(rows.max(initial=0)) for split in splits for rows in split)
    return tuple(partitioned(splits, n_rows))


def _is_time_ordered(cv: Any) -> bool:
    """True if a splitter, or a list of splits, trains on earlier rows only."""
    if not _is_list(cv):
        return isinstance(cv, TimeSeriesSplit)
    return is_time_ordered(
        (fold.train, fold.test) for partition in _partitions(cv) for fold in partition.folds
    )


def _n_classes(search: Any) -> float:
    """Number of classes; unknown to a search without a final model."""
    classes = getattr(search, "classes_", None)
    return math.inf if classes is None else len(classes)


def _results(search: Any) -> dict[str, Any]:
    """Parameters and scores of each configuration, under scikit-learn's keys."""
    if hasattr(search, "trials_"):
        return _of_trials(search.trials_)
    if hasattr(search, "oos_predictions_"):
        instead = (
            "whose estimate is search.performance_; for BBC-F of its predictions: bbc.correct(y, "
            'search.oos_predictions_, method="bbc-f", ...)'
            if hasattr(search, "performance_")
            else "which kept its predictions: search.correct() draws rows, "
            'search.correct(method="bbc-f") folds'
        )
        raise InvalidTypeError("search", f"is a {type(search).__name__}, {instead}")
    own = cv_estimator_results(search)
    if own is not None:
        return own
    results = getattr(search, "cv_results_", None)
    if not isinstance(results, dict) or "params" not in results:
        raise InvalidTypeError(
            "search",
            "must be a fitted search with cv_results_, such as GridSearchCV, "
            f"got {kind_of(search)}",
        )
    return results


def _of_trials(trials: Any) -> dict[str, Any]:
    """The same of an Optuna search, whose trials keep them one by one."""
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    if not complete:
        raise InvalidValueError("search", "has no completed trial")
    keys = [key for key in complete[0].user_attrs if key.startswith("split")]
    scores = {key: [trial.user_attrs[key] for trial in complete] for key in keys}
    return {"params": [trial.params for trial in complete]} | scores


def _metric(search: Any) -> tuple[str, Metric]:
    """The key of the scores in cv_results_, and the metric; scikit-learn's scores go up."""
    scoring, key = scoring_of(search), "score"
    if callable(getattr(search, "refit", None)):
        raise InvalidValueError(
            "search",
            ": callable refit is not supported: BBC-F corrects selection by the best mean score",
            hint="for another rule, bbc.keep_predictions(search).fit(X, y).correct(selection=...)",
        )
    if getattr(search, "multimetric_", False):
        if not isinstance(search.refit, str):
            raise InvalidValueError(
                "search", ": with several metrics, refit must name the selection metric"
            )
        key = search.refit
    name = key if isinstance(scoring, list | tuple | set) else scoring
    if name is None:
        name = "accuracy" if is_classifier(getattr(search, "estimator", search)) else "r2"
    if isinstance(name, str):
        return key, metrics.get(name)
    # Of an unknown scorer only the scores are read, never the function.
    return key, metrics.from_callable(_never_called, greater_is_better=True, name=key)


def _never_called(y: Any, prediction: Any) -> float:
    raise AssertionError("a search's scores are computed already")


def _scores(results: dict[str, Any], key: str) -> FloatArray:
    """Scores of shape (n_folds, n_configurations)."""
    columns: list[AnyArray] = []
    while f"split{len(columns)}_test_{key}" in results:
        columns.append(np.asarray(results[f"split{len(columns)}_test_{key}"], float))
    if not columns:
        raise InvalidValueError("search", f"keeps no split0_test_{key}")
    return np.stack(columns)
