"""PossibleWinners: which configurations could be the best."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from .._design import UNKNOWN, Design
from .._page import Page, four, remarks
from .._result import Index, Level, PerConfiguration, PerEntry, Result, SharePerConfiguration
from .._sentences import counted
from .._typing import BoolArray
from ..findings import Finding
from ._estimate import data_of, name_of
from ._parts import ModelLuck

_MOST_SHOWN = 10


@dataclass(frozen=True, eq=False)
class PossibleWinners(Result):
    """The configurations that could be the best, at a level of confidence.

    Rows of `to_frame` are configurations, with their scores and p-values.

    Attributes
    ----------
    p_values : ndarray of shape (n_configurations,)
        p-value of the hypothesis that the configuration is the best, or as good as the best.
    possible : ndarray of bool of shape (n_configurations,)
        Whether the hypothesis is not rejected.
    scores : ndarray of shape (n_configurations,)
        Scores on all rows.
    winner : int
        The configuration with the best score.
    winner_name : str
        Its name, if configurations have names.
    metric, method, pooling : str
        The metric, the method ("mcs" or "argmin"), and how the metric was pooled.
    greater_is_better : bool
        Direction of the metric.
    confidence_level : float
        Probability with which the set is to contain the best configuration.
    n_rows, n_configurations, n_repeats : int
        Size of the data.
    n_bootstraps, n_redrawn : int
        Number of replicates, and of those that were redrawn; 0 for "argmin".
    unit : {"row", "group"}
        What a replicate draws.
    seed : int or None
        Seed of the replicates; None if nothing was drawn.
    tuning : ndarray of shape (n_configurations,)
        For "argmin", the λ by which each configuration's competitors are weighted; else 0.
    names : tuple of str or None
        Names of the configurations.
    version : str
        Version of bbc.
    notes : tuple of str
        Remarks other than findings.
    model_luck : ModelLuck or None
        Test whether the fitted models of a configuration differ by chance; None without folds.
    data_findings : tuple of Finding
        What data and predictions show.
    design : Design
        How the data were split and drawn, as far as it is known.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 5, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> found = c.possible_winners()
    >>> found.n_possible, bool(found.possible[found.winner])
    (5, True)
    >>> s = bbc.simulate.accuracy(200, 3, true_performance=[0.9, 0.6, 0.88], random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> found = c.possible_winners()
    >>> print(found.summary())  # doctest: +ELLIPSIS
    2 of 3 configurations could be the best (95 %), by accuracy, method mcs
      possible       0.8900    p = 1       configuration 0
                     0.8650    p = 0.525   configuration 2
      winner         configuration 0
      data           200 rows, 3 configurations
      replicates     5000 of rows, 0 redrawn
      seed           1 (bbc ...)
    """

    p_values: SharePerConfiguration
    possible: Annotated[BoolArray, PerEntry("n_configurations")]
    scores: PerConfiguration
    metric: str
    method: str
    greater_is_better: bool
    winner: Annotated[int, Index("n_configurations")]
    n_rows: int
    n_configurations: int
    tuning: PerConfiguration
    winner_name: str = ""
    pooling: str = "pooled"
    confidence_level: Level = 0.95
    n_repeats: int = 1
    n_bootstraps: int = 0
    n_redrawn: int = 0
    unit: str = "row"
    seed: int | None = None
    names: Annotated[tuple[str, ...], PerEntry("n_configurations")] | None = None
    version: str = ""
    notes: tuple[str, ...] = ()
    model_luck: ModelLuck | None = None
    data_findings: tuple[Finding, ...] = ()
    design: Design = field(default=UNKNOWN, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.winner_name:
            self.__dict__["winner_name"] = self._name(self.winner)

    @property
    def n_possible(self) -> int:
        """Number of configurations that could be the best."""
        return int(np.count_nonzero(self.possible))

    def _page(self) -> Page:
        level = f"{100 * self.confidence_level:g} %"
        n_possible = f"{self.n_possible} of {counted(self.n_configurations, 'configuration')}"
        facts = [*self._listed(), ("winner", self.winner_name), ("data", data_of(self))]
        if self.n_bootstraps:
            drawn = f"{self.n_bootstraps} of {self.unit}s, {self.n_redrawn} redrawn"
            facts.append(("replicates", drawn))
        if self.seed is not None:
            facts.append(("seed", f"{self.seed} (bbc {self.version})"))
        head = f"{n_possible} could be the best ({level}), by {self.metric}, method {self.method}"
        return Page(head, facts, remarks=remarks(self.findings, self.notes))

    def _listed(self) -> list[tuple[str, str]]:
        losses = -self.scores if self.greater_is_better else self.scores
        best_first = [int(i) for i in np.argsort(losses, kind="stable") if self.possible[i]]
        shown = [(self.scores[i], self.p_values[i], self._name(i)) for i in best_first]
        rows = [
            (f"{four(score):<9} p = {p:<7.3g} {name}") for score, p, name in shown[:_MOST_SHOWN]
        ]
        if len(shown) > _MOST_SHOWN:
            rows.append(f"and {len(shown) - _MOST_SHOWN} others")
        return [("" if place else "possible", text) for place, text in enumerate(rows)]

    def _name(self, index: int) -> str:
        return name_of(self.names, index)

    def _frame(self) -> Any:
        indices = range(self.n_configurations)
        return {
            "configuration": list(indices),
            "name": [self._name(i) for i in indices],
            "score": self.scores,
            "p_value": self.p_values,
            "possible": self.possible,
        }

    def __repr__(self) -> str:
        return (
            f"PossibleWinners({self.n_possible} of {self.n_configurations}, "
            f"metric={self.metric!r}, method={self.method!r}, winner={self.winner})"
        )
