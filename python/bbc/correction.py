"""The correction: from truth and out-of-sample predictions to an unbiased estimate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, metrics
from ._blocks_of_rows import in_blocks
from ._rung_stream import correct_rung_stream
from ._tibshirani import fold_scores, refuse_draws, tibshirani
from ._typing import Alternative, BoolArray, CodeArray, FloatArray, IndexArray
from ._validation import (
    BY_RUNGS,
    Asked,
    IntervalKind,
    Method,
    Options,
    Pooling,
    Problem,
    SharedArguments,
    analysis,
    asked,
    described_metric,
    named_outputs,
    reads_one_class,
)
from .errors import Argument, InvalidValueError, UndefinedMetricError
from .metrics import Metric
from .metrics._spec import METRICS
from .predictions import OutOfSamplePredictions
from .results import PerformanceEstimate, Performances
from .results._correction import to_result
from .selection import Selection
from .selection import get as get_selection
from .selection._rules import rungs as given_rungs
from .streaming import StreamingCorrection, correct_stream, is_stream


def corrected(
    asked: Asked,
    named: Mapping[str, Metric],
    deciding: str,
    pooling_of: Callable[[Metric], Pooling] | None = None,
) -> dict[str, PerformanceEstimate]:
    """The corrected performance of the winner by metrics, of which one selects.

    With `pooling_of` the winner is scored with the pooling that it gives, however it was selected.
    """
    refuse_several(asked.options.selection, named, deciding)
    if asked.options.method == "tt":
        return _by_fold_scores(asked, named, deciding)
    correction = Correction(asked)
    found = {}
    for name, metric in named.items():
        if name == deciding and pooling_of is None:
            found[name] = correction.estimate
        else:
            pooling = None if pooling_of is None else pooling_of(metric)
            found[name] = correction.score(metric, pooling)
    return found


def refuse_several(rule: Selection, named: Mapping[str, Metric], deciding: str) -> None:
    """Refuse further metrics of winners that have other predictions than any configuration."""
    if rule.rule == "best_threshold":
        for name in named.keys() - {deciding}:
            described_metric(rule, named[name])
    elif rule.derives and len(named) > 1:
        asks = 'missing="rungs"' if rule.rungs is not None else f"selection={rule}"
        raise InvalidValueError("metric", f": {asks} takes one metric, got {', '.join(named)}")


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


class Scored(NamedTuple):
    """The winners' scores by a metric that did not select, and with what they were scored."""

    scores: _engine.WinnerScores
    options: Options
    problem: Problem


