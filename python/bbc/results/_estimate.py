"""PerformanceEstimate: an estimate with its interval and how it was obtained."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import numpy as np

from .. import metrics
from .._design import UNKNOWN, Design
from .._digits import decimals, number, shown
from .._drawable import Drawable
from .._frozen import NO_INDICES, read_only
from .._page import Page, in_lines, limits, remarks, short
from .._result import ANY, Index, Number, PerEntry, Result, Share, SharePerConfiguration, Within
from .._sentences import counted, say
from .._typing import FloatArray, IndexArray
from ..findings import FINDINGS, Finding, found
from ._parts import ConfidenceInterval, Deployed, ModelLuck, MonteCarloError

_MOST_CHOSEN = 5
#: Widths in which the limits vary by one standard deviation where there are enough replicates.
_ENOUGH = 50
# Methods whose estimate may leave the metric's range: they subtract a bias.
_BEYOND = frozenset({"tt", "nested-cv", "cv"})
_ROUNDING = 1e-9
#: No secondary metrics.
NO_SECONDARY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class PerformanceEstimate(Drawable, Result):
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
    monte_carlo_error : MonteCarloError or None
        How much estimate and limits vary between seeds, because replicates are so many and no
        more. None where nothing was drawn.
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
    metric_range : tuple of float or None
        Smallest and largest value of the metric, for any number of classes; None of a function
        whose range nobody gave.
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
    deployed : Deployed or None
        The configuration that the tool deploys, of sources that chose one: a fitted search, a
        study. None of others.
    secondary : mapping of str to PerformanceEstimate
        The same winners' performance by further metrics, by their names. Rows of `to_frame` are
        the metrics, the one that selects first.

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
        default_factory=lambda: NO_INDICES
    )
    left_out_configurations: Annotated[IndexArray, Index("n_configurations")] = field(
        default_factory=lambda: NO_INDICES
    )
    undefined_fold_share: Share | None = None
    effective_sample_size: float | None = None
    infeasible: str | None = None
    notes: tuple[str, ...] = ()
    model_luck: ModelLuck | None = None
    data_findings: tuple[Finding, ...] = ()
    metric_range: tuple[float, float] | None = None
    threshold: Number | None = None
    replicate_thresholds: Annotated[FloatArray, PerEntry("n_bootstraps"), ANY] | None = None
    weights: SharePerConfiguration | None = None
    membership_frequency: SharePerConfiguration | None = None
    # The same numbers by whatever door are equal: who saw the training is no part of them.
    design: Design = field(default=UNKNOWN, compare=False)
    size_bias: float | None = None
    monte_carlo_error: MonteCarloError | Any = None
    # What the tool says of itself is no part of the numbers, either.
    deployed: Deployed | None = field(default=None, compare=False)
    secondary: "Mapping[str, PerformanceEstimate]" = field(default_factory=lambda: NO_SECONDARY)

    _schema: ClassVar[int] = 3
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
        being the best: `Correction.possible_winners` finds those that could be the best.
        """
        if self.membership_frequency is not None or self.replicate_winners is None:
            return self.membership_frequency
        winners, shares = _chosen(self)
        every = np.zeros(self.n_configurations)  # the system gives zeros memory when they change
        every[winners] = shares
        return read_only(every)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the result, each with a code, a reason and advice."""
        of_secondary = (each for e in self.secondary.values() for each in e.findings)
        return tuple(dict.fromkeys(in_order(own_findings(self), of_secondary)))

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Pairs of label and text that `summary` and reports show."""
        return facts(self)

    def _page(self) -> Page:
        what = "of the winner" if self.weights is None else "of the ensemble"
        lead = " ".join(filter(None, [too_short(self), say("deployed", deployed_facts(self))]))
        found = [
            *remarks(infeasible=self.infeasible),
            *_lacking(self.secondary),
            *grouped_remarks(by_metric(self)),
            *remarks(notes=self.notes),
        ]
        tables = []
        if self.secondary:
            head = ("metric", "estimate", "interval", "apparent")
            tables.append([head, *((short(n), *cells(e)) for n, e in self.secondary.items())])
        return Page(head_of(self, what), self.facts, tables=tables, remarks=found, lead=lead)

    def _frame(self) -> Any:
        return [each._row() | {"metric": name} for name, each in by_metric(self)]

    @classmethod
    def _upgraded(cls, values: dict[str, Any], schema: int) -> dict[str, Any]:
        return of_schema_1(values) if schema == 1 else values

    def _check(self) -> None:
        super()._check()
        check_range(self)
        if self.deployed is not None and not 0 <= self.deployed.index < self.n_configurations:
            raise ValueError(
                f"deployed is {self.deployed.index} of {self.n_configurations} configurations"
            )
        for name, each in self.secondary.items():
            if each.secondary or each.winner != self.winner:
                raise ValueError(f"secondary has {name!r}, which is of another winner")

    def __repr__(self) -> str:
        interval = self.confidence_interval
        text = text_of(self)
        between = "" if interval is None else f", interval={limits(interval, text)}"
        return (
            f"PerformanceEstimate({self.metric}={text(self.estimate)}{between}, "
            f"method={self.method!r}, winner={self.winner})"
        )


