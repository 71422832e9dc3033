"""Honest analyses are seldom called suspect, and leaks of usual size are found.

Seen to fail: with a normal in place of the t-distribution and two permutations.
"""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB

import bbc

N_RUNS, LEVEL = 40, 0.05
RARE = 1e-4
GRID = {"var_smoothing": [1e-9, 0.1, 1.0]}
OPTIONS = {"cv": 4, "refit": False, "n_bootstraps": 60}


def data(run, n_features):
    rng = np.random.default_rng(run)
    return rng.normal(size=(40, n_features)), rng.integers(0, 2, 40)


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "brier_score"])
def test_honest_analyses_are_seldom_suspect(scoring):
    search = bbc.BBC(GaussianNB(), GRID, scoring=scoring, **OPTIONS)
    alarms = sum(
        bbc.negative_control(search, *data(run, 5), n_permutations=3, random_state=run).suspect
        for run in range(N_RUNS)
    )
    assert binomtest(alarms, N_RUNS, LEVEL, alternative="greater").pvalue > RARE


def test_features_chosen_on_all_rows_are_found():
    def leaky(X, y):
        chosen = SelectKBest(k=5).fit_transform(X, y)
        return bbc.BBC(GaussianNB(), GRID, scoring="roc_auc", **OPTIONS).fit(chosen, y)

    found = sum(
        bbc.negative_control(leaky, *data(run, 100), random_state=run).suspect for run in range(12)
    )
    assert found == 12
