"""A correction of the selected configuration, and what else is read of its replicates."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from . import _engine, metrics
from ._tibshirani import fold_scores, refuse_draws, tibshirani
from ._typing import CodeArray, FloatArray, IndexArray
from ._validation import Asked, Options, Pooling, Problem, reads_one_class
from .errors import Argument, InvalidValueError, UndefinedMetricError
from .metrics import Metric
from .metrics._table import METRICS
from .results import PerformanceEstimate
from .results._correction import to_result
from .selection import BEST


def corrected(
    asked: Asked, named: Mapping[str, Metric], deciding: str
) -> dict[str, PerformanceEstimate]:
    """The corrected performance of the winner by metrics, of which one selects."""
    rule = asked.options.selection
    if rule.derives and len(named) > 1:
        asks = 'missing="rungs"' if rule.rungs is not None else f"selection={rule}"
        raise InvalidValueError("metric", f": {asks} takes one metric, got {', '.join(named)}")
    if asked.options.method == "tt":
        return _by_fold_scores(asked, named, deciding)
    correction = Correction(asked)
    found = {}
    for name, metric in named.items():
        found[name] = correction.estimate if name == deciding else correction.score(metric)
    return found


def run(problem: Problem, options: Options, *, n_threads: int) -> dict[str, Any]:
    """The kernel's numbers of a correction; keys as PerformanceEstimate's fields."""
    if options.method != "bbc-f":
        return _engine.correct(problem, options, n_threads=n_threads)
    scores = _engine.fold_scores(problem, options.metric, n_threads=n_threads)
    return _engine.correct_fold_scores(scores, options, n_threads=n_threads)


def _by_fold_scores(
    asked: Asked, named: Mapping[str, Metric], deciding: str
) -> dict[str, PerformanceEstimate]:
    """The same by the method of Tibshirani and Tibshirani."""
    refuse_draws(asked.options, asked.resamples)
    problems = {
        name: asked.problem(asked.options._replace(metric=metric)) for name, metric in named.items()
    }
    for name, problem in problems.items():
        _refuse_other_rows(problem, named[name], problems[deciding], named[deciding])
    tables = {
        name: fold_scores(problem, named[name], n_threads=asked.n_threads)
        for name, problem in problems.items()
    }
    return {
        name: tibshirani(
            table,
            tables[deciding],
            predictions=asked.data.predictions,
            dynamic_search=asked.options.dynamic_search,
        )
        for name, table in tables.items()
    }


class Correction:
    """A correction by the selection metric, from which secondary metrics can be read.

    Parameters
    ----------
    asked : Asked
        The data and options of a call.
    problem_of : callable, optional
        ``problem_of(options)`` returns the validated data of a metric; by default they are
        validated here.

    Attributes
    ----------
    estimate : PerformanceEstimate
        The correction by the selection metric: what `correct` gives.
    """

    def __init__(
        self, asked: Asked, problem_of: Callable[[Options], Problem] | None = None
    ) -> None:
        self._asked = asked
        self._problem_of = problem_of or asked.problem
        problem = self._problem_of(asked.options)
        options = asked.options.for_problem(problem, asked.resamples)
        #: The options of the correction.
        self.options = options
        self._selecting = _engine.ScoredProblem(problem, options)
        self._raw = run(problem, options, n_threads=asked.n_threads)
        self.estimate = to_result(self._raw, problem, options, predictions=asked.data.predictions)

    def score(self, metric: Metric, pooling: Pooling | None = None) -> PerformanceEstimate:
        """Return the same winner's performance by another metric, pooled likewise by default."""
        options, problem = self._read_by(metric, pooling)
        scores = self._scored(options, problem)
        if not scores.defined.any():
            raise UndefinedMetricError(
                "metric",
                f": {metric.name!r} is undefined out of bag in all {scores.n_undefined} replicates",
            )
        return self._estimated(scores, options, problem)

    def problem(self, metric: Metric) -> Problem:
        """Return the validated data of the selection metric or of another one."""
        selecting = self._selecting
        own = metric is selecting.options.metric
        return selecting.problem if own else self._read_by(metric)[1]

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
        found = self._estimated(scores, self._with(metric), problem, of_all_rows=False)
        return replace(found, decided_by="") if metric.name == found.decided_by else found

    def _with(self, metric: Metric, pooling: Pooling | None = None) -> Options:
        own = self._selecting.options
        return own._replace(
            metric=metric,
            pooling=pooling or own.pooling,
            selection=BEST,
            stratify_bootstrap=False,
            interval="order-statistics",
        )

    def _read_by(self, metric: Metric, pooling: Pooling | None = None) -> tuple[Options, Problem]:
        """Options and data of a metric, whose rows must be those of the selection metric."""
        selecting, options = self._selecting, self._with(metric, pooling)
        problem = self._problem_of(options)
        _refuse_other_rows(problem, metric, selecting.problem, selecting.options.metric)
        return options, problem

    def _scored(
        self, options: Options, problem: Problem, rows: IndexArray | None = None
    ) -> _engine.WinnerScores:
        found = _engine.score_winners(
            _engine.ScoredProblem(problem, options),
            self._selecting,
            self._raw,
            rows=rows,
            n_threads=self._asked.n_threads,
        )
        if np.isnan(found.apparent):
            raise UndefinedMetricError(
                "metric", f": {options.metric.name!r} is undefined on the rows of some repeat"
            )
        return found

    def _estimated(
        self,
        scores: _engine.WinnerScores,
        options: Options,
        problem: Problem,
        *,
        of_all_rows: bool = True,
    ) -> PerformanceEstimate:
        replicates = scores.replicates[scores.defined]
        winners = self._raw["replicate_winners"][scores.defined]
        raw = self._raw | _engine.moments(replicates, winners)
        raw |= {
            "apparent": scores.apparent,
            "n_undefined": scores.n_undefined,
            "undefined_fold_share": scores.undefined_fold_share,
            "size_bias": scores.size_bias,
        }
        try:
            raw |= _engine.limits(replicates, raw["estimate"], options, problem, rates=scores.rates)
        except ValueError as error:  # too few replicates are left for the level
            raw |= {"infeasible": str(error)}
        return to_result(
            raw,
            problem,
            options,
            predictions=self._asked.data.predictions,
            of_winner=None if of_all_rows else (),
            known=self.estimate.data_findings if of_all_rows else None,
            decided_by=self.estimate.metric,
        )

    def reading(self, metric: Metric) -> _engine.ScoredProblem:
        """Return the problem of another metric on the same rows and configurations, pooled."""
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
            statistic, scored, self._selecting, self._raw, n_threads=self._asked.n_threads
        )

    def detached_reader(
        self, scored: _engine.ScoredProblem
    ) -> Callable[[Any], _engine.StatisticOfWinner]:
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
            statistic, own, drawing, raw | winners, n_threads=self._asked.n_threads
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


def named_metrics(metric: Any, decided_by: str | None) -> tuple[dict[str, Metric], str, bool]:
    """The metrics by name, the name of the one that selects, and whether they were listed.

    The first one selects by default.
    """
    if type(metric) is str and decided_by is None and metric in METRICS:
        return {metric: METRICS[metric]}, metric, False
    listed = isinstance(metric, list | tuple | Mapping)
    if isinstance(metric, Mapping):
        named = {str(name): metrics.get(each) for name, each in metric.items()}
    else:
        found = [metrics.get(each) for each in (metric if listed else [metric])]
        named = {each.name: each for each in found}
        if len(named) < len(found):
            raise InvalidValueError(
                "metric", ": two have the same name; give a dict with two names"
            )
    if not listed and decided_by is not None:
        raise InvalidValueError("decided_by", "is for several metrics: metric=[...]")
    if not named:
        raise InvalidValueError("metric", "is empty")
    deciding = next(iter(named)) if decided_by is None else decided_by
    if deciding not in named:
        raise InvalidValueError(
            Argument("decided_by", deciding), f"names none of the metrics ({', '.join(named)})"
        )
    return named, deciding, listed
