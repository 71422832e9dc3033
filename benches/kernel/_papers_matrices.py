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
    """Right and wrong predictions, each configuration with its own true accuracy.

    Sixteen random bits decide a prediction: numpy's quickest way, so that making the matrices
    does not hide what is compared.
    """
    rng = np.random.default_rng(1)
    words = np.random.SFC64(1)
    for law, n_rows, n_configurations in product(LAWS, SIZES, CONFIGURATIONS):
        accuracy = (65536 * rng.beta(*law, n_configurations)).astype(np.uint16)
        n_words = -(-n_rows * n_configurations // 4)
        drawn = words.random_raw(n_words).view(np.uint16)[: n_rows * n_configurations]
        yield drawn.reshape(n_rows, n_configurations) < accuracy


def by_bbc(y: Any, predictions: Any, metric: str, n_bootstraps: int, n_threads: int = 1) -> float:
    """Mean estimate, all matrices corrected one after the other."""
    del y, predictions
    options: dict[str, Any] = {
        "metric": metric,
        "labels": [False, True],
        "n_bootstraps": n_bootstraps,
        "random_state": 1,
        "n_threads": n_threads,
    }
    estimates = [
        bbc.correct(np.ones(len(right), np.bool_), right, **options).estimate
        for right in _matrices()
    ]
    return float(np.mean(estimates))


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
