"""A correction of predictions, and the questions that it is asked about its winners."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from numpy.typing import ArrayLike

from . import _engine, metrics
from ._drawable import Drawable
from ._fold_winners import FoldWinners, told
from ._inference import InferenceQuestions
from ._rung_stream import correct_rung_stream
from ._typing import DataFrame
from ._validation import BY_RUNGS, Asked, Options
from ._validation._values import flag, integer
from ._winners import (
    Winners,
    by_tibshirani,
    refuse_secondary,
    secondary_metrics,
    selecting_metric,
    with_secondary,
)
from .clinical import ClinicalQuestions
from .comparison import compare_of, path_of, subgroups_of
from .errors import Argument, InvalidValueError, NotKeptError, arguments_called
from .findings import Finding
from .metrics import Metric
from .results import (
    Comparison,
    ConfidenceInterval,
    MonteCarloError,
    PerformanceEstimate,
    Subgroups,
    TuningPath,
)
from .selection import Selection
from .selection import get as get_selection
from .selection._rules import rungs as given_rungs
from .sources import Predictions
from .streaming import correct_stream

__all__ = ["Correction"]

_Answer = TypeVar("_Answer")


class _Follows(NamedTuple):
    """Which options of a correction a question can follow; it refuses the others."""

    methods: tuple[str, ...] = ("bbc", "bbc-two-level", "bbc-f")
    #: What replicates may select: a "configuration", a "threshold" too, "any" ensemble, or only the
    #: "best".
    selects: str = "configuration"
    two_sided: bool = True
    resamples: bool = True
    calibrated: bool = False
    #: Whether means over folds answer it, too, where nothing else was kept.
    of_means: bool = False
    #: Whether it is asked of searches that dropped configurations, too.
    by_rungs: bool = False


_CURVE = _Follows()
_BEST = _Follows(("bbc",), "best", resamples=False)
_ROWS = ("bbc", "bbc-two-level")
#: By question.
_QUESTIONS = {
    # Its interval is of order statistics, and says so: only the metric that selects is calibrated.
    "score": _Follows(selects="threshold", two_sided=False, calibrated=True),
    "calibration": _CURVE,
    "decision_curve": _CURVE,
    "roc_curve": _CURVE,
    "precision_recall_curve": _CURVE,
    "per_1000": _CURVE._replace(selects="threshold"),
    "survival_calibration": _CURVE,
    "clinical": _CURVE,
    "subgroups": _Follows(_ROWS, two_sided=False),
    "compare": _Follows(_ROWS, "any", two_sided=False, of_means=True),
    "tuning_path": _Follows(_ROWS, "best", two_sided=False, of_means=True, by_rungs=True),
    "possible_winners": _BEST._replace(of_means=True),
    "winner_interval": _BEST._replace(two_sided=False, of_means=True),
    "remaining_optimism": _BEST,
}


class Correction(ClinicalQuestions, InferenceQuestions, Drawable):
    """A corrected performance, and the questions that can be asked about its winners.

    `bbc.correct` makes it. What was found is the frozen `record`, whose attributes and methods this
    has, too. Questions are answered from the replicates and winners of this correction, whose
    confidence level their intervals have; one that cannot follow an option of the correction
    refuses it.

    Attributes
    ----------
    record : PerformanceEstimate
        The result without the data: what `to_json` writes, and what equality compares.
    predictions : Predictions or None
        What was corrected; None where the source kept no rows, and questions of rows raise
        `bbc.errors.NotKeptError`.

    See Also
    --------
    bbc.PerformanceEstimate : The record, with the meaning of its attributes.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> c = bbc.correct(s.y, s.predictions, metric="roc_auc", random_state=1)
    >>> c.estimate < c.apparent, f"{c:.2f}"
    (True, '0.85')
    >>> c.score("average_precision").decided_by
    'roc_auc'
    """

    if TYPE_CHECKING:  # `__getattr__` serves these, and type checkers refuse what is none of them
        estimate: float
        confidence_interval: ConfidenceInterval | Any
        apparent: float | None
        optimism: float | None
        winner: int
        winner_name: str
        findings: tuple[Finding, ...]
        metric: str
        method: str
        pooling: str
        unit: str
        greater_is_better: bool
        decided_by: str
        version: str
        infeasible: str | None
        seed: int | None
        notes: tuple[str, ...]
        data_findings: tuple[Finding, ...]
        names: tuple[str, ...] | None
        n_rows: int
        n_configurations: int
        n_folds: int
        n_repeats: int
        n_bootstraps: int
        n_redrawn: int
        n_undefined: int
        replicates: Any
        replicate_winners: Any
        replicate_sd: float | None
        monte_carlo_error: MonteCarloError | Any
        selection_frequency: Any
        threshold: float | None
        replicate_thresholds: Any
        weights: Any
        membership_frequency: Any
        left_out_rows: Any
        left_out_configurations: Any
        undefined_fold_share: float | None
        effective_sample_size: float | None
        size_bias: float | None
        metric_range: tuple[float, float] | None
        pos_label: Any
        model_luck: Any
        deployed: Any
        design: Any
        secondary: Mapping[str, PerformanceEstimate]
        facts: list[tuple[str, str]]

        def summary(self) -> str: ...
        def to_frame(self) -> DataFrame: ...
        def to_json(self, *, indent: int | None = None) -> str: ...

    def __init__(
        self,
        record: PerformanceEstimate,
        winners: Winners | FoldWinners | None = None,
        predictions: Predictions | None = None,
        why: str = "",
    ) -> None:
        self._record, self._winners = record, winners
        self.predictions = predictions
        self._why = why

    @property
    def record(self) -> PerformanceEstimate:
        """The result without the data."""
        return self._record

    @classmethod
    def from_json(cls, text: str) -> "Correction":
        """Restore the record that `to_json` wrote, without the data.

        Parameters
        ----------
        text : str
            The document.

        Returns
        -------
        Correction
            The same record, which answers no questions.
        """
        return cls(PerformanceEstimate.from_json(text), why="it was read from JSON")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name in ("record", "predictions"):
                raise AttributeError(name)
            try:
                return getattr(self.record, name)
            except AttributeError:
                raise AttributeError(f"a Correction has no attribute {name!r}") from None

    def __dir__(self) -> list[str]:
        own = (name for name in dir(self.record) if not name.startswith("_"))
        there = {*super().__dir__(), *own}
        return sorted(there if self._winners is not None else there - _QUESTIONS.keys())

    def __eq__(self, other: object) -> bool:
        return bool(self.record == getattr(other, "record", other))

    __hash__ = None  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        return format(self.record.estimate, spec) if spec else repr(self)

    def __repr__(self) -> str:
        return repr(self.record).replace("PerformanceEstimate", "Correction", 1)

    def _repr_html_(self) -> str:
        return self.record._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        """The record, the data once, and the kernel's numbers; loading validates the data again."""
        own, given = self._winners, self.predictions
        if not isinstance(own, Winners) or given is None:
            return self.__dict__
        made_of = given._without_data(own.asked), own.raw, own.pooling_of is not None
        return self.__dict__ | {"_winners": made_of}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        if type(self._winners) is tuple:
            given = self.predictions
            assert given is not None
            asked, raw, pooled = self._winners
            asked = given._with_data(asked)
            pooling_of = given._pooling_of if pooled else None
            self._winners = Winners(asked, known=(asked.problem(), raw), pooling_of=pooling_of)
            self._winners.tell(self._record)

    def _retold(self, record: PerformanceEstimate) -> "Correction":
        """The same with what the source of the predictions knows beside them."""
        if isinstance(self._winners, Winners):
            self._winners.tell(record)
        self._record = record
        return self

    def _found(self, findings: Mapping[str, tuple[Finding, ...]]) -> "Correction":
        """The same with further findings, as of `with_findings`."""
        return self._retold(with_findings(self._record, findings))

    def _asks(self, question: str) -> Winners:
        """The winners of a question that can be answered and follows all options."""
        if isinstance(self._winners, FoldWinners) and _QUESTIONS[question].of_means:
            return self._winners.of_means(question)
        if not isinstance(self._winners, Winners):
            raise NotKeptError(f"Correction.{question}", f"needs predictions of rows: {self._why}")
        _refuse_unfollowed(question, self._winners.options)
        return self._winners

    def _told(self, answer: _Answer) -> _Answer:
        """An answer with what scores of folds do not show, if these were corrected."""
        own = self._winners
        return told(answer, own.scores) if isinstance(own, FoldWinners) else answer

    def _reported(self, metric: Any) -> Metric | None:
        """The metric that is asked for; None is the one that selected."""
        own, found = self._winners, None if metric is None else metrics.get(metric)
        if found is None or (own is not None and found == own.options.metric):
            return None
        if isinstance(own, FoldWinners):
            raise NotKeptError("metric", f"needs predictions of rows: {self._why}")
        return found

    @arguments_called(y_true="y")
    def score(self, metric: Any) -> PerformanceEstimate:
        """Return the same winners' performance by another metric.

        Parameters
        ----------
        metric : str, Metric, scorer or callable
            As in `bbc.correct`. A replicate for which it is undefined is left out, and counted in
            `n_undefined`: redrawing it would change the winners.

        Returns
        -------
        PerformanceEstimate
            The estimate, with `decided_by`.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> brier = c.score("brier_score")
        >>> brier.winner == c.winner, brier.decided_by
        (True, 'roc_auc')
        """
        winners = self._asks("score")
        reads = metrics.get(metric)
        return self.record if reads == winners.options.metric else winners.score(reads)

    @arguments_called(y_true="y")
    def subgroups(self, by: ArrayLike, *, reference: Any = None, metric: Any = None) -> Subgroups:
        """Correct the winner's performance in subgroups of rows.

        One configuration serves all rows, so each replicate selects one, on all rows in bag. Its
        out-of-bag rows are then scored subgroup by subgroup. No model is trained and nothing is
        selected within a subgroup.

        Parameters
        ----------
        by : array-like of shape (n_rows,)
            The label of each row's subgroup: at least two different ones. Cut numbers such as ages
            into classes first.
        reference : label, optional
            The subgroup with which the others are compared; by default all pairs are compared.
        metric : str, Metric, scorer or callable, optional
            Another metric than the one that selects.

        Returns
        -------
        Subgroups
            The performance on all rows and in each subgroup, and differences between subgroups,
            with intervals. A subgroup for which the metric is undefined, or undefined in more than
            a tenth of the replicates, has a reason instead.

        Notes
        -----
        Intervals of estimates are those of `bbc.correct`, with the events of the subgroup. The
        difference between two subgroups is the mean over the replicates of the difference between
        their out-of-bag scores. Its standard error is that of the winner's scores on the rows of
        both, as in `bbc.compare`, but without an addition for the training rows that folds share:
        the same models predict both subgroups. It is compared to a t-distribution with one degree
        of freedom less than the smaller subgroup has rows or groups (of its rarer class, for
        metrics that compare two classes). With "bbc-two-level" it is made from the replicates, and
        from what the folds hide of the shares of the classes in either subgroup. p-values are not
        adjusted for the number of subgroups.

        References
        ----------
        .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
           predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
           Algorithm 5.
        .. [2] G. S. Collins et al., "TRIPOD+AI statement: updated guidance for reporting clinical
           prediction models that use regression or machine learning methods", BMJ 385 (2024),
           e078378.

        Examples
        --------
        Configurations that are right in 60 % of the younger and 80 % of the older rows:

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> older = np.arange(300) % 2
        >>> y = rng.integers(0, 2, size=300)
        >>> right = rng.random((300, 40)) < 0.6 + 0.2 * older[:, None]
        >>> c = bbc.correct(y, np.where(right, y[:, None], 1 - y[:, None]), metric="accuracy",
        ...                 random_state=1)
        >>> found = c.subgroups(np.where(older, "older", "younger"))
        >>> [each.name for each in found.groups]
        ['older', 'younger']
        >>> found.difference("older", "younger").confidence_interval.low > 0
        True
        """
        winners = self._asks("subgroups")
        return subgroups_of(winners, by, reference, self._reported(metric))

    @arguments_called(y_true="y")
    def compare(self, by: Any, *, reference: str | None = None, metric: Any = None) -> Comparison:
        """Compare families of the configurations, each by its own winner.

        Each replicate selects the best of each family in bag and scores all of them on the same
        rows out of bag. `bbc.compare` compares families that are predictions of their own.

        Parameters
        ----------
        by : "learner" or sequence of str of length n_configurations
            The family of each configuration; "learner" of a protocol that tuned several.
        reference : str, optional
            Compare only with this family; by default all pairs are compared.
        metric : str, Metric, scorer or callable, optional
            Another metric than the one that selects each family's winner. Not for scores of folds.

        Returns
        -------
        Comparison
            The estimate of each family, and the difference of each pair with interval and p-value,
            as of `bbc.compare`.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="roc_auc", random_state=1)
        >>> found = c.compare(["few"] * 4 + ["many"] * 16)
        >>> list(found.estimates), bool(found.difference("few", "many").p_value > 0.05)
        (['few', 'many'], True)
        """
        winners = self._asks("compare")
        learners = () if self.predictions is None else self.predictions._source.learners
        return self._told(compare_of(winners, by, learners, reference, self._reported(metric)))

    @arguments_called(y_true="y")
    def tuning_path(self, *, metric: Any = None) -> TuningPath:
        """Correct the best of the first t configurations for t = 1, 2, 4, ... and all.

        Shows when tuning stopped paying: the apparent curve can only rise, the corrected one need
        not. Configurations are taken in the order of the columns, that of the search. All t share
        their draws and one pass over the predictions. Where fitted models vary, the curve of method
        "bbc" rises although nothing improves; that of "bbc-two-level" does not.

        Of a search that dropped configurations on the way (``missing="rungs"``, such as the pruned
        trials of `bbc.adapters.OptunaObjective`), each t is the correction rung by rung of the
        first t, if one of these was carried to the end; the picture marks those that were stopped.
        The order must be that in which they were tried, so that the first t were dropped by what
        they scored themselves.

        Parameters
        ----------
        metric : str, Metric or scorer, optional
            Another metric than the one that selects the best of each t. A replicate in which it is
            undefined for the winner of some t is left out. Not for scores of folds, nor for
            searches that dropped configurations.

        Returns
        -------
        TuningPath
            Both curves, and the difference of each t from the last on the same draws; finding
            BBC019 where the corrected curve falls while the apparent one rises.

        Notes
        -----
        A fall is the paired difference between the best of the first t and the best of all, with
        the standard error of `bbc.compare`. BBC019 needs a one-sided interval above zero for the
        fall from the best point of the corrected curve. Winners vary between the replicates, which
        makes the standard error too large: intervals of a nominal 90 % keep BBC019 below 5 % where
        the curve is flat. Only a search that was much too long is likely to have it. It is not said
        of searches that dropped configurations, of which this was not simulated.

        References
        ----------
        .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
           predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
           Algorithm 5.
        .. [2] G. C. Cawley, N. L. C. Talbot, "On over-fitting in model selection and subsequent
           selection bias in performance evaluation", Journal of Machine Learning Research 11
           (2010).

        Examples
        --------
        Guesses: the apparent accuracy rises with the length of the search, the corrected one does
        not.

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 2, size=100)
        >>> c = bbc.correct(y, rng.integers(0, 2, (100, 64)), metric="accuracy", random_state=1)
        >>> path = c.tuning_path()
        >>> path.n_configurations.tolist()
        [1, 2, 4, 8, 16, 32, 64]
        >>> bool(path.apparent[-1] > 0.6), bool(abs(path.estimates[-1] - 0.5) < 0.05)
        (True, True)
        """
        winners, own = self._asks("tuning_path"), self._winners
        reported = self._reported(metric)
        in_order = self.predictions is None or self.predictions._source.in_order
        if not in_order and winners.options.selection.rungs is not None:
            raise InvalidValueError(
                Argument("Correction.tuning_path"),
                "is of configurations that were tried one after the other, and the search compared "
                "all of them before it dropped any",
            )
        if isinstance(own, FoldWinners):
            return own.path(winners, self.record)
        return path_of(winners, reported)

    def report(
        self,
        path: str | PathLike[str] | None = None,
        *,
        clinical: bool = False,
        subgroups: Subgroups | None = None,
    ) -> Any:
        """Write a page about the correction, or show it in a notebook: see `bbc.report`.

        Parameters
        ----------
        path : path, optional
            The file, such as "report.html"; without one the page is returned.
        clinical : bool, default=False
            Whether it is the page of a clinical paper, with what `clinical` computes.
        subgroups : Subgroups, optional
            What `subgroups` returns, to be shown as well.

        Returns
        -------
        pathlib.Path or Report
            The file that was written, or the page.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
        >>> bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1).report()
        Report('Performance of a tuned model: accuracy')
        """
        from .reporting import report  # a layer above, which need not be installed whole

        kind: Any = "clinical" if flag(clinical, "clinical") else None
        return report(self, path, kind=kind, subgroups=subgroups)


