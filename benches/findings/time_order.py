"""BBC018: rows in order of time, whose errors are correlated.

Absolute errors of twenty equally good configurations on 240 rows; errors are normal, autoregressive
of order one, half of their variance shared by all configurations. Rows are drawn one by one, and
in blocks of twelve as groups. The truth is the expected absolute error.
"""

from collections.abc import Iterator

import numpy as np
from scipy.signal import lfilter

import bbc

from ._study import Line, Study, covers, ends, has, mean_and_error, share

N_ROWS, N_CONFIGURATIONS, BLOCK = 240, 20, 12
TRUTH = float(np.sqrt(2 / np.pi))


def series(correlation: float, n_series: int, rng: np.random.Generator) -> np.ndarray:
    """Stationary series of variance one, in columns."""
    shocks = rng.normal(size=(N_ROWS, n_series))
    shocks[1:] *= np.sqrt(1 - correlation**2)
    return lfilter([1.0], [1.0, -correlation], shocks, axis=0)


def simulate(
    correlation: float, by_block: bool, rng: np.random.Generator
) -> bbc.PerformanceEstimate:
    """A correction of predictions that time-ordered folds made."""
    errors = np.sqrt(0.5) * (
        series(correlation, 1, rng) + series(correlation, N_CONFIGURATIONS, rng)
    )
    predictions = bbc.results.OutOfSamplePredictions(
        np.zeros(N_ROWS), scores=errors[None], time_ordered=True
    )
    return bbc.correct(
        predictions.y,
        predictions,
        metric="mean_absolute_error",
        groups=np.arange(N_ROWS) // BLOCK if by_block else None,
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )


def run(n_repetitions: int) -> Iterator[Line]:
    for correlation in (0.0, 0.5, 0.8, 0.95):
        for by_block in (False, True):
            rng = np.random.default_rng([18, round(100 * correlation), by_block])
            found = [simulate(correlation, by_block, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate - TRUTH for e in found)
            yield {
                "correlation of neighbours": correlation,
                "drawn": f"blocks of {BLOCK}" if by_block else "rows",
                "finding": share(has(e, "BBC018") for e in found),
                "coverage": share(covers(e, TRUTH) for e in found),
                "width": float(np.mean([np.subtract(*ends(e)[::-1]) for e in found])),
                "bias": bias,
                "standard error": error,
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC018", run)
