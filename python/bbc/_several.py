"""Several metrics of one winner, which one of them selects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _validation, metrics
from ._tibshirani import fold_scores, refuse_draws, tibshirani
from ._typing import CodeArray, FloatArray, IndexArray
from .errors import Argument, InvalidValueError, UndefinedMetricError
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import run, to_result
from .selection import BEST
from .selection import get as get_selection


class SharedArguments(TypedDict, total=False):
    """Arguments that all statistics of a correction take."""

    folds: ArrayLike | None
    groups: ArrayLike | None
    stratify_bootstrap: bool
    sample_weight: ArrayLike | None
    pos_label: Any
    missing: Literal["raise", "drop-rows", "drop-configurations"]
    pooling: Literal["pooled", "fold"]
    selection: Any
    n_bootstraps: int
    resamples: ArrayLike | None
    confidence_level: float
    on_undefined: Literal["redraw", "raise"]
    size_correction: bool
    names: Sequence[str] | None
    dynamic_search: bool
    random_state: Any
    n_threads: int | None


def correct_several(
    y_true: Any,
    predictions: Any,
    named: Mapping[str, Metric],
    decided_by: str,
    *,
    n_threads: int,
    **options: Any,
) -> dict[str, PerformanceEstimate]:
    """Correct the winner's performance by several metrics, of which one selects."""
    metric = named[decided_by]
    refuse_labels_for_numbers(named, options)
    rule = get_selection(options.get("selection", "best"))
    if rule.derives and len(named) > 1:
        raise ValueError(f"metric: selection={rule} takes one metric, got {', '.join(named)}")
    if options.get("method") == "tt":
        return _by_fold_scores(y_true, predictions, named, decided_by, options, n_threads)
    correction = MultiMetricCorrection(y_true, predictions, metric, n_threads=n_threads, **options)
    return {
        name: correction.estimate if name == decided_by else correction.score(other)
        for name, other in named.items()
    }


def _by_fold_scores(
    y_true: Any,
    predictions: Any,
    named: Mapping[str, Metric],
    decided_by: str,
    options: Mapping[str, Any],
    n_threads: int,
) -> dict[str, PerformanceEstimate]:
    """The same by the method of Tibshirani and Tibshirani."""
    chosen, design, resamples = _validation.split_arguments(options, "bbc.correct")
    settings = _validation.options(metric=named[decided_by], **chosen)
    refuse_draws(settings, resamples)
    problems = {
        name: _problem(y_true, predictions, metric, design | settings.required_design)
        for name, metric in named.items()
    }
    for name, problem in problems.items():
        _refuse_other_rows(problem, named[name], problems[decided_by], named[decided_by])
    tables = {
        name: fold_scores(problem, named[name], n_threads=n_threads)
        for name, problem in problems.items()
    }
    return {
        name: tibshirani(
            table,
            tables[decided_by],
            predictions=predictions,
            dynamic_search=settings.dynamic_search,
        )
        for name, table in tables.items()
    }


def _problem(
    y_true: Any, predictions: Any, metric: Metric, design: Mapping[str, Any]
) -> _validation.Problem:
    """The validated data of a metric; only one of classes has classes to name."""
    if not metric.has_classes:
        design = {**design, "pos_label": None, "labels": None}
    return _validation.problem(y_true, predictions, metric, **design)


