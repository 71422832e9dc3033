"""Bias correction of Tibshirani and Tibshirani: Algorithm 4 of paper 000.

Readings chosen where the texts are silent:

- With repeats, all folds of all repeats count alike.
- Winners are compared by correctly rounded sums of fold scores; ties go to the lowest index.
- The bias is reported as optimism: positive means that the apparent score is too good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import total
from .metrics import Metric, get
from .problem import make_problem


@dataclass(frozen=True)
class TT:
    """Estimate, apparent score, optimism and winner."""

    estimate: float
    apparent: float
    optimism: float
    winner: int


def tt_from_fold_scores(fold_scores: Any, greater_is_better: bool) -> TT:
    """TT from scores (fold, configuration) or (repeat, fold, configuration)."""
    table = np.asarray(fold_scores, dtype=np.float64)
    table = table.reshape(-1, table.shape[-1])
    n_folds, n_configurations = table.shape
    sign = 1.0 if greater_is_better else -1.0
    means = [float(total(table[:, c])) / n_folds for c in range(n_configurations)]
    sums = [math.fsum(table[:, c].tolist()) for c in range(n_configurations)]
    winner = max(range(n_configurations), key=lambda c: (sign * sums[c], -c))
    gaps = [max(sign * row) - sign * row[winner] for row in table]
    optimism = float(sum(gaps)) / n_folds
    return TT(means[winner] - sign * optimism, means[winner], optimism, winner)


def tt(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    folds: Any,
    *,
    sample_weight: Any = None,
    classes: tuple[Any, ...] | None = None,
    pos_label: Any = None,
    n_repeats: int | None = None,
) -> TT:
    """TT from predictions."""
    measure = get(metric)
    problem = make_problem(
        y,
        predictions,
        measure,
        folds=folds,
        sample_weight=sample_weight,
        classes=classes,
        pos_label=pos_label,
        n_repeats=n_repeats,
    )
    return tt_from_fold_scores(problem.fold_scores(), measure.greater_is_better)
