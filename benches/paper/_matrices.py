"""The protocols on matrices of predictions, without any training."""

from typing import NamedTuple

import numpy as np

import bbc

DROPPING_LEVEL = 0.99


class Dropping(NamedTuple):
    """Which configurations survived, and how many fold models were trained for that."""

    survivors: np.ndarray
    n_models_trained: int


def right_by_fold(right: np.ndarray, n_folds: int) -> np.ndarray:
    """Right calls of every configuration in every fold: blocks of consecutive rows, equal in size.

    Counts, not shares: sums of shares such as 5/6 round, and rounding that depends on the fold that
    is left out would decide ties against the configurations that are right in it.
    """
    n_rows, n_configurations = right.shape
    return right.reshape(n_folds, n_rows // n_folds, n_configurations).sum(axis=1)


def tt_estimate(by_fold: np.ndarray, n_rows: int) -> float:
    """Apparent score less the mean advantage of each fold's own winner (paper 000, Algorithm 4)."""
    winner = int(np.argmax(by_fold.sum(axis=0)))
    advantage = by_fold.max(axis=1) - by_fold[:, winner]
    return float((by_fold[:, winner] - advantage).sum() / n_rows)


def ncv_estimate(by_fold: np.ndarray, n_rows: int) -> float:
    """Each fold scored by the winner of the other folds (paper 000, Algorithm 3)."""
    folds = np.arange(len(by_fold))
    winners = np.argmax(by_fold.sum(axis=0) - by_fold, axis=1)
    return float(by_fold[folds, winners].sum() / n_rows)


def drop(
    y: np.ndarray,
    predictions: np.ndarray,
    folds: np.ndarray,
    *,
    metric: str,
    min_predictions: int,
    seed: int,
) -> Dropping:
    """Dropping after every fold (paper 000, section 4), the last one included, as published."""
    survivors, n_models_trained = np.arange(predictions.shape[1]), 0
    for fold in range(int(folds.max()) + 1):
        n_models_trained += survivors.size
        seen = folds <= fold
        if seen.sum() < min_predictions or survivors.size == 1:
            continue
        if metric == "roc_auc" and np.bincount(y[seen], minlength=2).min() < 2:
            continue  # a replicate would need both classes
        test = bbc.baselines.dominated(
            y[seen], predictions[np.ix_(seen, survivors)], metric=metric, labels=[0, 1],
            dropping_level=DROPPING_LEVEL, stream=fold + 1, random_state=seed, n_threads=1,
        )  # fmt: skip
        survivors = survivors[~test.dominated]
    return Dropping(survivors, n_models_trained)
