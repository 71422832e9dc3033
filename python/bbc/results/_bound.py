"""Lower confidence bounds of a selected configuration, alone and compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..findings import Finding
from . import _findings
from ._interval import ConfidenceInterval
from ._text import data_frame

_MOST_REASON = 60


@dataclass(frozen=True)
class Bound:
    """A lower confidence bound for the AUC of a selected configuration, or why there is none.

    Attributes
    ----------
    method : str
        "bbc", "bbc-two-level", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt" or "nb".
    rule : {"all rows", "best", "top10%"}
        How the configuration was selected.
    estimate : float or None
        Point estimate; None if nothing could be selected.
    confidence_interval : ConfidenceInterval or None
        From the bound to the largest AUC; None if infeasible.
    infeasible : str or None
        Why there is no bound.
    winner : int or None
        Index of the selected configuration.
    winner_name : str
        Its name, if configurations have names.
    candidates : tuple of int
        The configurations compared on the evaluation rows.
    evaluation_rows : tuple of int
        Rows on which the bound was computed; empty if all were used.
    n_splits : int
        Random splits drawn until all parts had both classes.
    n_rows, n_configurations : int
        Size of what was analysed.
    n_bootstraps : int
        Number of replicates, 0 for formulas.
    effective_sample_size : float or None
        Effective sample size of the importance weights, for tilting.
    seed : int or None
        Seed of the split and the replicates.
    version : str
        Version of bbc.
    notes : tuple of str
        Warnings of the kernel.
    data_findings : tuple of Finding
        What data and replicates show; `findings` adds what the results show.

    Examples
    --------
    >>> from bbc import Bound, ConfidenceInterval
    >>> bound = Bound("delong", "best", 0.8, ConfidenceInterval(0.7, 1.0, 0.95, "greater"))
    >>> bound.low, bound.feasible
    (0.7, True)
    """

    method: str
    rule: str
    estimate: float | None = None
    confidence_interval: ConfidenceInterval | Any = None
    infeasible: str | None = None
    winner: int | None = None
    winner_name: str = ""
    candidates: tuple[int, ...] = ()
    evaluation_rows: tuple[int, ...] = ()
    n_splits: int = 0
    n_rows: int = 0
    n_configurations: int = 0
    n_bootstraps: int = 0
    effective_sample_size: float | None = None
    seed: int | None = None
    version: str = ""
    notes: tuple[str, ...] = ()
    data_findings: tuple[Finding, ...] = ()

    @property
    def low(self) -> float | None:
        """The bound; None if infeasible."""
        return None if self.confidence_interval is None else self.confidence_interval.low

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the bound, each with a code, a reason and advice."""
        return _findings.of_bound(self)

    @property
    def feasible(self) -> bool:
        """Whether there is a bound."""
        return self.confidence_interval is not None


@dataclass(frozen=True)
class BoundComparison:
    """Bounds of several methods on the same predictions; iterates over them.

    Attributes
    ----------
    bounds : tuple of Bound
        One per method and rule.

    Examples
    --------
    >>> from bbc.results import Bound, BoundComparison
    >>> comparison = BoundComparison((Bound("nb", "best", infeasible="one fold"),))
    >>> print(comparison)
    method         rule     estimate  bound
    nb             best     -         -        one fold
    """

    bounds: tuple[Bound, ...]

    def __iter__(self) -> Iterator[Bound]:
        return iter(self.bounds)

    def __len__(self) -> int:
        return len(self.bounds)

    def __str__(self) -> str:
        lines = [_line("method", "rule", "estimate", "bound")]
        for bound in self.bounds:
            numbers = _number(bound.estimate), _number(bound.low)
            reason = _shortened(bound.infeasible or "")
            lines.append(_line(bound.method, bound.rule, *numbers, reason))
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return the comparison as a pandas frame, one row per method and rule.

        Returns
        -------
        pandas.DataFrame
            Columns method, rule, estimate, bound, feasible and reason.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> from bbc.results import Bound, BoundComparison
        >>> comparison = BoundComparison((Bound("nb", "best", infeasible="one fold"),))
        >>> comparison.to_frame().loc[0, "reason"]
        'one fold'
        """
        return data_frame(
            {
                "method": [bound.method for bound in self.bounds],
                "rule": [bound.rule for bound in self.bounds],
                "estimate": [bound.estimate for bound in self.bounds],
                "bound": [bound.low for bound in self.bounds],
                "feasible": [bound.feasible for bound in self.bounds],
                "reason": [bound.infeasible or "" for bound in self.bounds],
            }
        )


def _line(*cells: str) -> str:
    widths = (15, 9, 10, 9)
    padded = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)]
    return "".join([*padded, *cells[len(widths) :]]).rstrip()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_REASON else text[: _MOST_REASON - 3] + "..."
