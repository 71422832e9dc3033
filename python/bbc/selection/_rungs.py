"""How a search that dropped configurations on the way is scored."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ..errors import Argument, InvalidTypeError, InvalidValueError


@dataclass(frozen=True, eq=False)
class Rungs:
    """How a search that dropped configurations on the way is scored, rung by rung.

    For the argument `rungs` of `bbc.correct`, beside ``missing="rungs"``.

    Parameters
    ----------
    of_row : array-like of int of shape (n_rows,), optional
        The rung at which each row was first predicted, numbered in the order of the search. By
        default rungs are found from the missing predictions: rows that the same configurations
        predicted form one, and the rung with most configurations was first.
    choose_only : collection of int, default=()
        Rungs whose rows choose but do not score, such as those whose scores a sampler saw: their
        numbers in `of_row`, else counted from 0.
    burn : float, default=0.25
        Rungs that end within this share of the rows, 0 to 1, choose but do not score, because their
        choice rests on few rows.

    Examples
    --------
    >>> import bbc
    >>> bbc.Rungs(choose_only=[0], burn=0).burn
    0
    """

    of_row: ArrayLike | None = None
    choose_only: Collection[int] = ()
    burn: float = 0.25

    def __post_init__(self) -> None:
        burn, numbers = self.burn, self.choose_only
        if isinstance(burn, bool) or not isinstance(burn, int | float):
            raise InvalidTypeError("burn", f"must be a number, got {type(burn).__name__}")
        if not 0 <= burn <= 1:
            raise InvalidValueError(Argument("burn", burn), "must be a share of the rows, 0 to 1")
        if isinstance(numbers, str) or not all(type(each) is int for each in numbers):
            raise InvalidTypeError("choose_only", f"must be numbers of rungs, got {numbers!r}")


def rungs(given: Any) -> Rungs:
    """Return what the argument `rungs` says."""
    return given if isinstance(given, Rungs) else Rungs(given)
