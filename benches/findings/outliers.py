"""BBC013: mean squared error where some rows are outliers, or errors have long tails.

Errors of a row are standard normal, ten times as large with a small probability, or Student's t;
fifty configurations add errors of their own and are all equally good, so that the expected loss of
choosing one is known. "By tails" is the share in which no row dominates the loss, but the kurtosis
of the errors is above that of normal errors by three standard errors.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, covers, has, mean_and_error, share

N_CONFIGURATIONS = 50
OWN = 0.5
TIMES = 10
#: The share of outliers among normal errors, or the degrees of freedom of t.
ERRORS: dict[str, tuple[float, float]] = {
    "normal": (0.0, np.inf),
    "1 % outliers": (0.01, np.inf),
    "3 % outliers": (0.03, np.inf),
    "t4": (0.0, 4.0),
    "t2.5": (0.0, 2.5),
}


def simulate(
    n_rows: int, errors: str, rng: np.random.Generator
) -> tuple[bbc.PerformanceEstimate, float]:
    """A correction, and the expected loss."""
    outliers, degrees = ERRORS[errors]
    normal = np.isinf(degrees)
    y = rng.normal(size=n_rows) if normal else rng.standard_t(degrees, size=n_rows)
    y *= np.where(rng.random(n_rows) < outliers, TIMES, 1)
    e = bbc.correct(
        y,
        OWN * rng.normal(size=(n_rows, N_CONFIGURATIONS)),
        metric="mean_squared_error",
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )
    variance = 1.0 if normal else degrees / (degrees - 2)
    return e, variance * (1 + outliers * (TIMES**2 - 1)) + OWN**2


def run(n_repetitions: int) -> Iterator[Line]:
    for n_rows in (50, 100, 300):
        for place, errors in enumerate(ERRORS):
            rng = np.random.default_rng([13, n_rows, place])
            found = [simulate(n_rows, errors, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate / truth - 1 for e, truth in found)
            fires = [has(e, "BBC013") for e, _ in found]
            tails = [any("long tails" in one.detail for one in e.findings) for e, _ in found]
            covered = [covers(e, truth) for e, truth in found]
            yield {
                "rows": n_rows,
                "errors": errors,
                "finding": share(fires),
                "by tails": share(tails),
                "coverage": share(covered),
                "coverage with the finding": share(
                    c for c, f in zip(covered, fires, strict=True) if f
                ),
                "relative bias": bias,
                "standard error": error,
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC013", run)
