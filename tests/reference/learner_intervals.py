"""Intervals for the error of one fixed learner, from losses of resampling.

Readings chosen where the texts are silent:

- Standard deviations have ddof 1 throughout.
- Wald intervals use the normal quantile.
- Bates et al.: the estimate is the mean of all inner errors of all repetitions, less the bias if
  asked for; sd is that of the same errors; an outer fold's mean of inner errors runs over its rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from .auc_intervals import normal_interval


def wald(
    losses: Any, confidence_level: float = 0.95, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Mean of independent-looking row losses (pooled CV, or hold-out), sd / sqrt(n)."""
    losses = np.asarray(losses, dtype=np.float64)
    error = float(np.std(losses, ddof=1)) / math.sqrt(len(losses))
    return normal_interval(float(losses.mean()), error, confidence_level, alternative)


def corrected_t(
    estimates: Any,
    n_train: int,
    n_test: int,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
) -> tuple[float, float]:
    """Nadeau and Bengio (2003): variance (1/J + n_test/n_train) S^2, t with J - 1 degrees."""
    estimates = np.asarray(estimates, dtype=np.float64)
    j, centre = len(estimates), float(estimates.mean())
    error = math.sqrt((1 / j + n_test / n_train) * float(np.var(estimates, ddof=1)))
    two_sided = alternative == "two-sided"
    share = (1 + confidence_level) / 2 if two_sided else confidence_level
    reach = float(stats.t.ppf(share, j - 1)) * error
    low = -math.inf if alternative == "less" else centre - reach
    high = math.inf if alternative == "greater" else centre + reach
    return low, high


def conservative_z(
    estimate: float,
    first_halves: Any,
    second_halves: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
) -> tuple[float, float]:
    """Nadeau and Bengio (2003), equation (13): R pairs of disjoint halves of the rows.

    An entry of ``first_halves`` and ``second_halves`` has the scores of all J subsampling
    iterations within one half, or only their mean.
    """
    pairs = list(zip(first_halves, second_halves, strict=True))
    squares = [(np.mean(first) - np.mean(second)) ** 2 for first, second in pairs]
    variance = float(sum(squares)) / (2 * len(pairs))
    return normal_interval(estimate, math.sqrt(variance), confidence_level, alternative)


def bates(
    inner: list[Any],
    outer: list[Any],
    n_folds: int,
    n_rows: int,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    cv_error: float | None = None,
) -> tuple[float, float, float, float]:
    """Bates, Hastie, Tibshirani (2023): (estimate, standard error, low, high).

    ``inner[k]``, ``outer[k]``: row losses of outer fold k's inner CV and of its held-out rows, all
    repetitions one after the other. ``cv_error``: plain CV error, to take off the bias.
    """
    errors = np.concatenate([np.asarray(e, dtype=np.float64) for e in inner])
    a = [(float(np.mean(i)) - float(np.mean(o))) ** 2 for i, o in zip(inner, outer, strict=True)]
    b = [float(np.var(o, ddof=1)) / len(o) for o in outer]
    mse = max(0.0, (n_folds - 1) / n_folds * float(np.mean(np.subtract(a, b))))
    floor = float(np.std(errors, ddof=1)) / math.sqrt(n_rows)
    error = min(max(math.sqrt(mse), floor), math.sqrt(n_folds) * floor)
    estimate = float(errors.mean())
    if cv_error is not None:
        estimate -= (1 + (n_folds - 2) / n_folds) * (estimate - cv_error)
    return (estimate, error, *normal_interval(estimate, error, confidence_level, alternative))
