"""BBC015: intervals of BBC-F by the number of folds.

Fifty configurations of which each row is right with probability .7; with luck, the probability of
each fitted model (of a configuration in a fold) has a standard deviation of .05 of its own. The
expected accuracy of choosing and training is .7. "Draws" are the order statistics of the replicates
alone, beside the interval, which of two to four folds is by Student's t.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, covers, ends, has, mean_and_error, of_draws, share

N_ROWS, N_CONFIGURATIONS = 500, 50
SKILL = 0.7


def simulate(n_folds: int, luck: float, rng: np.random.Generator) -> bbc.PerformanceEstimate:
    """A correction by BBC-F."""
    y = rng.integers(0, 2, N_ROWS)
    folds = np.arange(N_ROWS) % n_folds
    skill = SKILL + luck * rng.normal(size=(n_folds, N_CONFIGURATIONS))
    right = rng.random((N_ROWS, N_CONFIGURATIONS)) < skill[folds]
    return bbc.correct(
        y,
        np.where(right, y[:, None], 1 - y[:, None]),
        metric="accuracy",
        method="bbc-f",
        folds=folds,
        random_state=rng,
        n_threads=1,
    )


def run(n_repetitions: int) -> Iterator[Line]:
    for luck in (0.0, 0.05):
        for n_folds in (2, 3, 4, 5, 10):
            rng = np.random.default_rng([15, n_folds, round(100 * luck)])
            found = [simulate(n_folds, luck, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate - SKILL for e in found)
            yield {
                "luck": luck,
                "folds": n_folds,
                "finding": share(has(e, "BBC015") for e in found),
                "coverage of draws": share(
                    low <= SKILL <= high for low, high in map(of_draws, found)
                ),
                "coverage": share(covers(e, SKILL) for e in found),
                "width": float(np.mean([np.subtract(*ends(e)[::-1]) for e in found])),
                "bias": bias,
                "standard error": error,
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC015", run)
