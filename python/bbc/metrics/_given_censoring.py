"""Probabilities of being uncensored that a user gives in the place of Kaplan and Meier's."""

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import AnyArray


@dataclass(frozen=True, eq=False)
class GivenCensoring:
    """Probabilities of being uncensored for the rows of one truth, as the user gave them.

    `own` are those just before each row's time, `later` those at the times of the metric, if it
    needs them. They are validated with the truth.
    """

    own: Any
    later: Any = None

    def __post_init__(self) -> None:
        for name in ("own", "later"):
            object.__setattr__(self, name, copy(getattr(self, name)))

    @property
    def by_argument(self) -> dict[str, Any]:
        """What was given, by the name of its argument."""
        return {"censoring_survival": self.own, "censoring_survival_at": self.later}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenCensoring) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    @property
    def _bytes(self) -> tuple[tuple[tuple[int, ...], bytes], ...]:
        given = [[] if value is None else value for value in (self.own, self.later)]
        arrays: list[AnyArray] = [np.asarray(value) for value in given]
        return tuple((array.shape, array.tobytes()) for array in arrays)
