"""A confidence interval with its level and side."""

from collections.abc import Iterator
from dataclasses import dataclass

from .._typing import Alternative


@dataclass(frozen=True)
class ConfidenceInterval:
    """Limits of a confidence interval; unpacks as ``low, high``.

    Sides are numerical, whatever the metric's direction: for a score the conservative one-sided
    interval is ``alternative="greater"`` (a lower bound), for a loss ``"less"`` (an upper bound).

    Attributes
    ----------
    low, high : float
        The limits; the open side of a one-sided interval ends at the limit of the metric's range,
        which may be infinite.
    confidence_level : float
        Nominal coverage.
    alternative : {"two-sided", "greater", "less"}
        "greater" has a lower bound only, "less" an upper bound only.
    calibrated : bool
        Whether it is the calibrated interval of two-level BBC rather than order statistics.

    Examples
    --------
    >>> from bbc.results import ConfidenceInterval
    >>> low, high = ConfidenceInterval(0.71, 0.83)
    >>> high
    0.83
    """

    low: float
    high: float
    confidence_level: float = 0.95
    alternative: Alternative = "two-sided"
    calibrated: bool = False

    def __post_init__(self) -> None:
        fields = self.__dict__
        fields["low"], fields["high"] = float(self.low), float(self.high)
        fields["confidence_level"] = float(self.confidence_level)

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))
