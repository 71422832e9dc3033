"""Scores by a metric that is a Python function."""

import math

import numpy as np

from .._typing import AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Problem
from ..errors import UndefinedMetricError
from ..metrics import Metric


class Scorer:
    """Scores of all configurations, or of one, on a list of rows.

    With `folds`, of shape (n_repeats, n_rows), a score is the mean over the folds that have one.
    """

    def __init__(self, problem: Problem, metric: Metric, folds: CodeArray | None) -> None:
        if problem.sample_weight is not None:
            raise ValueError(
                f"sample_weight: metric {metric.name!r} is a Python function of (y, prediction) "
                "and takes no weights"
            )
        self._y = problem.truth.values
        self._predictions = problem.predictions
        self._metric = metric
        self._folds = folds

    def scores(self, rows: IndexArray) -> FloatArray | None:
        """Scores of all configurations; None if the metric is undefined on these rows."""
        return self._of_all([self.score(rows, j) for j in range(self._n_configurations)])

    def score(self, rows: IndexArray, configuration: int) -> float:
        """Mean over repeats of the metric on the rows, or of its mean over their folds."""
        values = [
            self._pooled(rows, repeat[:, configuration])
            if self._folds is None
            else self._by_fold(rows, repeat[:, configuration], self._folds[number])
            for number, repeat in enumerate(self._predictions)
        ]
        return sum(values) / len(values)

    def fold_scores(
        self, folds: CodeArray, labels: tuple[AnyArray, ...] | None = None
    ) -> FloatArray:
        """Scores of shape (n_repeats, n_folds, n_configurations) on each fold's own rows.

        Where a fold is undefined they are NaN, or with the folds' `labels` an error.
        """
        n_folds = int(folds.max()) + 1
        table = np.full((len(folds), n_folds, self._n_configurations), np.nan)
        for repeat, predictions in enumerate(self._predictions):
            for fold in range(n_folds):
                rows = np.flatnonzero(folds[repeat] == fold)
                if not rows.size:
                    if labels is not None:
                        raise ValueError(f"folds: fold {fold} of repeat {repeat} has no rows")
                    continue
                scores = self._of_all(
                    [self._pooled(rows, predictions[:, j]) for j in range(self._n_configurations)]
                )
                if scores is not None:
                    table[repeat, fold] = scores
                elif labels is not None:
                    raise UndefinedMetricError(
                        f"folds: fold {labels[repeat][fold]} of repeat {repeat} leaves metric "
                        f"{self._metric.name!r} undefined"
                    )
        return table

    @property
    def _n_configurations(self) -> int:
        return int(self._predictions[0].shape[1])

    def _of_all(self, values: list[float]) -> FloatArray | None:
        scores = np.array(values)
        undefined = np.isnan(scores)
        if undefined.all():
            return None
        if undefined.any():
            j = int(np.argmax(undefined))
            raise ValueError(
                f"metric: {self._metric.name!r} is NaN for configuration {j} but not for others, "
                "so the configurations cannot be compared"
            )
        return scores

    def _pooled(self, rows: IndexArray, prediction: AnyArray) -> float:
        assert self._metric.function is not None
        value = self._metric.function(self._y[rows], prediction[rows])
        try:
            return self._metric.sign * float(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"metric: {self._metric.name!r} must return a number, got {type(value).__name__}"
            ) from None

    def _by_fold(self, rows: IndexArray, prediction: AnyArray, folds: AnyArray) -> float:
        values = [
            self._pooled(rows[folds[rows] == fold], prediction)
            for fold in np.unique(folds[rows])
            if fold >= 0  # others are rows that the repeat did not predict
        ]
        defined = [value for value in values if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan
