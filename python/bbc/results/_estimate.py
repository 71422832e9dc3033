"""PerformanceEstimate: an estimate with its interval and how it was obtained."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from .._codec import ANY, Index, Number, PerEntry, Share, SharePerConfiguration, Within
from .._design import UNKNOWN, Design
from .._frozen import kept, read_only
from .._page import Page, four, limits, number, remarks, short
from .._result import Result
from .._sentences import counted
from .._typing import FloatArray, IndexArray
from ..findings import Finding
from . import _facts, _findings
from ._parts import ConfidenceInterval, ModelLuck

_NO_INDICES: IndexArray = read_only(np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class PerformanceEstimate(Result):
    """Performance of the selected configuration, corrected for selection.

    Attributes
    ----------
    estimate : float
        The corrected performance, in the metric's units and sign.
    confidence_interval : ConfidenceInterval or None
        Its interval; None if the method has none, or none on these data.
    metric, method, pooling : str
        What was estimated, by which method, and whether the metric was computed on all rows
        together ("pooled") or as the mean over folds ("fold").
    greater_is_better : bool
        Direction of the metric.
    apparent : float or None
        The winner's uncorrected score (L_CVT).
    winner : int
        Index of the configuration that the selection rule selects on all rows; of an ensemble, of
        the member with the largest weight, with ties for the lowest index.
    winner_name : str
        Its name, if configurations have names.
    replicates, replicate_winners : ndarray or None
        Out-of-bag score and winner of each replicate.
    replicate_sd : float or None
        Standard deviation of the replicates. It is *not* a standard error of the estimate: for a
        single configuration it is about 1.3 times too large.
    size_bias : float or None
        Mean over the replicates of what their winner's out-of-bag score is on average beyond its
        score on all rows: the effect of scoring fewer rows, not of selection, which `replicates`
        and `estimate` have lost. None where nothing was taken: for means over rows, AUC and R2,
        and with ``size_correction=False``. Single replicates may lie beyond the metric's range.
    n_redrawn : int
        Number of replicates redrawn because the selection metric was undefined or no unit
        remained out of bag.
    decided_by : str
        The metric that selected the winners, if it is another one.
    n_undefined : int
        Replicates left out of `replicates` and the estimate because the metric, though not the
        selection metric, was undefined.
    n_rows, n_configurations, n_folds, n_repeats : int
        Size of the data, before anything was left out; 0 if unknown.
    unit : {"row", "group", "fold"}
        What a replicate draws.
    seed : int or None
        Seed of the replicates; None if nothing was drawn.
    version : str
        Version of bbc.
    names : tuple of str or None
        Names of the configurations.
    pos_label : str, number or None
        The class that a binary metric calls positive; labels of other types as text.
    left_out_rows : ndarray of int
        Rows that no configuration predicted, or that were dropped on request.
    left_out_configurations : ndarray of int
        Configurations dropped on request because of missing predictions.
    undefined_fold_share : float or None
        With ``pooling="fold"``, the share of (replicate, fold) pairs without a defined score.
    effective_sample_size : float or None
        Effective sample size of the importance weights, for methods that use them.
    infeasible : str or None
        Why the method has no interval on these data.
    notes : tuple of str
        Remarks other than findings.
    model_luck : ModelLuck or None
        Test whether the fitted models of a configuration differ by chance, which method "bbc"
        does not correct for; None without folds, and for other methods unless a calibrated interval
        needs its variance.
    data_findings : tuple of Finding
        What data, predictions and replicates show; `findings` adds what the results show.
    metric_range : tuple of float
        Smallest and largest value of the metric, for any number of classes.
    threshold : float or None
        The cut-off selected with `best_threshold` on all rows: scores above it are positive.
    replicate_thresholds : ndarray or None
        The cut-off of each replicate.
    weights : ndarray or None
        Weight of each configuration in the ensemble selected on all rows.
    membership_frequency : ndarray or None
        Of ensembles, the share of replicates in which each configuration's weight is positive.
    design : Design
        How the data were split, chosen from and drawn, as far as it is known; what reports say.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5 and section 3.1.

    Examples
    --------
    >>> from bbc import PerformanceEstimate
    >>> result = PerformanceEstimate(
    ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
    ...     apparent=0.85, winner=3, n_rows=100, n_configurations=20)
    >>> round(result.optimism, 3)
    0.05
    """

    estimate: Number
    metric: str
    method: str
    greater_is_better: bool
    n_rows: int
    n_configurations: int
    winner: Annotated[int, Index("n_configurations")] = 0
    winner_name: str = ""
    apparent: Number | None = None
    # None without an interval. `Any` lets type checkers take ``low, high`` of it unasked.
    confidence_interval: ConfidenceInterval | Any = None
    replicate_sd: Annotated[float, Within(0, math.inf)] | None = None
    replicates: FloatArray | None = None
    replicate_winners: Annotated[IndexArray, Index("n_configurations")] | None = None
    n_redrawn: int = 0
    decided_by: str = ""
    n_undefined: int = 0
    pooling: str = "pooled"
    unit: str = "row"
    n_folds: int = 0
    n_repeats: int = 1
    seed: int | None = None
    version: str = ""
    names: Annotated[tuple[str, ...], PerEntry("n_configurations")] | None = None
    pos_label: Any = None
    left_out_rows: Annotated[IndexArray, Index("n_rows")] = field(
        default_factory=lambda: _NO_INDICES
    )
    left_out_configurations: Annotated[IndexArray, Index("n_configurations")] = field(
        default_factory=lambda: _NO_INDICES
    )
    undefined_fold_share: Share | None = None
    effective_sample_size: float | None = None
    infeasible: str | None = None
    notes: tuple[str, ...] = ()
    model_luck: ModelLuck | None = None
    data_findings: tuple[Finding, ...] = ()
    metric_range: tuple[float, float] = (-math.inf, math.inf)
    threshold: Number | None = None
    replicate_thresholds: Annotated[FloatArray, PerEntry("n_bootstraps"), ANY] | None = None
    weights: SharePerConfiguration | None = None
    membership_frequency: SharePerConfiguration | None = None
    # The same numbers by whatever door are equal: who saw the training is no part of them.
    design: Design = field(default=UNKNOWN, compare=False)
    size_bias: float | None = None

    _schema: ClassVar[int] = 2
    _named: ClassVar[bool] = True
    _derived: ClassVar[tuple[str, ...]] = ("optimism", "n_bootstraps")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.winner_name:
            self.__dict__["winner_name"] = name_of(self.names, self.winner)

    @property
    def optimism(self) -> float | None:
        """Apparent minus corrected performance, signed so that positive is too good."""
        if self.apparent is None:
            return None
        difference = self.apparent - self.estimate
        return difference if self.greater_is_better else 0.0 - difference

    @property
    def n_bootstraps(self) -> int:
        """Number of replicates."""
        return 0 if self.replicates is None else int(self.replicates.size)

    @cached_property
    def selection_frequency(self) -> FloatArray | None:
        """Share of the replicates that each configuration won, of length n_configurations.

        For ensembles, the share of those in which its weight was positive. Not a probability of
        being the best: `bbc.possible_winners` finds the configurations that could be the best.
        """
        if self.membership_frequency is not None:
            return self.membership_frequency
        if self.replicate_winners is None:
            return None
        won = np.bincount(self.replicate_winners, minlength=self.n_configurations)
        return kept(won / max(1, self.replicate_winners.size), np.float64)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the result, each with a code, a reason and advice."""
        return _findings.findings(self)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Pairs of label and text that `summary` and reports show."""
        return _facts.facts(self)

    def _page(self) -> Page:
        found = remarks(self.findings, self.notes, self.infeasible)
        what = "of the winner" if self.weights is None else "of the ensemble"
        return Page(head_of(self, what), self.facts, remarks=found)

    @classmethod
    def _upgraded(cls, values: dict[str, Any]) -> dict[str, Any]:
        return _facts.of_schema_1(values)

    def _check(self) -> None:
        super()._check()
        _facts.check_range(self)

    def __repr__(self) -> str:
        interval = self.confidence_interval
        shown = "" if interval is None else f", interval={limits(interval, number)}"
        return (
            f"PerformanceEstimate({self.metric}={number(self.estimate)}{shown}, "
            f"method={self.method!r}, winner={self.winner})"
        )


@dataclass(frozen=True, eq=False)
class Performances(Result, Mapping[str, PerformanceEstimate]):
    """The winner's performance by several metrics: a mapping from their names.

    Rows of `to_frame` are metrics.

    Attributes
    ----------
    estimates : mapping of str to PerformanceEstimate
        The performance by each metric.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> found = bbc.correct(s.y, risks, metric=["roc_auc", "brier_score"], random_state=1)
    >>> list(found), found["brier_score"].decided_by
    (['roc_auc', 'brier_score'], 'roc_auc')
    >>> print(found.summary())  # doctest: +ELLIPSIS
    performance of the winner by 2 metrics, selected by roc_auc, method bbc, pooled
      metric       estimate  interval          apparent
      roc_auc      0...
      brier_score  0...
    """

    estimates: Mapping[str, PerformanceEstimate]

    def __getitem__(self, name: str) -> PerformanceEstimate:
        return self.estimates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    __eq__ = Mapping.__eq__  # a dict of the same estimates is equal
    __hash__ = None  # type: ignore[assignment]

    def _page(self) -> Page:
        if not self.estimates:
            return Page("performance by no metric")
        items = list(self.estimates.items())
        decided_by, first = next((pair for pair in items if not pair[1].decided_by), items[0])
        table = [("metric", "estimate", "interval", "apparent")]
        for name, each in self.estimates.items():
            table.append((short(name), *cells(each)))
        return Page(
            f"performance of the winner by {counted(len(self), 'metric')}, selected by "
            f"{decided_by}, method {first.method}, {_pooling(first)}",
            tables=[table],
            remarks=grouped_remarks(self.estimates),
        )

    def _frame(self) -> Any:
        return [{"name": name} | each._row() for name, each in self.estimates.items()]

    def __repr__(self) -> str:
        shown = (f"{name}={number(each.estimate)}" for name, each in self.estimates.items())
        return f"Performances({', '.join(shown)})"


def name_of(names: tuple[str, ...] | None, index: int) -> str:
    """The name of a configuration."""
    return names[index] if names else f"configuration {index}"


def head_of(e: PerformanceEstimate, what: str) -> str:
    """The first line of a page: the metric, of what, and the method."""
    direction = "higher" if e.greater_is_better else "lower"
    return f"{e.metric} {what} ({direction} is better), method {e.method}, {_pooling(e)}"


def _pooling(e: PerformanceEstimate) -> str:
    return "mean of folds" if e.pooling == "fold" else e.pooling


def cells(e: PerformanceEstimate) -> tuple[str, str, str]:
    """Estimate, interval and apparent score of a row of a table."""
    apparent = "-" if e.apparent is None else four(e.apparent)
    return four(e.estimate), limits(e.confidence_interval), apparent


def grouped_remarks(estimates: Mapping[str, PerformanceEstimate]) -> list[tuple[str, str]]:
    """Findings of several estimates, each once, with the names of those that have it."""
    found: dict[Finding, list[str]] = {}
    for name, each in estimates.items():
        for one in each.findings:
            found.setdefault(one, []).append(name)
    every = len(estimates)
    return findings_of({one: [] if len(n) == every else n for one, n in found.items()})


def findings_of(found: Mapping[Finding, list[str]]) -> list[tuple[str, str]]:
    """Findings with the names of those that have it; none for all."""
    lines = []
    for one, names in found.items():
        ((code, text),) = remarks([one])
        lines.append((code, f"{', '.join(names)}: {text}" if names else text))
    return lines
