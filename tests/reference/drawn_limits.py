"""Limits where folds are drawn, or rows within classes: section 16 of the semantics.

Drawn folds of equal class shares never show that the shares were sampled: that part of the variance
is worked out from each class's mean influence and added, then the hull with a score interval.
Readings chosen where the text is silent:

- psi_c is the derivative by the logarithm of the class's weight, not the quotient with h = .001.
- W and W_c are sums over the rows that any repeat predicted, D_c is the mean over repeats. Where a
  repeat left rows out, psi_c of a mean over rows is then not the mean over repeats of m_c - m, but
  each repeat's m_c - m counts by the class's share in it over the class's share among all rows.
- Each repeat's var_k is divided by its own K; `needed` of single rows has no factor n / (n - 1).
- g and its steps are the winner's, with the share of events as it is; the hull is put around the
  corrected estimate. Both limits are clipped to both ends of the metric's range.
- A mean of losses has the hull that `mean_hull` says, which section 16 lacks: scores of five folds
  hardly show the few rows with large losses.
- Of few folds each side takes the larger of Student's distance and the replicates': the winner's
  two to four scores may be equal by chance, and the interval would have no width.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from .arithmetic import Array
from .score_limits import hull as hull_of
from .score_limits import wilson

Score = Callable[[Array], float]
Interval = tuple[float, float]
REAL_LINE = (-math.inf, math.inf)


def derivative_at_zero(
    function: Callable[[float], float], h: float = 0.4, levels: int = 5
) -> float:
    """Central differences of h, h/2, h/4, ..., extrapolated to 0 (Richardson)."""
    row: list[float] = []
    for k in range(levels):
        step = h / 2**k
        new = [(function(step) - function(-step)) / (2 * step)]
        for j, old in enumerate(row, start=1):
            new.append(new[-1] + (new[-1] - old) / (4**j - 1))
        row = new
    return row[-1]


def class_influences(score: Score, y_classes: Any, weights: Any) -> Array:
    """psi of each row's class, D_c W / W_c, D_c = dS(w e^(t 1_c)) / dt; 0 without weight."""
    y, w = np.asarray(y_classes), np.asarray(weights, dtype=np.float64)
    psi = np.zeros(len(w))
    classes = np.unique(y[w > 0])
    if len(classes) < 2:
        return psi
    for c in classes:
        own = y == c

        def of_log_weight(t: float, own: Array = own) -> float:
            return float(score(np.where(own, w * math.exp(t), w)))

        psi[own] = derivative_at_zero(of_log_weight) * w.sum() / w[own].sum()
    return psi


def class_influences_of_mean(row_values: Any, y_classes: Any, weights: Any) -> Array:
    """The same for means over rows: m_c - m, where all repeats predicted all rows.

    `row_values` (n_repeats, n_rows), NaN for rows a repeat did not predict: the mean over repeats
    of (m_c - m) times the class's share in the repeat over its share among all rows.
    """
    values, y = np.atleast_2d(np.asarray(row_values, dtype=np.float64)), np.asarray(y_classes)
    predicted = ~np.isnan(values)
    w = np.asarray(weights, dtype=np.float64) * predicted.any(axis=0)
    psi = np.zeros(len(w))
    for c in np.unique(y[w > 0]):
        own, parts = y == c, []
        for of_rows, there in zip(values, predicted, strict=True):
            inside = own & there
            if w[inside].sum() == 0:
                parts.append(0.0)
                continue
            m = weighted_mean(of_rows[there], w[there])
            m_c = weighted_mean(of_rows[inside], w[inside])
            parts.append((m_c - m) * w[inside].sum() / w[there].sum())
        psi[own] = np.mean(parts) * w.sum() / w[own].sum()
    return psi


def needed_variance(psi: Any, weights: Any, units: Any = None) -> float:
    """sum_u (sum_(i in u) w_i psi_i)^2 / W^2 over rows, or over groups times G / (G - 1)."""
    w = np.asarray(weights, dtype=np.float64)
    parts = w * np.asarray(psi)
    if units is None:
        return float((parts**2).sum() / w.sum() ** 2)
    of_rows = np.asarray(units)
    names = np.unique(of_rows[w > 0])
    if len(names) < 2:
        raise ValueError("one group with weight")
    squares = sum(float(parts[of_rows == name].sum()) ** 2 for name in names)
    return float(squares / w.sum() ** 2 * len(names) / (len(names) - 1))


