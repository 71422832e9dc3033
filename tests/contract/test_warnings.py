"""Every warning points to the line that called bbc, whichever public function gives it."""

import functools
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import HalvingGridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import bbc
from bbc.errors import BBCWarning
from instrumented import Witness, numbered_data
from kinds import of_folds

X, Y = numbered_data()
RARE = np.isin(np.arange(30), (3, 5)).astype(int)  # the AUC is often undefined
SCORES = np.random.default_rng(1).random((30, 3))
TWO = np.arange(30) % 2
SAME = np.c_[TWO, TWO].astype(float)
FOLDS = np.arange(30) // 2 % 5
SHIFTS = {"shift": [0.0, 0.3, 0.6]}
OPTIONS = {"metric": "roc_auc", "random_state": 1}
PERFECT = OPTIONS | {"method": "subsampling", "metric": "accuracy", "n_resamples": 3}
IRIS = load_iris(return_X_y=True)


@functools.cache
def halving():
    """A search that chose its configurations as it went."""
    grid = {"n_neighbors": [1, 3, 5, 7, 9, 11]}
    return HalvingGridSearchCV(KNeighborsClassifier(), grid, cv=4, random_state=0).fit(*IRIS)


def failing(protocol, **options):
    return protocol(Witness(fail_on=0.3), SHIFTS, cv=3, random_state=1, **options)


def early():
    search = bbc.BBCD(Witness(), {"shift": [0.0, 0.2, 4.0, 6.0]}, cv=6, min_predictions=1)
    return search.set_params(n_bootstraps=200, random_state=3)


def by_margin():
    search = bbc.CVT(SVC(), {"C": [1.0, 10.0]}, scoring="roc_auc", cv=3, random_state=1)
    return search.set_params(pooling="pooled")


CALLS = {
    "correct": lambda: bbc.correct(RARE, SCORES, **OPTIONS),
    "correct, groups": lambda: bbc.correct(
        TWO, SCORES, groups=np.arange(30) // 4, folds=FOLDS, **OPTIONS
    ),
    "several metrics": lambda: bbc.correct(
        RARE, SCORES, metric="roc_auc", secondary=["brier_score"], random_state=1
    ),
    "blocks": lambda: bbc.correct(RARE, bbc.Blocks([SCORES]), **OPTIONS),
    "stream": lambda: bbc.correct(RARE, bbc.Blocks([SCORES]), **OPTIONS),
    "tt": lambda: bbc.correct(
        TWO[:8], SCORES[:8], metric="brier_score", folds=np.arange(8), method="tt"
    ),
    "bound": lambda: bbc.baselines.bound(TWO, SAME, FOLDS, method="delong", random_state=1),
    "bound, bbc": lambda: bbc.baselines.bound(RARE, SCORES, random_state=1),
    "compare_bounds": lambda: bbc.baselines.compare_bounds(
        TWO, SAME, FOLDS, methods=["delong"], random_state=1
    ),
    "correct_search": lambda: bbc.correct(halving(), random_state=1),
    "delong": lambda: bbc.baselines.intervals.delong(TWO, SAME[:, 0]),
    "hanley_mcneil": lambda: bbc.baselines.intervals.hanley_mcneil(TWO, SAME[:, 0]),
    "wald": lambda: bbc.baselines.intervals.wald([0.1] * 3),
    "corrected_resampled_t": lambda: bbc.baselines.intervals.corrected_resampled_t(
        [0.1] * 3, n_train=9, n_test=1
    ),
    "conservative_z": lambda: bbc.baselines.intervals.conservative_z(0.1, [0.1], [0.1], n_rows=9),
    "nested_cv": lambda: bbc.baselines.intervals.nested_cv(
        [[0.1, 0.1]] * 2, [[0.1, 0.1]] * 2, n_rows=4, n_folds=2
    ),
    "resampling_error": lambda: bbc.baselines.resampling_error(
        Witness(), np.c_[np.arange(60), 9 * Y], Y, interval="corrected-resampled-t", **PERFECT
    ),
    "BBC": lambda: failing(bbc.BBC).fit(X, Y),
    "BBCD": lambda: early().fit(*numbered_data(120)),
    "BBC of folds": lambda: failing(of_folds).fit(X, Y),
    "CVT": lambda: by_margin().fit(IRIS[0][:100], IRIS[1][:100]),
    "CVMCV": lambda: failing(bbc.baselines.CVMCV).fit(X, Y),
    "NCV": lambda: failing(bbc.NCV).fit(X, Y),
    "TT": lambda: failing(bbc.TT).fit(X, Y),
    "inside scikit-learn": lambda: cross_val_score(failing(bbc.CVT), X, Y, cv=2),
    "fewer folds": lambda: bbc.CVT(Witness(), SHIFTS, cv=9, random_state=1).fit(X[:30], RARE * 1),
    "warn_of_fit": lambda: bbc.search.warn_of_fit("few rows", BBCWarning),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_points_here(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[name]()
    assert {one.filename for one in caught} == {__file__}
