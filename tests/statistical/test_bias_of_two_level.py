"""Where fitted models have luck of their own, BBC is optimistic and two-level BBC is not.

Every fitted model of a configuration has a skill of its own, which its rows in bag and out of bag
share and which the model trained on all rows does not inherit: 500 rows, 5 folds, 100
configurations, skills with mean .75 and standard deviation .05. The expected performance of
choosing and then training is .75 exactly. Limits are standard errors over the repetitions, or exact
binomial tests.

Seen to fail: ``method="bbc"`` in the place of two-level BBC (kept in view below), and two-level BBC
that scores the winner in bag, on the rows not drawn of the folds drawn, or on these and the folds
not drawn, or that keeps the overall winner in every replicate.
"""

import numpy as np
import pytest
from scipy.stats import binomtest

import bbc

N_REPETITIONS = 100
LIMIT = 3.5  # standard errors: less than once in 2000 for each side
RARE = 1e-4  # binomial tests
N_FOLDS, N_CONFIGURATIONS, SKILL = 5, 100, 0.75
METHODS = ("bbc", "bbc-two-level")


def simulate(seed, n_rows, luck, spread):
    """Estimates of both methods, and the skill of their winner after training on all rows."""
    rng = np.random.default_rng(seed)
    skill = SKILL + spread * rng.normal(size=N_CONFIGURATIONS)
    of_folds = skill[:, None] + luck * rng.normal(size=(N_CONFIGURATIONS, N_FOLDS))
    of_refits = skill + luck * rng.normal(size=N_CONFIGURATIONS)
    folds = np.arange(n_rows) % N_FOLDS
    y = rng.integers(0, 2, n_rows)
    right = rng.random((n_rows, N_CONFIGURATIONS)) < of_folds[:, folds].T
    predictions = np.where(right, y[:, None], 1 - y[:, None])
    options = {"metric": "accuracy", "folds": folds, "random_state": seed}
    results = [bbc.correct(y, predictions, method=method, **options) for method in METHODS]
    return [(e.estimate, *e.confidence_interval, of_refits[e.winner]) for e in results]


def study(n_rows, luck, spread):
    """By method: estimates, ends of intervals and refits' skills, each (repetition,)."""
    rows = [simulate(seed, n_rows, luck, spread) for seed in range(N_REPETITIONS)]
    return dict(zip(METHODS, np.array(rows).transpose(1, 2, 0), strict=True))


@pytest.fixture(scope="module")
def lucky():
    return study(500, luck=0.05, spread=0.0)


@pytest.fixture(scope="module")
def stable():
    return study(100, luck=0.0, spread=0.05)


def mean_and_limit(errors):
    return errors.mean(), LIMIT * errors.std(ddof=1) / np.sqrt(N_REPETITIONS)


def too_rarely(low, high, truth, level):
    """p-value of "the interval holds the truth with probability `level`" against less."""
    covered = int(((low <= truth) & (truth <= high)).sum())
    return binomtest(covered, N_REPETITIONS, level, alternative="less").pvalue


def test_two_level_estimates_the_expected_performance(lucky):
    bias, limit = mean_and_limit(lucky["bbc-two-level"][0] - SKILL)
    assert abs(bias) + limit < 0.015


def test_one_level_is_seen_to_be_optimistic(lucky):
    bias, limit = mean_and_limit(lucky["bbc"][0] - SKILL)
    assert bias > 0.02 + limit


def test_two_level_intervals_cover_the_expected_performance(lucky):
    _, low, high, _ = lucky["bbc-two-level"]
    assert too_rarely(low, high, SKILL, 0.93) > RARE


def test_two_level_intervals_cover_the_trained_winner_and_those_of_one_level_do_not(lucky):
    p_values = {method: too_rarely(*lucky[method][1:], 0.93) for method in METHODS}
    assert p_values["bbc-two-level"] > RARE
    assert p_values["bbc"] < RARE


def test_two_level_is_a_little_pessimistic_without_luck(stable):
    estimate, low, high, truth = stable["bbc-two-level"]
    bias, limit = mean_and_limit(estimate - truth)
    assert -0.03 - limit < bias < limit
    assert too_rarely(low, high, truth, 0.93) > RARE
