"""Metrics that are Python functions, on the replicates of all others."""

import inspect
import math
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any

import numpy as np

from .. import _core
from .._bar import Bar
from .._typing import AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Options, Problem
from .._warn import warn
from ..errors import InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..metrics._resolve import is_sklearn_function
from ..selection import BEST, standard_error


class _LacksClassError(Exception):
    """A function fails on rows that lack a class: it is undefined there."""


class Scorer:
    """Scores of all configurations, or of one, on drawn rows.

    With `folds`, of shape (n_repeats, n_rows), a score is the mean over the folds that have one. In
    `two_level` draws a fold without rows is on the other side, not undefined.
    """

    def __init__(
        self, problem: Problem, metric: Metric, folds: CodeArray | None, *, two_level: bool = False
    ) -> None:
        if problem.sample_weight is not None:
            raise InvalidValueError(
                "sample_weight",
                f": metric {metric.name!r} is a Python function of (y, prediction) "
                "and takes no weights",
            )
        self._y = problem.truth.values
        self._called = problem.called
        self._problem_classes = problem.truth.classes
        self._predictions = problem.predictions
        self._metric = metric
        self._folds = folds
        self._skips_empty = two_level

    def on_all_rows(self) -> FloatArray:
        """Scores of all configurations on all rows, on which they must be defined."""
        scores, _ = self.scores(np.arange(len(self._y)))
        if scores is None:
            name = self._metric.name
            raise UndefinedMetricError("metric", f": {name!r} is undefined (NaN) on all rows")
        return scores

    def score(self, rows: IndexArray, configuration: int) -> float:
        """Score of one configuration; NaN if undefined."""
        found, _ = self.scores(rows, [configuration])
        return math.nan if found is None else float(found[0])

    def for_kernel(
        self, on_all_rows: FloatArray, n_replicates: int, chosen: IndexArray | None = None
    ) -> _core.ScoresByFunction:
        """What the kernel calls for scores of all configurations, or of those that were chosen."""
        bar, n_done = Bar(n_replicates, "replicates"), 0

        def scores(
            rows: IndexArray, places: IndexArray, repeat: int
        ) -> tuple[FloatArray | None, int]:
            nonlocal n_done
            try:
                found = self.scores(rows, places if chosen is None else chosen[places], repeat)
            except BaseException:
                bar.close()
                raise
            if repeat <= 0 and (chosen is not None or len(places) == len(on_all_rows)):
                n_done += 1
                bar.update(n_done)
            if n_done >= n_replicates:
                bar.close()
            return found

        no_rows = np.empty(0, np.int64)
        n_folds = sum(len(self._parts(no_rows, r)) for r in range(len(self._predictions)))
        bounded = self._metric.range is not None
        return _core.ScoresByFunction(
            scores, on_all_rows, n_folds, bounded, repr(self._metric.name)
        )

    def fold_scores(
        self, folds: CodeArray, fold_ids: tuple[AnyArray, ...] | None = None
    ) -> FloatArray:
        """Scores on the rows of each fold, of shape (n_repeats, n_folds, n_configurations).

        Undefined scores are NaN or, with `fold_ids` to name the fold, an error.
        """
        n_folds = int(folds.max()) + 1
        table = np.full((len(folds), n_folds, self._n_configurations), np.nan)
        for repeat, predictions in enumerate(self._predictions):
            for fold in range(n_folds):
                rows = np.flatnonzero(folds[repeat] == fold)
                if not rows.size:
                    if fold_ids is not None:
                        raise InvalidValueError(
                            "folds", f": fold {fold} of repeat {repeat} has no rows"
                        )
                    continue
                scores = self._comparable(rows, predictions, range(self._n_configurations))
                if scores is not None:
                    table[repeat, fold] = scores
                elif fold_ids is not None:
                    raise UndefinedMetricError(
                        "folds",
                        f": metric {self._metric.name!r} is undefined",
                        place={"repeat": repeat, "fold": fold_ids[repeat][fold]},
                    )
        return table

    def scores(
        self, rows: IndexArray, configurations: Iterable[int] | None = None, repeat: int = -1
    ) -> tuple[FloatArray | None, int]:
        """Scores of some configurations or all, and the number of folds without a score.

        Means over the repeats, or those of one, of the metric on the rows, or of its mean over
        their folds. None if it is undefined on these rows: in all folds of some repeat.
        """
        each = range(self._n_configurations) if configurations is None else configurations
        repeats = range(len(self._predictions)) if repeat < 0 else [repeat]
        total: Any = 0.0
        n_undefined, undefined = 0, False
        for r in repeats:
            predictions, parts = self._predictions[r], self._parts(rows, r)
            if self._skips_empty:
                parts = [part for part in parts if part.size]
            found = [self._comparable(part, predictions, each) for part in parts if part.size]
            defined = [scores for scores in found if scores is not None]
            n_undefined += len(parts) - len(defined)
            undefined = undefined or not defined
            total = total + sum(defined) / max(1, len(defined))
        return (None if undefined else total / len(repeats)), n_undefined

    def _parts(self, rows: IndexArray, repeat: int) -> list[IndexArray]:
        """The rows of each fold; rows that the repeat did not predict are in none (-1)."""
        if self._folds is None:
            return [rows]
        folds = self._folds[repeat]
        return [rows[folds[rows] == fold] for fold in range(int(folds.max()) + 1)]

    @property
    def _n_configurations(self) -> int:
        return int(self._predictions[0].shape[1])

    def _comparable(
        self, rows: IndexArray, predictions: AnyArray, configurations: Iterable[int]
    ) -> FloatArray | None:
        """Scores of configurations on the same rows; None if these leave the metric undefined."""
        try:
            scores = np.array([self._value(rows, predictions[:, j]) for j in configurations])
        except _LacksClassError:
            return None
        undefined = np.isnan(scores)
        # Functions divide by zero, with either result, on rows that lack a class.
        if undefined.all() or (
            not np.isfinite(scores).all() and self._lacks_a_class(self._y[rows])
        ):
            return None
        if undefined.any():
            first = list(configurations)[int(np.argmax(undefined))]
            raise InvalidValueError(
                "metric",
                f": {self._metric.name!r} is NaN for {self._called(first)} but not for others, "
                "so the configurations cannot be compared",
            )
        return scores

    def _value(self, rows: IndexArray, prediction: AnyArray) -> float:
        assert self._metric.function is not None
        y = self._y[rows]
        try:
            value = self._metric.function(y, prediction[rows])
        except Exception:
            value = self._without_a_class(y, prediction[rows])
        try:
            return self._metric.sign * float(value)
        except (TypeError, ValueError):
            raise InvalidTypeError(
                "metric",
                f": {self._metric.name!r} must return a number, got {type(value).__name__}",
            ) from None

    def _without_a_class(self, y: AnyArray, prediction: AnyArray) -> Any:
        """The value on rows on which the function failed: with all classes, if it takes them.

        An error that is due to a class without rows leaves the metric undefined; others are raised.
        """
        if not self._lacks_a_class(y):
            raise
        if not self._takes_labels:
            raise _LacksClassError
        assert self._metric.function is not None
        try:
            return self._metric.function(y, prediction, labels=self._classes)
        except Exception as error:
            raise _LacksClassError from error

    def _lacks_a_class(self, y: AnyArray) -> bool:
        return self._classes is not None and len(np.unique(y)) < len(self._classes)

    @cached_property
    def _classes(self) -> AnyArray | None:
        """All classes, in sorted order; None for real numbers."""
        if self._problem_classes is not None:
            return np.sort(self._problem_classes)
        return None if self._y.dtype.kind == "f" else np.unique(self._y)

    @cached_property
    def _takes_labels(self) -> bool:
        """Whether the function takes a list of all classes that it was not given."""
        function = self._metric.function
        try:
            parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
        except (TypeError, ValueError):  # some builtins have no signature
            return False
        return "labels" in parameters and "labels" not in getattr(function, "keywords", {})


