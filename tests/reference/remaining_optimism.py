"""What BBC leaves where rows trained each other's models: section 21 of the semantics.

Rows of one fold never trained each other's models; so the covariance of row values between folds,
less that within folds, measures how far models share what they learned of each other's rows.
Everything is a mean over pairs of rows. Readings chosen where the text is silent:

- The share of pairs in different folds is that of all pairs of rows, of whatever classes.
- A pair of classes without a pair of rows on one side (in one fold, or in different folds)
  contributes to neither beta nor alpha.
- In N, too, mean d^2 and the mean of d_i d_j are those of the part.
- Accuracy and zero-one loss are one metric. Mid-ranks compare losses as floats.
- Classes are values of y wherever the metric reads classes; a class with fewer than 2 K rows is
  refused for every such metric.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .arithmetic import Array
from .auc_intervals import placements
from .bbc import Corrected
from .metrics import Metric, get
from .philox import bounded, numbering, words
from .problem import Problem
from .truth import Truth

STREAM = 0x80000006
N_PERMUTATIONS = 99
LEAST_FOLDS = 4
LEAST_CONFIGURATIONS = 10
OF_CLASSES = (
    *("accuracy", "zero_one_loss", "roc_auc", "brier_score", "log_loss"),
    *("binomial_deviance", "ranked_probability_score"),
)
#: c of the rule, and what kappa and s are multiplied by.
RULES = {"roc_auc": (0.45, 1.0), "accuracy": (0.6, 1.5), "loss": (0.9, 1.0)}


class Coupling(NamedTuple):
    """How far rows in different folds move together, and what of it there is by chance."""

    kappa: float
    sd: float
    beta: float
    alpha: float
    row_variance: float  # N
    share: float  # of pairs in different folds


class RemainingOptimism(NamedTuple):
    """The measure, D, what is taken off, and the estimate without it."""

    kappa: float
    sd: float
    distance: float
    further: float
    coupled: float


def kind_of(metric: Metric) -> str:
    """What the rule calls the metric."""
    name = metric.name.removeprefix("neg_")
    if name == "roc_auc":
        return name
    if name in ("accuracy", "zero_one_loss"):
        return "accuracy"
    if metric.row_loss is None or metric.rooted:
        raise ValueError(f"{metric.name} is no mean over rows")
    return "loss"


def mid_ranks(values: Array) -> Array:
    """Ranks 1, 2, ... from the smallest; equal values share the mean of theirs."""
    below = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    return np.asarray(below + (equal + 1) / 2)


def row_values(truth: Truth, predictions: Any, metric: Metric) -> Array:
    """u of (configuration, row), higher being better; predictions are (row, configuration, ...)."""
    p = np.asarray(predictions)
    n_rows, n_configurations = p.shape[:2]
    kind = kind_of(metric)
    if kind == "accuracy":
        return np.asarray((p == truth.y[:, None]).T, dtype=np.float64)
    u = np.empty((n_configurations, n_rows))
    for c in range(n_configurations):
        if kind == "roc_auc":
            positive = truth.is_positive
            u[c, positive], u[c, ~positive] = placements(positive, p[:, c])
        else:
            assert metric.row_loss is not None
            u[c] = metric.row_loss(truth, p[:, c])
    if kind == "loss":
        for row in range(n_rows):
            u[:, row] = mid_ranks(-u[:, row]) / n_configurations
    return u


def differences(u: Array) -> Array:
    """d: u less the row's mean over configurations, times sqrt(C / (C - 1)).

    A mean of differences, which is exactly 0 where all configurations are equal.
    """
    n = len(u)
    return np.asarray((u[:, None] - u[None, :]).mean(axis=1) * np.sqrt(n / (n - 1)))


def covariances(d: Array) -> Array:
    """Of every pair of rows (i, j), the mean of d_i d_j over configurations."""
    n_rows = d.shape[1]
    return np.array([[np.mean(d[:, i] * d[:, j]) for j in range(n_rows)] for i in range(n_rows)])


def between_and_within(
    products: Array, folds: Array, parts: Sequence[Array]
) -> tuple[float, float]:
    """beta and alpha: means over pairs of rows, summed over pairs of parts."""
    same = folds[:, None] == folds[None, :]
    apart = ~np.eye(len(folds), dtype=bool)
    beta = alpha = 0.0
    for one in parts:
        for other in parts:
            pairs = one[:, None] & other[None, :] & apart
            if (pairs & same).any() and (pairs & ~same).any():
                beta += float(products[pairs & ~same].mean())
                alpha += float(products[pairs & same].mean())
    return beta, alpha


def row_variance(products: Array, parts: Sequence[Array]) -> float:
    """N: sum over parts of (mean d^2 - mean of d_i d_j, i != j) (2 - 1/m) / m."""
    total = 0.0
    for part in parts:
        m = int(part.sum())
        own = products[np.ix_(part, part)]
        squares = float(np.trace(own)) / m
        pairs = (float(own.sum()) - float(np.trace(own))) / (m * (m - 1))
        total += (squares - pairs) * (2 - 1 / m) / m
    return total


def share_between(folds: Array) -> float:
    """Share of the pairs of rows that are in different folds."""
    n = len(folds)
    return float((folds[:, None] != folds[None, :]).sum()) / (n * (n - 1))


def permuted(folds: Array, strata: Sequence[Hashable], seed: int, permutation: int) -> Array:
    """Folds permuted within strata, by Fisher and Yates from the last row down."""
    source = words(seed, permutation, 0, STREAM)
    codes = numbering(strata)
    drawn = np.array(folds)
    for stratum in range(max(codes) + 1):
        members = [i for i, code in enumerate(codes) if code == stratum]
        for i in range(len(members) - 1, 0, -1):
            j = bounded(source, i + 1)
            a, b = members[i], members[j]
            drawn[a], drawn[b] = drawn[b], drawn[a]
    return drawn


def coupling(
    u: Array,
    folds: Any,
    *,
    parts: Sequence[Array] | None = None,
    strata: Sequence[Hashable] | None = None,
    seed: int = 0,
    n_permutations: int = N_PERMUTATIONS,
) -> Coupling:
    """kappa, its sd over permutations, and what they are made of; u is (configuration, row).

    `parts` are the masks of the classes of an AUC.
    """
    labels = np.asarray(folds)
    n_rows = len(labels)
    masks = [np.ones(n_rows, dtype=bool)] if parts is None else parts
    d = differences(np.asarray(u, dtype=np.float64))
    products = covariances(d)
    noise = row_variance(products, masks)
    if noise <= 1e-12 * float((d**2).mean()):
        raise ValueError("configurations do not differ by rows")
    share = share_between(labels)

    def kappa(of: Array) -> tuple[float, float, float]:
        beta, alpha = between_and_within(products, of, masks)
        return share * (beta - alpha) / noise, beta, alpha

    given, beta, alpha = kappa(labels)
    within = [0] * n_rows if strata is None else strata
    drawn = [kappa(permuted(labels, within, seed, p))[0] for p in range(n_permutations)]
    return Coupling(given, float(np.std(drawn)), beta, alpha, noise, share)


def mean_distance(problem: Problem, corrected: Corrected) -> float:
    """D: mean over replicates of the winner's score in bag less that out of bag, at least 0."""
    sign = 1 if problem.metric.greater_is_better else -1
    gaps = []
    for winner, counts, left in zip(
        corrected.replicate_winners.tolist(), corrected.counts, corrected.left_out, strict=True
    ):
        gaps.append(sign * (problem.score(winner, counts) - problem.score(winner, left)))
    return max(0.0, float(np.mean(gaps)))


