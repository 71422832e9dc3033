"""Limits of squared errors with long tails: section 19 of the semantics.

The rows' squared errors have no variance where residuals have long tails. The limit on the side of
large errors is the farther one of the present limit and of a bootstrap-t that draws m of n units,
rows or groups: t = sqrt(m) (mean* - mean) / sd*. Readings chosen where the text is silent:

- Rows without weight are no rows: they are in no unit. Units are numbered by their first row.
- Fewer than 20 units: Kish's number of them, which is their number where weights are equal.
- sd* is 0 where the means of the drawn units are equal as fractions. A share equal to
  (1 - level) / 10 is not above it.
- The test of kurtosis is on rows, with groups as well, and on means over the repeats.
- A root of less than 0 is 0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from .arithmetic import Array
from .philox import bounded, numbering, words

STREAM = 0x80000005
N_DRAWS = 1000
LEAST_UNITS = 20


class Units(NamedTuple):
    """Of every unit: sum of w v, sum of w, and v's mean as an exact fraction."""

    a: Array
    w: Array
    means: list[Fraction]


class TailLimits(NamedTuple):
    """Both limits, whether many rows have the same error, and whether tails are long."""

    low: float
    high: float
    same_errors: bool
    long_tails: bool


def squared_errors(y: Any, predictions: Any) -> Array:
    """(y - p)^2 of each row, the mean over repeats; predictions are (row,) or (repeat, row)."""
    of_repeats = (np.asarray(y, dtype=np.float64) - np.atleast_2d(np.asarray(predictions))) ** 2
    return np.asarray(of_repeats.sum(axis=0) / len(of_repeats))


def kish(weights: Any) -> float:
    """(sum w)^2 / sum w^2."""
    w = np.asarray(weights, dtype=np.float64)
    return float(w.sum() ** 2 / (w**2).sum())


def kurtosis(v: Any, weights: Any) -> float:
    """mean(v^2) / mean(v)^2 of squared errors: 3 of normal errors."""
    v, w = np.asarray(v, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    mean = (w * v).sum() / w.sum()
    return float((w * v**2).sum() / w.sum() / mean**2) if mean > 0 else 0.0


def has_long_tails(v: Any, weights: Any) -> bool:
    """Whether the kurtosis is three standard errors above that of normal errors."""
    return kurtosis(v, weights) > 3 + 3 * math.sqrt(24 / kish(weights))


def units_of(v: Array, weights: Array, groups: Sequence[Hashable]) -> Units:
    """Units in the order of their first row with weight."""
    rows = np.flatnonzero(weights > 0).tolist()
    codes = numbering([groups[i] for i in rows])
    a, w, means = [], [], []
    for unit in range(max(codes) + 1):
        own = [i for i, code in zip(rows, codes, strict=True) if code == unit]
        exact_w = [Fraction(float(weights[i])) for i in own]
        exact_a = [x * Fraction(float(v[i])) for x, i in zip(exact_w, own, strict=True)]
        a.append(float(sum(exact_a)))
        w.append(float(sum(exact_w)))
        means.append(sum(exact_a, Fraction(0)) / sum(exact_w, Fraction(0)))
    return Units(np.array(a), np.array(w), means)


def mean_and_sd(units: Units, drawn: Sequence[int]) -> tuple[float, float]:
    """sum A / sum W, and the root of mean((A - mean W)^2) / mean(W)^2, of drawn units."""
    a, w = units.a[list(drawn)], units.w[list(drawn)]
    mean = float(a.sum() / w.sum())
    if len({units.means[u] for u in drawn}) == 1:
        return mean, 0.0
    return mean, math.sqrt(float(((a - mean * w) ** 2).mean())) / float(w.mean())


def drawn_units(seed: int, draw: int, n_units: int, m: int) -> list[int]:
    """m units with replacement."""
    source = words(seed, draw, 0, STREAM)
    return [bounded(source, n_units) for _ in range(m)]


def studentised(units: Units, m: int, *, seed: int, n_draws: int = N_DRAWS) -> list[float]:
    """t of every draw; -inf where all drawn units are alike."""
    n_units = len(units.a)
    mean, _ = mean_and_sd(units, range(n_units))
    statistics = []
    for b in range(n_draws):
        of_draw, sd = mean_and_sd(units, drawn_units(seed, b, n_units, m))
        statistics.append(math.sqrt(m) * (of_draw - mean) / sd if sd > 0 else -math.inf)
    return statistics


def number_drawn(units: Units, long_tails: bool) -> int:
    """m: n^(2/3), or n^(1/2) where the tails are long."""
    return round(math.pow(kish(units.w), 1 / 2 if long_tails else 2 / 3))


def largest_error(
    units: Units, e: float, level: float, *, long_tails: bool, seed: int
) -> float | None:
    """e - q sd / sqrt(G), the upper limit of the mean squared error; None if many draws are
    alike."""
    n_units = len(units.a)
    t = studentised(units, number_drawn(units, long_tails), seed=seed)
    alike = sum(value == -math.inf for value in t)
    if round(alike - (1 - level) / 10 * len(t), 9) > 0:
        return None
    q = sorted(t)[math.ceil(round((1 - level) * len(t), 9)) - 1]
    _, sd = mean_and_sd(units, range(n_units))
    return e - q * sd / math.sqrt(n_units)


def tail_limits(
    y: Any,
    predictions: Any,
    metric: str,
    estimate: float,
    low: float,
    high: float,
    *,
    sample_weight: Any = None,
    groups: Sequence[Hashable] | None = None,
    seed: int = 0,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
) -> TailLimits:
    """The limits of "bbc", moved by the overall winner's predictions."""
    truth = np.asarray(y, dtype=np.float64)
    weights = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight, float)
    name = metric.removeprefix("neg_")
    assert name in ("mean_squared_error", "root_mean_squared_error", "r2")
    if len(np.unique(truth[weights > 0])) <= 2:
        return TailLimits(low, high, False, False)
    v = squared_errors(y, predictions)
    long_tails = has_long_tails(v, weights)
    present = TailLimits(low, high, False, long_tails)
    lower = metric != name or name == "r2"  # whether large errors make the metric small
    if alternative == ("less" if lower else "greater"):
        return present
    units = units_of(v, weights, range(len(v)) if groups is None else list(groups))
    if kish(units.w) < LEAST_UNITS or len(set(units.means)) == 1:
        return present

    level = (1 + confidence_level) / 2 if alternative == "two-sided" else confidence_level
    mean_y = (weights * truth).sum() / weights.sum()
    v_y = float((weights * (truth - mean_y) ** 2).sum() / weights.sum())
    e = {
        "mean_squared_error": abs(estimate),
        "root_mean_squared_error": estimate**2,
        "r2": (1 - estimate) * v_y,
    }[name]
    error = largest_error(units, e, level, long_tails=long_tails, seed=seed)
    if error is None:
        return present._replace(same_errors=True)
    if name == "r2":
        moved = 1 - error / v_y
    elif name == "root_mean_squared_error":
        moved = math.sqrt(max(0.0, error))
    else:
        moved = error
    if lower:
        moved = moved if name == "r2" else -moved
        return present._replace(low=min(low, moved))
    return present._replace(high=max(high, moved))
