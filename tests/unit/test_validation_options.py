"""Options and given resamples: one error that names the argument."""

import numpy as np
import pytest

from bbc import _validation as validation


@pytest.mark.parametrize(
    ("resamples", "error", "message"),
    [
        (np.zeros(3, int), ValueError, r"shape \(n_bootstraps, 3\), one draw per row"),
        (np.zeros((0, 3), int), ValueError, "no replicates"),
        (np.zeros((2, 3)), TypeError, "must be integers"),
        (
            np.array([[0, 0, 1], [0, 3, 1]]),
            ValueError,
            "between 0 and 2, got 3 at replicate 1, draw 1",
        ),
        (np.array([[0, 0, -1]]), ValueError, "got -1 at replicate 0, draw 2"),
        (np.array([[0, 0, 1], [2, 0, 1]]), ValueError, "nothing out of bag at replicate 1"),
    ],
)
def test_resamples_refuses(resamples, error, message):
    with pytest.raises(error, match=f"resamples.*{message}"):
        validation.resamples(resamples, 3, "row")


@pytest.mark.parametrize(
    ("check", "value", "error", "message"),
    [
        (validation.n_bootstraps, 0, ValueError, "n_bootstraps must be at least 1, got 0"),
        (validation.n_bootstraps, 10.0, TypeError, "n_bootstraps must be an integer, got float"),
        (validation.n_bootstraps, True, TypeError, "n_bootstraps must be an integer"),
        (validation.confidence_level, 0, ValueError, "confidence_level must be between 0 and 1"),
        (validation.confidence_level, 1.0, ValueError, "confidence_level must be between"),
        (validation.confidence_level, np.nan, ValueError, "confidence_level must be between"),
        (validation.confidence_level, 95, ValueError, "confidence_level .*as 0.95"),
        (validation.confidence_level, "0.9", TypeError, "confidence_level must be a number"),
        (validation.seed, -1, ValueError, r"random_state must be between 0 and 2\*\*53 - 1"),
        (validation.seed, 2**53, ValueError, "random_state must be between"),
        (validation.seed, 1.5, TypeError, "random_state must be None, an integer"),
        (validation.seed, True, TypeError, "random_state must be"),
        (validation.n_threads, 0, ValueError, "n_threads must be at least 1"),
        (validation.n_threads, "2", TypeError, "n_threads must be an integer"),
    ],
)
def test_options_refuse(check, value, error, message):
    with pytest.raises(error, match=message):
        check(value)


def test_choices_and_flags_are_shown():
    with pytest.raises(ValueError, match=r"pooling must be 'pooled' or 'fold', got 'mean'"):
        validation.choice("mean", "pooling", ("pooled", "fold"))
    with pytest.raises(ValueError, match="pooling must be"):
        validation.choice(None, "pooling", ("pooled", "fold"))
    with pytest.raises(TypeError, match="refit must be True or False"):
        validation.flag(1, "refit")
