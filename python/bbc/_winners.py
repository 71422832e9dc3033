"""One correction, and what is read of the same winners: other scores, rows and statistics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from . import _engine, metrics
from ._tibshirani import fold_scores, refuse_draws, tibshirani
from ._typing import BoolArray, CodeArray, FloatArray, IndexArray
from ._validation import Asked, Options, Pooling, Problem, described_metric, reads_one_class
from ._warn import warn
from .errors import (
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
    arguments_called,
)
from .metrics import Metric
from .metrics._spec import METRICS
from .predictions import OutOfSamplePredictions
from .results import PerformanceEstimate
from .results._correction import to_result
from .selection import Selection


def secondary_metrics(given: Any, selects: Metric) -> dict[str, Metric]:
    """Metrics by name beside the one that selects, which may be among them."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        named = list(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str):
        named = [(None, each) for each in given]
    else:
        raise InvalidTypeError("secondary", f"must be a list of metrics, got {given!r}")
    found: dict[str, Metric] = {}
    with arguments_called(metric="secondary"):
        for name, each in named:
            metric = metrics.get(each)
            if metric == selects:
                continue
            called = metric.name if name is None else str(name)
            if called == selects.name or called in found:
                raise InvalidValueError(
                    "secondary",
                    f"has a second metric named {called!r}, which no table could tell apart",
                    hint="a dict gives names of your own",
                )
            found[called] = metric
    return found


def refuse_several(metric: Any) -> None:
    """Refuse several metrics where one selects."""
    if isinstance(metric, list | tuple | Mapping):
        raise InvalidTypeError("metric", "must be one, which selects; others are secondary=[...]")


def selecting_metric(metric: Any) -> Metric:
    """The one metric that selects."""
    found = METRICS.by_name.get(metric) if type(metric) is str else None
    if found is None:  # `get` takes longer than all else where a call is checked
        refuse_several(metric)
        found = metrics.get(metric)
    return found


def refuse_secondary(rule: Selection, secondary: Mapping[str, Metric]) -> None:
    """Refuse further metrics of winners that have other predictions than any configuration."""
    if rule.rule == "best_threshold":
        for metric in secondary.values():
            with arguments_called(metric="secondary"):
                described_metric(rule, metric)
    elif rule.derives and secondary:
        asks = 'missing="rungs"' if rule.rungs is not None else f"selection={rule}"
        raise InvalidValueError("secondary", f"is not for {asks}, which takes one metric")


def run(problem: Problem, options: Options, *, n_threads: int) -> dict[str, Any]:
    """The kernel's numbers of a correction; keys as PerformanceEstimate's fields."""
    correct = _engine.correct_by_folds if options.method == "bbc-f" else _engine.correct
    return correct(problem, options, n_threads=n_threads)


def by_tibshirani(asked: Asked, secondary: Mapping[str, Metric]) -> PerformanceEstimate:
    """The correction of the method of Tibshirani and Tibshirani, by all metrics."""
    refuse_draws(asked.options, asked.resamples)
    selects = asked.options.metric
    selecting = asked.problem()
    n_threads = asked.n_threads
    deciding = fold_scores(selecting, selects, n_threads=n_threads)

    def by(metric: Metric) -> PerformanceEstimate:
        table = deciding
        if metric is not selects:
            problem = asked.problem(asked.options._replace(metric=metric))
            _refuse_other_rows(problem, metric, selecting, selects)
            table = fold_scores(problem, metric, n_threads=n_threads)
        return tibshirani(table, deciding, asked)

    return with_secondary(by(selects), secondary, by)


def with_secondary(
    record: PerformanceEstimate,
    secondary: Mapping[str, Metric],
    score: Callable[[Metric], PerformanceEstimate],
    *,
    lenient: bool = False,
) -> PerformanceEstimate:
    """A record with the same winners' performance by further metrics, of which `score` tells.

    Where models were trained for others, `lenient`, an undefined one is a note, not an error.
    """
    found, notes = {}, []
    for name, metric in secondary.items():
        try:
            with arguments_called(metric="secondary"):
                found[name] = score(metric)
        except UndefinedMetricError as error:
            if not lenient:
                raise
            notes.append(f"secondary metric {name!r} is missing: {error}")
            warn(notes[-1])
    if not (found or notes):
        return record
    return replace(record, secondary=found, notes=(*record.notes, *notes))


