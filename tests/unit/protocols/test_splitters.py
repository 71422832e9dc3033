import numpy as np
import pytest
from sklearn.linear_model import Ridge

import bbc

RNG = np.random.default_rng(0)


def held_out(splitter, X, y):
    folds = list(splitter.split(X, y))
    everything = np.concatenate([test for _, test in folds])
    assert np.sort(everything).tolist() == list(range(len(y)))
    for train, test in folds:
        assert not np.intersect1d(train, test).size
    return [test for _, test in folds]


def test_quantile_folds_have_equal_means():
    y = RNG.exponential(size=100)
    X = np.zeros((100, 1))
    ours = [
        y[test].mean() for test in held_out(bbc.baselines.QuantileKFold(5, random_state=1), X, y)
    ]
    from sklearn.model_selection import KFold

    plain = [y[t].mean() for _, t in KFold(5, shuffle=True, random_state=1).split(X)]
    assert np.std(ours) < np.std(plain) / 2


def test_survival_folds_have_as_many_events():
    y = np.empty(60, dtype=[("event", bool), ("time", float)])
    y["event"] = np.arange(60) < 20
    y["time"] = RNG.exponential(size=60)
    for test in held_out(bbc.baselines.QuantileKFold(5, random_state=0), np.zeros((60, 1)), y):
        assert y["event"][test].sum() == 4


def test_clusters_are_spread():
    X = np.repeat([[0.0], [9.0], [20.0]], [30, 10, 10], axis=0) + RNG.normal(size=(50, 1)) * 0.01
    splitter = bbc.baselines.ClusterKFold(5, n_strata=3, random_state=0)
    for test in held_out(splitter, X, np.zeros(50)):
        assert np.histogram(X[test], bins=[-5, 5, 15, 25])[0].tolist() == [6, 2, 2]


@pytest.mark.parametrize("kind", [bbc.baselines.QuantileKFold, bbc.baselines.ClusterKFold])
def test_they_serve_protocols_with_repeats(kind):
    X = RNG.normal(size=(40, 2))
    y = X[:, 0] + RNG.normal(size=40)
    options = {"scoring": "neg_mean_squared_error", "cv": kind(4), "n_repeats": 2}
    one = bbc.CVT(Ridge(), {"alpha": [1, 10]}, random_state=1, **options).fit(X, y)
    again = bbc.CVT(Ridge(), {"alpha": [1, 10]}, random_state=1, **options).fit(X, y)
    folds = one.oos_predictions_.folds
    assert (folds == again.oos_predictions_.folds).all()
    assert (folds[0] != folds[1]).any()


def test_small_strata_do_not_warn(recwarn):
    held_out(
        bbc.baselines.QuantileKFold(5, n_strata=4, random_state=0),
        np.zeros((21, 1)),
        np.arange(21.0),
    )
    assert not recwarn.list


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: bbc.baselines.QuantileKFold(1), ValueError, "n_splits must be at least 2, got 1"),
        (
            lambda: bbc.baselines.QuantileKFold(5, n_strata=0),
            ValueError,
            "n_strata must be at least 1",
        ),
        (
            lambda: bbc.baselines.ClusterKFold(5, shuffle=1),
            TypeError,
            "shuffle must be True or False",
        ),
        (
            lambda: list(bbc.baselines.QuantileKFold(5).split(np.zeros((3, 1)), np.zeros(3))),
            ValueError,
            r"n_splits=5: more folds than rows \(n_samples=3\)",
        ),
    ],
)
def test_what_is_refused(build, error, message):
    with pytest.raises(error, match=message):
        build()
