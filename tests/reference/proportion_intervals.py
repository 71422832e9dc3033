"""Intervals of a share: Wilson (1927), Clopper and Pearson (1934).

Readings chosen where the texts are silent:

- One-sided bounds put all of alpha on one side; the other side is 0 or 1.
"""

from __future__ import annotations

import math

from scipy import stats


def _tail(confidence_level: float, alternative: str) -> float:
    alpha = 1 - confidence_level
    return alpha / 2 if alternative == "two-sided" else alpha


def wilson(
    successes: int, n: int, confidence_level: float = 0.95, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Shares whose score test does not reject."""
    z = float(stats.norm.isf(_tail(confidence_level, alternative)))
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if alternative == "less" else max(0.0, centre - reach)
    high = 1.0 if alternative == "greater" else min(1.0, centre + reach)
    return low, high


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X <= k) of a binomial count."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def _solve(k: int, n: int, target: float) -> float:
    """The p at which P(X <= k) = target; the probability falls with p."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if binomial_cdf(k, n, middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def clopper_pearson(
    successes: int, n: int, confidence_level: float = 0.95, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Shares that neither exact binomial tail rejects."""
    tail = _tail(confidence_level, alternative)
    low = 0.0 if alternative == "less" or successes == 0 else _solve(successes - 1, n, 1 - tail)
    high = 1.0 if alternative == "greater" or successes == n else _solve(successes, n, tail)
    return low, high