def _limit_error(e: PerformanceEstimate, width: float | None) -> dict[str, Any]:
    """Facts of the limit that varies more between seeds, where its interval has a width."""
    known = e.monte_carlo_error and [each for each in tuple(e.monte_carlo_error)[1:] if each]
    if not known or width is None or not 0 < width < math.inf:
        return {"limit_error_share": None, "n_needed": None}
    share = max(known) / width
    return {
        "limit_error_share": share,
        "n_needed": math.ceil(e.n_bootstraps * (_ENOUGH * share) ** 2),
    }


def by_metric(e: PerformanceEstimate) -> list[tuple[str, PerformanceEstimate]]:
    """Pairs of a metric's name and the estimate by it; that which selects is the first."""
    return [(e.metric, e), *e.secondary.items()]


def _lacking(secondary: Mapping[str, PerformanceEstimate]) -> list[tuple[str, str]]:
    """Why secondary metrics have no interval, and how many replicates leave them undefined."""
    lines = []
    for name, each in secondary.items():
        if each.infeasible is not None:
            lines.append(("no interval", f"{name}: {each.infeasible}"))
        if each.n_undefined:
            lines.append(
                ("undefined", f"{name}: {counted(each.n_undefined, 'replicate')}, left out")
            )
    return lines


def name_of(names: tuple[str, ...] | None, index: int) -> str:
    """The name of a configuration."""
    return names[index] if names else f"configuration {index}"


def head_of(e: PerformanceEstimate, what: str) -> str:
    """The first line of a page: the metric, of what, and the method."""
    direction = "higher" if e.greater_is_better else "lower"
    return f"{e.metric} {what} ({direction} is better), method {e.method}, {_pooling(e)}"


def too_short(e: PerformanceEstimate) -> str:
    """What is said first of limits from scores of folds alone; empty of others."""
    first = next((each for each in e.data_findings if each.code == "BBC025"), None)
    if first is None:
        return ""
    return f"{first.detail[0].upper()}{first.detail[1:]}; {first.kind.advice}."


def deployed_facts(e: PerformanceEstimate) -> dict[str, Any]:
    """Facts of the configuration that the tool deploys, where another one is corrected."""
    own = e.deployed
    if own is None or own.is_corrected:
        own = None
    return {
        "deployed_by": None if own is None else own.source,
        "deployed_name": None if own is None else own.name,
        "deployed_score": None if own is None else own.score,
        "decimals": decimals_of(e),
        "deployed_share": None if own is None else own.frequency,
        "winner_name": e.winner_name,
    }


def _pooling(e: PerformanceEstimate) -> str:
    return "mean of folds" if e.pooling == "fold" else e.pooling


def decimals_of(e: PerformanceEstimate) -> int | None:
    """The number of decimals of an estimate, its limits and its apparent score."""
    return decimals(e.monte_carlo_error or (), e.confidence_interval)


