"""Sixteen equal configurations whose models differ in luck only, which the seed of the fit decides.

A model is right with a probability that is drawn by its seed, with the standard deviation LUCK
around one half. One seed per configuration, in its folds and its refit, makes luck a property of
the configuration: the choice finds the luckiest, the corrected estimate is about it, and the final
model has it.

Seen to fail with a seed for each fit, as unseeded learners have in GridSearchCV (bias +.064, truth
.486, for .660), with seeds by training rows (truth .495, 15 of 30 intervals contain it), and with
one seed for all configurations (truth .512).
"""

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.base import BaseEstimator, ClassifierMixin

import bbc

N_ROWS, N_CONFIGURATIONS, N_REPETITIONS, LUCK = 200, 16, 30, 0.1
RARE = 1e-5
# The mean of the largest of 16 normal numbers, by Blom's approximation.
LARGEST = norm.ppf((N_CONFIGURATIONS - 0.375) / (N_CONFIGURATIONS + 0.25))


class Lucky(ClassifierMixin, BaseEstimator):
    """Knows the truth, which is its second column, and tells it with its own probability."""

    def __init__(self, number=0, random_state=None):
        self.number = number
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.skill_ = 0.5 + LUCK * np.random.default_rng(self.random_state).normal()
        return self

    def predict(self, X):
        # Whether a row is right depends on the row, too, and not on the seed alone.
        rng = np.random.default_rng([self.random_state, 1])
        right = rng.random(N_ROWS)[X[:, 0]] < self.skill_
        return np.where(right, X[:, 1], 1 - X[:, 1])


@pytest.fixture(scope="module")
def studies():
    """Corrected estimate, interval and true performance of the final model, by repetition."""
    found = []
    for repetition in range(N_REPETITIONS):
        y = np.random.default_rng(repetition).integers(0, 2, N_ROWS)
        X = np.column_stack([np.arange(N_ROWS), y])
        grid = {"number": list(range(N_CONFIGURATIONS))}
        search = bbc.BBC(Lucky(), grid, cv=4, n_bootstraps=300, random_state=repetition).fit(X, y)
        interval = search.performance_.confidence_interval
        truth = search.best_estimator_.skill_
        found.append((search.performance_.estimate, interval.low, interval.high, truth))
    return np.array(found).T


def test_the_estimate_is_about_the_final_model(studies):
    estimate, _, _, truth = studies
    errors = estimate - truth
    # BBC chooses on a bootstrap sample and so a little worse: it may be too low, not too good.
    limit = norm.isf(RARE) * np.sqrt(0.25 / N_ROWS / N_REPETITIONS)
    assert -limit - 0.01 < errors.mean() < limit


def test_the_final_model_has_the_luck_that_was_chosen(studies):
    truth = studies[3]
    # Choosing on 200 rows finds most of it; by chance the mean is one half.
    reached = LUCK**2 / np.sqrt(LUCK**2 + 0.25 / N_ROWS) * LARGEST
    limit = norm.isf(RARE) * LUCK / np.sqrt(N_REPETITIONS)
    assert truth.mean() == pytest.approx(0.5 + reached, abs=limit)


def test_intervals_contain_the_performance_of_the_final_model(studies):
    _, low, high, truth = studies
    # Fewer intervals of 95 % than this contain the truth once in 100 000 studies.
    least = binom.ppf(RARE, N_REPETITIONS, 0.95)
    assert np.sum((low <= truth) & (truth <= high)) >= least
