"""Selection makes the calibration slope of survival look better than it is, and is corrected.

The world "calibrated" of `benches.clinical.survival`, which has more, with 300 rows. Limits: three
standard errors over the runs.
"""

import numpy as np
from benches.clinical.survival import TIMES, World, truths

import bbc

N_REPETITIONS, N_ROWS = 40, 300


def test_the_corrected_slope_is_that_of_the_selected_configuration():
    found = []
    for repetition in range(N_REPETITIONS):
        drawn = World(np.random.default_rng([7, repetition]), 1.0)
        event, censored, survival = drawn.draw(N_ROWS)
        c = bbc.correct(
            np.column_stack([event <= censored, np.minimum(event, censored)]),
            survival,
            times=TIMES,
            metric=bbc.metrics.integrated_brier_score(TIMES),
            n_bootstraps=100,
            random_state=repetition,
        ).survival_calibration(1.0)
        event, _, survival = drawn.draw(10_000)
        truth = truths(event, survival[:, c.performance.winner, 1])[1]
        low, high = c.slope.confidence_interval
        found.append((c.slope.apparent - truth, c.slope.estimate - truth, low <= truth <= high))
    apparent, corrected, covered = np.array(found).T

    def limit(values):
        return 3 * values.std(ddof=1) / np.sqrt(N_REPETITIONS)

    assert (apparent - corrected).mean() > limit(apparent - corrected)
    assert abs(corrected.mean()) < limit(corrected)
    # Binomial: 33 of 40 or fewer have a probability of .002 at 95 %.
    assert covered.sum() > 33
