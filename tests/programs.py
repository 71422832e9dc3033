"""Searches drawn at random: a tool is a random program, and scikit-learn is its oracle."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge, RidgeClassifier
from sklearn.metrics import (
    brier_score_loss,
    cohen_kappa_score,
    fbeta_score,
    make_scorer,
    mean_absolute_error,
    median_absolute_error,
    precision_score,
    roc_auc_score,
)
from sklearn.model_selection import (
    BaseShuffleSplit,
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    PredefinedSplit,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from bbc.errors import ArgumentError, UndefinedMetricError

N_ROWS = 36


class OwnScore(DecisionTreeClassifier):
    """A classifier whose `score` is a number of its own."""

    def score(self, X, y, sample_weight=None):
        return float((self.predict(X) == y).sum() - 0.01 * self.get_depth())


class Fails(DecisionTreeClassifier):
    """A classifier that cannot be trained to some depth, or on some rows."""

    def fit(self, X, y, sample_weight=None):
        if self.max_depth == 3 and len(y) % 2 == 0:
            raise ValueError("three is too deep")
        return super().fit(X, y, sample_weight)


class EveryThird:
    """A splitter of somebody else's."""

    def split(self, X, y=None, groups=None):
        rows = np.arange(len(X))
        for k in range(3):
            yield rows[rows % 3 != k], rows[rows % 3 == k]

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3


def _share_of_first(y, p):
    return float(np.mean(np.asarray(y) == np.asarray(p)) ** 2)


def one_number(estimator, X, y):
    """A scoring function with one number."""
    return float(np.mean(estimator.predict(X) == y))


def two_numbers(estimator, X, y):
    """A scoring function with two, of which one is a loss."""
    right = float(np.mean(estimator.predict(X) == y))
    return {"right": right, "wrong": 1 - right}


def fails_at_times(estimator, X, y):
    """A scoring function that fails for some models."""
    if len(getattr(estimator, "classes_", ())) < 2 or X[0, 0] > 1.2:
        raise ValueError("no luck")
    return one_number(estimator, X, y)


TREE = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 4]}
CLASSIFIERS = [
    (DecisionTreeClassifier(random_state=0), TREE),
    (KNeighborsClassifier(), {"n_neighbors": [1, 3, 9]}),
    (LogisticRegression(), {"C": [1e-3, 0.1, 10]}),
    (RidgeClassifier(), {"alpha": [0.1, 100.0]}),
    (GaussianNB(), {"var_smoothing": [1e-9, 1.0]}),
    (DummyClassifier(), {"strategy": ["prior", "most_frequent"]}),
    (OwnScore(random_state=0), TREE),
    (Fails(random_state=0), TREE),
    (
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        {"kneighborsclassifier__n_neighbors": [1, 5]},
    ),
]
REGRESSORS = [
    (DecisionTreeRegressor(random_state=0), TREE),
    (Ridge(), {"alpha": [0.01, 1.0, 100.0]}),
    (KNeighborsRegressor(), {"n_neighbors": [1, 5]}),
    (PoissonRegressor(), {"alpha": [0.01, 1.0]}),
    (DummyRegressor(), {"strategy": ["mean", "median"]}),
    (make_pipeline(StandardScaler(), PoissonRegressor()), {"poissonregressor__alpha": [0.1, 10]}),
]
OTHERS = [
    (KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}),
    (OneClassSVM(gamma=0.1), {"nu": [0.1, 0.5]}),
]
OF_CLASSES = [
    None,
    "accuracy",
    "balanced_accuracy",
    "neg_log_loss",
    "f1_macro",
    make_scorer(cohen_kappa_score, weights="quadratic"),
    make_scorer(precision_score, average="macro", zero_division=0),
    make_scorer(_share_of_first),
    ["accuracy", "balanced_accuracy"],
    {
        "mine": "accuracy",
        "other": make_scorer(fbeta_score, beta=2, average="macro", pos_label=None),
    },
    one_number,
    two_numbers,
    fails_at_times,
]
OF_TWO = [
    "roc_auc",
    "average_precision",
    "f1",
    "neg_brier_score",
    make_scorer(fbeta_score, beta=0.5, zero_division=0),
    make_scorer(roc_auc_score, response_method="predict_proba"),
    make_scorer(brier_score_loss, response_method="predict_proba", greater_is_better=False),
    ["roc_auc", "neg_brier_score"],
]
OF_NUMBERS = [
    None,
    "r2",
    "neg_mean_squared_error",
    "neg_root_mean_squared_error",
    make_scorer(mean_absolute_error, greater_is_better=False),
    make_scorer(median_absolute_error, greater_is_better=False),
    ["r2", "neg_mean_absolute_error"],
]
SPLITTERS = [
    3,
    KFold(4),
    KFold(3, shuffle=True, random_state=1),
    StratifiedKFold(3),
    RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    GroupKFold(3),
    StratifiedGroupKFold(3),
    LeaveOneGroupOut(),
    LeaveOneOut(),
    ShuffleSplit(4, test_size=0.2, random_state=0),
    StratifiedShuffleSplit(3, random_state=0),
    LeavePGroupsOut(2),
    TimeSeriesSplit(3),
    PredefinedSplit(np.arange(N_ROWS) % 3),
    EveryThird(),
    "list",
]


