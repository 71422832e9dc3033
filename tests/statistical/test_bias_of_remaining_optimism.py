"""What is left where rows trained each other's models, of which a Gaussian model knows the size.

The value of a configuration at a row is noise, plus what the rows of the other folds taught it
there: a symmetric function of pairs. On new rows all configurations are worth 0. Seen to fail with
the folds of the correction shuffled (kappa 0, and nothing is taken off), and with three times as
much taken off.
"""

import numpy as np
import pytest

import bbc

N_REPETITIONS, N_ROWS, N_CONFIGURATIONS, N_FOLDS = 100, 60, 60, 5
VALUE = bbc.metrics.row_loss(lambda y, p: p, name="value", response="scores")


def worlds(strength, seed):
    """Values of (row, configuration), and the folds."""
    rng = np.random.default_rng(seed)
    folds = np.arange(N_ROWS) % N_FOLDS
    apart = folds[:, None] != folds
    for _ in range(N_REPETITIONS):
        q = rng.normal(size=(N_CONFIGURATIONS, N_ROWS, N_ROWS))
        q = (q + q.transpose(0, 2, 1)) / np.sqrt(2)
        learned = (q * apart).sum(axis=2).T / np.sqrt(apart.sum(axis=1))[:, None]
        noise = rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
        yield noise + strength * learned, folds


def answers(strength, seed):
    """Of each repetition: optimism before and after, D and kappa."""
    found = []
    for number, (values, folds) in enumerate(worlds(strength, seed)):
        c = bbc.correct(
            np.zeros(N_ROWS),
            values,
            metric=VALUE,
            folds=folds,
            n_bootstraps=200,
            random_state=number,
        )
        left = c.remaining_optimism()
        found.append([-c.estimate, -left.coupled_estimate, left.in_bag_optimism, left.kappa])
    return np.array(found).T


def standard_error(values):
    return values.std(ddof=1) / np.sqrt(N_REPETITIONS)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_most_of_what_is_left_is_taken_off():
    before, after, in_bag, kappa = answers(1.5, seed=1)
    assert before.mean() > 4 * standard_error(before)  # the correction leaves something
    # To first order it is kappa times D; a tenth of it is of second order.
    rest = before - kappa.mean() * in_bag
    assert abs(rest.mean()) < 4 * standard_error(rest) + 0.1 * before.mean()
    taken = before - after
    assert taken.mean() - 4 * standard_error(taken) > before.mean() / 3
    assert after.mean() > -4 * standard_error(after)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_little_is_taken_off_where_nothing_was_trained():
    before, after, in_bag, kappa = answers(0.0, seed=2)
    assert abs(before.mean()) < 4 * standard_error(before)
    assert abs(kappa.mean()) < 4 * standard_error(kappa)
    # kappa varies around 0, and only what is above counts.
    taken = before - after
    assert taken.mean() + 4 * standard_error(taken) < 0.15 * in_bag.mean()
