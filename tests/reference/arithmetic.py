"""Numbers that stay exact while the weights are integers.

Every formula of the oracle is written once. Integer weights give integers and fractions, which
decide ties; floats are added up in row order; sums of fractions are rounded to the nearest float.
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
    """Sum of an array: exact if it holds integers or fractions, else added up in order."""
    if values.dtype.kind in "iub":
        return int(values.sum())
    if values.dtype.kind == "O":
        return sum(values.tolist(), Fraction(0))
    return reduce(operator.add, values.tolist(), 0.0)


def nearest(value: Num) -> Num:
    """The float nearest to a fraction, as a fraction; another number as it is."""
    return Fraction(float(value)) if isinstance(value, Fraction) else value


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


def fractions(values: Array) -> Array:
    """Floats as the fractions that they are."""
    result = np.empty(len(values), dtype=object)
    result[:] = [Fraction(value) for value in values.tolist()]
    return result


def multiples(weights: Array) -> Array | None:
    """Weights as integers: 1 if they are all equal, else multiples of their largest common step.

    None if the largest multiple, taken in every row, adds up to more than 2^26.
    """
    of_rows = fractions(weights)
    denominator = math.lcm(*(w.denominator for w in of_rows))
    scaled = [int(w * denominator) for w in of_rows]
    step = math.gcd(*scaled)
    if len(scaled) * (max(scaled) // step) > 2**26 and len(set(scaled)) > 1:
        return None
    return np.asarray([w // step for w in scaled], dtype=np.int64)


def float_weights(weights: Array) -> Array:
    """Weights as float64."""
    return np.asarray(weights, dtype=np.float64)
