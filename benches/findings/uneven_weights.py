"""BBC012: lower bounds by tilting, by the effective sample size of their weights.

Scores of equally good configurations (AUC .8, correlated .5 between them) on a hundred rows;
`bbc.baselines.intervals.tilting` bounds a single one, or the best of them. The bound moves
with the seed: the table has its standard deviation over five seeds on the same data. Beside it the
lower bound of BBC on the same rows.
"""

from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

import bbc

from ._study import Line, Study, has, share

N_ROWS, AUC, CORRELATION = 100, 0.8, 0.5
APART = float(np.sqrt(2) * norm.ppf(AUC))
N_SEEDS = 5


def data(
    n_positive: int, n_configurations: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Truth and scores."""
    y = (np.arange(N_ROWS) < n_positive).astype(int)
    shared = rng.normal(size=(N_ROWS, 1)) * np.sqrt(CORRELATION)
    own = rng.normal(size=(N_ROWS, n_configurations)) * np.sqrt(1 - CORRELATION)
    return y, APART * y[:, None] + shared + own


def tilted(y: np.ndarray, scores: np.ndarray, seed: int) -> bbc.PerformanceEstimate:
    """The lower bound by tilting, of the best if there are several."""
    options = {"random_state": seed, "n_threads": 1}
    return bbc.baselines.intervals.tilting(y, scores, **options)


def run(n_repetitions: int) -> Iterator[Line]:
    for n_positive in (10, 50):
        for n_configurations in (1, 10, 50):
            rng = np.random.default_rng([12, n_positive, n_configurations])
            first, moves, other = [], [], []
            for _ in range(n_repetitions // 2):
                y, scores = data(n_positive, n_configurations, rng)
                seeds = rng.integers(2**53, size=N_SEEDS)
                bounds = [tilted(y, scores, int(seed)) for seed in seeds]
                if any(one.confidence_interval is None for one in bounds):
                    continue
                first.append(bounds[0])
                moves.append(np.std([one.confidence_interval.low for one in bounds], ddof=1))
                e = bbc.correct(
                    y,
                    scores,
                    metric="roc_auc",
                    alternative="greater",
                    random_state=int(seeds[0]),
                    n_threads=1,
                )
                other.append(e.confidence_interval.low <= AUC)
            sizes = [one.effective_sample_size for one in first]
            yield {
                "positive rows": n_positive,
                "configurations": n_configurations,
                "finding": share(has(one, "BBC012") for one in first),
                "median effective size": float(np.median(sizes)),
                "coverage": share(one.confidence_interval.low <= AUC for one in first),
                "sd over seeds": float(np.mean(moves)),
                "coverage of BBC": share(other),
                "repetitions": len(first),
            }


STUDY = Study("BBC012", run)
