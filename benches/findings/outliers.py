"""BBC013: mean squared error where some rows are outliers.

Errors of a row are standard normal, or ten times as large with a small probability; fifty
configurations add errors of their own and are all equally good, so that the expected loss of
choosing one is known.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, covers, has, mean_and_error, share

N_CONFIGURATIONS = 50
OWN = 0.5
TIMES = 10


def simulate(
    n_rows: int, outliers: float, rng: np.random.Generator
) -> tuple[bbc.PerformanceEstimate, float]:
    """A correction, and the expected loss."""
    y = rng.normal(size=n_rows) * np.where(rng.random(n_rows) < outliers, TIMES, 1)
    e = bbc.correct(
        y,
        OWN * rng.normal(size=(n_rows, N_CONFIGURATIONS)),
        metric="mean_squared_error",
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )
    return e, 1 + outliers * (TIMES**2 - 1) + OWN**2


def run(n_repetitions: int) -> Iterator[Line]:
    for n_rows in (50, 100, 300):
        for outliers in (0.0, 0.01, 0.03):
            rng = np.random.default_rng([13, n_rows, round(100 * outliers)])
            found = [simulate(n_rows, outliers, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate / truth - 1 for e, truth in found)
            fires = [has(e, "BBC013") for e, _ in found]
            covered = [covers(e, truth) for e, truth in found]
            yield {
                "rows": n_rows,
                "outliers": f"{100 * outliers:g} %",
                "finding": share(fires),
                "coverage": share(covered),
                "coverage with the finding": share(
                    c for c, f in zip(covered, fires, strict=True) if f
                ),
                "relative bias": bias,
                "standard error": error,
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC013", run)
