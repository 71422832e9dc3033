"""Lower confidence bounds of a selected configuration, alone and compared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from .._design import UNKNOWN, Design
from .._digits import number
from .._page import Page, remarks
from .._result import Index, Number, Result
from .._sentences import counted
from ..findings import Finding, found
from ._estimate import in_order
from ._parts import ConfidenceInterval


@dataclass(frozen=True, eq=False)
class Bound(Result):
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
    design : Design
        How the data were split and drawn, as far as it is known.

    Examples
    --------
    >>> from bbc.results import Bound, ConfidenceInterval
    >>> bound = Bound("delong", "best", 0.8, ConfidenceInterval(0.7, 1.0, 0.95, "greater"))
    >>> bound.low, bound.feasible
    (0.7, True)
    """

    method: str
    rule: str
    estimate: Number | None = None
    confidence_interval: ConfidenceInterval | Any = None
    infeasible: str | None = None
    winner: Annotated[int, Index("n_configurations")] | None = None
    winner_name: str = ""
    candidates: Annotated[tuple[int, ...], Index("n_configurations")] = ()
    evaluation_rows: Annotated[tuple[int, ...], Index("n_rows")] = ()
    n_splits: int = 0
    n_rows: int = 0
    n_configurations: int = 0
    n_bootstraps: int = 0
    effective_sample_size: float | None = None
    seed: int | None = None
    version: str = ""
    notes: tuple[str, ...] = ()
    data_findings: tuple[Finding, ...] = ()
    design: Design = field(default=UNKNOWN, compare=False)

    @property
    def low(self) -> float | None:
        """The bound; None if infeasible."""
        return None if self.confidence_interval is None else self.confidence_interval.low

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the bound, each with a code, a reason and advice."""
        shown = found("bound", {"effective_sample_size": self.effective_sample_size})
        return in_order(self.data_findings, shown)

    @property
    def feasible(self) -> bool:
        """Whether there is a bound."""
        return self.confidence_interval is not None

    def _page(self) -> Page:
        facts = []
        if self.estimate is not None:
            facts.append(("estimate", number(self.estimate)))
        if self.low is not None:
            level = 100 * self.confidence_interval.confidence_level
            facts.append(("lower bound", f"{number(self.low)} ({level:g} %)"))
        if self.winner_name:
            facts.append(("winner", self.winner_name))
        if len(self.candidates) > 1:
            facts.append(("candidates", counted(len(self.candidates), "configuration")))
        if self.evaluation_rows:
            facts.append(("evaluated on", counted(len(self.evaluation_rows), "row")))
        if self.n_rows:
            n = counted(self.n_configurations, "configuration")
            facts.append(("data", f"{counted(self.n_rows, 'row')}, {n}"))
        if self.n_bootstraps:
            facts.append(("replicates", str(self.n_bootstraps)))
        if self.effective_sample_size is not None:
            facts.append(("effective size", number(self.effective_sample_size)))
        if self.seed is not None:
            facts.append(("seed", f"{self.seed} (bbc {self.version})"))
        return Page(
            f"lower bound of the AUC of the winner, method {self.method}, selected by {self.rule}",
            facts,
            remarks=remarks(self.findings, self.notes, self.infeasible),
        )


@dataclass(frozen=True, eq=False)
class BoundComparison(Result):
    """Bounds of several methods on the same predictions; iterates over them.

    Rows of `to_frame` are methods, with the bound or the reason why there is none.

    Attributes
    ----------
    bounds : tuple of Bound
        One per method and rule.

    Examples
    --------
    >>> from bbc.results import Bound, BoundComparison
    >>> comparison = BoundComparison((Bound("nb", "best", infeasible="one fold"),))
    >>> print(comparison)
    lower bounds of 1 method
      method  rule  estimate  bound
      nb      best  -         -      one fold
    """

    bounds: tuple[Bound, ...]

    def __iter__(self) -> Iterator[Bound]:
        return iter(self.bounds)

    def __len__(self) -> int:
        return len(self.bounds)

    def __str__(self) -> str:
        return self.summary()

    def _page(self) -> Page:
        table: list[tuple[str, ...]] = [("method", "rule", "estimate", "bound", "")]
        for bound in self.bounds:
            numbers = (_shown(bound.estimate), _shown(bound.low))
            table.append((bound.method, bound.rule, *numbers, bound.infeasible or ""))
        return Page(f"lower bounds of {counted(len(self.bounds), 'method')}", tables=[table])

    def _frame(self) -> Any:
        return [
            {
                "method": bound.method,
                "rule": bound.rule,
                "estimate": bound.estimate,
                "bound": bound.low,
                "feasible": bound.feasible,
                "reason": bound.infeasible or "",
            }
            for bound in self.bounds
        ]


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
