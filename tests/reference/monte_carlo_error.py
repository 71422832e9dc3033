"""What a finite number of replicates leaves to chance: section 20 of the semantics.

Readings chosen where the text is silent:

- The error of a limit is None, too, where an order statistic that it reads is infinite; that of the
  estimate is None with a single replicate.
- A limit that was moved, and whose order statistic has no error, has none.
- The width is that of the limits as reported; the worse limit is the one with the larger error.
- The number of replicates is rounded up. An infinite width says nothing about decimals.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

TOO_LARGE = 1 / 20
GOAL = 1 / 50


class MonteCarloError(NamedTuple):
    """Standard errors over seeds; None where they are not known."""

    estimate: float | None
    low: float | None
    high: float | None


def of_estimate(replicates: Any) -> float | None:
    """replicate_sd / sqrt(B)."""
    values = np.asarray(replicates, dtype=np.float64)
    if len(values) < 2:
        return None
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def of_order_statistic(replicates: Any, a: float) -> float | None:
    """Half the distance of the ranks aB -+ delta, divided by delta / sqrt(B a (1 - a))."""
    ordered = sorted(float(r) for r in replicates)
    n = len(ordered)
    sd = math.sqrt(n * a * (1 - a))
    delta = min(2 * sd, a * n - 1, (1 - a) * n - 1)
    if delta < sd / 2:
        return None

    def at(rank: float) -> float:
        return ordered[min(max(math.ceil(round(rank, 9)), 1), n) - 1]

    below, above = at(a * n - delta), at(a * n + delta)
    if not (math.isfinite(below) and math.isfinite(above)):
        return None
    return (above - below) / 2 / (delta / sd)


def monte_carlo_error(
    replicates: Any,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    moved: tuple[bool, bool] = (False, False),
) -> MonteCarloError:
    """Errors of the estimate and of both limits; `moved` says which limits are no longer the
    order statistics of the replicates."""
    alpha = 1 - confidence_level
    of_mean = of_estimate(replicates)

    def of_limit(a: float, was_moved: bool) -> float | None:
        error = of_order_statistic(replicates, a)
        if error is None or not was_moved:
            return error
        assert of_mean is not None
        return max(error, of_mean)

    low = high = None
    if alternative == "two-sided":
        low, high = of_limit(alpha / 2, moved[0]), of_limit(1 - alpha / 2, moved[1])
    elif alternative == "greater":
        low = of_limit(alpha, moved[0])
    else:
        high = of_limit(1 - alpha, moved[1])
    return MonteCarloError(of_mean, low, high)


def replicates_to_ask_for(
    errors: MonteCarloError, low: float, high: float, n_bootstraps: int
) -> int | None:
    """The number that the finding names, B (error / (width / 50))^2; None without a finding."""
    known = [error for error in (errors.low, errors.high) if error is not None]
    width = high - low
    if not known or width == 0 or not math.isfinite(width) or max(known) <= TOO_LARGE * width:
        return None
    return math.ceil(round(n_bootstraps * (max(known) / (GOAL * width)) ** 2, 9))


def decimals(error: float | None, width: float) -> int:
    """clip(ceil(-log10(max(2 mce, width / 200))), 1, 6)."""
    step = max(
        2 * error if error is not None else 0.0, width / 200 if math.isfinite(width) else 0.0
    )
    return 6 if step == 0 else min(max(math.ceil(-math.log10(step)), 1), 6)
