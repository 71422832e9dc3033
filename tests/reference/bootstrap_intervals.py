"""Bootstrap intervals of one fixed configuration, given the replicates' statistics.

Readings chosen where the texts are silent:

- All of them use the order statistics of `bbc.order_statistic_interval`: rank ceil(round(q B, 9)).
- BCa: replicates equal to the estimate count one half in the bias term; the acceleration comes from
  the jackknife; ranks are kept within 1 and B.
- The unbounded side of one-sided basic and studentised intervals is the metric's extreme value.
- NB takes the order statistic at alpha of the means of the winner's resampled fold scores.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from .auc_intervals import InfeasibleError
from .bbc import order_statistic_interval

Interval = tuple[float, float]
REAL_LINE = (-math.inf, math.inf)


def percentile(
    replicates: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: Interval = REAL_LINE,
) -> Interval:
    """Order statistics of the replicates."""
    return order_statistic_interval(replicates, confidence_level, alternative, bounds)


def _mirrored(alternative: str) -> str:
    return {"greater": "less", "less": "greater"}.get(alternative, alternative)


def basic(
    estimate: float,
    replicates: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: Interval = REAL_LINE,
) -> Interval:
    """Twice the estimate less the percentile interval's opposite end."""
    low, high = order_statistic_interval(replicates, confidence_level, _mirrored(alternative))
    return (
        bounds[0] if alternative == "less" else 2 * estimate - high,
        bounds[1] if alternative == "greater" else 2 * estimate - low,
    )


def studentised(
    estimate: float,
    standard_error: float,
    replicates: Any,
    standard_errors: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: Interval = REAL_LINE,
) -> Interval:
    """Estimate less standard error times order statistics of (t_b - estimate) / se_b."""
    t = (np.asarray(replicates, dtype=np.float64) - estimate) / np.asarray(standard_errors)
    low, high = order_statistic_interval(t, confidence_level, _mirrored(alternative))
    return (
        bounds[0] if alternative == "less" else estimate - standard_error * high,
        bounds[1] if alternative == "greater" else estimate - standard_error * low,
    )


def acceleration(jackknife: Any) -> float:
    """Skewness of the leave-one-out values over 6."""
    values = np.asarray(jackknife, dtype=np.float64)
    d = values.mean() - values
    spread = float(np.sum(d**2))
    return float(np.sum(d**3)) / (6 * spread**1.5) if spread > 0 else 0.0


def bca(
    estimate: float,
    replicates: Any,
    jackknife: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: Interval = REAL_LINE,
) -> Interval:
    """Bias-corrected and accelerated percentile interval (Efron 1987)."""
    ordered = np.sort(np.asarray(replicates, dtype=np.float64))
    n = len(ordered)
    below = (np.sum(ordered < estimate) + 0.5 * np.sum(ordered == estimate)) / n
    if below in (0, 1):
        raise InfeasibleError("all replicates lie on one side of the estimate")
    z0, a = float(stats.norm.ppf(below)), acceleration(jackknife)

    def at(share: float) -> float:
        z = z0 + float(stats.norm.ppf(share))
        q = float(stats.norm.cdf(z0 + z / (1 - a * z)))
        return float(ordered[min(max(math.ceil(round(q * n, 9)), 1), n) - 1])

    alpha = 1 - confidence_level
    tail = alpha / 2 if alternative == "two-sided" else alpha
    return (
        bounds[0] if alternative == "less" else at(tail),
        bounds[1] if alternative == "greater" else at(1 - tail),
    )


def nb(
    fold_scores: Any,
    resamples: Any,
    confidence_level: float = 0.95,
    alternative: str = "greater",
    bounds: Interval = (0.0, 1.0),
) -> Interval:
    """Naive bootstrap of the winner's fold scores; ``resamples`` holds drawn fold indices."""
    scores = np.asarray(fold_scores, dtype=np.float64)
    means = [float(np.mean(scores[np.asarray(drawn)])) for drawn in resamples]
    return order_statistic_interval(means, confidence_level, alternative, bounds)
