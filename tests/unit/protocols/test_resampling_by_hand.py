"""Every scheme of `resampling_error` worked out again by hand from the rows that it drew."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier

import bbc

RNG = np.random.default_rng(6)
N_ROWS = 40
X = np.column_stack([np.arange(N_ROWS), RNG.normal(size=(N_ROWS, 2))])
Y = X[:, 1] * 2 + RNG.normal(size=N_ROWS)
LABELS = (Y > 0).astype(int)


class Recorder(Ridge):
    """Takes note of which rows train it and which it predicts; the first column is the row."""

    log: ClassVar[list[tuple[list[int], list[int]]]] = []

    def fit(self, X, y):
        self.rows_ = X[:, 0].astype(int).tolist()
        return super().fit(X[:, 1:], y)

    def predict(self, X):
        Recorder.log.append((self.rows_, X[:, 0].astype(int).tolist()))
        return super().predict(X[:, 1:])


def by_hand(train, test):
    model = Ridge().fit(X[train, 1:], Y[train])
    return (model.predict(X[test, 1:]) - Y[test]) ** 2


def run(**options):
    Recorder.log.clear()
    options = {"metric": "mean_squared_error", "random_state": 3} | options
    result = bbc.baselines.resampling_error(Recorder(), X, Y, **options)
    return result, list(Recorder.log)


@pytest.mark.parametrize(
    ("options", "n_sets", "n_train"),
    [
        ({"method": "holdout"}, 1, 26),
        ({"method": "holdout", "ratio": 0.5}, 1, 20),
        ({"method": "subsampling", "n_resamples": 6}, 6, 36),
        ({"method": "subsampling", "n_resamples": 6, "ratio": 0.8}, 6, 32),
        ({"method": "cv", "n_folds": 5}, 5, 32),
        ({"method": "cv", "n_folds": 5, "n_repeats": 3}, 15, 32),
        ({"method": "cv", "n_folds": 5, "stratify": "bins"}, 5, 32),
        ({"method": "cv", "n_folds": 5, "stratify": "clusters"}, 5, 32),
        ({"method": "loo"}, 40, 39),
    ],
)
def test_held_out_rows(options, n_sets, n_train):
    result, sets = run(**options)
    assert len(sets) == n_sets
    values = [by_hand(train, test).mean() for train, test in sets]
    np.testing.assert_allclose(result.replicates, values, rtol=1e-12)
    assert result.estimate == pytest.approx(np.mean(values), rel=1e-12)
    for train, test in sets:
        assert len(train) == n_train
        assert sorted(train + test) == list(range(N_ROWS))
    if options["method"] in ("cv", "loo"):
        n_repeats = options.get("n_repeats", 1)
        tested = np.bincount(np.concatenate([test for _, test in sets]))
        assert (tested == n_repeats).all()
    assert len({tuple(sorted(test)) for _, test in sets}) == n_sets, "no set comes twice"


def test_bins_are_spread_over_the_folds():
    _, sets = run(method="cv", n_folds=5, stratify="bins")
    # Bins of five by rank, or of more: each fold has a row of each fifth of y.
    fifth = Y.argsort().argsort() // 8
    for _, test in sets:
        assert len(set(fifth[test])) == 5


def test_out_of_bag_and_632():
    result, sets = run(method="oob", n_resamples=8)
    values = [by_hand(train, test).mean() for train, test in sets]
    np.testing.assert_allclose(result.replicates, values, rtol=1e-12)
    for train, test in sets:
        assert len(train) == N_ROWS
        assert test == sorted(set(range(N_ROWS)) - set(train))
    drawn = np.array([train for train, _ in sets])
    for method in ("632-per-bag", "632+-per-bag"):
        mixed, _ = run(method=method, resamples=drawn)
        expected = []
        for train, test in sets:
            out, within = by_hand(train, test).mean(), by_hand(train, train).mean()
            weight = 0.632
            if method == "632+-per-bag":
                everywhere = Ridge().fit(X[train, 1:], Y[train]).predict(X[:, 1:])
                gamma = np.mean((Y[:, None] - everywhere[None, :]) ** 2)
                out = min(out, gamma)
                share = (out - within) / (gamma - within) if min(out, gamma) > within else 0.0
                weight = 0.632 / (1 - 0.368 * share)
            expected.append((1 - weight) * within + weight * out)
        np.testing.assert_allclose(mixed.replicates, expected, rtol=1e-10)


@pytest.mark.parametrize("method", ["bcv", "bcv-distinct"])
@pytest.mark.parametrize("seed", range(3))
def test_cross_validation_of_a_bootstrap_sample(method, seed):
    result, sets = run(method=method, n_resamples=1, n_folds=4, random_state=seed)
    expected = np.mean([by_hand(train, test).mean() for train, test in sets])
    assert result.estimate == pytest.approx(expected, rel=1e-12)
    shared = [set(train) & set(test) for train, test in sets]
    if method == "bcv":
        assert len(sets) == 4
        assert any(shared)
        assert {len(train) + len(test) for train, test in sets} == {N_ROWS}
    else:  # a fold of which every row trains too has nothing to say
        assert 0 < len(sets) <= 4
        assert not any(shared)


def test_the_direct_bootstrap_of_a_tuning():
    drawn = RNG.integers(0, N_ROWS, size=(5, N_ROWS))
    grid = {"n_neighbors": [1, 3, 7]}
    tuner = bbc.CVT(KNeighborsClassifier(), grid, cv=3, pooling="fold")
    data = X[:, 1:]
    result = bbc.baselines.resampling_error(
        tuner, data, LABELS, method="direct", resamples=drawn, metric="accuracy"
    )
    expected = []
    for rows in drawn:
        search = GridSearchCV(KNeighborsClassifier(), grid, cv=StratifiedGroupKFold(3))
        search.fit(data[rows], LABELS[rows], groups=rows)
        rest = np.setdiff1d(np.arange(N_ROWS), rows)
        expected.append(search.score(data[rest], LABELS[rest]))
    np.testing.assert_allclose(result.replicates, expected, rtol=1e-12)
    assert result.estimate == pytest.approx(np.mean(expected), rel=1e-12)


def test_stratified_folds_of_classes():
    class Labelled(KNeighborsClassifier):
        log: ClassVar[list[list[int]]] = []

        def predict(self, X):
            Labelled.log.append(X[:, 0].astype(int).tolist())
            return super().predict(X)

    bbc.baselines.resampling_error(Labelled(), X, LABELS, method="cv", n_folds=4, random_state=0)
    share = LABELS.mean()
    for rows in Labelled.log:
        assert abs(LABELS[rows].sum() - share * len(rows)) < 1