def text_of(e: PerformanceEstimate) -> Callable[[float], str]:
    """The function that writes numbers of an estimate, in its metric's units."""
    return partial(shown, places=decimals_of(e))


def cells(e: PerformanceEstimate, like: PerformanceEstimate | None = None) -> tuple[str, str, str]:
    """Estimate, interval and apparent score of a row of a table.

    With `like`, another row of the same metric, numbers have the decimals of that one.
    """
    text = text_of(like or e)
    apparent = "-" if e.apparent is None else text(e.apparent)
    return text(e.estimate), limits(e.confidence_interval, text), apparent


def coarsest(estimates: Iterable[PerformanceEstimate]) -> PerformanceEstimate:
    """The estimate of fewest decimals, which all rows of a metric's table then have."""
    return min(estimates, key=lambda e: math.inf if (n := decimals_of(e)) is None else n)


def grouped_remarks(
    estimates: Collection[tuple[str, PerformanceEstimate]],
) -> list[tuple[str, str]]:
    """Findings of several estimates, each once, with the names of those that have it."""
    return findings_of(grouped(estimates))


def grouped(
    estimates: Collection[tuple[str, PerformanceEstimate]],
) -> dict[Finding, list[str]]:
    """Findings with the names of the estimates that have it; none where all have."""
    found: dict[Finding, list[str]] = {}
    for name, each in estimates:
        for one in own_findings(each):
            found.setdefault(one, []).append(name)
    every = len(estimates)
    return {one: [] if len(names) == every else names for one, names in found.items()}


def findings_of(found: Mapping[Finding, list[str]]) -> list[tuple[str, str]]:
    """Findings with the names of those that have it; none for all."""
    lines = []
    for one, names in found.items():
        for code, text in remarks([one]):
            lines.append((code, f"{', '.join(names)}: {text}" if names else text))
    return lines


def facts(result: PerformanceEstimate) -> list[tuple[str, str]]:
    """Pairs of label and text, shared by the text and the HTML."""
    text = text_of(result)
    rows = [("estimate", text(result.estimate))]
    interval = result.confidence_interval
    if interval is not None:
        side = "" if interval.alternative == "two-sided" else f", {interval.alternative}"
        level = f"{100 * interval.confidence_level:g} %{side}"
        rows.append(("interval", f"{limits(interval, text)} ({level})"))
    if result.apparent is not None and result.optimism is not None:
        less = "not corrected" if result.method == "cvt" else f"optimism {text(result.optimism)}"
        rows.append(("apparent", f"{text(result.apparent)} ({less})"))
    if result.size_bias is not None:
        rows.append(("size bias", f"{text(result.size_bias)} (taken from the replicates)"))
    rows.extend(_choice(result))
    if result.metric_range is None and result.n_bootstraps:
        rows.append(("range", "not known"))
    if result.decided_by:
        rows.append(("decided by", result.decided_by))
    if result.design.selection == "means":
        rows.append(("selected by", "the mean of the folds, as by the search"))
    rows.extend(_most_chosen(result))
    if result.n_bootstraps:
        rows.extend(in_lines("replicates", _replicates(result)))
    if result.n_undefined:
        rows.append(("undefined", f"{counted(result.n_undefined, 'replicate')} more, left out"))
    if result.undefined_fold_share:
        share = f"{100 * result.undefined_fold_share:.3g} % of the replicates' folds"
        rows.append(("undefined", share))
    if result.effective_sample_size is not None:
        rows.append(("effective size", number(result.effective_sample_size)))
    rows.extend(in_lines("data", data_of(result)))
    for left_out, word in (
        (result.left_out_rows, "row"),
        (result.left_out_configurations, "configuration"),
    ):
        if left_out.size:
            rows.append(("left out", counted(left_out.size, word)))
    if result.pos_label is not None:
        rows.append(("positive class", repr(result.pos_label)))
    if result.seed is not None:
        version = f" (bbc {result.version})" if result.version else ""
        rows.append(("seed", f"{result.seed}{version}"))
    return rows


