"""Protocols against the same work written with scikit-learn."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import bbc
from kinds import of_folds
from nightly import covering, nightly

NEIGHBOURS = {"n_neighbors": [1, 3, 7, 15]}
CASES = {
    "labels": (KNeighborsClassifier(), NEIGHBOURS, "accuracy", load_iris),
    "probabilities": (KNeighborsClassifier(), NEIGHBOURS, "roc_auc", load_breast_cancer),
    "two classes of several": (
        KNeighborsClassifier(),
        NEIGHBOURS,
        "roc_auc_ovr",
        load_breast_cancer,
    ),
    "margins": (
        make_pipeline(StandardScaler(), SVC()),
        {"svc__C": [0.1, 1.0]},
        "roc_auc",
        load_breast_cancer,
    ),
    "losses": (
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.1, 1.0]},
        "neg_log_loss",
        load_iris,
    ),
    "values": (KNeighborsRegressor(), NEIGHBOURS, "neg_mean_squared_error", load_diabetes),
    "absolute": (Ridge(), {"alpha": [0.1, 1.0]}, "neg_mean_absolute_error", load_diabetes),
}


NIGHT = ("two classes of several", "values", "absolute")


@pytest.fixture(params=[*(one for one in CASES if one not in NIGHT), *nightly(*NIGHT)])
def case(request):
    estimator, grid, scoring, load = CASES[request.param]
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:120]
    return estimator, grid, scoring, X[rows], y[rows]


def test_cvt_by_fold_is_grid_search(case):
    estimator, grid, scoring, X, y = case
    ours = bbc.CVT(estimator, grid, scoring=scoring, cv=5, pooling="fold").fit(X, y)
    theirs = GridSearchCV(estimator, grid, scoring=scoring, cv=5).fit(X, y)
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-12)
    assert ours.best_index_ == theirs.best_index_
    assert ours.best_params_ == theirs.best_params_
    for key, values in theirs.cv_results_.items():
        if "time" in key or key == "params":
            continue
        if key.startswith("param_"):
            assert ours.cv_results_[key].tolist() == values.tolist()
        else:
            np.testing.assert_allclose(ours.cv_results_[key], values, rtol=1e-12, atol=1e-15)
    assert set(theirs.cv_results_) <= set(ours.cv_results_)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_ncv_is_grid_search_inside_cross_val_score(case):
    estimator, grid, scoring, X, y = case
    folds = np.empty(len(y), dtype=int)
    for number, (_, test) in enumerate(KFold(4, shuffle=True, random_state=1).split(X)):
        folds[test] = number
    ours = bbc.NCV(estimator, grid, scoring=scoring, cv=PredefinedSplit(folds)).fit(X, y)
    scores = []
    for number in range(4):
        train, test = np.flatnonzero(folds != number), np.flatnonzero(folds == number)
        inner = GridSearchCV(estimator, grid, scoring=scoring, cv=PredefinedSplit(folds[train]))
        inner.fit(X[train], y[train])
        scores.append(inner.score(X[test], y[test]))
        assert ours.outer_winners_[0, number] == inner.best_index_
    np.testing.assert_allclose(ours.outer_scores_[0], scores, rtol=1e-12)
    assert ours.performance_.estimate == pytest.approx(np.mean(scores), rel=1e-12)


def test_ncv_with_other_inner_folds_is_a_nested_loop(case):
    estimator, grid, scoring, X, y = case
    cv, inner_cv = KFold(4, shuffle=True, random_state=1), KFold(3)
    ours = bbc.NCV(estimator, grid, scoring=scoring, cv=cv, inner_cv=inner_cv).fit(X, y)
    theirs = cross_val_score(
        GridSearchCV(estimator, grid, scoring=scoring, cv=inner_cv), X, y, cv=cv, scoring=scoring
    )
    np.testing.assert_allclose(ours.outer_scores_[0], theirs, rtol=1e-12)
    assert ours.performance_.estimate == pytest.approx(theirs.mean(), rel=1e-12)


def test_sharing_fits_changes_no_bit():
    X, y = load_iris(return_X_y=True)
    # A learner left to chance: its seed is its configuration's, so sharing cannot matter.
    tree = DecisionTreeClassifier(splitter="random")
    grid = {"max_depth": [1, 2, 3], "max_features": [1, 2]}
    runs = [
        bbc.NCV(tree, grid, cv=5, share_fits=share, random_state=3).fit(X, y)
        for share in (True, False)
    ]
    assert runs[0].performance_ == runs[1].performance_
    assert runs[0].outer_scores_.tobytes() == runs[1].outer_scores_.tobytes()
    assert (runs[0].outer_winners_ == runs[1].outer_winners_).all()
    assert runs[0].n_models_trained_ < runs[1].n_models_trained_


def test_leave_one_out_pools():
    X, y = load_iris(return_X_y=True)
    X, y = X[::6], y[::6]
    ours = bbc.CVT(KNeighborsClassifier(), NEIGHBOURS, cv=LeaveOneOut()).fit(X, y)
    theirs = GridSearchCV(KNeighborsClassifier(), NEIGHBOURS, cv=LeaveOneOut()).fit(X, y)
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-12)


def test_several_metrics_are_recorded_as_scikit_learn_does():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:150], y[:150]
    options = {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc"}
    cv = StratifiedKFold(4)
    ours = bbc.CVT(KNeighborsClassifier(), NEIGHBOURS, cv=cv, pooling="fold", **options).fit(X, y)
    theirs = GridSearchCV(KNeighborsClassifier(), NEIGHBOURS, cv=cv, **options).fit(X, y)
    for key, values in theirs.cv_results_.items():
        if "test" in key:
            np.testing.assert_allclose(ours.cv_results_[key], values, rtol=1e-12, atol=1e-15)
    assert ours.best_index_ == theirs.best_index_
    other = theirs.cv_results_["mean_test_accuracy"][theirs.best_index_]
    assert ours.performance_.secondary["accuracy"].estimate == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize("scoring", ["mean_squared_error", "neg_mean_squared_error"])
def test_score_is_greater_the_better_whatever_the_metric(scoring):
    """Searches maximise what `score` returns: the better of two grids must win an outer one."""
    X, y = load_diabetes(return_X_y=True)
    good, bad = {"n_neighbors": [9, 15]}, {"n_neighbors": [1, 2]}
    ours = bbc.CVT(KNeighborsRegressor(), good, scoring=scoring, cv=3, pooling="fold")
    theirs = GridSearchCV(KNeighborsRegressor(), good, scoring="neg_mean_squared_error", cv=3)
    np.testing.assert_allclose(cross_val_score(ours, X, y), cross_val_score(theirs, X, y))
    outer = GridSearchCV(ours, {"param_grid": [bad, good]}, cv=3).fit(X, y)
    assert outer.best_params_ == {"param_grid": good}
    fitted = outer.best_estimator_
    assert (fitted.best_score_ > 0) == (scoring == "mean_squared_error")


def tuned(kind, scoring, seed=0, **options):
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(y))[:60]
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier())
    grid = {"kneighborsclassifier__n_neighbors": [3, 5, 7, 9, 11, 13, 15]}
    return kind(neighbours, grid, scoring=scoring, cv=5, random_state=1, **options).fit(
        X[rows], y[rows]
    )


KINDS = (bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.TT, bbc.BBC, of_folds, bbc.BBCD)
SCORINGS = ("roc_auc", "log_loss", ["average_precision", "brier_score"])


@pytest.mark.parametrize(
    ("kind", "scoring"), covering(list(product(KINDS, SCORINGS)), every=3, part=str)
)
def test_the_winner_has_rank_one_in_its_own_results(kind, scoring):
    several = isinstance(scoring, list)
    search = tuned(kind, scoring, refit=scoring[0] if several else True)
    label = scoring[0] if several else "score"
    assert search.cv_results_[f"rank_test_{label}"][search.best_index_] == 1
    column = f"{'pooled' if search.performance_.pooling == 'pooled' else 'mean'}_test_{label}"
    deciding = search.cv_results_[column][search.best_index_]
    assert deciding == pytest.approx(search.best_score_, rel=1e-12)


def test_ranks_are_those_of_the_scores_that_decide():
    """Means of folds and scores of all rows have different orders here."""
    search = tuned(bbc.CVT, "roc_auc", seed=2)
    results = search.cv_results_
    ranks = results["rank_test_score"]
    assert results["mean_test_score"].argmax() != search.best_index_
    np.testing.assert_array_equal(ranks, rankdata(-results["pooled_test_score"], "min"))
    assert ranks[search.best_index_] == 1
