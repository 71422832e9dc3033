"""Rows in order of time: intervals by rows are too short, those by blocks are not.

Errors of 50 equal configurations with an autocorrelation of .8; drawing rows as if they were
independent fails.
"""

import numpy as np
import pytest

import bbc
from bbc.errors import BBCWarning

N_SERIES, N_ROWS, N_CONFIGURATIONS, MEMORY = 80, 100, 50, 0.8
EXPECTED = np.sqrt(2 / np.pi)  # mean absolute error of a standard normal one


def series(number):
    """A truth, and predictions with errors that share half of their variance."""
    rng = np.random.default_rng(number)
    errors = rng.normal(size=(N_ROWS, N_CONFIGURATIONS + 1))
    errors[1:] *= np.sqrt(1 - MEMORY**2)
    for row in range(1, N_ROWS):
        errors[row] += MEMORY * errors[row - 1]
    y = rng.normal(size=N_ROWS)
    return y, y[:, None] + (errors[:, :-1] + errors[:, -1:]) / np.sqrt(2)


@pytest.mark.filterwarnings(f"ignore::{BBCWarning.__module__}.{BBCWarning.__name__}")
def test_intervals_by_blocks_cover():
    covered = {"rows": [], "blocks": []}
    for number in range(N_SERIES):
        y, predictions = series(number)
        for draws, block_length in (("rows", None), ("blocks", "auto")):
            e = bbc.correct(
                y,
                predictions,
                metric="mean_absolute_error",
                block_length=block_length,
                n_bootstraps=200,
                random_state=number,
            )
            low, high = e.confidence_interval.low, e.confidence_interval.high
            covered[draws].append(low <= EXPECTED <= high)
    error = np.sqrt(0.95 * 0.05 / N_SERIES)
    assert np.mean(covered["blocks"]) > 0.95 - 3 * error
    assert np.mean(covered["rows"]) < 0.95 - 4 * error
