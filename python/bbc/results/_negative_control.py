"""Corrected estimates on permuted truths, beside chance."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from .._frozen import read_only
from .._typing import FloatArray
from ._comparison_text import aligned, four, limits_shown, tables_html
from ._documents import Document, estimate_of, fields_of
from ._estimate import PerformanceEstimate
from ._text import cut, data_frame, wrapped

_TITLES = ("permutation", "estimate", "interval", "chance")


@dataclass(frozen=True, eq=False)
class NegativeControl(Document):
    """The analysis on permuted truths: what `bbc.negative_control` returns.

    Attributes
    ----------
    estimates : tuple of PerformanceEstimate
        One per permuted truth.
    chance : tuple of float
        Beside each, the value of predictions that know nothing of the rows.
    confidence_level : float
        One minus the probability of calling an analysis without leak suspect.
    seed : int
        Seed of the permutations.

    Examples
    --------
    >>> from bbc import NegativeControl, PerformanceEstimate
    >>> estimates = [
    ...     PerformanceEstimate(value, "roc_auc", "bbc", True, n_rows=80, n_configurations=9)
    ...     for value in (0.61, 0.64, 0.58)]
    >>> control = NegativeControl(estimates, [0.5, 0.5, 0.5])
    >>> round(control.mean_excess, 3), control.suspect
    (0.11, True)

    Written as JSON, it is restored with every bit; other text is refused:

    >>> NegativeControl.from_json(control.to_json()) == control
    True
    >>> NegativeControl.from_json("{}")
    Traceback (most recent call last):
    ...
    ValueError: text is not a NegativeControl written by to_json
    """

    estimates: tuple[PerformanceEstimate, ...]
    chance: tuple[float, ...]
    confidence_level: float = 0.95
    seed: int | None = None

    def __post_init__(self) -> None:
        values = self.__dict__
        values["estimates"] = tuple(self.estimates)
        values["chance"] = tuple(map(float, self.chance))
        if len(self.estimates) != len(self.chance) or len(self.estimates) < 2:
            raise ValueError("a negative control needs two estimates, and a chance value for each")

    @property
    def metric(self) -> str:
        """The metric of all runs."""
        return self.estimates[0].metric

    @cached_property
    def excess(self) -> FloatArray:
        """By how much each estimate is better than chance, whatever the metric's direction."""
        sign = 1.0 if self.estimates[0].greater_is_better else -1.0
        better = np.array([each.estimate for each in self.estimates]) - np.array(self.chance)
        return read_only(sign * better)

    @property
    def mean_excess(self) -> float:
        """The mean excess over chance."""
        return math.fsum(self.excess) / len(self.excess)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean excess, from its variation over permutations."""
        return float(np.std(self.excess, ddof=1)) / math.sqrt(len(self.excess))

    @property
    def p_value(self) -> float:
        """Of the hypothesis that the expected excess is not above zero, by a t-test."""
        error = self.standard_error
        if error == 0.0:
            return 0.0 if self.mean_excess > 0 else 1.0
        return float(special.stdtr(len(self.excess) - 1, -self.mean_excess / error))

    @property
    def suspect(self) -> bool:
        """Whether the analysis beats chance where nothing can be learned."""
        return self.p_value < 1 - self.confidence_level

    @property
    def n_covering(self) -> int:
        """Runs whose interval holds chance, or that do not beat it where there is no interval."""
        return sum(
            excess <= 0
            if each.confidence_interval is None
            else each.confidence_interval.low <= chance <= each.confidence_interval.high
            for each, chance, excess in zip(self.estimates, self.chance, self.excess, strict=True)
        )

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        level = f"p = {self.p_value:.2g}"
        amount = f"{abs(self.mean_excess):.4f}"
        if self.suspect:
            return (
                f"on permuted truths the estimate beats chance by {amount} on average ({level}): "
                "information about held-out rows reaches training or selection, or selection is "
                "not corrected for"
            )
        side = "above" if self.mean_excess > 0 else "below"
        return (
            "on permuted truths the estimate is compatible with chance (on average "
            f"{amount} {side} it, {level}); leaks that the control cannot see are not excluded"
        )

    def summary(self) -> str:
        """Describe the control in at most 80 columns of text.

        Returns
        -------
        str
            A line per permutation, and the verdict.

        Examples
        --------
        >>> from bbc import NegativeControl, PerformanceEstimate
        >>> estimates = [
        ...     PerformanceEstimate(value, "roc_auc", "bbc", True, n_rows=80, n_configurations=9)
        ...     for value in (0.51, 0.48)]
        >>> NegativeControl(estimates, [0.5, 0.5]).summary().split("\\n")[0]
        'negative control: roc_auc on 2 permuted truths, method bbc'
        """
        lines = [cut(self._head()), *map(cut, aligned(self._table()))]
        for label, text in self._remarks():
            lines.extend(wrapped(label, text))
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return the runs as a pandas frame, a row per permutation.

        Returns
        -------
        pandas.DataFrame
            Estimate, interval, chance value and excess.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> from bbc import NegativeControl, PerformanceEstimate
        >>> estimates = [
        ...     PerformanceEstimate(value, "roc_auc", "bbc", True, n_rows=80, n_configurations=9)
        ...     for value in (0.75, 0.5)]
        >>> NegativeControl(estimates, [0.5, 0.5]).to_frame()["excess"].tolist()
        [0.25, 0.0]
        """
        lines = []
        for each, chance, excess in zip(self.estimates, self.chance, self.excess, strict=True):
            low, high = each.confidence_interval or (None, None)
            lines.append(
                {
                    "estimate": each.estimate,
                    "low": low,
                    "high": high,
                    "chance": chance,
                    "excess": float(excess),
                }
            )
        return data_frame(lines)

    def _written(self) -> dict[str, Any]:
        return self._values() | {"estimates": [fields_of(each) for each in self.estimates]}

    @classmethod
    def _read(cls, values: dict[str, Any]) -> "NegativeControl":
        return cls(**values | {"estimates": [estimate_of(each) for each in values["estimates"]]})

    def __repr__(self) -> str:
        return (
            f"NegativeControl({self.metric}, {len(self.estimates)} permutations, "
            f"mean_excess={self.mean_excess:.4f}, suspect={self.suspect})"
        )

    def _repr_html_(self) -> str:
        return tables_html(self._head(), [self._table()], self._remarks())

    def _head(self) -> str:
        return (
            f"negative control: {self.metric} on {len(self.estimates)} permuted truths, method "
            f"{self.estimates[0].method}"
        )

    def _table(self) -> list[tuple[str, ...]]:
        lines = [_TITLES]
        for number, (each, chance) in enumerate(zip(self.estimates, self.chance, strict=True), 1):
            limits = limits_shown(each.confidence_interval)
            lines.append((str(number), four(each.estimate), limits, four(chance)))
        return [*lines]

    def _remarks(self) -> list[tuple[str, str]]:
        covering = f"{self.n_covering} of {len(self.estimates)} runs do not beat chance"
        if self.estimates[0].confidence_interval is not None:
            covering = f"{self.n_covering} of {len(self.estimates)} intervals hold chance"
        return [("SUSPECT" if self.suspect else "passed", self.verdict), ("intervals", covering)]
