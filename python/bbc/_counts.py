"""Counts that arguments give: whole numbers within the limit that the kernel has for their name."""

import numbers
from functools import cache
from typing import Any

import numpy as np

from . import _core
from .errors import InvalidTypeError, InvalidValueError

#: The largest value of a count that is in an argument of that name.
limit_of = cache(_core.limit_of)
#: How many replicates there are unless it is said, by the rule and whether a function scores.
replicates_by_default = cache(_core.default_n_bootstraps)


def integer(value: Any, name: str, *, lowest: int) -> int:
    """An int from `lowest` to the limit of that name."""
    # The plain type first: asking numbers.Integral takes longer than all else here.
    if type(value) is not int and (
        isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral)
    ):
        raise InvalidTypeError(name, f"must be an integer, got {type(value).__name__} {value!r}")
    number = int(value)
    if number < lowest:
        raise InvalidValueError(name, f"must be at least {lowest}, got {told(number)}")
    if number > limit_of(name):
        raise InvalidValueError(name, f"must be at most {limit_of(name)}, got {told(number)}")
    return number


def told(number: int) -> str:
    """A whole number in a message; Python writes none of thousands of digits."""
    return str(number) if number.bit_length() < 256 else f"one of {number.bit_length()} bits"