class MultiMetricCorrection:
    """A correction by the selection metric, from which secondary metrics can be read.

    Parameters
    ----------
    y_true, predictions, metric, n_threads, **options
        As in `correct`.
    problem_of : callable, optional
        ``problem_of(options)`` returns the validated data of a metric; by default they are
        validated here.

    Attributes
    ----------
    estimate : PerformanceEstimate
        The correction by the selection metric: what `correct` gives.
    """

    def __init__(
        self,
        y_true: Any,
        predictions: Any,
        metric: Metric,
        *,
        n_threads: int | None = None,
        problem_of: Callable[[_validation.Options], _validation.Problem] | None = None,
        **options: Any,
    ) -> None:
        chosen, design, resamples = _validation.split_arguments(options, "bbc.correct")
        settings = _validation.options(metric=metric, **chosen)
        self._threads = _validation.n_threads(n_threads)
        self._predictions = predictions
        self._problem_of = problem_of or (
            lambda wanted: _problem(
                y_true, predictions, wanted.metric, design | wanted.required_design
            )
        )
        problem = self._problem_of(settings)
        settings = settings.for_problem(problem, resamples)
        #: The options of the correction.
        self.options = settings
        self._selecting = _engine.ScoredProblem(problem, settings)
        self._raw = run(problem, settings, n_threads=self._threads)
        self.estimate = to_result(self._raw, problem, settings, predictions=predictions)

    def score(
        self, metric: Metric, pooling: Literal["pooled", "fold"] | None = None
    ) -> PerformanceEstimate:
        """Return the same winner's performance by another metric, pooled likewise by default."""
        options, problem = self._read_by(metric, pooling)
        scores = self._scored(options, problem)
        if not scores.defined.any():
            raise UndefinedMetricError(
                "metric",
                f": {metric.name!r} is undefined out of bag in all {scores.n_undefined} replicates",
            )
        return self._estimated(scores, options, problem)

    def problem(self, metric: Metric) -> _validation.Problem:
        """Return the validated data of the selection metric or of another one."""
        selecting = self._selecting
        own = metric is selecting.options.metric
        return selecting.problem if own else self._read_by(metric)[1]

    def score_rows(
        self, metric: Metric, problem: _validation.Problem, rows: IndexArray
    ) -> _engine.WinnerScores:
        """Return the same winners' scores on some rows alone; `problem` is that of these rows."""
        options = self._with(metric)._replace(resamples=None)  # which are draws of all rows
        return self._scored(options, problem, rows)

    def of_rows(
        self, scores: _engine.WinnerScores, metric: Metric, problem: _validation.Problem
    ) -> PerformanceEstimate:
        """Return the performance that `score_rows` found, of which some replicate is defined."""
        # What the winner's predictions and the design show is known from all rows.
        found = self._estimated(scores, self._with(metric), problem, of_all_rows=False)
        return replace(found, decided_by="") if metric.name == found.decided_by else found

    def _with(
        self, metric: Metric, pooling: Literal["pooled", "fold"] | None = None
    ) -> _validation.Options:
        own = self._selecting.options
        return own._replace(
            metric=metric,
            pooling=pooling or own.pooling,
            selection=BEST,
            stratify_bootstrap=False,
            interval="order-statistics",
        )

    def _read_by(
        self, metric: Metric, pooling: Literal["pooled", "fold"] | None = None
    ) -> tuple[_validation.Options, _validation.Problem]:
        """Options and data of a metric, whose rows must be those of the selection metric."""
        selecting, options = self._selecting, self._with(metric, pooling)
        problem = self._problem_of(options)
        _refuse_other_rows(problem, metric, selecting.problem, selecting.options.metric)
        return options, problem

    def _scored(
        self,
        options: _validation.Options,
        problem: _validation.Problem,
        rows: IndexArray | None = None,
    ) -> _engine.WinnerScores:
        found = _engine.score_winners(
            _engine.ScoredProblem(problem, options),
            self._selecting,
            self._raw,
            rows=rows,
            n_threads=self._threads,
        )
        if np.isnan(found.apparent):
            raise UndefinedMetricError(
                "metric", f": {options.metric.name!r} is undefined on the rows of some repeat"
            )
        return found

    def _estimated(
        self,
        scores: _engine.WinnerScores,
        options: _validation.Options,
        problem: _validation.Problem,
        *,
        of_all_rows: bool = True,
    ) -> PerformanceEstimate:
        replicates = scores.replicates[scores.defined]
        winners = self._raw["replicate_winners"][scores.defined]
        raw = self._raw | _engine.moments(replicates, winners)
        raw |= {
            "apparent": scores.apparent,
            "n_redrawn": 0,  # replicates were redrawn for the selection metric only
            "model_luck": None,  # tested by the selection metric
            "undefined_fold_share": scores.undefined_fold_share,
            "size_bias": scores.size_bias,
        }
        deciding = self._selecting.options.metric.name
        more: dict[str, Any] = {
            "n_redrawn": self.estimate.n_redrawn,
            "n_undefined": scores.n_undefined,
            "decided_by": deciding,
        }
        try:
            raw |= _engine.limits(replicates, raw["estimate"], options, problem, rates=scores.rates)
        except ValueError as error:  # too few replicates are left for the level
            raw |= {"infeasible": str(error)}
        estimate = to_result(
            raw,
            problem,
            options,
            predictions=self._predictions,
            of_winner=None if of_all_rows else (),
            known=self.estimate.data_findings if of_all_rows else None,
        )
        return replace(estimate, **more)

    def reading(self, metric: Metric) -> _engine.ScoredProblem:
        """What another metric reads of the same rows and configurations, pooled."""
        options, problem = self._read_by(metric, "pooled")
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
            array[rows, self._raw["winner"]]
            for array, rows in zip(problem.predictions, seen, strict=True)
        ]
        codes = problem.truth.codes
        of_rows = None if codes is None else np.concatenate([codes[rows] for rows in seen])
        return np.concatenate(predictions), of_rows

    def statistics(
        self, statistic: Any, scored: _engine.ScoredProblem
    ) -> _engine.StatisticOfWinner:
        """A statistic of the winner: on all rows, and out of bag in each replicate."""
        return _engine.winner_statistics(
            statistic, scored, self._selecting, self._raw, n_threads=self._threads
        )

    def later(self, scored: _engine.ScoredProblem) -> Callable[[Any], _engine.StatisticOfWinner]:
        """`statistics` for later calls, which the caller's arrays may change before."""
        raw, problem, selecting = self._raw, scored.problem, self._selecting
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
            statistic, own, drawing, raw | winners, n_threads=self._threads
        )