def _choice(result: PerformanceEstimate) -> list[tuple[str, str]]:
    """What was chosen on all rows."""
    if result.weights is not None:
        n_members = int(np.count_nonzero(result.weights))
        weight = number(float(result.weights[result.winner]))
        return [
            ("ensemble", f"{n_members} of {counted(result.n_configurations, 'configuration')}"),
            ("largest weight", f"{weight}, {_winner(result)}"),
        ]
    rows = [("winner", _winner(result))]
    if result.threshold is not None:
        text = number(result.threshold)
        if result.replicate_thresholds is not None:
            low, high = np.quantile(
                result.replicate_thresholds, (0.05, 0.95), method="inverted_cdf"
            )
            text += f" (90 % of the replicates: {number(low)} to {number(high)})"
        rows.append(("threshold", text))
    return rows


def _winner(result: PerformanceEstimate) -> str:
    plain = f"configuration {result.winner}"
    return plain if result.winner_name == plain else f"{plain}: {result.winner_name}"


def _most_chosen(result: PerformanceEstimate) -> list[tuple[str, str]]:
    if not selects(result) or result.n_configurations == 1:
        return []
    chosen, shares = most_chosen_first(result)
    rows = []
    for place, (index, share) in enumerate(zip(chosen[:_MOST_CHOSEN], shares, strict=False)):
        name = f" {result.names[index]}" if result.names else ""
        label = "" if place else "chosen" if result.weights is None else "taking part"
        rows.append((label, f"{100 * share:5.1f} %  {index}{name}"))
    if len(chosen) > _MOST_CHOSEN:
        others = shares[_MOST_CHOSEN:]
        rest = 100 * float(others.sum() if result.weights is None else others[0])
        at_most = "" if result.weights is None else ", each at most"
        rows.append(("", f"{rest:5.1f} %  {counted(len(others), 'other')}{at_most}"))
    return rows


def selects(result: PerformanceEstimate) -> bool:
    """Whether replicates choose a configuration, or members of an ensemble."""
    return result.membership_frequency is not None or result.replicate_winners is not None


def most_chosen_first(result: PerformanceEstimate) -> tuple[list[int], FloatArray]:
    """The configurations that won a replicate, by share and then by index; and their shares."""
    chosen, shares = _chosen(result)
    order = np.argsort(-shares, kind="stable")
    return chosen[order].tolist(), shares[order]


def share_of_winner(result: PerformanceEstimate) -> float | None:
    """The share of the replicates that chose the winner; None if they choose nothing."""
    if result.membership_frequency is not None:
        return float(result.membership_frequency[result.winner])
    if result.replicate_winners is None:
        return None
    won = np.count_nonzero(result.replicate_winners == result.winner)
    return won / max(1, result.replicate_winners.size)


def _chosen(result: PerformanceEstimate) -> tuple[IndexArray, FloatArray]:
    """The configurations that a replicate chose, and their shares; few, however many there are."""
    if result.membership_frequency is not None:
        chosen: IndexArray = np.flatnonzero(result.membership_frequency)
        return chosen, result.membership_frequency[chosen]
    winners = result.replicate_winners
    assert winners is not None
    chosen, counts = np.unique(winners, return_counts=True)
    return chosen, counts / max(1, winners.size)


def _replicates(result: PerformanceEstimate) -> str:
    text = f"{result.n_bootstraps} of {drawn(result)}, {result.n_redrawn} redrawn"
    if result.replicate_sd is not None:
        text += f", sd {text_of(result)(result.replicate_sd)} (not a standard error)"
    return text


def drawn(result: PerformanceEstimate) -> str:
    """What a replicate draws."""
    design = result.design
    return say(
        "drawn",
        {
            "method": result.method,
            "unit": result.unit,
            "block_draws": design.block_draws,
            "time_ordered": design.time_ordered,
            "block_length": design.block_length,
            "stratified_draws": design.stratified_draws,
        },
    )


def size(result: Any) -> str:
    """Numbers of rows, if known, and of configurations."""
    rows = f"{counted(result.n_rows, 'row')}, " if result.n_rows else ""
    return rows + counted(result.n_configurations, "configuration")


