"""Metrics that are Python functions, on the replicates of all others."""

import inspect
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Options, Problem
from .._warn import warn
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..metrics._resolve import is_sklearn_function
from ..selection import BEST, standard_error
from ._replicates import limits, moments

NO_RATES = np.empty((0, 6))


def loses_size_shift(options: Options) -> bool:
    """Whether replicates lose their winner's shift.

    It may carry a replicate out of the function's range, and only limits in a known range are cut
    at its ends.
    """
    return options.size_correction and options.metric.range is not None


class Shifts:
    """The shift of each configuration: its mean score out of bag, beyond that on all rows."""

    def __init__(self, on_all_rows: FloatArray, n_bootstraps: int) -> None:
        self._on_all_rows = on_all_rows
        self._scores = np.empty((n_bootstraps, len(on_all_rows)))

    def add(self, first: int, scores: FloatArray) -> None:
        """Take scores out of bag, (replicate, configuration), NaN where undefined."""
        self._scores[first : first + len(scores)] = scores

    def of(self, places: IndexArray) -> FloatArray:
        """The shift of each replicate's configuration."""
        defined = self._scores[~np.isnan(self._scores[:, 0])]
        means = [math.fsum(column) / max(1, len(defined)) for column in defined.T]
        shifts: FloatArray = (np.array(means) - self._on_all_rows)[places]
        return shifts


def without_shift(replicates: FloatArray, shifts: FloatArray) -> dict[str, Any]:
    """Replicates that lost their shifts, and the mean of these over those that are defined."""
    defined = ~np.isnan(replicates)
    mean = math.fsum(shifts[defined]) / max(1, int(np.count_nonzero(defined)))
    return {"replicates": replicates - shifts, "size_bias": mean}


def summary(
    replicates: FloatArray,
    winners: IndexArray,
    on_all_rows: FloatArray,
    winner: int,
    options: Options,
    problem: Problem | None,
    *,
    size_bias: float | None = None,
    rates: FloatArray = NO_RATES,
) -> dict[str, Any]:
    """Estimate and interval from replicates; keys as the kernel's."""
    apparent = float(on_all_rows[winner])
    found = moments(replicates, winners, apparent, options, len(on_all_rows))
    interval = limits(replicates, found["estimate"], options, problem, rates=rates)
    return {"size_bias": size_bias, "rates": rates} | found | interval


class _LacksClassError(Exception):
    """A function fails on rows that lack a class: it is undefined there."""