def with_findings(
    record: PerformanceEstimate, findings: Mapping[str, tuple[Finding, ...]]
) -> PerformanceEstimate:
    """A record with further findings, by name of a secondary metric; "" is that which selects."""

    def of(each: PerformanceEstimate, name: str) -> PerformanceEstimate:
        return replace(each, data_findings=(*each.data_findings, *findings.get(name, ())))

    return replace(
        of(record, ""), secondary={name: of(each, name) for name, each in record.secondary.items()}
    )


def record_of(result: Any) -> Any:
    """The record of a correction; anything else as it is."""
    return result.record if isinstance(result, Correction) else result


def _may_derive(selects: str, rule: str) -> bool:
    return selects == "any" or (selects == "threshold" and rule == "best_threshold")


def _refuse_unfollowed(question: str, options: Options) -> None:
    """Refuse a question that cannot follow an option of its correction."""
    follows, asked = _QUESTIONS[question], Argument(f"Correction.{question}")
    rule = options.selection
    if options.interval == "calibrated" and not follows.calibrated:
        problem = "of the correction is not for {}"
        raise InvalidValueError(Argument("interval", options.interval), problem, asked)
    if options.method not in follows.methods:
        raise InvalidValueError(
            Argument("method", options.method),
            "of the correction is not for {}",
            asked,
            hint=("correct with {}", Argument("method", "bbc")),
        )
    if rule.rungs is not None and follows.by_rungs:
        return
    if rule.rungs is not None:
        raise InvalidValueError(
            BY_RUNGS,
            "is not for {}, which reads what one configuration predicted for all rows",
            asked,
            hint="train all configurations on all folds, with Optuna by "
            "create_study(pruner=optuna.pruners.NopPruner())",
        )
    if rule.derives and not _may_derive(follows.selects, rule.rule):
        problem = f"{rule} makes predictions of its own: {{}} reads those of a configuration"
        raise InvalidValueError("selection", problem, asked)
    if follows.selects == "best" and rule.rule != "best":
        problem = f"{rule} is not followed by {{}}, which is of the best score"
        raise InvalidValueError("selection", problem, asked)
    if follows.two_sided and options.alternative != "two-sided":
        problem = "of the correction is not for {}, whose intervals are two-sided"
        raise InvalidValueError(Argument("alternative", options.alternative), problem, asked)
    if options.resamples is not None and not follows.resamples:
        raise InvalidValueError("resamples", "are not read by {}, which draws its own", asked)


