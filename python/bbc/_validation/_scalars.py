"""Single values: numbers, words, flags and names, each checked; errors say the argument."""

import math
import numbers
import os
import secrets
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import Argument, InvalidTypeError, InvalidValueError

MAX_SEED = 2**53 - 1  # the largest that R's doubles hold with all smaller ones


def integer(value: Any, name: str, *, lowest: int) -> int:
    """An int of at least `lowest`."""
    # The plain type first: asking numbers.Integral takes longer than all else here.
    if type(value) is not int and (
        isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral)
    ):
        raise InvalidTypeError(name, f"must be an integer, got {type(value).__name__} {value!r}")
    number = int(value)
    if number < lowest:
        raise InvalidValueError(name, f"must be at least {lowest}, got {number}")
    return number


def n_bootstraps(value: Any) -> int:
    """Number of replicates."""
    return integer(value, "n_bootstraps", lowest=1)


def choice(value: Any, name: str, allowed: Iterable[str]) -> str:
    """One of the words that the argument takes."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        shown = " or ".join(repr(word) for word in words)
        raise InvalidValueError(name, f"must be {shown}, got {value!r}")
    return value


def flag(value: Any, name: str) -> bool:
    """A bool, so that strings do not count as True."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidTypeError(name, f"must be True or False, got {type(value).__name__} {value!r}")
    return bool(value)


def confidence_level(value: Any) -> float:
    """A level strictly between 0 and 1."""
    level = value if type(value) is float else _number(value, "confidence_level")
    if not 0 < level < 1:
        raise InvalidValueError(
            "confidence_level",
            f"must be between 0 and 1, got {level:g}",
            hint=f"write {level:g} % as {level / 100:g}" if 1 < level < 100 else "",
        )
    return level


def share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    number = _number(value, name)
    if not 0 <= number <= 1:
        raise InvalidValueError(name, f"must be between 0 and 1, got {number:g}")
    return number


def positive(value: Any, name: str) -> float:
    """A finite number above 0."""
    number = _number(value, name)
    if not 0 < number < math.inf:
        raise InvalidValueError(name, f"must be above 0 and finite, got {number:g}")
    return number


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidTypeError(name, f"must be a number, got {type(value).__name__}")
    return float(value)


def enough_replicates(level: float, alternative: str, n_bootstraps: int) -> None:
    """Refuse a level whose tail holds less than one replicate."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # Rounded as the ranks of the interval are: 1 - 0.95 is not exactly 0.05.
    if round(tail * n_bootstraps, 9) < 1:
        needed = math.ceil((1 - 5e-10) / tail)
        raise InvalidValueError(
            Argument("confidence_level", level),
            "is too high for {}",
            Argument("n_bootstraps", n_bootstraps),
            hint=("use at least {}", Argument("n_bootstraps", needed)),
        )


def seed(random_state: Any) -> int:
    """The seed of all replicates, 0 to 2^53 - 1; drawn if `random_state` is None."""
    if type(random_state) is int and 0 <= random_state <= MAX_SEED:
        return random_state
    if random_state is None:
        return secrets.randbelow(MAX_SEED + 1)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, MAX_SEED, endpoint=True))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, MAX_SEED + 1, dtype=np.int64))
    if isinstance(random_state, bool) or not isinstance(random_state, numbers.Integral):
        raise InvalidTypeError(
            "random_state",
            f"must be None, an integer or a numpy Generator, got {type(random_state).__name__}",
        )
    given = int(random_state)
    if not 0 <= given <= MAX_SEED:
        raise InvalidValueError("random_state", f"must be between 0 and 2**53 - 1, got {given}")
    return given


def n_threads(value: Any) -> int:
    """Number of threads; None means the processors that this process may use."""
    if value is None:
        return len(os.sched_getaffinity(0))
    return integer(value, "n_threads", lowest=1)


def names(value: Any, n_configurations: int) -> tuple[str, ...] | None:
    """Names of the configurations."""
    if value is None:
        return None
    if isinstance(value, str) or not hasattr(value, "__len__"):
        raise InvalidTypeError("names", f"must be a sequence of names, got {type(value).__name__}")
    if len(value) != n_configurations:
        raise InvalidValueError(
            "names", f"has {len(value)} entries for {n_configurations} configurations"
        )
    return tuple(str(name) for name in value)
