"""What the protocols say equals the oracle's arithmetic on their own predictions."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

import bbc
from instrumented import numbered_data
from kinds import of_folds
from reference.bbc import bbc as oracle_bbc
from reference.bbc import bbc_f as oracle_bbc_f
from reference.metrics import get
from reference.problem import make_problem
from reference.tt import tt as oracle_tt

X, Y = numbered_data(48)
NOISY = np.column_stack([X[:, 1], np.random.default_rng(2).normal(size=48)])
CASES = {
    "accuracy": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 9]}, Y),
    "roc_auc": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 9]}, Y),
    "mean_squared_error": (Ridge(), {"alpha": [0.1, 10.0, 1000.0]}, X[:, 1] + Y),
}


def fit(kind, metric, n_repeats, **options):
    learner, grid, y = CASES[metric]
    options = {"cv": 4, "n_repeats": n_repeats, "random_state": 9} | options
    return kind(learner, grid, scoring=metric, **options).fit(NOISY, y), y


def same(ours, theirs):
    assert ours.winner == theirs.winner
    assert ours.apparent == pytest.approx(theirs.apparent, rel=1e-12)
    assert ours.estimate == pytest.approx(theirs.estimate, rel=1e-12)
    assert ours.optimism == pytest.approx(theirs.optimism, abs=1e-12)


@pytest.mark.parametrize("n_repeats", [1, 3])
@pytest.mark.parametrize("metric", CASES)
@pytest.mark.parametrize("pooling", ["pooled", "fold"])
def test_bbc(metric, n_repeats, pooling):
    fitted, y = fit(bbc.BBC, metric, n_repeats, n_bootstraps=60, pooling=pooling)
    predictions = fitted.oos_predictions_
    theirs = oracle_bbc(
        y,
        predictions.values,
        metric,
        seed=9,
        n_bootstraps=60,
        folds=predictions.folds,
        pooling=pooling,
        n_repeats=n_repeats,
    )
    same(fitted.performance_, theirs)
    np.testing.assert_allclose(fitted.performance_.replicates, theirs.replicates, rtol=1e-12)


@pytest.mark.parametrize("n_repeats", [1, 3])
@pytest.mark.parametrize("metric", CASES)
def test_bbc_f_and_tt(metric, n_repeats):
    fitted, y = fit(of_folds, metric, n_repeats, n_bootstraps=60)
    predictions = fitted.oos_predictions_
    stacked, folds = predictions.values, predictions.folds
    problem = make_problem(y, stacked, get(metric), folds=folds, n_repeats=n_repeats)
    theirs = oracle_bbc_f(problem.fold_scores(), metric, seed=9, n_bootstraps=60)
    same(fitted.performance_, theirs)
    np.testing.assert_allclose(fitted.performance_.replicates, theirs.replicates, rtol=1e-12)
    corrected, _ = fit(bbc.TT, metric, n_repeats)
    same(corrected.performance_, oracle_tt(y, stacked, metric, folds, n_repeats=n_repeats))
