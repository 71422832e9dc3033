"""The verdict of a negative control: a one-sided t-test of the mean excess over chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

from .arithmetic import Array
from .comparison import t_upper
from .metrics import score


def p_value(excess: Sequence[float]) -> float:
    """P(T > t) of the mean divided by its standard error."""
    n = len(excess)
    mean = math.fsum(excess) / n
    variance = math.fsum((each - mean) ** 2 for each in excess) / (n - 1)
    return t_upper(mean / math.sqrt(variance / n), n - 1)


def value_of_other_rows(metric: str, y: Array, prediction: Array) -> float:
    """Mean over all orders of the truth: the no-information value."""
    values = [score(metric, y[list(order)], prediction) for order in permutations(range(len(y)))]
    return math.fsum(values) / len(values)
