"""Metrics of predicted labels, from weighted confusion counts.

Readings chosen where the texts are silent:

- Averages over classes run over all classes of y, also those absent from a bag.
- Ordinal errors count steps between classes in sorted order.
- Precision without a positive call is 0 (``zero_division=0``), MCC with an empty margin is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .arithmetic import Array, Num, mean, nearest, ratio, signed_square, total
from .truth import Truth

Formula = Callable[[Truth, Array, Array], Num]


def confusion(truth: Truth, labels: Array, w: Array) -> list[list[Num]]:
    """Weight of rows of class k that are called class l."""
    called = [labels == c for c in truth.classes]
    return [[total(w[(truth.y == k) & own]) for own in called] for k in truth.classes]


def binary_counts(truth: Truth, labels: Array, w: Array) -> tuple[Num, Num, Num, Num]:
    """True positives, false positives, true negatives, false negatives."""
    is_pos, called = truth.is_positive, truth.is_called_positive(labels)
    return (
        total(w[is_pos & called]),
        total(w[~is_pos & called]),
        total(w[~is_pos & ~called]),
        total(w[is_pos & ~called]),
    )


def accuracy(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of rows called right."""
    return ratio(nearest(total(w[truth.y == labels])), nearest(total(w)))


def zero_one_loss(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of rows called wrong."""
    return ratio(nearest(total(w[truth.y != labels])), nearest(total(w)))


def sensitivity(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of positive rows called positive."""
    tp, _, _, fn = binary_counts(truth, labels, w)
    return ratio(tp, tp + fn)


def specificity(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of negative rows called negative."""
    _, fp, tn, _ = binary_counts(truth, labels, w)
    return ratio(tn, tn + fp)


def precision(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of positive calls that are right."""
    tp, fp, _, _ = binary_counts(truth, labels, w)
    return ratio(tp, tp + fp)


def negative_predictive_value(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of negative calls that are right."""
    _, _, tn, fn = binary_counts(truth, labels, w)
    return ratio(tn, tn + fn)


def youden(truth: Truth, labels: Array, w: Array) -> Num:
    """How much more often positive rows are called positive than negative rows are."""
    return sensitivity(truth, labels, w) + specificity(truth, labels, w) - 1


def jaccard(truth: Truth, labels: Array, w: Array) -> Num:
    """Share of rows that are right among those that are positive or called so."""
    tp, fp, _, fn = binary_counts(truth, labels, w)
    return ratio(tp, tp + fp + fn)


def f_beta(beta: float) -> Formula:
    """Weighted harmonic mean of precision and sensitivity."""
    b2 = Fraction(beta) ** 2

    def formula(truth: Truth, labels: Array, w: Array) -> Num:
        tp, fp, _, fn = binary_counts(truth, labels, w)
        return ratio((1 + b2) * tp, (1 + b2) * tp + b2 * fn + fp)

    return formula


def corner_distance_squared(truth: Truth, labels: Array, w: Array) -> Num:
    """Squared distance of (sensitivity, specificity) to (1, 1)."""
    return (1 - sensitivity(truth, labels, w)) ** 2 + (1 - specificity(truth, labels, w)) ** 2


def balanced_accuracy(truth: Truth, labels: Array, w: Array) -> Num:
    """Mean over classes of the share of the class called right."""
    matrix = confusion(truth, labels, w)
    return mean([ratio(row[k], sum(row)) for k, row in enumerate(matrix)])


def _margins(matrix: list[list[Num]]) -> tuple[Num, Num, list[Num], list[Num]]:
    truths = [sum(row) for row in matrix]
    calls = [sum(row[c] for row in matrix) for c in range(len(matrix))]
    return sum(truths), sum(row[k] for k, row in enumerate(matrix)), truths, calls


def mcc_signed_square(truth: Truth, labels: Array, w: Array) -> Num:
    """Matthews correlation (Gorodkin's R_K for several classes), squared with its sign."""
    n, right, truths, calls = _margins(confusion(truth, labels, w))
    covariance = n * right - sum(t * c for t, c in zip(truths, calls, strict=True))
    spread_truth = n * n - sum(t * t for t in truths)
    spread_calls = n * n - sum(c * c for c in calls)
    return ratio(signed_square(covariance), spread_truth * spread_calls)


def kappa(truth: Truth, labels: Array, w: Array) -> Num:
    """Cohen's kappa: agreement beyond chance."""
    n, right, truths, calls = _margins(confusion(truth, labels, w))
    chance = sum(t * c for t, c in zip(truths, calls, strict=True))
    return ratio(n * right - chance, n * n - chance)


def weighted_kappa(power: int) -> Formula:
    """Cohen (1968): disagreement, by its distance between classes, beyond what chance gives."""

    def formula(truth: Truth, labels: Array, w: Array) -> Num:
        matrix = confusion(truth, labels, w)
        n, _, truths, calls = _margins(matrix)
        cells = [(k, c) for k in range(len(matrix)) for c in range(len(matrix))]
        observed = sum(abs(k - c) ** power * matrix[k][c] for k, c in cells)
        chance = sum(abs(k - c) ** power * truths[k] * calls[c] for k, c in cells)
        return ratio(chance - n * observed, chance)

    return formula


def ordinal_error(truth: Truth, labels: Array, w: Array) -> Num:
    """Mean number of classes between the call and the truth."""
    matrix = confusion(truth, labels, w)
    steps = sum(abs(k - c) * v for k, row in enumerate(matrix) for c, v in enumerate(row))
    return ratio(steps, total(w))


def averaged(part: str, average: str) -> Formula:
    """Precision, recall, F1 or Jaccard, averaged over classes: macro, weighted or micro."""

    def one(tp: Num, n_truth: Num, n_calls: Num) -> Num:
        if part == "precision":
            return ratio(tp, n_calls)
        if part == "recall":
            return ratio(tp, n_truth)
        if part == "jaccard":
            return ratio(tp, n_truth + n_calls - tp)
        return ratio(2 * tp, n_truth + n_calls)

    def formula(truth: Truth, labels: Array, w: Array) -> Num:
        matrix = confusion(truth, labels, w)
        n, right, truths, calls = _margins(matrix)
        if average == "micro":
            return one(right, n, sum(calls))
        each = [one(matrix[k][k], truths[k], calls[k]) for k in range(len(matrix))]
        if average == "macro":
            return mean(each)
        return ratio(sum(e * t for e, t in zip(each, truths, strict=True)), n)

    return formula