def shown_variance(psi: Any, weights: Any, folds: Any) -> float:
    """Mean over repeats of var_k(sum_(i in k) w_i psi_i / W_k) / K; 0 without folds."""
    if folds is None:
        return 0.0
    w, psi = np.asarray(weights, dtype=np.float64), np.asarray(psi)
    of_repeats = []
    for codes in np.atleast_2d(np.asarray(folds)):
        means = []
        for k in np.unique(codes[codes >= 0]):
            own = codes == k
            if w[own].sum() == 0:
                raise ValueError("a fold without weight")
            means.append(weighted_mean(psi[own], w[own]))
        if len(means) < 2:
            raise ValueError("fewer than two folds")
        of_repeats.append(float(np.var(means, ddof=1)) / len(means))
    return float(np.mean(of_repeats))


def class_term(
    score: Score, y_classes: Any, weights: Any, folds: Any = None, units: Any = None
) -> tuple[float, float]:
    """Variances `needed` and `shown` of the class shares; V = max(0, needed - shown).

    `folds` (n_repeats, n_rows), -1 for rows a repeat did not predict; None where rows are drawn
    within classes. Rows that no repeat predicted have no part.
    """
    w = np.asarray(weights, dtype=np.float64)
    if folds is not None:
        w = w * (np.atleast_2d(np.asarray(folds)) >= 0).any(axis=0)
    psi = class_influences(score, y_classes, w)
    return needed_variance(psi, w, units), shown_variance(psi, w, folds)


def hidden_of_difference(
    score: Callable[[Any, Any], float], y: Any, sides: Any, weights: Any, folds: Any, groups: Any
) -> float:
    """The root of the class term of the difference of two columns, (repeat, row) each.

    ``score(values, weights)`` is the score of all rows.
    """

    def apart(changed: Any) -> float:
        one, other = (np.mean([score(repeat, changed) for repeat in side]) for side in sides)
        return float(one - other)

    needed, shown = class_term(apart, y, weights, folds, groups)
    return math.sqrt(max(0.0, needed - shown))


def few_folds_distance(fold_scores: Any, alpha_tail: float) -> float | None:
    """t_(1-tail, K-1) sqrt(2/K) times the mean over repeats of the sd of fold scores.

    NaN for undefined folds; K is the least number of defined ones, None below two.
    """
    repeats = [row[~np.isnan(row)] for row in np.atleast_2d(np.asarray(fold_scores, dtype=float))]
    k = min(len(row) for row in repeats)
    if k < 2:
        return None
    sd = float(np.mean([np.std(row, ddof=1) for row in repeats]))
    return float(stats.t.ppf(1 - alpha_tail, k - 1)) * math.sqrt(2 / k) * sd


def tail(confidence_level: float, alternative: str) -> float:
    """Error probability of one limit."""
    return (1 - confidence_level) / (2 if alternative == "two-sided" else 1)


def association(kind: str, recall: float, specificity: float, share: float) -> float:
    """MCC or kappa of recall, specificity and the share of events; 0 where undefined."""
    called = share * recall + (1 - share) * (1 - specificity)
    covariance = share * (1 - share) * (recall + specificity - 1)
    if kind == "mcc":
        squared = share * (1 - share) * called * (1 - called)
        return covariance / math.sqrt(squared) if squared > 0 else 0.0
    assert kind == "kappa"
    disagreement = share * (1 - called) + (1 - share) * called
    return 2 * covariance / disagreement if disagreement > 0 else 0.0


def ends_of(rate: float, n: float, z: float) -> Interval:
    """Wilson's limits, exactly 0 of a rate of 0 and 1 of 1: there MCC is steep."""
    low, high = wilson(rate, n, z)
    return 0.0 if rate == 0 else low, 1.0 if rate == 1 else high


def association_hull(
    kind: str,
    estimate: float,
    recall: float,
    specificity: float,
    n_events: float,
    n_others: float,
    share: float,
    needed: float,
    z: float,
) -> Interval:
    """MOVER: estimate -+ sqrt((g(r_L, s) - g)^2 + (g(r, s_L) - g)^2 + z^2 needed)."""
    g = association(kind, recall, specificity, share)
    reach = []
    for r, s in zip(ends_of(recall, n_events, z), ends_of(specificity, n_others, z), strict=True):
        by_recall = association(kind, r, specificity, share) - g
        by_specificity = association(kind, recall, s, share) - g
        reach.append(math.sqrt(by_recall**2 + by_specificity**2 + z * z * needed))
    return estimate - reach[0], estimate + reach[1]


