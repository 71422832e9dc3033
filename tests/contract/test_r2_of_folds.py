"""R2 from scores of folds and the truth, through the squared errors of the folds."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, KFold, RepeatedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

import bbc
from bbc import _core
from bbc.errors import ArgumentError
from reference import drawn_limits
from reference import fold_score_limits as oracle
from reference.bbc import fold_counts

N = 60
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 4))
Y = X @ [1.0, 0.5, 0, 0] + RNG.normal(size=N)
SEED = {"random_state": 1, "n_bootstraps": 200}


def searched(cv=6, y=Y, **options):
    grid = {"n_neighbors": [1, 3, 9, 15, 30]}
    return GridSearchCV(KNeighborsRegressor(), grid, cv=cv, **options).fit(X, y)


def draws(n_folds):
    return [fold_counts(1, b, n_folds)[0] for b in range(200)]


def variances_of(cv, n_repeats=1):
    of_splits = [Y[test].var() for _, test in cv.split(X)]
    return np.reshape(of_splits, (n_repeats, -1))


def scores_of(search):
    n_splits = search.n_splits_
    return np.array([search.cv_results_[f"split{k}_test_score"] for k in range(n_splits)])


@pytest.mark.parametrize("n_folds", [3, 6])
def test_numbers_are_those_of_the_oracle(n_folds):
    search = searched(n_folds)
    c = bbc.correct(search, y=Y, **SEED)
    wanted = oracle.r2_by_squared_errors(
        scores_of(search), variances_of(KFold(n_folds))[0], Y.var(), draws(n_folds)
    )
    assert c.winner == wanted["winner"] == search.best_index_
    assert c.replicate_winners.tolist() == wanted["winners"]
    assert c.replicates == pytest.approx(wanted["replicates"], abs=1e-12)
    assert c.estimate == pytest.approx(wanted["replicates"].mean(), abs=1e-12)
    assert c.apparent == pytest.approx(wanted["apparent"], abs=1e-12)
    low, high = _core.order_statistic_interval(c.replicates, 0.95, "two-sided", -np.inf, 1)
    errors = (1 - scores_of(search)[:, c.winner]) * variances_of(KFold(n_folds))[0]
    distance = drawn_limits.few_folds_distance(1 - errors / Y.var(), 0.025) if n_folds < 5 else None
    expected = drawn_limits.drawn_limits(
        c.estimate, low, high, needed=0, shown=0, distance=distance, metric_range=(-np.inf, 1)
    )
    assert tuple(c.confidence_interval) == pytest.approx(expected, abs=1e-11)
    assert (c.pooling, c.unit, c.n_rows) == ("pooled", "fold", N)
    assert bbc.correct(search, **SEED).pooling == "fold"


def test_the_apparent_score_is_that_of_all_rows():
    search = searched()
    c = bbc.correct(search, y=Y, **SEED)
    predicted = cross_val_predict(search.best_estimator_, X, Y, cv=6)
    assert c.apparent == pytest.approx(r2_score(Y, predicted), abs=1e-12)


def test_each_replicate_scores_the_folds_of_one_repeat():
    cv = RepeatedKFold(n_splits=6, n_repeats=2, random_state=0)
    search = searched(cv)
    c = bbc.correct(search, y=Y, **SEED)
    scores = scores_of(search).reshape(2, 6, -1)
    errors = (1 - scores) * variances_of(cv, 2)[:, :, None]
    for b, counts in enumerate(draws(6)):
        left = errors[b % 2, counts == 0, c.replicate_winners[b]]
        assert c.replicates[b] == pytest.approx(1 - left.mean() / Y.var(), abs=1e-12)
    assert c.apparent == pytest.approx(1 - errors[:, :, c.winner].mean() / Y.var(), abs=1e-12)


def test_it_is_less_pessimistic_than_the_mean_over_folds():
    """On average over data sets of 40 rows, of which a fold has eight."""
    bias = np.zeros((40, 2))
    for seed in range(len(bias)):
        rng = np.random.default_rng(seed)
        inputs = rng.normal(size=(2040, 5))
        y = inputs @ [1, 0.5, 0.5, 0, 0] + rng.normal(size=2040) * 2
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 1, 10, 100]}, cv=5)
        search.fit(inputs[:40], y[:40])
        truth = search.score(inputs[40:], y[40:])
        found = [bbc.correct(search, y=y[:40], **SEED), bbc.correct(search, **SEED)]
        bias[seed] = [each.estimate - truth for each in found]
    rule, before = bias.mean(axis=0)
    assert abs(rule) < 0.6 * abs(before)


def test_what_the_search_keeps_tells_another_order():
    scoring = ["r2", "neg_mean_squared_error"]
    search = searched(scoring=scoring, refit="r2")
    assert bbc.correct(search, y=Y, **SEED).pooling == "pooled"
    with pytest.raises(ArgumentError, match=r"^y does not have the rows .* in another order"):
        bbc.correct(search, y=Y[::-1], **SEED)
    far = searched(scoring=scoring, refit="r2", y=Y + 1e4)  # whose squared errors lose digits
    assert bbc.correct(far, y=Y + 1e4, **SEED).n_rows == N


def test_a_fold_without_variance_is_refused():
    y = Y.copy()
    y[20:30] = 1.0
    with pytest.raises(ArgumentError, match="y is constant in split 2, whose R2 is undefined"):
        bbc.correct(searched(y=y), y=y, **SEED)


def test_folds_that_are_not_known_leave_the_mean_over_folds():
    search = searched(KFold(6, shuffle=True))
    c = bbc.correct(search, y=Y, **SEED)
    assert c.pooling == "fold"
    assert c.n_rows == N
    assert c.confidence_interval == bbc.correct(search, **SEED).confidence_interval
