"""The difference between two families from paired replicates: interval and p-value."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from .._typing import Alternative, FloatArray
from ..results import ConfidenceInterval, Difference

_MOST_UNITS = 4096  # from here on the factor is e - 1 to less than .001
# In bag, scores have twice the variance that they have on all rows, so replicates select worse
# configurations. With normal skills of sd x standard errors, the loss is
# E[max of C] x^2 (1/sqrt(x^2 + 1) - 1/sqrt(x^2 + 2)) standard errors of one configuration, at most
# .158 E[max of C]; the difference of two configurations has sqrt(2) times that standard error.
_PESSIMISM = 0.112


class Draws(NamedTuple):
    """What the replicates drew: `n_drawn` of as many units, in each of `n_repeats` partitions.

    `n_drawn` is the number of rows or groups, or for "bbc-two-level" of folds; `n_units` is the
    number of rows or groups in either case, of the smaller side where the sides differ.
    `infeasible` says why no interval is possible.
    """

    n_drawn: int
    n_units: int
    n_repeats: int = 1
    infeasible: str = ""

    @property
    def degrees_of_freedom(self) -> float:
        """Of the variance that the replicates show.

        A partition of n units into K folds has K - 1 degrees of freedom of n - 1; those of two
        random partitions overlap by (K - 1)/(n - 1).
        """
        most = max(1, self.n_units - 1)
        within = min(self.n_drawn - 1, most)
        return self.n_repeats * within / (1 + (self.n_repeats - 1) * within / most)


@lru_cache(maxsize=256)
def left_out_factor(n_drawn: int) -> float:
    """E[N / M] - 1 for M of N units never drawn, given M > 0, where all N are drawn.

    The mean of M of N values, drawn without replacement, has variance (S^2 / N)(N / M - 1), S^2
    their variance: so many times the squared standard error of the mean of all.
    """
    if n_drawn > _MOST_UNITS:
        return math.e - 1
    hit = np.arange(n_drawn + 1)
    share = np.zeros(n_drawn + 1)  # share[j]: probability that the draws so far hit j units
    share[0] = 1.0
    for _ in range(n_drawn):
        share[1:] = share[1:] * hit[1:] / n_drawn + share[:-1] * (n_drawn - hit[:-1]) / n_drawn
        share[0] = 0.0
    left_out = n_drawn - hit[1:-1]
    factors = n_drawn / left_out - 1.0
    return float(share[1:-1] @ factors / share[1:-1].sum())


def difference(
    names: tuple[str, str],
    replicates: FloatArray,
    shares: tuple[float, float],
    draws: Draws,
    n_configurations: tuple[int, int],
    *,
    confidence_level: float,
    alternative: Alternative,
    widest: float,
) -> Difference:
    """Mean, standard error, t interval and p-value of paired differences.

    Each family of `n_configurations` may be underestimated by `pessimism` standard errors, and the
    p-value is the largest that this allows. The t statistic is d / sqrt(se^2 + d^2 / n): the
    variance about zero, which the hypothesis says, rather than about d. With few rows that differ
    it keeps the level. The interval inverts the test; `widest` is the largest difference that the
    metric allows.
    """
    estimate = math.fsum(replicates) / len(replicates)
    if draws.infeasible:
        return Difference(
            *names,
            estimate,
            first_better=shares[0],
            second_better=shares[1],
            infeasible=draws.infeasible,
        )
    sd = float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0
    error = sd / math.sqrt(left_out_factor(draws.n_drawn))
    test = Test(draws.degrees_of_freedom, alternative, pessimism(*n_configurations))
    about_zero = math.hypot(error, estimate / math.sqrt(draws.n_units))
    return Difference(
        *names,
        estimate,
        standard_error=error,
        degrees_of_freedom=test.freedom,
        confidence_interval=_interval(estimate, error, draws, test, confidence_level, widest),
        p_value=test.p_value(estimate / about_zero if about_zero else 0.0),
        first_better=shares[0],
        second_better=shares[1],
    )


def pessimism(first: int, second: int) -> tuple[float, float]:
    """By how many standard errors families of so many configurations may be underestimated.

    The expected maximum of C normal variables is Blom's approximation.
    """
    of_first, of_second = (
        _PESSIMISM * float(special.ndtri((count - 0.375) / (count + 0.25)))
        for count in (first, second)
    )
    return of_first, of_second


class Test(NamedTuple):
    """A t test of a difference whose families may be underestimated by `pessimism`."""

    freedom: float
    alternative: Alternative
    pessimism: tuple[float, float]

    def p_value(self, statistic: float) -> float:
        """The largest p-value that pessimism allows."""
        first, second = self.pessimism
        if self.alternative == "greater":
            return self._beyond(statistic - second)
        if self.alternative == "less":
            return self._beyond(-statistic - first)
        shift, distance = max(first, second), abs(statistic)
        return min(1.0, self._beyond(distance - shift) + self._beyond(distance + shift))

    def _beyond(self, statistic: float) -> float:
        return float(special.stdtr(self.freedom, -statistic))


@lru_cache(maxsize=256)
def critical_value(test: Test, level: float) -> float:
    """The statistic whose p-value is 1 - `level`, in the direction of the alternative."""
    sign = -1.0 if test.alternative == "less" else 1.0
    tail = (1 - level) / (2 if test.alternative == "two-sided" else 1)
    nominal = -float(special.stdtrit(test.freedom, tail))
    if not any(test.pessimism):
        return max(0.0, nominal)
    within = nominal - 1e-9, nominal + max(test.pessimism) + 1e-9
    found = optimize.brentq(lambda t: test.p_value(sign * t) - (1 - level), *within)
    return max(0.0, float(found))


def _interval(
    estimate: float, error: float, draws: Draws, test: Test, level: float, widest: float
) -> ConfidenceInterval:
    """All differences that the test does not reject."""
    critical = critical_value(test, level)
    shrunk = 1 - critical**2 / draws.n_units
    half = critical * error / math.sqrt(shrunk) if shrunk > 0 else math.inf
    low = -widest if test.alternative == "less" else max(-widest, estimate - half)
    high = widest if test.alternative == "greater" else min(widest, estimate + half)
    return ConfidenceInterval(low, high, level, test.alternative)
