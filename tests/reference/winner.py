"""The winner's own value: Andrews, Kitagawa and McCloskey (2024), hybrid.

Readings chosen where the texts are silent:

- Scores are normal on a scale: the logit where their range is bounded, the logarithm of losses
  that are not negative. The row values count with the scale's derivative at their score.
- The covariance of the scores is that of means of rows (or sums of units), times n / (n - 1); for
  the AUC of rows within classes, each with its own n. Quantiles are Student's t with n - 1 degrees
  of freedom, of the smaller class: the standard deviation in the truncated distribution is
  multiplied by t / z, and multipliers' draws are divided by the root of chi squared over its
  degrees of freedom.
- A share or an AUC of exactly 0 or 1 has the limits of Clopper and Pearson (one-sided, all right or
  wrong) or Newcombe (2006), at alpha over the number of configurations.
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
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import log_ndtr, ndtri
from scipy.stats import norm, t

from .arithmetic import Array
from .auc_intervals import auc, placements
from .philox import numbering, words

STREAM = 0x80000010
SCALES = 0x80000012
SAME = 1e-12
BOUNDS = {
    "accuracy": (0.0, 1.0),
    "mean_squared_error": (0.0, math.inf),
    "roc_auc": (0.0, 1.0),
}


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


def of_metric(y: Any, metric: str) -> dict[str, Any]:
    """Direction and range of the metric, and the events of an AUC."""
    return {
        "greater_is_better": metric != "mean_squared_error",
        "bounds": BOUNDS[metric],
        "positive": np.asarray(y) == 1 if metric == "roc_auc" else None,
    }


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


@cache
def multipliers(stream: int, n: int, *, seed: int, n_draws: int) -> Array:
    """Normal numbers of shape (draw, n)."""
    table = ndtri((np.arange(2**16) + 0.5) / 2**16)
    drawn = np.empty((n_draws, n))
    for b in range(n_draws):
        source = words(seed, b, 0, stream)
        for i in range(0, n, 2):
            word = next(source)
            drawn[b, i] = table[word & 0xFFFF]
            if i + 1 < n:
                drawn[b, i + 1] = table[word >> 16]
    return drawn


def critical_value(centred: Array, df: int, beta: float, *, seed: int, n_draws: int) -> float:
    """Quantile of the largest |xi_c| / sd_c, by multipliers of the rows, studentised."""
    drawn = multipliers(STREAM, len(centred), seed=seed, n_draws=n_draws)
    lengths = np.sqrt((centred**2).sum(axis=0))
    deviations = np.abs(drawn @ centred[:, lengths > 0]) / lengths[lengths > 0]
    squares = (multipliers(SCALES, df, seed=seed, n_draws=n_draws) ** 2).sum(axis=1)
    deviations /= np.sqrt(squares / df)[:, None]
    return float(np.sort(deviations.max(axis=1))[math.ceil(round((1 - beta) * n_draws, 9)) - 1])


def newcombe_low(auc: float, m: int, n: int, z: float) -> float:
    """Newcombe (2006), method 5: where the AUC is z standard errors above."""

    def excess(x: float) -> float:
        half = (m + n) / 2 - 1
        variance = x * (1 - x) / (m * n) * (1 + half * ((1 - x) / (2 - x) + x / (1 + x)))
        return (auc - x) ** 2 - z * z * variance

    return float(optimize.brentq(excess, 0, auc * (1 - 1e-12), xtol=1e-15, rtol=1e-14))


def scales(bounds: tuple[float, float], sign: float, n_rows: int) -> tuple[Any, Any, Any]:
    """The scale on which scores are normal, its derivative and inverse; larger is better."""
    low, high = sorted(sign * bound for bound in bounds)
    if math.isfinite(low) and math.isfinite(high):

        def share(x: Array) -> Array:
            return np.clip((x - low) / (high - low), 0.5 / n_rows, 1 - 0.5 / n_rows)

        return (
            lambda x: np.log(share(x) / (1 - share(x))),
            lambda x: 1 / (share(x) * (1 - share(x)) * (high - low)),
            lambda u: low + (high - low) / (1 + math.exp(-u)),
        )
    if math.isfinite(high):
        return (
            lambda x: -np.log(high - x),
            lambda x: 1 / (high - x),
            lambda u: high - math.exp(-u),
        )
    return lambda x: x, np.ones_like, lambda u: u


class Normal(NamedTuple):
    """The scores on the scale on which they are normal; larger is better."""

    scores: Array
    centred: Array  # (unit, configuration)
    covariances: Array  # with the winner's score
    winner: int
    df: int
    slope: float  # of the scale at the winner's score
    back: Callable[[float], float]  # the score of a number on the scale

    @property
    def sd(self) -> float:
        return math.sqrt(self.covariances[self.winner])


def normal(
    values: Array,
    *,
    greater_is_better: bool,
    groups: Sequence[Hashable] | None = None,
    positive: Array | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Normal:
    """`positive` are the events of an AUC."""
    sign = 1.0 if greater_is_better else -1.0
    values = sign * values
    n_rows = len(values)
    scores = values.mean(axis=0)
    winner = int(np.argmax(np.round(scores, 12)))
    units = range(n_rows) if groups is None else numbering(groups)
    n_units = max(units) + 1
    inflation = np.full(n_rows, math.sqrt(n_units / (n_units - 1)))
    df = n_units - 1
    if positive is not None:
        of_class = [len(set(np.array(units)[mask])) for mask in (positive, ~positive)]
        df = min(of_class) - 1
        if groups is None:
            m, n = of_class
            inflation = np.where(positive, math.sqrt(m / (m - 1)), math.sqrt(n / (n - 1)))
    scale, slope, back = scales(bounds, sign, n_rows)
    centred = np.zeros((n_units, len(scores)))
    np.add.at(centred, list(units), (values - scores) * inflation[:, None] * slope(scores))
    return Normal(
        scale(scores),
        centred,
        centred.T @ centred[:, winner] / n_rows**2,
        winner,
        df,
        float(slope(scores)[winner]),
        lambda scaled: sign * float(back(scaled)),
    )


def simultaneous_half(
    of: Normal, *, confidence_level: float, seed: int = 0, n_draws: int = 10_000
) -> float:
    """Half of the simultaneous interval of the winner, at a tenth of the error probability."""
    beta = (1 - confidence_level) / 10
    return critical_value(of.centred, of.df, beta, seed=seed, n_draws=n_draws) * of.sd


def simultaneous_limits(of: Normal, **options: Any) -> tuple[float, float]:
    """Within these scores hybrid estimates and limits lie."""
    x, half = float(of.scores[of.winner]), simultaneous_half(of, **options)
    low, high = sorted(map(of.back, (x - half, x + half)))
    return low, high


def winner_interval(
    values: Array,
    step: float,
    *,
    greater_is_better: bool,
    confidence_level: float,
    alternative: str,
    seed: int = 0,
    n_draws: int = 10_000,
    groups: Sequence[Hashable] | None = None,
    positive: Array | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float, float, float]:
    """Median-unbiased estimate, lower and upper limit; `positive` are the events of an AUC."""
    of = normal(
        values,
        greater_is_better=greater_is_better,
        groups=groups,
        positive=positive,
        bounds=bounds,
    )
    x = float(of.scores[of.winner])
    low, high = truncation(of.scores, of.covariances, of.winner, step * of.slope)
    alpha = 1 - confidence_level
    tail = alpha / 2 if alternative == "two-sided" else alpha
    wider = of.sd * float(t.ppf(1 - tail, of.df) / norm.ppf(1 - tail))
    half = simultaneous_half(of, confidence_level=confidence_level, seed=seed, n_draws=n_draws)

    def theta_at(p: float) -> float:
        def excess(theta: float) -> float:
            within = max(low, theta - half), min(high, theta + half)
            return truncated_cdf(x, theta, wider, *within) - p

        return float(optimize.brentq(excess, x - half, x + half, xtol=1e-15, rtol=1e-14))

    beta = alpha / 10
    rest = (alpha - beta) / (1 - beta)
    tail = rest / 2 if alternative == "two-sided" else rest
    found = [of.back(theta_at(p)) for p in (1 - tail, 0.5, tail)]
    lower, estimate, upper = found if greater_is_better else found[::-1]
    lower = bounds[0] if alternative == "less" else lower
    upper = bounds[1] if alternative == "greater" else upper
    return tuple(float(np.clip(value, *bounds)) for value in (estimate, lower, upper))  # type: ignore[return-value]
