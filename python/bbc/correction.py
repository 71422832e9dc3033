"""The object that a correction is, and the questions that it is asked about its winners."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from numpy.typing import ArrayLike

from . import metrics
from ._drawable import Drawable
from ._fold_winners import FoldWinners
from ._inference import possible_winners_of, winner_interval_of
from ._typing import DataFrame
from ._validation import BY_RUNGS, Options
from ._validation._values import flag
from ._winners import Winners
from .clinical import ClinicalQuestions
from .comparison import compare_of, path_of, subgroups_of
from .errors import Argument, InvalidValueError, NotKeptError, arguments_called
from .findings import Finding
from .metrics import Metric
from .results import (
    Comparison,
    ConfidenceInterval,
    PerformanceEstimate,
    PossibleWinners,
    Subgroups,
    TuningPath,
)
from .sources import Predictions

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
    "survival_calibration": _CURVE,
    "clinical": _CURVE,
    "subgroups": _Follows(_ROWS, two_sided=False),
    "compare": _Follows(_ROWS, "any", two_sided=False),
    "tuning_path": _Follows(_ROWS, "best", two_sided=False),
    "possible_winners": _BEST,
    "winner_interval": _BEST._replace(two_sided=False),
}


class Correction(ClinicalQuestions, Drawable):
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
        return self._retold(with_findings(self._record, findings)) if findings else self

    def _asks(self, question: str, *, of_scores: bool = False) -> Winners:
        """The winners of a question that can be answered and follows all options."""
        if isinstance(self._winners, FoldWinners) and of_scores:
            return self._winners.of_means(question)
        if not isinstance(self._winners, Winners):
            raise NotKeptError(f"Correction.{question}", f"needs predictions of rows: {self._why}")
        _refuse_unfollowed(question, self._winners.options)
        return self._winners

    def _told(self, answer: _Answer) -> _Answer:
        """An answer that says folds where it would say rows, of a source of fold scores."""
        return self._winners.told(answer) if isinstance(self._winners, FoldWinners) else answer

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
        metrics that compare two classes). With "bbc-two-level" it is made from the replicates.
        p-values are not adjusted for the number of subgroups.

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
        return subgroups_of(winners, by, reference, _reported(metric, winners))

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
            Another metric than the one that selects each family's winner.

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
        winners = self._asks("compare", of_scores=True)
        learners = () if self.predictions is None else self.predictions._source.learners
        return self._told(compare_of(winners, by, learners, reference, _reported(metric, winners)))

    @arguments_called(y_true="y")
    def tuning_path(self, *, metric: Any = None) -> TuningPath:
        """Correct the best of the first t configurations for t = 1, 2, 4, ... and all.

        Shows when tuning stopped paying: the apparent curve can only rise, the corrected one need
        not. Configurations are taken in the order of the columns, that of the search. All t share
        their draws and one pass over the predictions. Where fitted models vary, the curve of method
        "bbc" rises although nothing improves; that of "bbc-two-level" does not.

        Parameters
        ----------
        metric : str, Metric or scorer, optional
            Another metric than the one that selects the best of each t. A replicate in which it is
            undefined for the winner of some t is left out.

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
        the curve is flat. Only a search that was much too long is likely to have it.

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
        winners = self._asks("tuning_path", of_scores=True)
        return self._told(path_of(winners, _reported(metric, winners)))

    @arguments_called(y_true="y")
    def possible_winners(self, *, test: Literal["mcs", "argmin"] = "mcs") -> PossibleWinners:
        """Find the configurations that could be the best.

        The winner of a search has the best score on these rows; on other rows another configuration
        might have it. Configurations are eliminated as long as a test rejects that those that are
        left perform equally well. The set that is left contains the best configuration with
        probability `confidence_level` or more. A large set means that the data cannot tell, not
        that its configurations are equally good.

        The fitted models are taken as given: the result is about their performance on new rows, not
        about models that would be trained on other rows or with other seeds. With folds, finding
        BBC011 says whether that matters.

        Configurations are compared with all others, so time grows with the square of their number:
        10,000 take minutes. There may be 100,000.

        Parameters
        ----------
        test : {"mcs", "argmin"}, default="mcs"
            "mcs" is the model confidence set with the statistic T_max, from the scores of all
            configurations on the replicates of the correction; it takes any metric. "argmin" tests
            each configuration against a weighted mean of the others, without replicates. It takes
            the AUC and metrics that are means over rows, such as accuracy and losses, without
            groups, weights or pooling by fold.

        Returns
        -------
        PossibleWinners
            A p-value per configuration, and whether it could be the best; NaN and False for
            configurations that were left out.

        References
        ----------
        .. [1] P. R. Hansen, A. Lunde, J. M. Nason, "The model confidence set", Econometrica 79
           (2011), section 3.1.2 (T_max).
        .. [2] T. Zhang, H. Lee, J. Lei, "Winners with confidence: discrete argmin inference with an
           application to model selection", arXiv:2408.02060 (2024).

        Examples
        --------
        Two configurations are good and two are bad:

        >>> import bbc
        >>> s = bbc.simulate.accuracy(
        ...     300, 4, true_performance=[0.90, 0.60, 0.89, 0.50], random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
        >>> found = c.possible_winners()
        >>> found.possible.tolist()
        [True, False, True, False]
        """
        winners = self._asks("possible_winners", of_scores=True)
        return self._told(possible_winners_of(winners, test))

    @arguments_called(y_true="y")
    def winner_interval(self) -> PerformanceEstimate:
        """Estimate the performance of the configuration that was selected.

        The correction estimates the expected performance of *selecting and training*; this is about
        the configuration that happens to have won here: how well do its fitted models predict new
        rows, given that it was selected for its score on these? Scores are taken as normal on a
        scale, with the covariances of the rows' values, truncated to where the winner is the best;
        and the performance as lying in a simultaneous interval of all configurations, at a tenth of
        the error probability (the "hybrid" interval). The interval is within that one.

        The fitted models are taken as given. With folds, finding BBC011 says whether they differ by
        chance, of which neither the interval nor the model trained on all rows knows.

        Returns
        -------
        PerformanceEstimate
            The median-unbiased estimate with its interval, within the metric's range; `infeasible`
            gives the reason if there is none, such as fewer than ten groups, rows or events. With
            one configuration, or several that are the same, it is the interval of a single score.

        Notes
        -----
        Scores that are multiples of a step (accuracy, AUC) tie often. The winner is then taken to
        have won down to half a step below the others, by the usual correction for continuity. If
        other scores tie exactly, there is no interval.

        The scale is the logit of scores whose range is bounded, and the logarithm of losses none of
        whose values is negative. Standard errors have the quantiles of Student's t with n - 1
        degrees of freedom, for n rows or groups; for the AUC of the smaller class, and there must
        be ten rows (groups) of each. A perfect accuracy has exact limits, a perfect AUC Newcombe's,
        shared among the configurations.

        There is no "conditional" interval, which does without the simultaneous one: its limits run
        away where another configuration scores almost as well, and cut to the simultaneous limits
        it differs from the hybrid by 1 to 3 %.

        References
        ----------
        .. [1] I. Andrews, T. Kitagawa, A. McCloskey, "Inference on winners", Quarterly Journal of
           Economics 139 (2024), section 5.

        Examples
        --------
        Fifty configurations that guess at random: the apparent accuracy of the best is too high.

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 2, size=200)
        >>> predictions = rng.integers(0, 2, size=(200, 50))
        >>> c = bbc.correct(y, predictions, metric="accuracy", random_state=1)
        >>> e = c.winner_interval()
        >>> low, high = e.confidence_interval
        >>> e.apparent > 0.55, low < 0.5 < high
        (True, True)
        """
        winners = self._asks("winner_interval", of_scores=True)
        return self._told(winner_interval_of(winners))

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


def _reported(metric: Any, winners: Winners) -> Metric | None:
    """The metric that is asked for; None is the one that selected."""
    found = None if metric is None else metrics.get(metric)
    return None if found == winners.options.metric else found


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
    if rule.derives and not (rule.rungs is None and _may_derive(follows.selects, rule.rule)):
        called = BY_RUNGS if rule.rungs is not None else Argument("selection")
        what = "" if rule.rungs is not None else f"{rule} "
        problem = f"{what}makes predictions of its own: {{}} reads those of a configuration"
        raise InvalidValueError(called, problem, asked)
    if follows.selects == "best" and rule.rule != "best":
        problem = f"{rule} is not followed by {{}}, which is of the best score"
        raise InvalidValueError("selection", problem, asked)
    if follows.two_sided and options.alternative != "two-sided":
        problem = "of the correction is not for {}, whose intervals are two-sided"
        raise InvalidValueError(Argument("alternative", options.alternative), problem, asked)
    if options.resamples is not None and not follows.resamples:
        raise InvalidValueError("resamples", "are not read by {}, which draws its own", asked)
