"""Nested cross-validation with the folds as they are: Algorithm 3 of paper 000.

Readings chosen where the texts are silent:

- Inner scores are averaged over the K - 1 inner folds in the order of the fold labels; winners are
  compared as float64 means, ties go to the lowest index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array, total
from .metrics import Metric, get
from .truth import Truth

#: (configuration, training rows, rows to predict) -> predictions
FitPredict = Callable[[int, Array, Array], Array]


@dataclass(frozen=True)
class NCV:
    """Estimate, and each outer fold's score and winner."""

    estimate: float
    outer_scores: Array
    outer_winners: Array


def ncv_from_scores(inner: Any, outer: Any, greater_is_better: bool) -> NCV:
    """NCV from inner scores (outer fold, inner fold, configuration) and outer ones (fold, ...)."""
    inner, outer = np.asarray(inner, dtype=np.float64), np.asarray(outer, dtype=np.float64)
    sign = 1.0 if greater_is_better else -1.0
    configurations = range(outer.shape[1])
    winners = []
    for scores in inner:
        means = [sign * float(total(scores[:, c])) / len(scores) for c in configurations]
        winners.append(max(configurations, key=lambda c, m=means: (m[c], -c)))  # type: ignore[misc]
    chosen = outer[np.arange(len(outer)), winners]
    return NCV(float(total(chosen)) / len(chosen), chosen, np.asarray(winners))


def cv_scores(
    fit_predict: FitPredict, y: Any, folds: Any, metric: str | Metric, n_configurations: int
) -> Array:
    """Scores (fold, configuration) of plain cross-validation."""
    truth, folds = Truth(np.asarray(y)), np.asarray(folds)
    return np.asarray(
        [
            _scores(fit_predict, truth, get(metric), folds != k, folds == k, n_configurations)
            for k in np.unique(folds)
        ]
    )


def _scores(
    fit_predict: FitPredict, truth: Truth, metric: Metric, train: Array, test: Array, n: int
) -> list[float]:
    rows, held_out = np.flatnonzero(train), np.flatnonzero(test)
    ones = np.ones(len(held_out))
    return [
        metric.value(truth.rows(test), np.asarray(fit_predict(c, rows, held_out)), ones)
        for c in range(n)
    ]


def ncv(
    fit_predict: FitPredict, y: Any, folds: Any, metric: str | Metric, n_configurations: int
) -> NCV:
    """NCV of a learner, every model being trained anew."""
    measure, truth, folds = get(metric), Truth(np.asarray(y)), np.asarray(folds)
    labels = np.unique(folds)
    inner = [
        [
            _scores(
                fit_predict,
                truth,
                measure,
                (folds != k) & (folds != j),
                folds == j,
                n_configurations,
            )
            for j in labels
            if j != k
        ]
        for k in labels
    ]
    outer = cv_scores(fit_predict, y, folds, measure, n_configurations)
    return ncv_from_scores(inner, outer, measure.greater_is_better)