class Correction:
    """A correction by the selection metric, from which secondary metrics can be read.

    Parameters
    ----------
    asked : Asked
        The data and options of a call.
    problem_of : callable, optional
        ``problem_of(options)`` returns the validated data of a metric; by default they are
        validated here.
    known : tuple of Problem and dict, optional
        The validated data of the selection metric and the kernel's numbers, where they are known.
    """

    def __init__(
        self,
        asked: Asked,
        problem_of: Callable[[Options], Problem] | None = None,
        known: tuple[Problem, dict[str, Any]] | None = None,
    ) -> None:
        self._asked = asked
        self._problem_of = problem_of or asked.problem
        problem = known[0] if known else self._problem_of(asked.options)
        options = asked.options.for_problem(problem, asked.resamples)
        #: The options of the correction.
        self.options = options
        self._selecting = _engine.ScoredProblem(problem, options)
        self._estimate: PerformanceEstimate | None = None
        #: The kernel's numbers.
        self.raw = known[1] if known else run(problem, options, n_threads=asked.n_threads)

    @property
    def estimate(self) -> PerformanceEstimate:
        """The correction by the selection metric: what `correct` gives."""
        # No cached_property: warnings are of the line that called this package.
        if self._estimate is None:
            given, options = self._asked.data.predictions, self.options
            problem = self._selecting.problem
            self._estimate = to_result(self.raw, problem, options, predictions=given)
        return self._estimate

    def score(self, metric: Metric, pooling: Pooling | None = None) -> PerformanceEstimate:
        """Return the same winner's performance by another metric, pooled likewise by default."""
        return self.performance(self.scored(metric, pooling))

    def scored(self, metric: Metric, pooling: Pooling | None = None) -> Scored:
        """Return the same winners' scores by another metric, pooled likewise by default."""
        return self.scored_on(*self.read_by(metric, pooling))

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
        return own._replace(
            metric=read,
            pooling=pooling or own.pooling,
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
            n_threads=self._asked.n_threads,
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
        raw = self.raw | _engine.moments(replicates, winners)
        cut = options.selection.derives
        raw |= {
            "threshold": self.raw["threshold"] if cut else None,
            "replicate_thresholds": (
                self.raw["replicate_thresholds"][scores.defined] if cut else None
            ),
            "apparent": scores.apparent,
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
            predictions=self._asked.data.predictions,
            of_winner=None if of_all_rows else (),
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
        given = self._asked.data.predictions
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
        return self._asked.n_threads

    def winners_means(self, scored: _engine.ScoredProblem) -> FloatArray:
        """The winner's prediction of each row, its mean over the repeats that predicted it."""
        problem, winner = scored.problem, self.raw["winner"]
        columns = np.stack([array[:, winner] for array in problem.predictions])
        means: FloatArray = np.average(columns, axis=0, weights=problem.seen)
        return means

    def statistics(
        self, statistic: Any, scored: _engine.ScoredProblem
    ) -> _engine.StatisticOfWinner:
        """A statistic of the winner: on all rows, and out of bag in each replicate."""
        return _engine.winner_statistics(
            statistic, scored, self._selecting, self.raw, n_threads=self._asked.n_threads
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


_NAME = attrgetter("name")


def named_metrics(metric: Any, decided_by: str | None) -> tuple[dict[str, Metric], str, bool]:
    """The metrics by name, the name of the one that selects, and whether they were listed.

    The first one selects by default.
    """
    if type(metric) is str and decided_by is None:
        one = METRICS.get(metric) or metrics.get(metric)
        return {one.name: one}, one.name, False
    listed = isinstance(metric, list | tuple | Mapping)
    if isinstance(metric, Mapping):
        named = dict(zip(map(str, metric), map(metrics.get, metric.values()), strict=True))
    else:
        found = list(map(metrics.get, metric if listed else [metric]))
        named = dict(zip(map(_NAME, found), found, strict=True))
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


__all__ = ["correct"]


class _Arguments(SharedArguments, total=False):
    """All arguments of `correct` but data, metric and who decides."""

    method: Method
    labels: ArrayLike | None
    selection: Any
    interval: IntervalKind
    alternative: Alternative
    names: Sequence[str] | None


@overload
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: list[Any] | tuple[Any, ...] | Mapping[str, Any],
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Performances: ...


@overload
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> PerformanceEstimate: ...


@analysis
def correct(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    rungs: Any = None,
    block_length: int | Literal["auto"] | None = None,
    **options: Unpack[_Arguments],
) -> Any:
    """Correct the performance of the selected configuration for selection.

    The best cross-validation score among many configurations is optimistically biased. Selection
    is therefore repeated on bootstrap replicates of the out-of-sample predictions, and the winner
    of each replicate is scored on the units that were not drawn. No model is trained.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth. For survival metrics a structured array (event, time) or two columns.
    predictions : array-like, list, frame, dict, OutOfSamplePredictions, Blocks or Dask array
        Out-of-sample predictions of shape (n_rows, n_configurations), or
        (n_rows, n_configurations, n_classes) for class scores; probabilities of surviving several
        times have the times in place of the classes. A 4-d array or a list holds one
        array per repeat. The columns of a frame are the configurations. NaN is missing. A dict by
        name holds several outputs of the same configurations, so that metrics of each go together:
        "labels", "scores", "decisions" and, with its "times", "survival".
        `bbc.Blocks` and Dask arrays chunked by configuration are processed block by block, with
        the same result except for `model_luck`, which needs all configurations at once. At most
        2^31 - 1 rows, and as many configurations in a block.
    metric : str, Metric, scorer or callable
        What is estimated: a name (see `bbc.metrics.names`), a bbc metric, a scikit-learn scorer,
        or ``function(y, prediction) -> float``. With a list, or a dict by name, `decided_by`
        selects the winners, and secondary metrics are scored on the same winners and out-of-bag
        rows (folds for "bbc-f").
    decided_by : str, optional
        Name of the selection metric among several; the first by default.
    method : {"bbc", "bbc-two-level", "bbc-f", "tt"}, default="bbc"
        What a replicate draws. "bbc" draws rows (or groups). "bbc-two-level" draws folds and, for
        each fold drawn, rows (or groups) within it, and scores the winner on all rows of the
        folds that were not drawn: its estimate remains unbiased if the fitted models of a
        configuration vary. "bbc-f" draws folds and averages their scores. Both need at least two
        folds, and at least four for an interval. With repeats, each replicate in turn draws the
        folds of one repeat, in which the winner is scored; "bbc-two-level" selects by the mean over
        all repeats. "tt" (Tibshirani and Tibshirani) draws nothing: the winner has the best mean
        over folds, which is corrected by its mean distance from the best score of each fold. It
        has no interval.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out. Required by all methods but "bbc", by
        ``pooling="fold"`` and by `one_standard_error`; with folds, method "bbc" also tests whether
        fitted models differ by chance (`PerformanceEstimate.model_luck`, finding BBC011).
    block_length : int or "auto", optional
        For rows in order of time: draw blocks of so many neighbouring rows in the place of rows,
        because neighbours that err alike are no independent draws. "auto" is three times the
        median, over 15 configurations, of the length of Politis and White [4]_ for their rows, at
        least the cube root of the number of rows and at most an eighth of it; for metrics of labels
        or numbers that are no means over rows, of their errors. Not beside `groups`.
    stratify_bootstrap : bool, default=False
        Draw within classes, so that each replicate has the class counts of `y_true`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights that multiply the counts of the replicates.
    labels : array-like, optional
        All classes, in the order of the last axis of class scores; by default those of `y_true`,
        sorted or, of an ordered pandas categorical, in its order.
    missing : {"raise", "drop-rows", "drop-configurations", "rungs"}, default="raise"
        How to treat predictions that only some configurations lack. Rows that no configuration
        predicted are always left out and reported. "rungs" is for searches that dropped
        configurations on the way, such as successive halving or a pruner: each row is scored once,
        by the configuration that is best in bag, on rows predicted so far, among those that were
        alive when the row was first predicted. The search's own rule need not be known, if every
        prediction made before a decision was kept, and all configurations took the folds in one
        order. It takes one metric: a mean over rows, a confusion metric, or with ``pooling="rung"``
        the AUC of two classes or the concordance index.
    rungs : array-like of int of shape (n_rows,) or (n_repeats, n_rows), or Rungs, optional
        For ``missing="rungs"``: the rung at which each row was predicted. By default it is found
        from the missing predictions, which a stream does not show. `bbc.Rungs` has more options.
    pooling : {"pooled", "fold", "rung"}, default="pooled"
        The metric on all rows together, or its unweighted mean over folds: different estimands,
        above all for ranking metrics. "rung" counts the pairs of a ranking metric within rungs.
    selection : "best", Selection or callable, default="best"
        How the winner is selected: ``"best"``, ``bbc.one_standard_error(complexity)``, or a
        function of the (n_configurations,) in-bag scores and the counts of the rows that returns an
        index. ``bbc.best_threshold()`` selects a configuration and the cut-off of its scores; other
        metrics of labels are read at the same cut-off, and metrics of scores of the same
        configuration. ``bbc.greedy_ensemble(n_rounds)`` and ``bbc.top_k(k)`` select an ensemble and
        take one metric. All three take metrics by name, and methods "bbc" and "bbc-two-level".
    interval : {"order-statistics", "calibrated"}, default="order-statistics"
        "order-statistics" of the replicates, or "calibrated" for "bbc-two-level": a normal interval
        from the variance of the replicates, less the part due to scoring on few folds, plus what
        training rows that folds share add and the variance of the final model's luck. Where fitted
        models vary by chance it is longer, and covers the performance of the final model, too.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" gives a lower bound only, "less" an upper bound only. For a loss the conservative
        side is "less".
    dynamic_search : bool, default=False
        Whether configurations were chosen depending on the scores of others, which adds finding
        BBC007. `OutOfSamplePredictions` may have recorded it.

    Returns
    -------
    PerformanceEstimate or Performances
        The corrected estimate with its interval, the apparent score, the winner and how often
        each configuration won; for several metrics a mapping by name. A replicate for which a
        secondary metric is undefined is left out of that metric's estimate and counted in its
        `n_undefined`: redrawing it would change the winners.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5; intervals: section 3.1; repeats: section 3.2.
    .. [2] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Algorithm 1 (BBC-F).
    .. [3] R. J. Tibshirani, R. Tibshirani, "A bias correction for the minimum error rate in
       cross-validation", Annals of Applied Statistics 3 (2009) ("tt").
    .. [4] D. N. Politis, H. White, "Automatic block-length selection for the dependent bootstrap",
       Econometric Reviews 23 (2004), corrected by A. Patton, D. N. Politis, H. White, 28 (2009).

    Examples
    --------
    Fifty configurations that guess at random: the apparent accuracy of the best is too high.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=80)
    >>> predictions = rng.integers(0, 2, size=(80, 50))
    >>> e = bbc.correct(y, predictions, metric="accuracy", random_state=1)
    >>> e.apparent > 0.6, abs(e.estimate - 0.5) < 0.05
    (True, True)
    >>> e.optimism > 0, e.confidence_interval.low < 0.5
    (True, True)

    Two metrics, of which the first selects the winner; and a correction from fold scores:

    >>> both = bbc.correct(y, predictions, metric=["accuracy", "f1"], random_state=1)
    >>> both["f1"].winner == both["accuracy"].winner, both["f1"].decided_by
    (True, 'accuracy')
    >>> e = bbc.correct(y, predictions, metric="accuracy", method="tt", folds=np.arange(80) % 10)
    >>> bool(e.estimate < e.apparent), e.confidence_interval is None
    (True, True)

    Halving on the same guesses: after 20 rows the better half went on, after 40 the better half of
    these. The survivors look good because they were lucky in rows that everybody sees.

    >>> P, alive = predictions.astype(float), np.arange(50)
    >>> for end in (20, 40):
    ...     right = (predictions[:end, alive] == y[:end, None]).mean(axis=0)
    ...     alive = np.sort(alive[np.argsort(-right)[: len(alive) // 2]])
    ...     P[end:, np.setdiff1d(np.arange(50), alive)] = np.nan
    >>> e = bbc.correct(y, P, metric="accuracy", missing="rungs", random_state=1)
    >>> e.apparent > 0.6, abs(e.estimate - 0.5) < 0.06
    (True, True)
    """
    return correct_as(
        y_true,
        predictions,
        metric,
        decided_by,
        rungs=rungs,
        block_length=block_length,
        options=options,
    )


def correct_as(
    y_true: Any,
    predictions: Any,
    metric: Any,
    decided_by: str | None,
    *,
    rungs: Any,
    block_length: Any,
    options: Any,
    pooling_of: Callable[[Metric], Pooling] | None = None,
) -> Any:
    """What `correct` does; see `corrected` for `pooling_of`."""
    named, deciding, several = named_metrics(metric, decided_by)
    predictions = named_outputs(predictions, y_true)
    if rungs is not None or options.get("missing") == "rungs":
        options = _by_rungs(options, rungs)
    if block_length is not None:
        options = in_blocks(y_true, predictions, named[deciding], options, block_length)
    call = asked(y_true, predictions, {"metric": named[deciding]} | options, named=named)
    if type(predictions) is np.ndarray or not is_stream(predictions):
        found = corrected(call, named, deciding, pooling_of)
        return Performances(found) if several else found[deciding]
    if several:
        raise InvalidValueError("metric", ": a stream takes one metric, not several")
    if call.data.missing == "rungs":
        return correct_rung_stream(call, predictions)
    if call.data.missing != "raise":
        raise InvalidValueError(
            Argument("missing", call.data.missing), "needs all predictions at once, not a stream"
        )
    correction = StreamingCorrection._with(call)
    return correct_stream(correction, predictions, n_threads=call.n_threads)


def _by_rungs(options: Any, rungs: Any) -> Any:
    """The options of a correction rung by rung, which is a rule of choice of its own."""
    if options.get("missing") != "rungs":
        raise InvalidValueError("rungs", "is for {}", BY_RUNGS)
    rule = get_selection(options.get("selection", "best"))
    if rule.rule != "best":
        problem = f"{rule} is not for {{}}: each rung has its own best"
        raise InvalidValueError("selection", problem, BY_RUNGS)
    return options | {"selection": Selection("rungs", rungs=given_rungs(rungs))}