def correct_predictions(given: Predictions, metric: Any, options: dict[str, Any]) -> Correction:
    """What `bbc.correct` does; what the source of the predictions knows stands for defaults.

    Where the source says how metrics are pooled, and `options` do not, the winner is scored so,
    however it was selected.
    """
    metric, source = selecting_metric(metric), given._source
    lenient = "secondary" not in options
    further = source.secondary if lenient else secondary_metrics(options["secondary"], metric)
    pooling_of = None
    if source.pooling_of is not None and "pooling" not in options:
        pooling_of = given._pooling_of
    options = {**source.options, **options}
    if pooling_of is not None and "pooling" not in options:
        options = options | {"pooling": pooling_of(metric)}
    kept = given._data.predictions
    if "rungs" in options or options.get("missing") == "rungs":
        options = options | {"selection": _by_rungs(options)}
    if options.get("block_length") is not None:
        options = options | {"block_length": length_of_blocks(given, metric, options)}
    every = {metric.name: metric, **further}
    call = given._asked({"metric": metric} | options, every)
    if given._is_stream:
        if further:
            raise InvalidValueError("secondary", "is not for a stream, which takes one metric")
        return Correction(_of_stream(call, kept), None, given, "they came as a stream")
    if further:
        refuse_secondary(call.options.selection, further)
    if call.options.method == "tt":
        why = 'method="tt" draws no replicates'
        found = Correction(by_tibshirani(call, further), None, given, why)
    else:
        winners = Winners(call, pooling_of=pooling_of)
        record = winners.estimate
        if further:
            record = with_secondary(record, further, winners.score, lenient=lenient)
            winners.tell(record)
        found = Correction(record, winners, given)
    return found._found(source.findings) if source.findings else found


