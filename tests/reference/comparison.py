"""Families on the same draws: the difference d_b, its standard error, interval and p-value.

Where rows are drawn, the standard error is made from what each unit contributes to the scores of
the two apparent winners (`contributions`); where folds are drawn, from the replicates, to whose
variance the class term of the difference is added: that of `drawn_limits` with the score of the one
winner less that of the other.

Readings chosen where the texts are silent:

- What a row is worth to a mean over rows is the metric of that row alone; to the AUC, its
  placement: the AUC of that row against the other class; to other metrics, what the score loses
  without it. With `pooling="fold"` rows and placements are those of their fold.
- The factor G / (G - 1) of an AUC's units is that of the unit's class; of a unit with rows of both
  classes, that of all units. Where rows have weights, numbers of units are Kish's effective ones.
- Nearly equal winners: the squared differences of their contributions add up to at most a fifth of
  the squares themselves.

- With N units drawn N times, M of which are left out, the mean of M of N values drawn without
  replacement has variance (S^2 / N)(N / M - 1). So the standard error of the mean of all is the
  standard deviation of the d_b divided by the root of E[N / M] - 1, given that M > 0.
- A partition of n units into K folds has K - 1 of the n - 1 degrees of freedom; of the variances of
  two random partitions, (K - 1) / (n - 1) is shared.
- Scores that differ by rounding are equal.
- A family of C configurations may be underestimated by .112 m standard errors, m being Blom's
  approximation of the expected maximum of C normal variables; `largest_loss` derives .112. The
  p-value is the largest over all such shifts.
- The p-value takes the variance about zero, se^2 + d^2 / n, and the interval holds the differences
  that the same test would not reject.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from .arithmetic import Array
from .problem import Problem

MOST_EXACT = 300


@dataclass(frozen=True)
class Compared:
    """The difference between two families, positive where the first is better."""

    differences: Array
    estimate: float
    standard_error: float
    degrees_of_freedom: float
    low: float
    high: float
    p_value: float
    first_better: float
    second_better: float


def left_out_ratio(n_drawn: int) -> float:
    """E[N / M] - 1 given M > 0, by the numbers of maps of N draws onto exactly N - M units."""
    if n_drawn > MOST_EXACT:
        raise ValueError(f"too many units for exact counting: {n_drawn}")
    surjections = []
    for hit in range(1, n_drawn):
        signs = ((-1) ** (hit - j) * math.comb(hit, j) * j**n_drawn for j in range(hit + 1))
        surjections.append(math.comb(n_drawn, hit) * sum(signs))
    ratios = (Fraction(n_drawn, n_drawn - hit) - 1 for hit in range(1, n_drawn))
    weighted = sum(n * ratio for n, ratio in zip(surjections, ratios, strict=True))
    return float(Fraction(weighted) / sum(surjections))


def freedom(n_drawn: int, n_units: int, n_repeats: int) -> float:
    """Degrees of freedom of the mean of the partitions' variances.

    Where the sides have other units, `n_units` is the smaller number, and bounds them.
    """
    own = min(n_drawn, n_units) - 1
    shared = own / (n_units - 1)
    # Var(mean of R) = Var(one) (1 + (R - 1) shared) / R, and Var(one) = 2 / own.
    return 2 / (2 / own * (1 + (n_repeats - 1) * shared) / n_repeats)


def largest_loss() -> float:
    """Largest loss of selection at twice the variance, in standard errors of a difference.

    Skills have sd x, scores have a standard error of 1 on all rows and of sqrt(2) in bag: the best
    score's expected skill is x^2 / sqrt(x^2 + v) for variance v, times the expected maximum.
    """
    grid = np.linspace(0.01, 20, 200_001)
    lost = grid**2 * (1 / np.sqrt(grid**2 + 1) - 1 / np.sqrt(grid**2 + 2))
    return float(lost.max()) / math.sqrt(2)


def allowance(n_configurations: int) -> float:
    """Standard errors by which a family may be underestimated."""
    return 0.112 * NormalDist().inv_cdf((n_configurations - 0.375) / (n_configurations + 0.25))


#: Metrics of two classes of which the rarer one limits what is known.
OF_CLASSES = {
    "roc_auc",
    "average_precision",
    "balanced_accuracy",
    "precision",
    "recall",
    "sensitivity",
    "specificity",
    "f1",
    "jaccard",
    "mcc",
    "kappa",
}
NEARLY_EQUAL = 0.2


@dataclass(frozen=True)
class Contributions:
    """What each unit contributes to a score, and how many units that rests on."""

    values: Array
    n_effective: float


def contributions(
    problem: Problem, configuration: int, units: Array, inside: Array | None = None
) -> Contributions:
    """Of one configuration on all rows, or on those `inside`; `units` are 0, 1, ..."""
    used = np.ones(problem.n_rows, dtype=np.int64) if inside is None else inside.astype(np.int64)
    name = problem.metric.name
    classes = name in OF_CLASSES and len(problem.truth.classes) == 2
    if name == "concordance_index":
        side = problem.truth.events.astype(int)
    elif classes:
        side = problem.truth.is_positive.astype(int)
    else:
        side = np.zeros(problem.n_rows, dtype=int)
    weight = np.ones(problem.n_rows) if problem.sample_weight is None else problem.sample_weight

    def effective(rows: Array) -> float:
        of_unit = np.bincount(units, weights=weight * rows)
        if problem.sample_weight is None:
            return float(np.count_nonzero(of_unit))
        return float(of_unit.sum() ** 2 / (of_unit**2).sum())

    n = effective(used)
    n_of_side = [effective(used * (side == k)) if (used * (side == k)).any() else 0 for k in (0, 1)]
    values = np.zeros(int(units.max()) + 1)
    own_loss = problem.metric.mean_of_rows or problem.metric.row_loss is not None
    mean_of_rows = own_loss and not problem.metric.rooted
    for unit in np.unique(units[used > 0]):
        own = used * (units == unit)
        sides = np.unique(side[own > 0])
        g = n_of_side[sides[0]] if classes and len(sides) == 1 else n
        if mean_of_rows or name == "roc_auc":
            value = sum(_of_row(problem, configuration, int(i), used) for i in np.flatnonzero(own))
            values[unit] = value * math.sqrt(g / (g - 1))
        else:
            without = problem.score(configuration, used - own)
            lost = problem.score(configuration, used) - without
            values[unit] = lost * math.sqrt((g - 1) / g)
    rarer = {True: min(n_of_side), False: n}[classes]
    return Contributions(values, n_of_side[1] if name == "concordance_index" else rarer)


def _of_row(problem: Problem, configuration: int, row: int, used: Array) -> float:
    """What one row contributes to a mean over rows or to the AUC, over all repeats."""
    total = 0.0
    for repeat in range(problem.n_repeats):
        w = problem.weights(used, repeat)
        p = problem.predictions[repeat][:, configuration]
        parts = problem.defined_parts(used, repeat)
        score = problem.repeat_score(configuration, used, repeat)
        for mask, truth in parts:
            if not mask[row]:
                continue
            alone = np.flatnonzero(mask) == row
            if problem.metric.name == "roc_auc":
                own = truth.is_positive == truth.is_positive[alone]
                against = np.where(own, alone * 1.0, w[mask])
                share = w[row] / w[mask][own].sum()
            else:
                against, share = alone * 1.0, w[row] / w[mask].sum()
            value = problem.metric.value(truth, p[mask], against)
            total += share * (value - score) / len(parts)
    return total / problem.n_repeats


def t_upper(x: float, nu: float) -> float:
    """P(T > x), by integrating the density."""
    constant = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi)

    def density(u: float) -> float:
        return math.exp(constant - (nu + 1) / 2 * math.log1p(u * u / nu))

    edges = [abs(x), abs(x) + 1, abs(x) + 10, abs(x) + 1000, math.inf]
    area = math.fsum(quad(density, a, b, epsabs=1e-16, limit=200)[0] for a, b in pairwise(edges))
    return area if x >= 0 else 1 - area


def compare(
    first: Array,
    second: Array,
    *,
    greater_is_better: bool,
    n_drawn: int,
    n_units: int,
    n_repeats: int = 1,
    n_configurations: tuple[int, int] = (1, 1),
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    widest: float = math.inf,
    winners: tuple[Contributions, Contributions] | None = None,
    overlap: float = 0.0,
    hidden: float = 0.0,
) -> Compared:
    """Compare the out-of-bag scores of two families, replicate by replicate.

    `hidden` is the standard error that draws of folds do not show.
    """
    sign = 1.0 if greater_is_better else -1.0
    d = np.array([sign * (a - b) for a, b in zip(first, second, strict=True)])
    rounding = 1e-9 * float(np.max(np.abs([first, second])))
    mean = math.fsum(d) / len(d)
    error = math.hypot(np.std(d, ddof=1) / math.sqrt(left_out_ratio(n_drawn)), hidden)
    nu = freedom(n_drawn, n_units, n_repeats)
    if winners is not None:
        u, v = winners[0].values, winners[1].values
        apart = math.fsum((u - v) ** 2)
        of_rows = math.sqrt((1 + overlap) * apart)
        near = apart <= NEARLY_EQUAL * math.fsum(u**2 + v**2)
        error = max(error, of_rows) if near else of_rows
        nu = min(winners[0].n_effective, winners[1].n_effective) - 1

    def p_value(hypothesis: float) -> float:
        if hypothesis == 0.0 and not d.any():
            return 1.0
        beyond = mean - hypothesis
        scale = math.sqrt(error**2 + beyond**2 / n_units)
        t = beyond / scale if scale else 0.0
        of_first, of_second = (allowance(count) for count in n_configurations)
        shifts = [-of_first, 0.0, of_second]
        if alternative == "two-sided":
            return max(t_upper(abs(t) - s, nu) + t_upper(abs(t) + s, nu) for s in shifts)
        return max(t_upper(t - s if alternative == "greater" else s - t, nu) for s in shifts)

    def limit(side: float) -> float:
        a = 1 - confidence_level
        far = mean + side * 1e6 * max(error, 1e-12)
        if p_value(far) > a:
            return side * widest
        found = float(brentq(lambda h: p_value(h) - a, mean, far, xtol=1e-15, rtol=1e-14))
        return max(-widest, min(widest, found))

    return Compared(
        differences=d,
        estimate=mean,
        standard_error=error,
        degrees_of_freedom=nu,
        low=-widest if alternative == "less" else limit(-1.0),
        high=widest if alternative == "greater" else limit(1.0),
        p_value=p_value(0.0),
        first_better=float(np.mean(d > rounding)),
        second_better=float(np.mean(d < -rounding)),
    )