def data_of(result: Any) -> str:
    """Numbers of groups, rows, configurations, folds and repeats, as far as they are known."""
    design = result.design
    n_scored = design.n_rows_scored
    return say(
        "data",
        {
            "n_groups": design.n_groups,
            "block_length": design.block_length,
            "n_rows": result.n_rows,
            "n_scored": n_scored,
            "n_others": None if n_scored is None else result.n_rows - n_scored,
            "n_configurations": result.n_configurations,
            "n_dropped": len(design.dropped_after or ()),
            "n_folds": getattr(result, "n_folds", 0),
            "n_repeats": getattr(result, "n_repeats", 1),
        },
    )


def of_schema_1(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a document of schema 1, which had findings among the notes."""
    notes = values.get("notes", [])
    found = [text for text in notes if str(text)[:6] in FINDINGS]
    with suppress(TypeError, ValueError):  # a metric without a name
        values["metric_range"] = list(metrics.get(values.get("metric")).limits(math.inf))
    return values | {
        "notes": [text for text in notes if text not in found],
        "data_findings": [_from_text(text) for text in found],
    }


def _from_text(text: str) -> dict[str, str]:
    kind = FINDINGS[text[:6]]
    return {"code": kind.code, "detail": text.partition(": ")[2].removesuffix(f"; {kind.advice}")}


def check_range(result: PerformanceEstimate) -> None:
    """Refuse values outside the metric's range."""
    lowest, highest = result.metric_range or (-math.inf, math.inf)
    if not lowest < highest:
        raise ValueError(f"metric_range is {result.metric_range}")
    values: dict[str, Any] = {"apparent": result.apparent}
    if result.method not in _BEYOND:
        values["estimate"] = result.estimate
    if result.size_bias is None:  # a replicate that lost the shift of its winner may pass it
        values["replicates"] = result.replicates
    interval = result.confidence_interval
    for side in () if interval is None else ("low", "high"):
        if math.isfinite(getattr(interval, side)):
            values[side] = getattr(interval, side)
    slack = _ROUNDING * max(1.0, abs(lowest), abs(highest))
    slack = slack if math.isfinite(slack) else _ROUNDING
    for name, value in values.items():
        numbers = np.atleast_1d(np.asarray([] if value is None else value, np.float64))
        within = (numbers >= lowest - slack) & (numbers <= highest + slack)
        if not within.all():
            raise ValueError(
                f"{name} has {numbers[~within][0]:g}, but {result.metric} is within "
                f"[{lowest:g}, {highest:g}]"
            )


def own_findings(result: PerformanceEstimate) -> tuple[Finding, ...]:
    """All findings of an estimate but those of secondary metrics, in the order of their codes."""
    return in_order(result.data_findings, found("result", _facts(result)))


def in_order(known: Iterable[Finding], derived: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their codes."""
    return tuple(sorted((*known, *derived), key=lambda each: each.code))


def _facts(e: PerformanceEstimate) -> dict[str, Any]:
    """The facts that conditions of findings name."""
    luck, interval = e.model_luck, e.confidence_interval
    lowest, highest = e.metric_range or (-math.inf, math.inf)
    # An ensemble may well vary while its predictions do not, so its winner has no share.
    single = e.weights is None
    width = None if interval is None else interval.high - interval.low
    return {
        "method": e.method,
        "n_configurations": e.n_configurations,
        "nothing_selected": e.threshold is None
        and e.n_configurations - len(e.left_out_configurations) == 1,
        "winner_share": share_of_winner(e) if single else None,
        # Of folds one sees whether models differ, unless there is one.
        "single_hold_out": luck is not None
        and luck.p_value is None
        and e.n_folds == 1
        and single
        and e.threshold is None,
        "n_folds": e.n_folds,
        "estimate": e.estimate,
        "lowest": lowest,
        "highest": highest,
        "effective_sample_size": e.effective_sample_size,
        "undefined_fold_share": e.undefined_fold_share,
        "width": width,
        "width_share": None if width is None else width / (highest - lowest),
        **_limit_error(e, width),
        "at_best": interval is not None
        and interval.low == (highest if e.greater_is_better else lowest),
    }