def _refuse_other_rows(
    problem: _validation.Problem,
    metric: Metric,
    selecting: _validation.Problem,
    deciding: Metric,
) -> None:
    """Refuse a metric that is defined on other rows or configurations than the selection metric."""
    same = np.array_equal(problem.left_out_rows, selecting.left_out_rows)
    kept = (problem.left_out_configurations, selecting.left_out_configurations)
    if not (same and np.array_equal(*kept)):
        raise InvalidValueError(
            "predictions",
            f": {metric.name!r} reads other rows or configurations than "
            f"{deciding.name!r}, because others are missing",
        )
    _refuse_other_class(problem, metric, selecting, deciding)


def _refuse_other_class(
    problem: _validation.Problem,
    metric: Metric,
    selecting: _validation.Problem,
    deciding: Metric,
) -> None:
    """Refuse one column that two metrics would read as the scores of unlike classes."""
    metrics_of_one = all(_validation.reads_one_class(each) for each in (metric, deciding))
    ours, theirs = problem.truth.pos_label, selecting.truth.pos_label
    if not metrics_of_one or ours == theirs:
        return
    if np.array_equal(problem.predictions[0][:, 0], selecting.predictions[0][:, 0]):
        raise InvalidValueError(
            "pos_label",
            f"must say of which class the scores are: metric {deciding.name!r} takes {theirs!r} "
            f"for positive and {metric.name!r} {ours!r}",
        )


def refuse_labels_for_numbers(named: Mapping[str, Metric], design: Mapping[str, Any]) -> None:
    """Refuse classes that are named for metrics of which none has classes."""
    if any(metric.has_classes for metric in named.values()):
        return
    for argument in ("pos_label", "labels"):
        if design.get(argument) is not None:
            every = ", ".join(map(repr, named))
            raise InvalidValueError(argument, f"has no meaning for metric {every}")


def named_metrics(
    listed: Sequence[Any] | Mapping[str, Any], decided_by: str | None
) -> tuple[dict[str, Metric], str]:
    """The metrics by name, and the name of the one that selects: the first by default."""
    if isinstance(listed, Mapping):
        named = {str(name): metrics.get(metric) for name, metric in listed.items()}
    else:
        found = [metrics.get(metric) for metric in listed]
        named = {metric.name: metric for metric in found}
        if len(named) < len(found):
            raise InvalidValueError(
                "metric", ": two have the same name; give a dict with two names"
            )
    if not named:
        raise InvalidValueError("metric", "is empty")
    deciding = next(iter(named)) if decided_by is None else decided_by
    if deciding not in named:
        raise InvalidValueError(
            Argument("decided_by", deciding), f"names none of the metrics ({', '.join(named)})"
        )
    return named, deciding
