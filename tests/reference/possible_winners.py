"""Configurations that could be the best.

- ``model_confidence_set``: Hansen, Lunde and Nason (2011), T_max, on scores and their replicates.
- ``discrete_argmin``: Zhang, Lee and Lei (2024), on row losses.

Readings chosen where the texts are silent:

- Statistics within 1e-9 tie: a replicate that ties reaches the statistic, and configurations that
  tie for the largest are eliminated together.
- Configurations whose scores agree in all replicates share their fate; each of them counts in the
  mean of the set.
- A distance that does not vary is infinite for the worse, else 0.
- In lambda, of competitors that are equally good (within 1e-9) the first counts.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy.stats import norm

from .arithmetic import Array
from .bbc import replicate_counts
from .metrics import get
from .problem import make_problem

TIE = 1e-9
ROUNDING = 1e-13


def scores_and_replicates(
    y: Any,
    predictions: Any,
    metric: str,
    *,
    seed: int,
    n_bootstraps: int,
    groups: Sequence[Hashable] | None = None,
    stratify: bool = False,
    sample_weight: Any = None,
    pooling: str = "pooled",
    folds: Any = None,
    n_repeats: int | None = None,
) -> tuple[Array, Array]:
    """Scores of all configurations on all rows, and in bag (replicate, configuration)."""
    problem = make_problem(
        y,
        predictions,
        get(metric),
        pooling=pooling,
        folds=folds,
        sample_weight=sample_weight,
        n_repeats=n_repeats,
    )
    strata = np.asarray(y).tolist() if stratify else None
    counts, _ = replicate_counts(
        problem, seed=seed, n_bootstraps=n_bootstraps, groups=groups, strata=strata
    )
    configurations = range(problem.n_configurations)
    everything = np.ones(problem.n_rows, dtype=np.int64)
    on_all = np.array([problem.score(c, everything) for c in configurations])
    return on_all, np.array([[problem.score(c, w) for c in configurations] for w in counts])


def model_confidence_set(
    scores: Array, replicates: Array, *, greater_is_better: bool, confidence_level: float
) -> tuple[Array, Array]:
    """How many replicates reach each configuration's statistic (running maximum), and the set."""
    sign = -1.0 if greater_is_better else 1.0
    losses, draws = sign * np.asarray(scores), sign * np.asarray(replicates)
    n_bootstraps, n = draws.shape
    same = [
        [losses[i] == losses[j] and np.array_equal(draws[:, i], draws[:, j]) for j in range(n)]
        for i in range(n)
    ]
    active, reached, most = list(range(n)), np.full(n, n_bootstraps), 0
    while active and not all(same[active[0]][j] for j in active):
        mean = losses[active].mean()
        centred = draws[:, active] - losses[active]
        centred -= centred.mean(axis=1, keepdims=True)
        t, t_replicates = np.empty(len(active)), np.zeros((n_bootstraps, len(active)))
        for k, i in enumerate(active):
            distance, error = losses[i] - mean, math.sqrt(np.mean(centred[:, k] ** 2))
            noise = ROUNDING * max(abs(losses[i]), abs(mean))
            if error <= noise:
                t[k] = math.inf if distance > noise else 0.0
            else:
                t[k], t_replicates[:, k] = distance / error, centred[:, k] / error
        most = max(most, int(np.sum(t_replicates.max(axis=1) >= t.max() - TIE)))
        out = [i for i, value in zip(active, t, strict=True) if value >= t.max() - TIE]
        reached[out] = most
        active = [i for i in active if i not in out]
    needed = math.ceil(round((1 - confidence_level) * n_bootstraps, 9))
    return reached, reached >= needed


def discrete_argmin(
    values: Array, *, greater_is_better: bool, confidence_level: float
) -> tuple[Array, Array, Array]:
    """p-values, the set and lambda, from values of (row, configuration)."""
    losses = -np.asarray(values) if greater_is_better else np.asarray(values)
    n_rows, n = losses.shape
    p_values, lambdas = np.ones(n), np.zeros(n)
    for r in range(n):
        excess = losses[:, [r]] - np.delete(losses, r, axis=1)
        noise = ROUNDING * np.maximum(np.abs(losses[:, [r]]), np.abs(np.delete(losses, r, axis=1)))
        sd = excess.std(axis=0, ddof=1)
        constant = sd <= noise.max(axis=0)
        surely_worse = np.any(excess[0, constant] > noise.max(axis=0)[constant])
        d = excess[:, ~constant] / sd[~constant]
        if d.shape[1]:
            others = (d.sum(axis=0) - d) / (n_rows - 1)
            best = others >= others.max(axis=1, keepdims=True) - TIE
            against_best = d[np.arange(n_rows), best.argmax(axis=1)]
            spread = against_best.std(ddof=1)
            lambdas[r] = math.sqrt(n_rows) / (2.5 * (spread if spread > 0 else 1.0))
            weights = np.exp(lambdas[r] * (others - others.max(axis=1, keepdims=True)))
            weighted = (weights * d).sum(axis=1) / weights.sum(axis=1)
            t = math.sqrt(n_rows) * weighted.mean() / weighted.std(ddof=1)
            p_values[r] = norm.sf(t)
        if surely_worse:
            p_values[r] = 0.0
    return p_values, p_values > 1 - confidence_level, lambdas
