"""Digits of the numbers that a result shows; its JSON has all of them."""

import math
from collections.abc import Iterable

_MOST_DECIMALS = 6
_NO_DECIMALS = 1e15
_LIMIT_ERROR = 0.9


def number(value: float) -> str:
    """Six significant digits."""
    return f"{value:.6g}"


def decimals(errors: Iterable[float | None], interval: Iterable[float] | None) -> int | None:
    """The number of decimals of a result's estimate, limits and apparent score, from 1 to 6.

    As many as its Monte Carlo errors and a two-hundredth of its interval's width carry. None where
    neither is known, and for losses so small that six decimals say too little.
    """
    steps = [2 * error for error in errors if error is not None]
    if interval is not None:
        low, high = interval
        steps.append((high - low) / 200)
    step = max(filter(math.isfinite, steps), default=math.nan)
    if step == 0:
        return _MOST_DECIMALS
    if not step >= 10**-_MOST_DECIMALS:
        return None
    return max(math.ceil(-math.log10(step)), 1)


def decimals_by_width(intervals: Iterable[Iterable[float] | None], n_replicates: int) -> int | None:
    """The number of decimals of a column whose Monte Carlo errors nobody computed.

    A limit's error is about 0.9 of the interval's width over the root of the number of replicates;
    the widest interval decides for all rows, so that no digit is shown that does not carry.
    """
    found = [tuple(interval) for interval in intervals if interval is not None]
    if not found or not n_replicates:
        return None
    low, high = max(found, key=lambda ends: ends[1] - ends[0])
    return decimals((_LIMIT_ERROR * (high - low) / math.sqrt(n_replicates),), (low, high))


def shown(value: float, places: int | None) -> str:
    """A number with so many decimals; six significant digits where there are none to be had."""
    if places is None or not abs(value) < _NO_DECIMALS:
        return number(value)
    return f"{value:z.{places}f}"
