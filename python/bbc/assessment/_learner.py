"""A learner with its data and metric, to be trained and scored on any rows."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .. import _validation
from .._training._configurations import (
    make_configurations,
    named_estimators,
    rows_digest,
    seed_estimator,
)
from .._training._fit import Progress, Split, Trainer
from .._training._scoring import (
    kind_of,
    make_responses,
    make_scoring,
    row_scores_of_outputs,
    score_of_outputs,
)
from .._training._splits import Fold, check_rows, check_target
from .._typing import AnyArray, FloatArray
from ..errors import InvalidTypeError, UndefinedMetricError
from ..metrics._spec import computation_facts, kernel_metric

_MOST_PAIRS = 500_000

Outputs = Mapping[str, AnyArray]


class Learner:
    """A learner with its data and metric."""

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        metric: Any,
        *,
        pos_label: Any,
        n_jobs: int | None,
        fit_timeout: float | None,
        seed: int,
    ) -> None:
        estimators = named_estimators(estimator)
        self.classifier = kind_of(estimators)
        self.y = check_target(y, self.classifier)
        self.X = check_rows(X, y, self.y, {})
        scoring = make_scoring(metric, False, estimators)
        if len(scoring.metrics) > 1:
            raise InvalidTypeError("metric", "must be a single metric")
        self.metric = scoring.metric
        _validation.refuse_given_censoring(self.metric, "each model is scored on rows of its own")
        self.responses = make_responses(
            scoring, "fold", classifier=self.classifier, y=self.y, pos_label=pos_label
        )
        self.pos_label = pos_label
        self.configurations = make_configurations(estimator, None, None, seed)
        self.seed = seed
        self._n_jobs, self._fit_timeout = n_jobs, fit_timeout

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def is_per_row(self) -> bool:
        """True if the metric is a mean over rows."""
        mean = computation_facts(self.metric).get("form") in ("zero_one", "row_loss")
        return mean and not kernel_metric(self.metric).size_dependent

    @property
    def name(self) -> str:
        """The learner's name in results."""
        return type(self.configurations[0].estimator).__name__

    def outputs(self, folds: Sequence[Fold], *, groups: bool = False) -> list[Outputs]:
        """Train on each fold's training rows, which may repeat, and predict its test rows.

        If `groups`, the training rows are passed to the fit as groups.
        """
        if groups:
            return [self._grouped(fold) for fold in folds]
        trainer = Trainer(
            X=self.X,
            y=self.y,
            configurations=self.configurations,
            responses=self.responses,
            fit_params={},
            seed=self.seed,
            error_score="raise",
            n_jobs=self._n_jobs,
            pre_dispatch="2*n_jobs",
            fit_timeout=self._fit_timeout,
            store=None,
            progress=Progress("resampling_error"),
        )
        # Without selection, chance in training is part of the estimand: each fit has a seed.
        pairs = [
            (Split(0, number, fold, luck=rows_digest(fold.train)), 0)
            for number, fold in enumerate(folds)
        ]
        found = {key.fold: fit.outputs for key, fit in trainer.train("resampling", pairs)}
        return [found[number] for number in range(len(folds))]

    def score(
        self, outputs: Outputs, y: AnyArray, place: str, sample_weight: AnyArray | None = None
    ) -> float:
        """Return the metric of outputs on rows with this truth, or raise if it is undefined."""
        value = float("nan")
        with suppress(UndefinedMetricError):
            value = score_of_outputs(
                outputs,
                y,
                self.metric,
                self.responses,
                sample_weight=sample_weight,
                pos_label=self.pos_label,
            )
        if np.isnan(value):
            raise UndefinedMetricError("metric", f"{self.metric.name!r} is undefined {place}")
        return value

    def values(self, folds: Sequence[Fold], outputs: Sequence[Outputs]) -> FloatArray:
        """Return the metric on the test rows of each fold."""
        values = np.empty(len(folds))
        for number, (fold, predicted) in enumerate(zip(folds, outputs, strict=True)):
            place = f"on the rows of test set {number}"
            values[number] = self.score(predicted, self.y[fold.test], place)
        return values

    def row_values(self, outputs: Outputs, y: AnyArray) -> FloatArray:
        """Return the score of each row, for a metric that is a mean over rows."""
        values = row_scores_of_outputs(
            outputs, y, self.metric, self.responses, pos_label=self.pos_label
        )
        if np.isnan(values).any():
            row = int(np.argmax(np.isnan(values)))
            raise UndefinedMetricError("metric", f"{self.metric.name!r} is undefined on row {row}")
        return values

    def no_information_rate(self, outputs: Outputs) -> float:
        """Return the mean metric over all pairs of a truth and a prediction."""
        truths, counts = np.unique(self.y, return_counts=True)
        step = max(1, _MOST_PAIRS // self.n_rows)
        total = 0.0
        for first in range(0, len(truths), step):
            some = slice(first, first + step)
            pairs = {
                name: np.tile(values, (len(truths[some]), *[1] * (values.ndim - 1)))
                for name, values in outputs.items()
            }
            weights = np.repeat(counts[some], self.n_rows).astype(np.float64)
            truth = np.repeat(truths[some], self.n_rows)
            total += self.score(pairs, truth, "over all pairs", weights) * float(counts[some].sum())
        return total / self.n_rows

    def _grouped(self, fold: Fold) -> Outputs:
        model = self.configurations[0].build()
        seed_estimator(model, self.seed, rows_digest(fold.train))
        model.fit(_safe_indexing(self.X, fold.train), self.y[fold.train], groups=fold.train)
        return self.responses.of(model, _safe_indexing(self.X, fold.test))[0]