def scored_repeat(replicate: int, drawn_folds: CodeArray | None) -> int | None:
    """The repeat in which a two-level replicate is scored; None for all."""
    return None if drawn_folds is None else replicate % len(drawn_folds)


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
        self._problem_classes = problem.truth.classes
        self._predictions = problem.predictions
        self._metric = metric
        self._folds = folds
        self._skips_empty = two_level

    @property
    def n_folds(self) -> int:
        """Number of folds (1 if pooled) of all repeats."""
        return sum(
            len(self._parts(np.empty(0, np.int64), r)) for r in range(len(self._predictions))
        )

    def n_fold_sides(self, n_bootstraps: int) -> int:
        """Folds in and out of bag of all replicates; a two-level fold is on one side only."""
        return (1 if self._skips_empty else 2) * n_bootstraps * self.n_folds

    def on_all_rows(self) -> FloatArray:
        """Scores of all configurations on all rows, on which they must be defined."""
        scores, _ = self.scores(np.arange(len(self._y)))
        if scores is None:
            name = self._metric.name
            raise UndefinedMetricError("metric", f": {name!r} is undefined (NaN) on all rows")
        return scores

    def scores(self, rows: IndexArray) -> tuple[FloatArray | None, int]:
        """Scores of all configurations, and the number of folds without a score.

        None if the metric is undefined on these rows: in all folds of some repeat.
        """
        return self._scores(rows, range(self._n_configurations), None)

    def score(
        self, rows: IndexArray, configuration: int, repeat: int | None = None
    ) -> tuple[float, int]:
        """The same for one configuration, in all repeats or in one; NaN if undefined."""
        found, n_undefined = self._scores(rows, [configuration], repeat)
        return (math.nan if found is None else float(found[0])), n_undefined

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

    def _scores(
        self, rows: IndexArray, configurations: Sequence[int], repeat: int | None
    ) -> tuple[FloatArray | None, int]:
        """Means over repeats of the metric on the rows, or of its mean over their folds."""
        repeats = range(len(self._predictions)) if repeat is None else [repeat]
        total, n_undefined, undefined = np.zeros(len(configurations)), 0, False
        for r in repeats:
            predictions, parts = self._predictions[r], self._parts(rows, r)
            if self._skips_empty:
                parts = [part for part in parts if part.size]
            found = [
                self._comparable(part, predictions, configurations) for part in parts if part.size
            ]
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
        self, rows: IndexArray, predictions: AnyArray, configurations: Sequence[int]
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
            j = int(np.argmax(undefined))
            raise InvalidValueError(
                "metric",
                f": {self._metric.name!r} is NaN for configuration {j} but not for others, "
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


if TYPE_CHECKING:
    from .._core import Sampler

_MOST_ATTEMPTS = 1000
_SECONDS_OF_CALLS = 2000


def correct_callable(problem: Problem, options: Options, sampler: "Sampler") -> dict[str, Any]:
    """Algorithm 5 with a Python function as the metric, on the draws of every other metric."""
    metric = options.metric
    folds, drawn_folds = options.parts(problem), options.drawn_folds(problem)
    scorer = Scorer(problem, metric, folds, two_level=drawn_folds is not None)
    on_all_rows = scorer.on_all_rows()
    _warn_if_slow(options, len(on_all_rows))
    by_replicate = _ReplicateScorer(scorer, problem, options, on_all_rows)
    winner = by_replicate.choose(on_all_rows, np.ones(problem.n_rows, np.int64))
    n_bootstraps = options.n_bootstraps

    replicates = np.empty(n_bootstraps)
    winners = np.empty(n_bootstraps, np.int64)
    attempts = np.empty(n_bootstraps, np.int64)
    n_undefined = 0
    for b in range(n_bootstraps):
        why = f": replicate {b} leaves metric {metric.name!r} undefined"
        for attempt in redraws(why):
            counts, scoring = sampler.draw(b, attempt)
            scored = by_replicate.score_replicate(
                counts.astype(np.int64), scoring, scored_repeat(b, drawn_folds)
            )
            if scored is not None:
                attempts[b] = attempt
                break
            if options.resamples is not None:
                raise InvalidValueError("resamples", why)
            if options.on_undefined == "raise":
                raise UndefinedMetricError(Argument("on_undefined", "raise"), why)
        assert scored is not None
        winners[b], replicates[b], undefined = scored
        n_undefined += undefined
    size_bias = None
    if loses_size_shift(options):
        chosen, places = np.unique(winners, return_inverse=True)
        shifts = Shifts(on_all_rows[chosen], n_bootstraps)
        for b in range(n_bootstraps):
            _, scoring = sampler.draw(b, int(attempts[b]))
            known = (int(places[b]), float(replicates[b]))
            repeat = scored_repeat(b, drawn_folds)
            shifts.add(b, by_replicate.score_all(scoring, chosen, known, repeat))
        lost = without_shift(replicates, shifts.of(places))
        replicates, size_bias = lost["replicates"], lost["size_bias"]
    found = summary(replicates, winners, on_all_rows, winner, options, problem, size_bias=size_bias)
    return found | {
        "winner": winner,
        "n_redrawn": int(attempts.sum()),
        "undefined_fold_share": n_undefined / scorer.n_fold_sides(n_bootstraps),
        "attempts": attempts,
    }


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


def redraws(why: str) -> Iterator[int]:
    """Numbers the draws of a replicate; an error says `why` the last that is allowed failed."""
    yield from range(_MOST_ATTEMPTS)
    raise UndefinedMetricError("y_true", f": {_MOST_ATTEMPTS} draws in a row{why}")


class _ReplicateScorer:
    """Selects in bag and scores out of bag, a replicate at a time."""

    def __init__(
        self, scorer: Scorer, problem: Problem, options: Options, on_all_rows: FloatArray
    ) -> None:
        self._scorer = scorer
        self._greater_is_better = options.metric.greater_is_better
        self._selection = options.selection
        self._margin = 0.0
        if self._selection.needs_folds:
            assert problem.folds is not None
            counts = np.empty(0)
            best = BEST.choose(on_all_rows, counts, greater_is_better=self._greater_is_better)
            by_fold = scorer.fold_scores(problem.folds)
            self._margin = standard_error(by_fold[..., best].ravel())

    def choose(self, scores: FloatArray, counts: AnyArray) -> int:
        """The winner by the rule."""
        return self._selection.choose(
            scores, counts, greater_is_better=self._greater_is_better, margin=self._margin
        )

    def score_replicate(
        self, counts: AnyArray, scoring: AnyArray, repeat: int | None
    ) -> tuple[int, float, int] | None:
        """Winner, its out-of-bag score, and the number of folds without a score on either side.

        Rows whose `scoring` is zero are out of bag. None if either side leaves the metric
        undefined.
        """
        out_of_bag = np.flatnonzero(scoring == 0)
        if out_of_bag.size == 0:
            return None
        in_bag, n_undefined = self._scorer.scores(np.repeat(np.arange(len(counts)), counts))
        if in_bag is None:
            return None
        winner = self.choose(in_bag, counts)
        score, more = self._scorer.score(out_of_bag, winner, repeat)
        return None if math.isnan(score) else (winner, score, n_undefined + more)

    def score_all(
        self,
        scoring: AnyArray,
        chosen: IndexArray,
        known: tuple[int, float],
        repeat: int | None,
    ) -> FloatArray:
        """Out-of-bag scores of chosen configurations, of which one is `known`: (1, chosen)."""
        out_of_bag = np.flatnonzero(scoring == 0)
        scores = np.empty((1, len(chosen)))
        for place, configuration in enumerate(chosen):
            if place == known[0]:
                scores[0, place] = known[1]
                continue
            scores[0, place], _ = self._scorer.score(out_of_bag, int(configuration), repeat)
        return scores