def further(kind: str, kappa: float, sd: float, distance: float) -> float:
    """c min(max(kappa, 0), .6) .09 / (.09 + s^2) D."""
    c, times = RULES[kind]
    kappa, sd = times * kappa, times * sd
    return c * min(max(kappa, 0.0), 0.6) * 0.09 / (0.09 + sd**2) * max(0.0, distance)


def refuse(truth: Truth, folds: Array, n_configurations: int, of_classes: bool) -> None:
    """Raise where the measure means nothing."""
    n_folds = len(set(folds.tolist()))
    if n_folds < LEAST_FOLDS:
        raise ValueError("fewer than four folds")
    if n_folds == len(folds):
        raise ValueError("no two rows share a fold")
    if n_configurations < LEAST_CONFIGURATIONS:
        raise ValueError("fewer than ten configurations")
    if of_classes and min(np.sum(truth.y == c) for c in truth.classes) < 2 * n_folds:
        raise ValueError("a class with fewer than two rows a fold")


def remaining_optimism(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    *,
    folds: Any,
    estimate: float,
    distance: float,
    strata: Sequence[Hashable] | None = None,
    pos_label: Any = None,
    seed: int = 0,
) -> RemainingOptimism:
    """The answer for one repeat; `distance` is D, `strata` what folds of a regression were
    stratified by."""
    measure = get(metric)
    truth = Truth(np.asarray(y), None, pos_label)
    labels = np.asarray(folds)
    kind = kind_of(measure)
    of_classes = measure.name.removeprefix("neg_") in OF_CLASSES
    refuse(truth, labels, np.asarray(predictions).shape[1], of_classes)
    found = coupling(
        row_values(truth, predictions, measure),
        labels,
        parts=[truth.is_positive, ~truth.is_positive] if kind == "roc_auc" else None,
        strata=truth.y.tolist() if of_classes else strata,
        seed=seed,
    )
    distance = max(0.0, distance)
    less = further(kind, found.kappa, found.sd, distance)
    coupled = estimate - less if measure.greater_is_better else estimate + less
    return RemainingOptimism(found.kappa, found.sd, distance, less, coupled)