_SECONDS_OF_CALLS = 2000


def scorer_of(problem: Problem, options: Options) -> Scorer:
    """What scores the replicates of a correction with these options."""
    two_level = options.drawn_folds(problem) is not None
    return Scorer(problem, options.metric, options.parts(problem), two_level=two_level)


def scores_by_function(
    problem: Problem, options: Options, chosen: IndexArray | None = None
) -> _core.ScoresByFunction:
    """What the kernel calls for scores in bag, or for those of configurations that were chosen."""
    scorer = scorer_of(problem, options)
    if chosen is None:
        return scorer.for_kernel(scorer.on_all_rows(), options.n_bootstraps)
    every_row = np.arange(problem.n_rows)
    on_all_rows = np.array([scorer.score(every_row, int(each)) for each in chosen])
    return scorer.for_kernel(on_all_rows, options.n_bootstraps, chosen)


def metric_and_rule(
    problem: Problem, options: Options
) -> tuple[_core.ScoresByFunction, Callable[..., int]]:
    """What the kernel calls for the scores of a correction, and for the winner by them."""
    scorer = scorer_of(problem, options)
    on_all_rows = scorer.on_all_rows()
    _warn_if_slow(options, len(on_all_rows))
    margin = 0.0
    if options.selection.needs_folds:
        assert problem.folds is not None
        best = options._replace(selection=BEST).choose(on_all_rows, np.empty(0))
        margin = standard_error(scorer.fold_scores(problem.folds)[..., best].ravel())
    scores = scorer.for_kernel(on_all_rows, options.n_bootstraps)
    return scores, partial(options.choose, margin=margin)


def _warn_if_slow(options: Options, n_configurations: int) -> None:
    """Tell who named a metric that it is not in the kernel; a function of scikit-learn takes ms."""
    function = getattr(options.metric.function, "func", options.metric.function)
    n_calls = options.n_bootstraps * n_configurations
    if n_calls >= _SECONDS_OF_CALLS and function and is_sklearn_function(function):
        warn(
            f"metric {options.metric.name!r} is not in bbc's kernel: scikit-learn's function is "
            f"called {n_calls} times, {options.n_bootstraps} replicates of "
            f"{n_configurations} configurations; fewer n_bootstraps give a first result",
            UserWarning,
        )