@dataclass
class Program:
    """A search before it is fitted, and what it is fitted on."""

    search: Any
    X: Any
    y: Any
    params: dict[str, Any]

    def fitted(self):
        """Scikit-learn's own."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.search.fit(self.X, self.y, **self.params)


def drawn(rng) -> Program:
    """A program; many are nonsense, and scikit-learn says so."""
    X = rng.normal(size=(N_ROWS, 3))
    kind = rng.choice(["two", "three", "words", "numbers", "counts", "others"])
    signal = X[:, 0] + rng.normal(size=N_ROWS)
    if kind in ("two", "words"):
        y = (signal > rng.choice([0.0, 1.0])).astype(int)
        y = np.array(["no", "yes"])[y] if kind == "words" else y
        learners, scorings = CLASSIFIERS, OF_CLASSES + OF_TWO
    elif kind == "three":
        y, learners, scorings = np.digitize(signal, [-0.7, 0.7]), CLASSIFIERS, OF_CLASSES
    elif kind == "others":
        y = np.where(signal > -1, 1, -1)
        learners, scorings = OTHERS, [None, "accuracy", "balanced_accuracy", one_number]
    else:
        y = rng.poisson(np.exp(0.4 * signal)) if kind == "counts" else signal
        learners, scorings = REGRESSORS, OF_NUMBERS
    learner, grid = learners[rng.integers(len(learners))]
    scoring = scorings[rng.integers(len(scorings))]
    cv = SPLITTERS[rng.integers(len(SPLITTERS))]
    if isinstance(cv, str):
        cv = list(KFold(3, shuffle=True, random_state=2).split(X))
    several = isinstance(scoring, list | dict) or scoring is two_numbers
    refit: Any = rng.choice(["best", "function", "no"], p=[0.8, 0.1, 0.1])
    if refit == "function":
        refit = last_of
    elif several and refit == "best":
        names = ["right", "wrong"] if scoring is two_numbers else list(scoring)
        refit = names[rng.integers(len(names))]
    else:
        refit = refit == "best"
    options = {"scoring": scoring, "cv": cv, "refit": refit}
    options["error_score"] = rng.choice([np.nan, 0.0])
    which = rng.choice(["grid", "random", "halving"], p=[0.6, 0.3, 0.1])
    if which == "grid":
        search = GridSearchCV(learner, grid, **options)
    elif which == "random":
        search = RandomizedSearchCV(learner, grid, n_iter=2, random_state=0, **options)
    else:
        search = HalvingGridSearchCV(learner, grid, random_state=0, min_resources=18, **options)
    params: dict[str, Any] = {}
    if "Group" in type(cv).__name__:
        params["groups"] = np.arange(N_ROWS) // 6
    if rng.random() < 0.2 and "kneigh" not in str(learner).lower():
        params["sample_weight"] = rng.integers(1, 4, N_ROWS).astype(float)
    return Program(search, X, y, params)


def last_of(results):
    """A refit that is a function."""
    return len(results["params"]) - 1


def verdict(program: Program, *, seed: int = 1) -> str:
    """What our doors make of a program that scikit-learn runs: "number" or "refused".

    Raises an AssertionError where they disagree with scikit-learn.
    """
    theirs = program.fitted()
    found = {_of_scores(theirs, seed), _of_predictions(program, theirs, seed)}
    return "number" if "number" in found else "refused"


def _of_scores(theirs: Any, seed: int) -> str:
    try:
        e = _quietly(bbc.correct, theirs, random_state=seed, n_bootstraps=50)
    except ArgumentError:
        return "refused"
    if hasattr(theirs, "best_index_"):
        assert e.winner == theirs.best_index_ == e.deployed.index
    if hasattr(theirs, "best_score_"):
        np.testing.assert_allclose(e.apparent, theirs.best_score_, rtol=1e-9, atol=1e-12)
    return "number"


def _of_predictions(program: Program, theirs: Any, seed: int) -> str:
    try:
        kept = _quietly(
            bbc.keep_predictions(program.search).fit, program.X, program.y, **program.params
        )
    except (ArgumentError, UndefinedMetricError):
        return "refused"
    for key, values in theirs.cv_results_.items():
        if not {"time", "train"} & set(key.split("_")) and key.startswith(
            ("split", "mean", "rank")
        ):
            np.testing.assert_allclose(
                np.asarray(kept.cv_results_[key], float), np.asarray(values, float), rtol=1e-9
            )
    if hasattr(theirs, "best_index_"):
        assert kept.best_index_ == theirs.best_index_
    _same_predictions(program, kept)
    try:
        e = _quietly(bbc.correct, kept, random_state=seed, n_bootstraps=50)
    except (ArgumentError, UndefinedMetricError):
        return "refused"
    if e.deployed is not None and not hasattr(theirs, "factor"):
        assert e.deployed.is_corrected
        assert e.winner == theirs.best_index_
    if e.method == "bbc-f" and hasattr(theirs, "best_score_"):
        np.testing.assert_allclose(e.apparent, theirs.best_score_, rtol=1e-9, atol=1e-12)
    return "number"


def _same_predictions(program: Program, kept: Any) -> None:
    """Each row is predicted as by a model that scikit-learn's own loop trains."""
    search, made = program.search, kept.oos_predictions_
    if hasattr(search, "factor") or (made.labels is None and made.scores is None):
        return
    cv = check_cv(search.cv, program.y, classifier=is_classifier(search.estimator))
    splits = list(cv.split(program.X, program.y, program.params.get("groups")))
    weight = program.params.get("sample_weight")
    own = made.labels if made.labels is not None else made.scores
    repeat = 0
    tested = np.zeros(len(program.y), bool)
    alone = isinstance(cv, BaseShuffleSplit)
    for number, (train, test) in enumerate(splits):
        if number and (alone or tested[test].any()):
            repeat, tested = repeat + 1, np.zeros(len(program.y), bool)
        tested[test] = True
        for place, params in enumerate(kept.cv_results_["params"]):
            if not made.mask[repeat, test, place].all():
                continue
            model = clone(search.estimator).set_params(**params)
            given = {} if weight is None else {"sample_weight": weight[train]}
            if isinstance(model, KMeans | OneClassSVM):
                continue  # of which scores are kept
            model.fit(program.X[train], program.y[train], **given)
            np.testing.assert_array_equal(own[repeat, test, place], model.predict(program.X[test]))


def _quietly(function, *given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given, **options)
