"""Nothing can be learned from 60 rows, and the best of 200 configurations looks good all the same.

Configuration c predicts by the sign of the c-th of 200 columns that have nothing to do with the
labels, so that every configuration's true accuracy is one half. Limits come from the number of
repetitions: an estimate that is the mean of 60 fair coins has the standard deviation COIN, and
none of the corrected ones has a larger one.

Seen to fail: the apparent accuracy in the place of each corrected one, and an interval of the
winner alone (the last test keeps these in view).
"""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.base import BaseEstimator, ClassifierMixin

import bbc

# Dropping begins on few rows here, and says so.
pytestmark = pytest.mark.filterwarnings("ignore:BBC009")
N_ROWS, N_CONFIGURATIONS, N_REPETITIONS = 60, 200, 12
RARE = 1e-5
COIN = np.sqrt(0.25 / N_ROWS)
LIMIT = norm.isf(RARE / 2) * COIN / np.sqrt(N_REPETITIONS)
# Fewer intervals of 95 % than this contain the truth once in 100 000 studies.
LEAST_COVERED = binom.ppf(RARE, N_REPETITIONS, 0.95)
COLUMNS = {"column": list(range(N_CONFIGURATIONS))}


class Sign(ClassifierMixin, BaseEstimator):
    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, self.column] > 0).astype(int)


@pytest.fixture(scope="module")
def studies():
    """Estimates of accuracy, and whether intervals contain chance, by repetition."""
    estimates = {name: [] for name in ("cvt", "bbc", "bbcd", "ncv")}
    covered = {name: [] for name in ("bbc", "bbcd", "winner alone")}
    for repetition in range(N_REPETITIONS):
        rng = np.random.default_rng(repetition)
        X, y = rng.normal(size=(N_ROWS, N_CONFIGURATIONS)), rng.integers(0, 2, N_ROWS)
        options = {"cv": 3, "random_state": repetition, "refit": False}
        corrected = {
            "bbc": bbc.BBC(Sign(), COLUMNS, n_bootstraps=500, **options).fit(X, y),
            "bbcd": bbc.BBCD(Sign(), COLUMNS, n_bootstraps=500, min_predictions=20, **options).fit(
                X, y
            ),
        }
        for name, fitted in corrected.items():
            estimates[name].append(fitted.performance_.estimate)
            covered[name].append(contains_chance(fitted.performance_))
        predictions = corrected["bbc"].oos_predictions_.labels[0]
        winner = corrected["bbc"].best_index_
        alone = bbc.correct(
            y, predictions[:, [winner]], metric="accuracy", n_bootstraps=500, random_state=1
        )
        covered["winner alone"].append(contains_chance(alone))
        estimates["cvt"].append(corrected["bbc"].performance_.apparent)
        estimates["ncv"].append(bbc.NCV(Sign(), COLUMNS, **options).fit(X, y).performance_.estimate)
    return estimates, covered


def contains_chance(estimate):
    return estimate.confidence_interval.low <= 0.5 <= estimate.confidence_interval.high


@pytest.mark.parametrize("name", ["bbc", "bbcd", "ncv"])
def test_corrected_estimates_say_chance(studies, name):
    assert abs(np.mean(studies[0][name]) - 0.5) < LIMIT


@pytest.mark.parametrize("name", ["bbc", "bbcd"])
def test_intervals_cover_chance(studies, name):
    assert np.sum(studies[1][name]) >= LEAST_COVERED


def test_these_limits_find_what_is_broken(studies):
    """Twice the limit and more: a correction of half of the optimism would be found as well."""
    estimates, covered = studies
    assert np.mean(estimates["cvt"]) > 0.5 + 2 * LIMIT
    assert np.min(estimates["cvt"]) > 0.6, "far better than chance in every repetition"
    assert np.sum(covered["winner alone"]) < LEAST_COVERED