def _of_stream(call: Asked, predictions: Any) -> PerformanceEstimate:
    if call.data.missing == "rungs":
        return correct_rung_stream(call, predictions)
    if call.data.missing != "raise":
        raise InvalidValueError(
            Argument("missing", call.data.missing), "needs all predictions at once, not a stream"
        )
    return correct_stream(call, predictions)


def _by_rungs(options: Mapping[str, Any]) -> Selection:
    """The rule of a correction rung by rung."""
    if options.get("missing") != "rungs":
        raise InvalidValueError("rungs", "is for {}", BY_RUNGS)
    rule = get_selection(options.get("selection", "best"))
    if rule.rule != "best":
        problem = f"{rule} is not for {{}}: each rung has its own best"
        raise InvalidValueError("selection", problem, BY_RUNGS)
    return Selection("rungs", rungs=given_rungs(options.get("rungs")))


def length_of_blocks(given: Predictions, metric: Metric, options: Mapping[str, Any]) -> int:
    """The number of neighbouring rows that are drawn together, found or given."""
    length = options["block_length"]
    if options.get("method") in ("bbc-f", "tt"):
        method = Argument("method", options["method"])
        raise InvalidValueError(
            "block_length", "is for draws of rows, not of folds as by {}", method
        )
    named = Argument("block_length", length)
    is_found = _is_found(named, metric, options.get("selection", "best"))
    if given._source.no_blocks is not None:
        why, hint = given._source.no_blocks
        raise InvalidValueError(named, why, hint=hint)
    if not is_found:
        return int(length)
    if given._is_stream:
        raise InvalidValueError(named, "needs all predictions at once, not a stream")
    call = given._asked({**options, "metric": metric, "block_length": None})
    return _engine.block_length(call.problem(), metric, n_threads=call.n_threads)


def _is_found(length: Argument, metric: Metric, selection: Any) -> bool:
    """True if the length is to be found, of which the metric tells what rows contribute."""
    if not isinstance(length.value, str):
        integer(length.value, length.name, lowest=1)
        return False
    if length.value != "auto":
        raise InvalidValueError(length, 'must be a number of rows or "auto"')
    reads = "reads what rows contribute, which "
    if metric.family == "callable":
        reads += f"the function {metric.name!r} does not tell"
    elif get_selection(selection).rule == "best_threshold":
        reads += "depends on the cut-off that best_threshold() tunes"
    else:
        return True
    raise InvalidValueError(length, reads, hint="give a number of rows")
