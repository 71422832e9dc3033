"""Coverage of limits from scores of stratified folds, with the truth and without: BBC025.

150 data sets of 120 rows with 10 % of events, of which the first 60 are drawn here, gave .67 and
.97 for accuracy, .45 and 1.00 for F1, .68 and .99 for the Brier score, .77 and 1.00 for log loss.
"""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV

import bbc
from nightly import nightly

N_DATA_SETS = 60
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def drawn(rng, n):
    y = (rng.random(n) < 0.1).astype(int)
    return rng.normal(size=(n, 4)) + 0.8 * np.outer(y, [1, 0.5, 0, 0]), y


@pytest.mark.parametrize("scoring", ["accuracy", *nightly("neg_brier_score")])
def test_the_truth_mends_intervals_that_are_too_short(scoring):
    covers = np.zeros((N_DATA_SETS, 2))
    for seed in range(N_DATA_SETS):
        rng = np.random.default_rng(seed)
        X, y = drawn(rng, 120)
        while y.sum() < 5:
            X, y = drawn(rng, 120)
        grid = {"shrinkage": [0, 0.2, 0.5, 0.9]}
        learner = LinearDiscriminantAnalysis(solver="lsqr")
        search = GridSearchCV(learner, grid, scoring=scoring, cv=5).fit(X, y)
        truth = search.score(*drawn(rng, 20000))
        for place, given in enumerate([{}, {"y": y}]):
            c = bbc.correct(search, **given, random_state=0, n_bootstraps=400)
            low, high = c.confidence_interval
            covers[seed, place] = low <= truth <= high
    without, with_truth = covers.mean(axis=0)
    assert without < 0.85
    assert with_truth >= 0.9