class Scored(NamedTuple):
    """The winners' scores by a metric that did not select, and with what they were scored."""

    scores: _engine.WinnerScores
    options: Options
    problem: Problem


class Winners:
    """The winners of a correction by the selection metric, of which other metrics can be read.

    Parameters
    ----------
    asked : Asked
        The data and options of a call.
    problem_of : callable, optional
        ``problem_of(options)`` returns the validated data of a metric; by default they are
        validated here.
    known : tuple of Problem and dict, optional
        The validated data of the selection metric and the kernel's numbers, where they are known.
    pooling_of : callable, optional
        ``pooling_of(metric)`` is how the winners are scored; by default as they were selected.
    n_configurations : int, optional
        How many they are the winners of; by default all.
    """

    def __init__(
        self,
        asked: Asked,
        problem_of: Callable[[Options], Problem] | None = None,
        known: tuple[Problem, dict[str, Any]] | None = None,
        pooling_of: Callable[[Metric], Pooling] | None = None,
        n_configurations: int | None = None,
    ) -> None:
        #: The data and options of the call.
        self.asked = asked
        self._problem_of = problem_of or asked.problem
        #: How the winners are scored, where it is not as they were selected.
        self.pooling_of = pooling_of
        problem = known[0] if known else self._problem_of(asked.options)
        options = asked.options.for_problem(problem, asked.resamples)
        #: The options of the correction.
        self.options = options
        self._selecting = _engine.ScoredProblem(problem, options)
        self._n_configurations = n_configurations
        self._estimate: PerformanceEstimate | None = None
        #: The kernel's numbers.
        self.raw = known[1] if known else run(problem, options, n_threads=asked.n_threads)

    def first(self, n_configurations: int, raw: dict[str, Any]) -> "Winners":
        """The winners among the first configurations, of which `raw` are the kernel's numbers."""
        known = self._selecting.problem, raw
        return Winners(self.asked, self._problem_of, known, self.pooling_of, n_configurations)

    def tell(self, estimate: PerformanceEstimate) -> None:
        """Take the place of the estimate, of which the source of the predictions knows more."""
        self._estimate = estimate

    @property
    def estimate(self) -> PerformanceEstimate:
        """The correction by the selection metric: what `correct` gives."""
        # No cached_property: warnings are of the line that called this package.
        if self._estimate is None:
            given, options = self.asked.data.predictions, self.options
            problem = self._selecting.problem
            self._estimate = to_result(self.raw, problem, options, predictions=given)
            if self.is_scored_otherwise:
                self._estimate = self.score(options.metric)
        return self._estimate

    @property
    def is_scored_otherwise(self) -> bool:
        """Whether the metric that selected is reported with another pooling."""
        own = self.options
        return self.pooling_of is not None and self.pooling_of(own.metric) != own.pooling

    def score(self, metric: Metric) -> PerformanceEstimate:
        """Return the same winner's performance by another metric."""
        return self.performance(self.scored(metric))

    def scored(self, metric: Metric) -> Scored:
        """Return the same winners' scores by another metric."""
        return self.scored_on(*self.read_by(metric))

    def scored_on(self, options: Options, problem: Problem) -> Scored:
        """Return the same winners' scores on what `read_by` gave."""
        return Scored(self._scored(options, problem), options, problem)

    def performance(self, scored: Scored, among: BoolArray | None = None) -> PerformanceEstimate:
        """Return what `scored` scores say; `among` are the replicates that count, if not all."""
        return self._estimated(self.numbers(scored, among), scored.options, scored.problem)

    def numbers(self, scored: Scored, among: BoolArray | None = None) -> dict[str, Any]:
        """Return the numbers of `performance`; keys as PerformanceEstimate's fields."""
        scores, options, problem = scored
        if among is not None:
            scores = scores._replace(defined=scores.defined & among)
        if not scores.defined.any():
            n = len(scores.defined)
            why = f": {options.metric.name!r} is undefined out of bag in all {n} replicates"
            raise UndefinedMetricError("metric", why)
        return self._numbers(scores, options, problem)

    def problem(self, metric: Metric) -> Problem:
        """Return the validated data of the selection metric or of another one."""
        selecting = self._selecting
        own = metric is selecting.options.metric
        return selecting.problem if own else self.read_by(metric)[1]

    def score_rows(
        self, metric: Metric, problem: Problem, rows: IndexArray
    ) -> _engine.WinnerScores:
        """Return the same winners' scores on some rows alone; `problem` is that of these rows."""
        options = self._with(metric)._replace(resamples=None)  # which are draws of all rows
        return self._scored(options, problem, rows)

    def of_rows(
        self, scores: _engine.WinnerScores, metric: Metric, problem: Problem
    ) -> PerformanceEstimate:
        """Return the performance that `score_rows` found, of which some replicate is defined."""
        # What the winner's predictions and the design show is known from all rows.
        options = self._with(metric)
        numbers = self._numbers(scores, options, problem)
        found = self._estimated(numbers, options, problem, of_all_rows=False)
        return replace(found, decided_by="") if metric.name == found.decided_by else found

    def _with(self, metric: Metric, pooling: Pooling | None = None) -> Options:
        own = self._selecting.options
        read, rule = described_metric(own.selection, metric)
        if pooling is None:
            pooling = own.pooling if self.pooling_of is None else self.pooling_of(metric)
        return own._replace(
            metric=read,
            pooling=pooling,
            selection=rule,
            stratify_bootstrap=False,
            interval="order-statistics",
        )

    def read_by(self, metric: Metric, pooling: Pooling | None = None) -> tuple[Options, Problem]:
        """Return options and data of a metric on the rows of the selection metric."""
        selecting, options = self._selecting, self._with(metric, pooling)
        problem = self._problem_of(options)
        _refuse_other_rows(problem, metric, selecting.problem, selecting.options.metric)
        return options, problem

    def _scored(
        self, options: Options, problem: Problem, rows: IndexArray | None = None
    ) -> _engine.WinnerScores:
        scored, raw = _engine.ScoredProblem(problem, options), self.raw
        if options.selection.derives:
            scored, raw = _engine.at_cut_offs(scored, raw)
        found = _engine.score_winners(
            scored,
            self._selecting,
            raw,
            rows=rows,
            n_threads=self.asked.n_threads,
        )
        if np.isnan(found.apparent):
            raise UndefinedMetricError(
                "metric", f": {options.metric.name!r} is undefined on the rows of some repeat"
            )
        return found

    def _numbers(
        self, scores: _engine.WinnerScores, options: Options, problem: Problem
    ) -> dict[str, Any]:
        replicates = scores.replicates[scores.defined]
        winners = self.raw["replicate_winners"][scores.defined]
        raw = self.raw | _engine.moments(
            replicates,
            winners,
            scores.apparent,
            options,
            self._n_configurations or self._selecting.problem.n_configurations,
        )
        cut = options.selection.derives
        raw |= {
            "threshold": self.raw["threshold"] if cut else None,
            "replicate_thresholds": (
                self.raw["replicate_thresholds"][scores.defined] if cut else None
            ),
            "n_undefined": int(np.count_nonzero(~scores.defined)),
            "undefined_fold_share": scores.undefined_fold_share,
            "size_bias": scores.size_bias,
        }
        try:
            raw |= _engine.limits(replicates, raw["estimate"], options, problem, rates=scores.rates)
        except ValueError as error:  # too few replicates are left for the level
            raw |= {"infeasible": str(error)}
        return raw

    def _estimated(
        self,
        raw: dict[str, Any],
        options: Options,
        problem: Problem,
        *,
        of_all_rows: bool = True,
    ) -> PerformanceEstimate:
        is_own = options.metric == self.options.metric
        return to_result(
            raw,
            problem,
            options,
            predictions=self.asked.data.predictions,
            tells_winner=of_all_rows,
            known=self.estimate.data_findings if of_all_rows else None,
            decided_by="" if of_all_rows and is_own else self.options.metric.name,
        )

    def reading(self, metric: Metric) -> _engine.ScoredProblem:
        """Return the problem of another metric on the same rows and configurations, pooled."""
        options, problem = self.read_by(metric, "pooled")
        return _engine.ScoredProblem(problem, options)

    def winners_predictions(
        self, scored: _engine.ScoredProblem
    ) -> tuple[FloatArray, CodeArray | None]:
        """Those of the winner, of all repeats one behind the other without holes, and their truth.

        The truth is the codes of its classes, if it has classes.
        """
        problem = scored.problem
        seen = problem.seen
        if seen is None:
            seen = np.ones((len(problem.predictions), problem.n_rows), dtype=np.bool_)
        predictions = [
            array[rows, self.raw["winner"]]
            for array, rows in zip(problem.predictions, seen, strict=True)
        ]
        codes = problem.truth.codes
        of_rows = None if codes is None else np.concatenate([codes[rows] for rows in seen])
        return np.concatenate(predictions), of_rows

    @property
    def outputs(self) -> set[str]:
        """Which of "labels", "scores" and "survival" the predictions name."""
        given = self.asked.data.predictions
        if not isinstance(given, OutOfSamplePredictions):
            return set()
        names = ("labels", "scores", "survival")
        return {name for name in names if getattr(given, name) is not None}

    @property
    def winner(self) -> int:
        """The best configuration of all rows, among those that are kept."""
        return int(self.raw["winner"])

    @property
    def n_threads(self) -> int:
        """How many threads compute."""
        return self.asked.n_threads

    def winners_means(self, scored: _engine.ScoredProblem) -> FloatArray:
        """The winner's prediction of each row, its mean over the repeats that predicted it."""
        problem, winner = scored.problem, self.raw["winner"]
        columns = np.stack([array[:, winner] for array in problem.predictions])
        means: FloatArray = np.average(columns, axis=0, weights=problem.seen)
        return means

    def statistics(
        self, statistic: Any, scored: _engine.ScoredProblem, raw: dict[str, Any] | None = None
    ) -> _engine.StatisticOfWinner:
        """A statistic of the winner: on all rows, and out of bag in each replicate.

        `raw` are the kernel's numbers where winners have other numbers in what is scored.
        """
        return _engine.winner_statistics(
            statistic, scored, self._selecting, raw or self.raw, n_threads=self.asked.n_threads
        )

    def detached_reader(
        self, scored: _engine.ScoredProblem
    ) -> Callable[[Any], _engine.StatisticOfWinner]:
        """`statistics` for later calls, which the caller's arrays may change before."""
        raw, problem, selecting = self.raw, scored.problem, self._selecting
        chosen, places = np.unique([*raw["replicate_winners"], raw["winner"]], return_inverse=True)
        own = scored._replace(
            problem=problem._replace(predictions=tuple(a[:, chosen] for a in problem.predictions))
        )
        truth = selecting.problem.truth
        drawing = selecting._replace(
            problem=selecting.problem._replace(truth=truth.take(np.arange(len(truth.values))))
        )
        winners = {"replicate_winners": places[:-1], "winner": int(places[-1])}
        return lambda statistic: _engine.winner_statistics(
            statistic, own, drawing, raw | winners, n_threads=self.asked.n_threads
        )


def _refuse_other_rows(
    problem: Problem,
    metric: Metric,
    selecting: Problem,
    deciding: Metric,
) -> None:
    """Refuse a metric that reads other rows, configurations or classes than the deciding one."""
    same = np.array_equal(problem.left_out_rows, selecting.left_out_rows)
    kept = (problem.left_out_configurations, selecting.left_out_configurations)
    if not (same and np.array_equal(*kept)):
        raise InvalidValueError(
            "predictions",
            f": {metric.name!r} reads other rows or configurations than "
            f"{deciding.name!r}, because others are missing",
        )
    ours, theirs = problem.truth.pos_label, selecting.truth.pos_label
    if ours == theirs or not (reads_one_class(metric) and reads_one_class(deciding)):
        return
    # One column would be read as the scores of unlike classes.
    if np.array_equal(problem.predictions[0][:, 0], selecting.predictions[0][:, 0]):
        raise InvalidValueError(
            "pos_label",
            f"must say of which class the scores are: metric {deciding.name!r} takes {theirs!r} "
            f"for positive and {metric.name!r} {ours!r}",
        )
