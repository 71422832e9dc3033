"""Limits from scores of folds and the truth alone: section 17 of the semantics.

Nothing is known of the rows but their classes, groups and folds. The classes' shares then add at
most what the score is compatible with: all loss in one class. Readings chosen where the text is
silent:

- Of two classes psi_i = delta (1[y_i = 1] - pi) in the formulas of section 16, where delta is the
  largest difference of two class means in [0, u] whose weighted mean is s.
- Of more classes folds show nothing, and groups multiply by the rows of the largest.
- Effective numbers of groups are Kish's of the rows of the rate: of all, or of one class.
- The score is the corrected estimate, without the sign of `neg_` metrics.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .drawn_limits import Interval, needed_variance, shown_variance
from .score_limits import wilson


def largest_difference(s: float, share: float, u: float = math.inf) -> float:
    """The largest |m_1 - m_0| with share m_1 + (1 - share) m_0 = s and both within [0, u].

    m_1 = s / share at most, unless that is above u; then m_0 is what is left.
    """
    ends = []
    for own in (share, 1 - share):
        first = min(s / own, u)
        ends.append(first - (s - own * first) / (1 - own))
    return max(ends)


def two_class_terms(
    delta: float, y: Any, groups: Any = None, folds: Any = None
) -> tuple[float, float]:
    """Variances `needed` and `shown` of the shares of two classes; unknown folds show nothing."""
    positive = np.asarray(y) == 1
    psi = delta * (positive - positive.mean())
    ones = np.ones(len(psi))
    return needed_variance(psi, ones, groups), shown_variance(psi, ones, folds)


def many_class_variance(s: float, y: Any, u: float = math.inf, groups: Any = None) -> float:
    """min(s^2 (1 / pi_min - 1), s (u - s)) / n, times the rows of the largest group."""
    n = len(y)
    least = np.unique(np.asarray(y), return_counts=True)[1].min() / n
    largest = 1 if groups is None else np.unique(np.asarray(groups), return_counts=True)[1].max()
    return float(min(s * s * (1 / least - 1), s * (u - s)) / n * largest)


def f1_difference(s: float, share: float) -> float:
    """What gives F1 the variance (s (1 - s))^2 / (n pi (1 - pi))."""
    return s * (1 - s) / (share * (1 - share))


def effective(n: int, groups: Any = None) -> float:
    """n^2 / sum of squared sizes of the groups; n without."""
    if groups is None:
        return float(n)
    sizes = np.unique(np.asarray(groups), return_counts=True)[1]
    return float(n * n / (sizes**2).sum())


def balanced_hull(value: float, n_positive: float, n_negative: float, z: float) -> Interval:
    """Of all recalls that the value is compatible with, the longest MOVER half-width of each side.

    41 equal steps of the recall r in [max(0, 2a - 1), min(1, 2a)], with specificity 2a - r.
    """
    below = above = 0.0
    for r in np.linspace(max(0.0, 2 * value - 1), min(1.0, 2 * value), 41).tolist():
        specificity = min(1.0, max(0.0, 2 * value - r))
        recall_ends = wilson(r, n_positive, z)
        specificity_ends = wilson(specificity, n_negative, z)
        below = max(below, math.hypot(r - recall_ends[0], specificity - specificity_ends[0]) / 2)
        above = max(above, math.hypot(recall_ends[1] - r, specificity_ends[1] - specificity) / 2)
    return value - below, value + above


def r2_by_squared_errors(fold_r2: Any, variances: Any, total: float, draws: Any) -> dict[str, Any]:
    """R2 through the squared error: (1 - R2_k) V_k, over the variance of all rows.

    `fold_r2` (n_folds, n_configurations); `draws` (n_replicates, n_folds) counts. The mean of R2_k
    in bag chooses, the mean squared error of the folds out of bag is told.
    """
    scores, variances = np.asarray(fold_r2), np.asarray(variances)
    errors = (1 - scores) * variances[:, None]
    replicates, winners = [], []
    for counts in np.asarray(draws):
        winner = int(np.argmax(counts @ scores / counts.sum()))
        winners.append(winner)
        replicates.append(1 - errors[counts == 0, winner].mean() / total)
    winner = int(np.argmax(scores.mean(axis=0)))
    apparent = 1 - float(errors[:, winner].mean()) / total
    return {
        "winner": winner,
        "winners": winners,
        "replicates": np.array(replicates),
        "apparent": apparent,
    }
