"""Numbers that stay exact while the weights are integers.

Every formula of the oracle is written once. Integer weights give integers and fractions, which
decide ties; real weights give floats, added up in row order.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Num: TypeAlias = int | float | Fraction
Array: TypeAlias = npt.NDArray[Any]


def total(values: Array) -> Num:
    """Sum of an array: an integer if it holds integers, else a float added up in order."""
    if values.dtype.kind in "iub":
        return int(values.sum())
    return reduce(operator.add, values.tolist(), 0.0)


def ratio(numerator: Num, denominator: Num) -> Num:
    """Quotient; 0 if the denominator is 0 (``zero_division=0``)."""
    if denominator == 0:
        return 0
    if isinstance(numerator, float) or isinstance(denominator, float):
        return float(numerator) / float(denominator)
    return Fraction(numerator) / Fraction(denominator)


def mean(values: list[Num]) -> Num:
    """Mean of a list, added up in order."""
    return ratio(reduce(operator.add, values), len(values))


def signed_square(value: Num) -> Num:
    """Square that keeps the sign, so that square roots can be compared exactly."""
    return value * value if value >= 0 else -value * value


def signed_root(value: Num) -> float:
    """Inverse of `signed_square`."""
    return math.sqrt(value) if value >= 0 else -math.sqrt(-value)


def float_weights(weights: Array) -> Array:
    """Weights as float64."""
    return np.asarray(weights, dtype=np.float64)
