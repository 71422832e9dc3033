"""Cut-offs and ensembles of useless configurations come out at chance, whatever they look like.

Out-of-bag rows have no part in the choice, so that the expectation is exactly a half. Scored on all
rows, as the apparent score is, every one of these tests fails by more than ten standard errors.
"""

import numpy as np
import pytest

import bbc

N_REPETITIONS, N_ROWS, N_CONFIGURATIONS = 80, 60, 20
RULES = {
    "cut-off": ("balanced_accuracy", bbc.best_threshold()),
    "greedy": ("roc_auc", bbc.greedy_ensemble(5)),
    "top": ("roc_auc", bbc.top_k(5)),
}


@pytest.fixture(scope="module", params=["bbc", "bbc-two-level"])
def method(request):
    return request.param


@pytest.fixture(scope="module", params=RULES)
def estimates(request, method):
    metric, rule = RULES[request.param]
    found = []
    for repetition in range(N_REPETITIONS):
        rng = np.random.default_rng([repetition, len(metric), rule.size or 0])
        y = np.arange(N_ROWS) % 2
        found.append(
            bbc.correct(
                y,
                rng.random((N_ROWS, N_CONFIGURATIONS)),
                metric=metric,
                selection=rule,
                method=method,
                folds=rng.permutation(N_ROWS) % 5,
                n_bootstraps=100,
                confidence_level=0.9,
                random_state=repetition,
            )
        )
    return found


def z(values):
    """How many standard errors their mean is from a half."""
    return (np.mean(values) - 0.5) / (np.std(values, ddof=1) / np.sqrt(len(values)))


def test_noise_is_at_chance(estimates):
    assert abs(z([e.estimate for e in estimates])) < 4
    assert z([e.apparent for e in estimates]) > 10


def test_intervals_cover_chance(estimates):
    covered = np.mean(
        [e.confidence_interval.low <= 0.5 <= e.confidence_interval.high for e in estimates]
    )
    assert covered >= 0.9 - 4 * np.sqrt(0.9 * 0.1 / N_REPETITIONS)
