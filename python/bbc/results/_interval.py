"""A confidence interval that knows its level and its side."""

from collections.abc import Iterator
from dataclasses import dataclass

from .._typing import Alternative


@dataclass(frozen=True)
class ConfidenceInterval:
    """Lower and upper end of a confidence interval; unpacks as ``low, high``.

    The sides are numerical, whatever the metric's direction: for a score the cautious
    one-sided interval is ``alternative="greater"`` (a lower bound), for a loss it is ``"less"``
    (an upper bound).

    Attributes
    ----------
    low, high : float
        The ends; infinite at the open side of a one-sided interval of an unbounded metric.
    confidence_level : float
        Nominal coverage.
    alternative : {"two-sided", "greater", "less"}
        "greater" has a lower bound only, "less" an upper bound only.
    calibrated : bool
        Whether it is the calibrated interval of two-level BBC, not one of order statistics.

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
        own = self.__dict__
        own["low"], own["high"] = float(self.low), float(self.high)
        own["confidence_level"] = float(self.confidence_level)

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))
