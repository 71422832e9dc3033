"""Metrics of rankings, by looking at all pairs of rows.

Readings chosen where the texts are silent:

- A weight means that the row is there that many times, also for midranks.
- Weighted multi-class AUC weighs a class by its weight in the bag, and one-versus-one pairs by the
  weight of both classes, as scikit-learn does.
- Tied times of one event and one censored row: the event comes first.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from .arithmetic import Array, Num, mean, ratio, signed_square, total
from .truth import Truth


def pair_auc(is_pos: Array, scores: Array, w: Array) -> Num:
    """P(score of a positive > score of a negative), ties counted one half."""
    s_pos, s_neg = scores[is_pos][:, None], scores[~is_pos][None, :]
    twice = 2 * (s_pos > s_neg).astype(np.int64) + (s_pos == s_neg)
    w_pos, w_neg = w[is_pos], w[~is_pos]
    numerator = total(w_pos * (twice @ w_neg))
    return ratio(numerator, 2 * total(w_pos) * total(w_neg))


def roc_auc(truth: Truth, scores: Array, w: Array) -> Num:
    """Area under the ROC curve of two classes."""
    return pair_auc(truth.is_positive, scores, w)


def average_precision(truth: Truth, scores: Array, w: Array) -> Num:
    """Sum over thresholds of the gain in recall times the precision there."""
    area: Num = 0
    before: Num = 0
    for threshold in np.unique(scores[w > 0])[::-1]:
        called = scores >= threshold
        tp = total(w[called & truth.is_positive])
        area += ratio((tp - before) * tp, total(w[called]))
        before = tp
    return ratio(area, total(w[truth.is_positive]))


def auc_ovr(truth: Truth, scores: Array, w: Array) -> Num:
    """Mean over classes of the AUC of the class against the rest."""
    return mean([pair_auc(truth.y == c, scores[:, k], w) for k, c in enumerate(truth.classes)])


def auc_ovr_weighted(truth: Truth, scores: Array, w: Array) -> Num:
    """As `auc_ovr`, classes weighted by their rows."""
    parts = [
        pair_auc(truth.y == c, scores[:, k], w) * total(w[truth.y == c])
        for k, c in enumerate(truth.classes)
    ]
    return ratio(sum(parts), total(w))


def _ordered_pairs(truth: Truth, scores: Array, w: Array) -> list[tuple[Num, Num]]:
    pairs = []
    for a, b in permutations(range(len(truth.classes)), 2):
        in_a, in_b = truth.y == truth.classes[a], truth.y == truth.classes[b]
        used = in_a | in_b
        pairs.append((pair_auc(in_a[used], scores[used, a], w[used]), total(w[used])))
    return pairs


def auc_ovo(truth: Truth, scores: Array, w: Array) -> Num:
    """Mean over ordered pairs (a, b) of the AUC of a against b with the score of a."""
    return mean([auc for auc, _ in _ordered_pairs(truth, scores, w)])


def auc_ovo_weighted(truth: Truth, scores: Array, w: Array) -> Num:
    """As `auc_ovo`, pairs weighted by their rows."""
    pairs = _ordered_pairs(truth, scores, w)
    return ratio(sum(auc * size for auc, size in pairs), sum(size for _, size in pairs))


def twice_midranks(values: Array, w: Array) -> Array:
    """Twice the midrank of each row among the weighted rows."""
    below = (values[None, :] < values[:, None]) @ w
    tied = (values[None, :] == values[:, None]) @ w
    return np.asarray(2 * below + tied + 1)


def spearman_signed_square(truth: Truth, scores: Array, w: Array) -> Num:
    """Spearman's rho, squared with its sign; 0 if the predictions are constant."""
    if len(np.unique(scores[w > 0])) == 1:
        return 0  # with real weights, the spread below is zero but for its rounding
    a, b = twice_midranks(truth.y, w), twice_midranks(scores, w)
    n, sum_a, sum_b = total(w), total(w * a), total(w * b)
    covariance = n * total(w * a * b) - sum_a * sum_b
    spread_a = n * total(w * a * a) - sum_a * sum_a
    spread_b = n * total(w * b * b) - sum_b * sum_b
    return ratio(signed_square(covariance), spread_a * spread_b)


def concordance_index(truth: Truth, risk: Array, w: Array) -> Num:
    """Harrell's C: share of comparable pairs in which the earlier event has the higher risk."""
    higher = risk[:, None] > risk[None, :]
    tied = risk[:, None] == risk[None, :]
    twice = truth.comparable * (2 * higher.astype(np.int64) + tied)
    pairs = truth.comparable.astype(np.int64)
    return ratio(total(w * (twice @ w)), 2 * total(w * (pairs @ w)))
