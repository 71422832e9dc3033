"""Halving by trees or epochs: without skill, the luck of survivors is taken, and no more than that.

All iterations score the same rows, with predictions that share most of their luck. The plain
correction of the survivors is .04 too high, and fails these tests. The correction is up to .01 too
low in this world (study "epochs"); the bounds are that and four standard errors.
"""

import numpy as np
import pytest

import bbc
from bbc.adapters._iterations import Iterations, correct_iterations

N_SEARCHES, N_ROWS, N_CONFIGURATIONS = 150, 80, 54
PESSIMISM = 0.015

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


@pytest.fixture(scope="module")
def estimates():
    """Of each search: less the luck, of the survivors alone, and of all fits."""
    found = []
    for number in range(N_SEARCHES):
        rng = np.random.default_rng(number)
        y = rng.permutation(N_ROWS) % 2
        shared = rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
        tables, survivors, alive = [], [], np.arange(N_CONFIGURATIONS)
        for n_left in (18, 6, 0):
            own = np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.normal(size=shared.shape)
            every = (own > 0).astype(int)
            tables.append(every[:, alive])
            right = (tables[-1] == y[:, None]).mean(axis=0)
            if n_left:
                survivors.append(np.argsort(-right, kind="stable")[:n_left])
                alive = alive[survivors[-1]]
        kept = [bbc.results.OutOfSamplePredictions(y=y, labels=table[None]) for table in tables]
        asked = {"n_bootstraps": 200, "random_state": number}
        found.append(
            (
                correct_iterations(
                    Iterations("epochs", tuple(kept), tuple(survivors)), "accuracy", asked
                ),
                bbc.correct(y, tables[-1], metric="accuracy", **asked),
                bbc.correct(y, every, metric="accuracy", **asked),
            )
        )
    return found


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))


def test_noise_is_at_chance_or_a_little_below(estimates):
    mean, error = mean_and_error([found.estimate - 0.5 for found, _, _ in estimates])
    assert -PESSIMISM - 4 * error < mean < 4 * error


def test_survivors_alone_are_not(estimates):
    mean, error = mean_and_error([plain.estimate - 0.5 for _, plain, _ in estimates])
    assert mean > 0.02 + 4 * error


def test_all_fits_would_say_nearly_the_same(estimates):
    differences = [found.estimate - full.estimate for found, _, full in estimates]
    mean, error = mean_and_error(differences)
    assert -PESSIMISM - 4 * error < mean < 4 * error


def test_no_estimate_is_above_the_plain_one(estimates):
    assert all(found.estimate <= plain.estimate + 1e-12 for found, plain, _ in estimates)


def test_intervals_cover_chance(estimates):
    covered = [e.confidence_interval for e, _, _ in estimates]
    share = np.mean([each.low <= 0.5 <= each.high for each in covered])
    assert share > 0.95 - 3 * np.sqrt(0.95 * 0.05 / N_SEARCHES)
