"""BBC019: the corrected curve of a search falls while the apparent one rises.

Accuracy of 256 configurations on 500 rows in ten folds. The first two always have an accuracy of
.65, or .75 where the search is "too long". The others have .65 on average: skills vary with sd
`spread`, and each fitted model has luck of sd `luck`, which the final model does not inherit. The
table shows the expected accuracy of the final model and its corrected and apparent estimates, for
the best of the first two and of all.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, mean_and_error, share

N_ROWS, N_FOLDS, N_CONFIGURATIONS, N_FIRST, SKILL = 500, 10, 256, 2, 0.65
SETTINGS = {
    "flat": (0.0, 0.0, 0.0),
    "flat, lucky models": (0.0, 0.0, 0.15),
    "rising": (0.0, 0.05, 0.0),
    "rising, lucky models": (0.0, 0.05, 0.05),
    "too long": (0.1, 0.0, 0.15),
}


def simulate(
    advantage: float, spread: float, luck: float, rng: np.random.Generator
) -> tuple[bbc.results.TuningPath, np.ndarray]:
    """A path, and the expected accuracy of the final model for each t."""
    first = np.arange(N_CONFIGURATIONS) < N_FIRST
    skill = SKILL + np.where(first, advantage, spread * rng.normal(size=N_CONFIGURATIONS))
    own = np.where(first, 0.0, luck) * rng.normal(size=(N_FOLDS, N_CONFIGURATIONS))
    folds = rng.permutation(np.arange(N_ROWS) % N_FOLDS)
    y = rng.integers(0, 2, N_ROWS)
    right = rng.random((N_ROWS, N_CONFIGURATIONS)) < (skill + own)[folds]
    c = bbc.correct(
        y,
        np.where(right, y[:, None], 1 - y[:, None]),
        metric="accuracy",
        method="bbc-two-level",
        folds=folds,
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )
    path = c.tuning_path()
    return path, skill[path.winners]


def run(n_repetitions: int) -> Iterator[Line]:
    for number, (search, setting) in enumerate(SETTINGS.items()):
        rng = np.random.default_rng([19, number])
        found = [simulate(*setting, rng) for _ in range(n_repetitions)]
        line: Line = {"search": search, "finding": share(path.overtuned for path, _ in found)}
        for name, place in (("first 2", 1), ("all", -1)):
            line |= {
                f"accuracy, {name}": float(np.mean([true[place] for _, true in found])),
                f"corrected, {name}": float(np.mean([p.estimates[place] for p, _ in found])),
                f"apparent, {name}": float(np.mean([p.apparent[place] for p, _ in found])),
            }
        bias, error = mean_and_error(path.estimates[-1] - true[-1] for path, true in found)
        yield line | {"bias": bias, "standard error": error, "repetitions": n_repetitions}


STUDY = Study("BBC019", run)