def mean_hull(
    estimate: float, row_values: Any, weights: Any, units: Any, z: float, classes: Any = None
) -> Interval | None:
    """Limits of a mean of losses by their spread and skewness over rows, or over groups.

    `row_values` (n_repeats, n_rows), NaN for rows a repeat did not predict. The standard error s is
    the root of the sum of squares of w (v - m) / W over units, the skewness a their sum of cubes
    / s^3; distances are s (sqrt(e - 1) z -+ a (1 + 2 z^2) / 6), at least 0. With `classes`, whose
    numbers of rows are fixed, m is the mean of the row's class.
    """
    every = np.atleast_2d(np.asarray(row_values, dtype=np.float64))
    there = ~np.isnan(every).all(axis=0)
    w, values = np.asarray(weights, dtype=np.float64)[there], np.nanmean(every[:, there], axis=0)
    of_class = np.zeros(len(w)) if classes is None else np.asarray(classes)[there]
    means = np.empty(len(w))
    for c in np.unique(of_class):
        own = of_class == c
        means[own] = weighted_mean(values[own], w[own])
    parts = w * (values - means) / w.sum()
    if units is not None:
        of_rows = np.asarray(units)[there]
        parts = np.array([parts[of_rows == name].sum() for name in np.unique(of_rows)])
    s = math.sqrt(float((parts**2).sum()))
    if s == 0:
        return None
    shift = float((parts**3).sum()) / s**3 * (1 + 2 * z * z) / 6
    reach = math.sqrt(math.e - 1) * z
    return estimate - s * max(0.0, reach - shift), estimate + s * max(0.0, reach + shift)


def drawn_limits(
    estimate: float,
    low: float,
    high: float,
    *,
    needed: float,
    shown: float,
    distance: float | None = None,
    hull: Interval | None = None,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    metric_range: Interval | None = None,
) -> Interval:
    """Steps 1, 3, 4, 5: distances, estimate -+ sqrt(d^2 + z^2 V), hull, clip."""
    ends = REAL_LINE if metric_range is None else metric_range
    d_low, d_high = max(0.0, estimate - low), max(0.0, high - estimate)
    if distance is not None:
        d_low, d_high = max(d_low, distance), max(d_high, distance)
    z = float(stats.norm.ppf(1 - tail(confidence_level, alternative)))
    v = max(0.0, needed - shown)
    limits = (
        estimate - math.sqrt(d_low**2 + z * z * v),
        estimate + math.sqrt(d_high**2 + z * z * v),
    )
    if hull is not None:
        limits = hull_of(limits, hull)
    low, high = (min(max(limit, ends[0]), ends[1]) for limit in limits)
    return ends[0] if alternative == "less" else low, ends[1] if alternative == "greater" else high


def weighted_mean(values: Any, weights: Any) -> float:
    """sum w v / sum w."""
    w = np.asarray(weights, dtype=np.float64)
    return float((w * np.asarray(values)).sum() / w.sum())


def weighted_auc(is_positive: Any, scores: Any, weights: Any) -> float:
    """Share of weighted pairs in the right order, ties one half."""
    positive, x, w = np.asarray(is_positive, dtype=bool), np.asarray(scores), np.asarray(weights)
    above, below = x[positive][:, None], x[~positive][None, :]
    right = (above > below) + 0.5 * (above == below)
    return float(w[positive] @ right @ w[~positive] / (w[positive].sum() * w[~positive].sum()))


def rates(is_positive: Any, is_called: Any, weights: Any) -> tuple[float, float, float]:
    """Recall, specificity and the share of events of weighted rows."""
    positive, called = np.asarray(is_positive, dtype=bool), np.asarray(is_called, dtype=bool)
    w = np.asarray(weights, dtype=np.float64)
    recall = weighted_mean(called[positive], w[positive])
    specificity = weighted_mean(~called[~positive], w[~positive])
    return recall, specificity, weighted_mean(positive, w)


def f1_of_rates(recall: float, specificity: float, share: float) -> float:
    """2 TP / (2 TP + FP + FN)."""
    called = share * recall + (1 - share) * (1 - specificity)
    return 2 * share * recall / (share + called)
