"""The protocols on simulated matrices of right and wrong predictions, without any training.

Folds are blocks of consecutive rows of equal size, as in the papers' simulation.
"""

from typing import NamedTuple

import numpy as np

N_BOOTSTRAPS = 1000
DROPPING_LEVEL = 0.99


class Dropping(NamedTuple):
    """Which configurations survived, and how many fold models were trained for that."""

    survivors: np.ndarray
    n_models_trained: int


def fold_means(right: np.ndarray, n_folds: int) -> np.ndarray:
    """Accuracy of every configuration in every fold."""
    n_rows, n_configurations = right.shape
    return right.reshape(n_folds, n_rows // n_folds, n_configurations).mean(axis=1)


def tt_estimate(by_fold: np.ndarray) -> float:
    """Apparent score less the mean advantage of each fold's own winner (paper 000, Algorithm 4)."""
    winner = int(np.argmax(by_fold.mean(axis=0)))
    bias = (by_fold.max(axis=1) - by_fold[:, winner]).mean()
    return float(by_fold[:, winner].mean() - bias)


def ncv_estimate(by_fold: np.ndarray) -> float:
    """Each fold scored by the winner of the other folds (paper 000, Algorithm 3)."""
    folds = np.arange(len(by_fold))
    winners = np.argmax(by_fold.sum(axis=0) - by_fold, axis=1)
    return float(by_fold[folds, winners].mean())


def share_worse(right: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Share of replicates in which each configuration is strictly worse than the best."""
    n_rows = len(right)
    best = int(np.argmax(right.sum(axis=0)))
    drawn = rng.integers(n_rows, size=(N_BOOTSTRAPS, n_rows))
    drawn += np.arange(0, N_BOOTSTRAPS * n_rows, n_rows)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
    # Sums of at most 1000 ones are exact in float32.
    scores = counts.astype(np.float32) @ right.astype(np.float32)
    return (scores < scores[:, [best]]).mean(axis=0)


def drop(
    right: np.ndarray, n_folds: int, *, min_predictions: int, rng: np.random.Generator
) -> Dropping:
    """Dropping after every fold (paper 000, section 4), the last one included, as published."""
    n_rows, n_configurations = right.shape
    survivors = np.arange(n_configurations)
    n_models_trained = 0
    for fold in range(1, n_folds + 1):
        n_models_trained += survivors.size
        seen = n_rows * fold // n_folds
        if seen >= min_predictions and survivors.size > 1:
            worse = share_worse(right[:seen, survivors], rng)
            survivors = survivors[worse <= DROPPING_LEVEL]
    return Dropping(survivors, n_models_trained)
