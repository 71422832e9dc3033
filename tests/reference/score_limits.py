"""Limits of corrected scores, from the formulas: score intervals, and their hull with replicates.

Wilson (1927) of proportions, Newcombe (2006, method 5) of the AUC, MOVER (Zou and Donner 2008) of
sums. Readings chosen: a balanced accuracy has its two parts moved by corrected minus apparent; net
benefit keeps its parts and is moved as a whole; F1 is a function of Jaccard's index, a proportion
of the rows that are events or called so. The clusters' design effect is blended with that of
clusters whose rows all agree, by the number of clusters that show errors (or right answers).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .winner import newcombe_low


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """The roots of (p - x)^2 = z^2 x (1 - x) / n."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return centre - half, centre + half


def newcombe(auc: float, m: float, n: float, z: float) -> tuple[float, float]:
    """Both limits, of m events and n others."""
    low = newcombe_low(auc, m, n, z) if auc > 0 else 0.0  # type: ignore[arg-type]
    high = 1 - newcombe_low(1 - auc, m, n, z) if auc < 1 else 1.0  # type: ignore[arg-type]
    return low, high


def mover(
    value: float, weights: Sequence[float], rates: Sequence[float], ns: Sequence[float], z: float
) -> tuple[float, float]:
    """Limits of a weighted sum of proportions, around a value."""
    below = above = 0.0
    for weight, rate, n in zip(weights, rates, ns, strict=True):
        low, high = wilson(rate, n, z)
        down, up = weight * (rate - low), weight * (high - rate)
        below += (down if weight > 0 else up) ** 2
        above += (up if weight > 0 else down) ** 2
    return value - math.sqrt(below), value + math.sqrt(above)


def f1(value: float, n: float, z: float) -> tuple[float, float]:
    """Through Jaccard's index."""
    low, high = wilson(value / (2 - value), n, z)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def effective_number(values: Any, weights: Any = None, groups: Any = None) -> float:
    """Independent rows of equal weight."""
    values = np.asarray(values, dtype=float)
    w = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    apart = (w**2).sum()
    if groups is None:
        return float(w.sum() ** 2 / apart)
    rate = np.average(values, weights=w)
    names = sorted(set(groups))
    members = [np.asarray(groups) == name for name in names]
    together = sum(w[own].sum() ** 2 for own in members)
    spread = ((w * (values - rate)) ** 2).sum()
    errors = sum(bool((values[own] < 1).any()) for own in members)
    right = sum(bool((values[own] > 0).any()) for own in members)
    f, g = min(errors, right), len(names)
    estimated = together
    if spread > 0 and g > 1:
        effect = sum((w * (values - rate))[own].sum() ** 2 for own in members) / spread
        estimated = min(max(apart * effect * g / (g - 1), apart), together)
    return float(w.sum() ** 2 * (f + 1) / (f * estimated + together))


def placements(is_positive: Any, scores: Any, weights: Any) -> Any:
    """The share of the other class's weight on whose right side each row is, ties one half."""
    positive, w = np.asarray(is_positive, dtype=bool), np.asarray(weights, dtype=float)
    right = np.sign(np.subtract.outer(scores, scores)) / 2 + 0.5  # of a row above a column
    above = (right * w * ~positive).sum(axis=1) / w[~positive].sum()
    below = ((1 - right) * w * positive).sum(axis=1) / w[positive].sum()
    return np.where(positive, above, below)


def hull(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The smallest interval that holds both."""
    return min(one[0], other[0]), max(one[1], other[1])
