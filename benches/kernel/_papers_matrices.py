"""One of each of the 196 settings of paper 000's simulation: 98,000 matrices are 500 times this.

Making a matrix is part of the work. Neither side trains anything.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import bbc

from ._peers import numpy_product

LAWS = ((9, 6), (14, 6), (24, 6), (54, 6))
SIZES = (20, 40, 60, 80, 100, 500, 1000)
CONFIGURATIONS = (50, 100, 200, 300, 500, 1000, 2000)
#: Predictions in all of them.
CELLS = float(len(LAWS) * sum(SIZES) * sum(CONFIGURATIONS))


def _matrices() -> Iterator[Any]:
    """Right and wrong predictions, each configuration with its own true accuracy."""
    rng = np.random.default_rng(1)
    for law, n_rows, n_configurations in product(LAWS, SIZES, CONFIGURATIONS):
        accuracy = rng.beta(*law, n_configurations).astype(np.float32)
        yield rng.random((n_rows, n_configurations), np.float32) < accuracy


def by_bbc(y: Any, predictions: Any, metric: str, n_bootstraps: int, n_threads: int = 1) -> float:
    """Mean estimate, all matrices corrected side by side on the threads of the pool."""
    del y, predictions
    problems = ((np.ones(len(right), np.bool_), right) for right in _matrices())
    estimates = bbc.correct_many(
        problems,
        metric=metric,
        labels=[False, True],
        n_bootstraps=n_bootstraps,
        random_state=1,
        n_threads=n_threads,
    )
    return float(np.mean([estimate.estimate for estimate in estimates]))


def by_numpy(y: Any, predictions: Any, metric: str, n_bootstraps: int) -> float:
    """Mean estimate by numpy's matrix products."""
    del y, predictions
    return float(
        np.mean(
            [
                numpy_product(np.ones(len(right), np.bool_), right, metric, n_bootstraps)
                for right in _matrices()
            ]
        )
    )
