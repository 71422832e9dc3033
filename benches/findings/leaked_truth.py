"""BBC017: a copy of the truth among the predictions, and exact predictions by chance.

Fifty configurations of the same accuracy, with and without the truth as a fifty-first. The bias is
that against the accuracy of the fifty, with and without the finding. On few rows accurate
configurations are sometimes right in every row.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, has, share

N_CONFIGURATIONS = 50


def simulate(
    n_rows: int, accuracy: float, leaks: bool, rng: np.random.Generator
) -> bbc.PerformanceEstimate:
    """A correction."""
    y = rng.integers(0, 2, n_rows)
    y[:2] = 0, 1
    right = rng.random((n_rows, N_CONFIGURATIONS)) < accuracy
    predictions = np.where(right, y[:, None], 1 - y[:, None])
    if leaks:
        predictions = np.column_stack([predictions, y])
    return bbc.correct(
        y, predictions, metric="accuracy", n_bootstraps=500, random_state=rng, n_threads=1
    )


def run(n_repetitions: int) -> Iterator[Line]:
    for place, (n_rows, accuracy, leaks) in enumerate(
        [(100, 0.7, False), (100, 0.7, True), (20, 0.8, False), (20, 0.9, False)]
    ):
        rng = np.random.default_rng([17, place])
        found = [simulate(n_rows, accuracy, leaks, rng) for _ in range(n_repetitions)]
        fires = np.array([has(e, "BBC017") for e in found])
        bias = np.array([e.estimate - accuracy for e in found])
        yield {
            "rows": n_rows,
            "accuracy": accuracy,
            "truth among them": "yes" if leaks else "no",
            "finding": share(fires),
            "bias with it": float(bias[fires].mean()) if fires.any() else "",
            "bias without": float(bias[~fires].mean()) if not fires.all() else "",
            "repetitions": n_repetitions,
        }


STUDY = Study("BBC017", run)
