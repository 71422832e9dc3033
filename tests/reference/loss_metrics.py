"""Per-row losses, and metrics of real values that are ratios of sums.

Readings chosen where the texts are silent:

- Probabilities are kept eps = 2^-52 away from 0 and 1 in log loss, as scikit-learn does, and so in
  the binomial deviance, which is twice the binary log loss.
- A one-dimensional probability is that of the positive class.
- The Brier score of several classes sums over classes (0 to 2), that of two classes is (p - y)^2.
- The ranked probability score divides by the number of cut-offs (0 to 1); of two classes it is the
  Brier score.
- The absolute percentage error divides by max(|y|, eps), as scikit-learn does.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .arithmetic import Array, Num, float_weights, total
from .truth import Truth

EPS = float(np.finfo(np.float64).eps)
RowLoss = Callable[[Truth, Array], Array]


def squared_error(truth: Truth, p: Array) -> Array:
    """(y - p)^2."""
    return np.asarray((truth.y - p) ** 2)


def absolute_error(truth: Truth, p: Array) -> Array:
    """|y - p|."""
    return np.asarray(np.abs(truth.y - p))


def squared_log_error(truth: Truth, p: Array) -> Array:
    """(log(1 + y) - log(1 + p))^2."""
    return np.asarray((np.log1p(truth.y) - np.log1p(p)) ** 2)


def absolute_percentage_error(truth: Truth, p: Array) -> Array:
    """|y - p| / |y|."""
    return np.asarray(np.abs(truth.y - p) / np.maximum(np.abs(truth.y), EPS))


def percentage_error(truth: Truth, p: Array) -> Array:
    """100 |y - p| / |y|."""
    return 100 * absolute_percentage_error(truth, p)


def symmetric_percentage_error(truth: Truth, p: Array) -> Array:
    """|y - p| in per cent of the mean of |y| and |p|; 0 where both are 0."""
    size = (np.abs(truth.y) + np.abs(p)) / 2
    losses: Array = 100 * np.abs(truth.y - p) / np.where(size > 0, size, 1.0)
    return losses


def huber(truth: Truth, p: Array) -> Array:
    """(y - p)^2 / 2 up to an error of 1, then |y - p| - 1/2."""
    error = np.abs(truth.y - p)
    losses: Array = np.where(error <= 1, error**2 / 2, error - 0.5)
    return losses


def pseudo_huber(truth: Truth, p: Array) -> Array:
    """sqrt(1 + (y - p)^2) - 1."""
    return np.asarray(np.hypot(1.0, truth.y - p) - 1)


def pinball(alpha: float) -> RowLoss:
    """Quantile loss: alpha (y - p) above the prediction, (1 - alpha) (p - y) below it."""

    def loss(truth: Truth, p: Array) -> Array:
        d = truth.y - p
        return np.where(d >= 0, alpha * d, (alpha - 1) * d)

    return loss


def poisson_deviance(truth: Truth, p: Array) -> Array:
    """2 (y log(y / p) - y + p), the first term being 0 at y = 0."""
    y = np.asarray(truth.y, dtype=np.float64)
    log_term = np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0) / p), 0.0)
    return np.asarray(2 * (log_term - y + p))


def gamma_deviance(truth: Truth, p: Array) -> Array:
    """2 (log(p / y) + y / p - 1)."""
    return np.asarray(2 * (np.log(p / truth.y) + truth.y / p - 1))


def probability_of_truth(truth: Truth, p: Array) -> Array:
    """Probability that a prediction gives to the row's own class."""
    if p.ndim == 1:
        return np.where(truth.is_positive, p, 1 - p)
    codes = [truth.classes.index(c) for c in truth.y.tolist()]
    return np.asarray(p[np.arange(len(p)), codes])


def log_loss(truth: Truth, p: Array) -> Array:
    """-log of the probability of the row's class."""
    return np.asarray(-np.log(np.clip(probability_of_truth(truth, p), EPS, 1 - EPS)))


def binomial_deviance(truth: Truth, p: Array) -> Array:
    """Twice the log loss."""
    return 2 * log_loss(truth, p)


def brier(truth: Truth, p: Array) -> Array:
    """Squared distance of the probabilities to the truth."""
    if p.ndim == 1:
        return np.asarray((truth.is_positive - p) ** 2)
    if len(truth.classes) == 2:  # one of the two equal squares
        positive = 1 if truth.pos_label is None else list(truth.classes).index(truth.pos_label)
        return np.asarray((truth.is_positive - p[:, positive]) ** 2)
    indicator = truth.y[:, None] == np.asarray(truth.classes)[None, :]
    return np.asarray(((indicator - p) ** 2).sum(axis=1))


def ranked_probability(truth: Truth, p: Array) -> Array:
    """Squared distance of the cumulative probabilities to the truth, a mean over the cut-offs."""
    if p.ndim == 1 or len(truth.classes) == 2:
        return brier(truth, p)
    at_most = truth.y[:, None] <= np.asarray(truth.classes)[None, :]
    distances = (np.cumsum(p, axis=1) - at_most)[:, :-1]
    return np.asarray((distances**2).sum(axis=1) / (len(truth.classes) - 1))


def _weighted_mean(values: Array, w: Array) -> float:
    return float(total(w * values)) / float(total(w))


def r2(truth: Truth, p: Array, w: Array) -> Num:
    """1 - residual sum of squares / sum of squares about the mean of y in the bag."""
    w = float_weights(w)
    about_mean = (truth.y - _weighted_mean(truth.y, w)) ** 2
    return 1 - float(total(w * (truth.y - p) ** 2)) / float(total(w * about_mean))


def explained_variance(truth: Truth, p: Array, w: Array) -> Num:
    """1 - variance of the residuals / variance of y."""
    w = float_weights(w)
    residual = truth.y - p
    of_residual = _weighted_mean((residual - _weighted_mean(residual, w)) ** 2, w)
    return 1 - of_residual / _weighted_mean((truth.y - _weighted_mean(truth.y, w)) ** 2, w)


def squared_pearson(truth: Truth, p: Array, w: Array) -> Num:
    """Squared correlation; 0 if the predictions are constant."""
    w = float_weights(w)
    if len(np.unique(p[w > 0])) == 1:
        return 0.0
    a, b = truth.y - _weighted_mean(truth.y, w), p - _weighted_mean(p, w)
    covariance = float(total(w * a * b))
    return covariance * covariance / (float(total(w * a * a)) * float(total(w * b * b)))
