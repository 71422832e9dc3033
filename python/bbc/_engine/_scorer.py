"""Scores by a metric that is a Python function."""

import inspect
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .._typing import AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Problem
from ..errors import InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric


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
