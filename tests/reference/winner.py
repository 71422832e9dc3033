"""The winner's own value: Andrews, Kitagawa and McCloskey (2024), conditional and hybrid.

Readings chosen where the texts are silent:

- The covariance of the scores is that of means of rows (or sums of units), divided by n, not n - 1.
- Scores on a lattice (accuracy, AUC) are corrected for continuity: the winner would still have won
  half a step lower against later configurations, and not half a step lower against earlier ones.
- A configuration whose covariance with the winner is the winner's variance restricts nothing. If no
  other does, the interval is the plain normal one.
- One-sided limits leave out the whole error probability on their side.
- The multipliers of the simultaneous interval are normal quantiles at the middles of 2^16 equal
  probabilities, indexed by 16 bits of a word, the low half first.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy import optimize
from scipy.special import log_ndtr, ndtri

from .arithmetic import Array
from .auc_intervals import auc, placements
from .philox import numbering, words

STREAM = 0x80000010
SAME = 1e-12


def row_values(y: Any, predictions: Any, metric: str) -> tuple[Array, float]:
    """Values of (row, configuration) whose means are the scores, and the step between scores."""
    y, predictions = np.asarray(y), np.asarray(predictions)
    n = len(y)
    if metric == "accuracy":
        return (predictions == y[:, None]).astype(float), 1 / n
    if metric == "mean_squared_error":
        return (predictions - y[:, None]) ** 2, 0.0
    assert metric == "roc_auc"
    positive = y == 1
    values = np.empty(predictions.shape)
    for c, scores in enumerate(predictions.T):
        area = auc(positive, scores)
        for mask, placed in zip((positive, ~positive), placements(positive, scores), strict=True):
            values[mask, c] = area + n / mask.sum() * (placed - area)
    return values, 0.5 / float(positive.sum() * (~positive).sum())


def log_probability(low: float, high: float) -> float:
    """log P(low <= Z <= high) of a standard normal Z, in the nearer tail."""
    if low > 0:
        low, high = -high, -low
    return float(log_ndtr(high) + np.log1p(-np.exp(log_ndtr(low) - log_ndtr(high))))


def truncated_cdf(x: float, mean: float, sd: float, low: float, high: float) -> float:
    """P(X <= x | low <= X <= high)."""
    u, a, b = (x - mean) / sd, (low - mean) / sd, (high - mean) / sd
    if u <= a:
        return 0.0
    return 1.0 if u >= b else math.exp(log_probability(a, u) - log_probability(a, b))


def truncation(scores: Array, covariances: Array, winner: int, step: float) -> tuple[float, float]:
    """V- and V+."""
    variance, low, high = covariances[winner], -math.inf, math.inf
    for c, (score, covariance) in enumerate(zip(scores, covariances, strict=True)):
        if c == winner or abs(variance - covariance) <= SAME * variance:
            continue
        rest = score - covariance / variance * scores[winner]
        rest -= step / 2 if c > winner else -step / 2
        limit = variance * rest / (variance - covariance)
        if covariance < variance:
            low = max(low, limit)
        else:
            high = min(high, limit)
    return float(low), float(high)


def critical_value(centred: Array, beta: float, *, seed: int, n_draws: int) -> float:
    """Quantile of the largest |xi_c| / sd_c, by multipliers of the rows."""
    n_rows = len(centred)
    table = ndtri((np.arange(2**16) + 0.5) / 2**16)
    drawn = np.empty((n_draws, n_rows))
    for b in range(n_draws):
        source = words(seed, b, 0, STREAM)
        for i in range(0, n_rows, 2):
            word = next(source)
            drawn[b, i] = table[word & 0xFFFF]
            if i + 1 < n_rows:
                drawn[b, i + 1] = table[word >> 16]
    lengths = np.sqrt((centred**2).sum(axis=0))
    deviations = np.abs(drawn @ centred[:, lengths > 0]) / lengths[lengths > 0]
    return float(np.sort(deviations.max(axis=1))[math.ceil(round((1 - beta) * n_draws, 9)) - 1])


def winner_interval(
    values: Array,
    step: float,
    *,
    greater_is_better: bool,
    method: str,
    confidence_level: float,
    alternative: str,
    seed: int = 0,
    n_draws: int = 10_000,
    groups: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float, float, float]:
    """Median-unbiased estimate, lower and upper limit."""
    sign = 1.0 if greater_is_better else -1.0
    values = sign * values
    n_rows = len(values)
    scores = values.mean(axis=0)
    winner = int(np.argmax(np.round(scores, 12)))
    units = range(n_rows) if groups is None else numbering(groups)
    centred = np.zeros((max(units) + 1, len(scores)))
    np.add.at(centred, list(units), values - scores)
    covariances = centred.T @ centred[:, winner] / n_rows**2
    x, sd = float(scores[winner]), math.sqrt(covariances[winner])
    low, high = truncation(scores, covariances, winner, step)
    alpha = 1 - confidence_level

    def limits(theta: float) -> tuple[float, float]:
        return low, high

    reach = 64 * sd
    if method == "hybrid":
        beta = alpha / 10
        alpha = (alpha - beta) / (1 - beta)
        reach = critical_value(centred, beta, seed=seed, n_draws=n_draws) * sd

        def limits(theta: float) -> tuple[float, float]:
            return max(low, theta - reach), min(high, theta + reach)

    def theta_at(p: float) -> float:
        def excess(theta: float) -> float:
            return truncated_cdf(x, theta, sd, *limits(theta)) - p

        return float(optimize.brentq(excess, x - reach, x + reach, xtol=1e-15, rtol=1e-14))

    tail = alpha / 2 if alternative == "two-sided" else alpha
    found = [theta_at(1 - tail), theta_at(0.5), theta_at(tail)]
    lower, estimate, upper = found if greater_is_better else [-value for value in found[::-1]]
    lower = bounds[0] if alternative == "less" else lower
    upper = bounds[1] if alternative == "greater" else upper
    return tuple(float(np.clip(value, *bounds)) for value in (estimate, lower, upper))  # type: ignore[return-value]
