"""The same correction as one writes it with numpy, SciPy and scikit-learn.

Every function does the whole job (draws, in-bag scores of all configurations, winners, their
out-of-bag scores) on one thread and returns the mean out-of-bag score.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap
from sklearn.metrics import accuracy_score, mean_squared_error, roc_auc_score

Array = npt.NDArray[Any]


def draw(n_rows: int, n_bootstraps: int, seed: int = 1) -> Array:
    """In-bag counts, of shape (n_bootstraps, n_rows)."""
    return counts_of(np.random.default_rng(seed).integers(0, n_rows, (n_bootstraps, n_rows)))


def counts_of(drawn: Array) -> Array:
    """How often each row is in each line of drawn rows."""
    n_bootstraps, n_rows = drawn.shape
    flat = drawn + n_rows * np.arange(n_bootstraps)[:, None]
    counts = np.bincount(flat.ravel(), minlength=drawn.size)
    return np.asarray(counts.reshape(n_bootstraps, n_rows))


def _losses(y: Array, predictions: Array, metric: str) -> Array:
    """Loss of each row and configuration, as numpy multiplies it fastest."""
    if metric == "accuracy":
        return np.asarray(predictions != y[:, None]).astype(np.float32)
    return ((predictions - y[:, None]) ** 2).astype(np.float32)


def _scores(counts: Array, losses: Array, metric: str) -> Array:
    """Out-of-bag score of the winner of each line of counts; the heart of the numpy way."""
    winners = (counts.astype(np.float32) @ losses).argmin(axis=1)
    out_of_bag = counts == 0
    mean = (out_of_bag * losses[:, winners].T).sum(axis=1) / out_of_bag.sum(axis=1)
    return np.asarray(1 - mean if metric == "accuracy" else mean)


def numpy_product(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """In-bag losses as one float32 matrix product."""
    losses = _losses(y, predictions, metric)
    return float(_scores(draw(len(y), n_bootstraps), losses, metric).mean())


def _from_matrix(metric: str, wrong: tuple[Array, Array], rows: tuple[Array, Array]) -> Array:
    """Scores from wrong labels and rows of both classes."""
    fp, fn = wrong
    tn, tp = rows[0] - fp, rows[1] - fn
    if metric == "f1":
        return np.asarray(2 * tp / (2 * tp + fp + fn))
    if metric == "balanced_accuracy":
        return np.asarray((tp / rows[1] + tn / rows[0]) / 2)
    below = (tp + fp) * (tn + fn) * rows[0] * rows[1]
    return np.asarray((tp * tn - fp * fn) / np.sqrt(below))


def numpy_by_class(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """Metrics of a confusion matrix: wrong labels of either class as float32 matrix products."""
    counts = draw(len(y), n_bootstraps)
    wrong = predictions != y[:, None]
    classes = [y == code for code in (0, 1)]
    losses = [(wrong & own[:, None]).astype(np.float32) for own in classes]
    in_bag, out_of_bag = counts.astype(np.float32), counts == 0

    def score(weights: Array, sums: list[Array]) -> Array:
        rows = [(weights @ own.astype(np.float32))[:, None] for own in classes]
        return _from_matrix(metric, (sums[0], sums[1]), (rows[0], rows[1]))

    winners = score(in_bag, [in_bag @ loss for loss in losses]).argmax(axis=1)
    chosen = [(out_of_bag * loss[:, winners].T).sum(axis=1)[:, None] for loss in losses]
    return float(score(out_of_bag.astype(np.float32), chosen).mean())


def scipy_bootstrap(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """SciPy draws rows' numbers; the statistic is the numpy way."""
    losses = _losses(y, predictions, metric)

    def statistic(rows: Array, axis: int = -1) -> Array:
        del axis
        return _scores(counts_of(rows.reshape(-1, len(y))), losses, metric)

    result = bootstrap(
        (np.arange(len(y)),),
        statistic,
        n_resamples=n_bootstraps,
        vectorized=True,
        method="percentile",
        random_state=1,
    )
    return float(np.mean(result.bootstrap_distribution))


def numpy_cumulated(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """AUC: sorted once; per configuration, cumulative sums of all replicates (no ties)."""
    del metric
    counts = draw(len(y), n_bootstraps).astype(np.float64)
    positive = y == 1
    n_pairs = counts[:, positive].sum(axis=1) * counts[:, ~positive].sum(axis=1)
    best = np.full(n_bootstraps, -np.inf)
    winners = np.zeros(n_bootstraps, dtype=np.int64)
    for j in range(predictions.shape[1]):
        order = np.argsort(predictions[:, j], kind="stable")
        weights = counts[:, order]
        below = np.cumsum(weights * ~positive[order], axis=1)
        auc = np.einsum("ij,ij->i", weights * positive[order], below) / n_pairs
        better = auc > best
        best[better] = auc[better]
        winners[better] = j
    scores = []
    for b, winner in enumerate(winners):
        rows = counts[b] == 0
        scores.append(roc_auc_score(y[rows], predictions[rows, winner]))
    return float(np.mean(scores))


_SKLEARN: dict[str, tuple[Callable[..., float], int]] = {
    "accuracy": (accuracy_score, 1),
    "mean_squared_error": (mean_squared_error, -1),
    "roc_auc": (roc_auc_score, 1),
}


def sklearn_loop(y: Array, predictions: Array, metric: str, n_bootstraps: int) -> float:
    """Replicate by replicate and configuration by configuration."""
    score, sign = _SKLEARN[metric]
    scores = []
    for counts in draw(len(y), n_bootstraps):
        in_bag = [sign * score(y, column, sample_weight=counts) for column in predictions.T]
        rows = counts == 0
        scores.append(score(y[rows], predictions[rows, int(np.argmax(in_bag))]))
    return float(np.mean(scores))
