"""Intervals of an AUC: DeLong et al. (1988), Hanley and McNeil (1982).

Readings chosen where the texts are silent:

- One-sided bounds use the normal quantile at the confidence level; the other side is 0 or 1.
- DeLong's test without variance: p = 1 if the two AUCs are equal, else 0.
- ``paraschakis2024``: a call is right if (score > 0) equals (row is positive); the sample whose
  size enters is that of the given rows unless ``n_total`` says otherwise.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from .arithmetic import Array


class InfeasibleError(ValueError):
    """The method has no answer for these data; the message says why."""


def normal_interval(
    estimate: float,
    standard_error: float,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float, float]:
    """Estimate plus and minus a normal quantile times the standard error, kept within bounds."""
    two_sided = alternative == "two-sided"
    share = (1 + confidence_level) / 2 if two_sided else confidence_level
    reach = float(stats.norm.ppf(share)) * standard_error
    low = bounds[0] if alternative == "less" else max(bounds[0], estimate - reach)
    high = bounds[1] if alternative == "greater" else min(bounds[1], estimate + reach)
    return low, high


def comparison_matrix(is_positive: Any, scores: Any) -> Array:
    """K[i, j]: 1 if positive i scores above negative j, one half if equal, else 0."""
    is_positive, scores = np.asarray(is_positive, dtype=bool), np.asarray(scores)
    pos, neg = scores[is_positive][:, None], scores[~is_positive][None, :]
    return np.asarray((pos > neg) + 0.5 * (pos == neg))


def placements(is_positive: Any, scores: Any) -> tuple[Array, Array]:
    """V10 of each positive row and V01 of each negative row."""
    k = comparison_matrix(is_positive, scores)
    return k.mean(axis=1), k.mean(axis=0)


def auc(is_positive: Any, scores: Any) -> float:
    """Area under the ROC curve, ties counted one half."""
    return float(comparison_matrix(is_positive, scores).mean())


def delong_covariance(is_positive: Any, columns: list[Any]) -> Array:
    """Covariance matrix of the AUCs of several score columns."""
    v10, v01 = zip(*(placements(is_positive, scores) for scores in columns), strict=True)
    n_pos, n_neg = len(v10[0]), len(v01[0])
    if min(n_pos, n_neg) < 2:
        raise InfeasibleError("a class has fewer than two rows")
    s10, s01 = np.atleast_2d(np.cov(v10, ddof=1)), np.atleast_2d(np.cov(v01, ddof=1))
    return np.asarray(s10 / n_pos + s01 / n_neg)


def delong(
    is_positive: Any,
    scores: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
) -> tuple[float, float]:
    """DeLong's interval, clipped to [0, 1]."""
    variance = float(delong_covariance(is_positive, [scores])[0, 0])
    estimate = auc(is_positive, scores)
    return normal_interval(estimate, math.sqrt(variance), confidence_level, alternative, (0, 1))


def delong_test(is_positive: Any, first: Any, second: Any) -> tuple[float, float]:
    """z and two-sided p of two correlated AUCs being equal."""
    s = delong_covariance(is_positive, [first, second])
    difference = auc(is_positive, first) - auc(is_positive, second)
    variance = float(s[0, 0] + s[1, 1] - 2 * s[0, 1])
    if variance <= 0:
        return (0.0, 1.0) if difference == 0 else (math.copysign(math.inf, difference), 0.0)
    z = difference / math.sqrt(variance)
    return z, 2 * float(stats.norm.sf(abs(z)))


def hanley_mcneil_variance(
    is_positive: Any, scores: Any, variant: str = "standard", n_total: int | None = None
) -> float:
    """Variance of an AUC from its value and the class sizes."""
    is_positive, scores = np.asarray(is_positive, dtype=bool), np.asarray(scores)
    a: float = auc(is_positive, scores)
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    n_pos, n_neg = int(is_positive.sum()), int((~is_positive).sum())
    if variant == "standard":
        weights, cells = (n_pos - 1, n_neg - 1), n_pos * n_neg
    else:
        right = int(((scores > 0) == is_positive).sum())
        wrong = (len(scores) if n_total is None else n_total) - right
        weights, cells = (right + 1, wrong - 1), right * wrong
    if cells == 0:
        raise InfeasibleError("no pair to count")
    spread = a * (1 - a) + weights[0] * (q1 - a * a) + weights[1] * (q2 - a * a)
    return spread / cells


def hanley_mcneil(
    is_positive: Any,
    scores: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    variant: str = "standard",
    n_total: int | None = None,
) -> tuple[float, float]:
    """Hanley and McNeil's interval, clipped to [0, 1]."""
    variance = hanley_mcneil_variance(is_positive, scores, variant, n_total)
    estimate = auc(is_positive, scores)
    return normal_interval(estimate, math.sqrt(variance), confidence_level, alternative, (0, 1))


def sidak(alpha: float, m: int) -> float:
    """Level of each of m bounds so that all hold at level alpha: 1 - (1 - alpha)^(1/m)."""
    return 1 - math.pow(1 - alpha, 1 / m)
