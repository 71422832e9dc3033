"""Intervals of a resampling error."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from .. import _engine, _validation
from .._training._collected import leaving_two_out
from .._training._splits import Fold, Partition
from .._typing import Alternative, FloatArray
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval, PerformanceEstimate
from . import intervals
from ._learner import Learner, halves

Interval: TypeAlias = Literal[
    "conservative-z", "corrected-resampled-t", "nested-cv", "percentile", "wald"
]
_METHODS: dict[str, tuple[str, ...]] = {
    "conservative-z": ("subsampling",),
    "corrected-resampled-t": ("subsampling",),
    "nested-cv": ("cv",),
    "percentile": ("direct",),
    "wald": ("holdout", "cv", "loo"),
}


def check_interval(
    interval: str | None, method: str, level: float, alternative: Alternative
) -> None:
    """Refuse an interval that the method does not offer."""
    _validation.confidence_level(level)
    _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    if interval is None:
        return
    _validation.choice(interval, "interval", tuple(_METHODS))
    if method not in _METHODS[interval]:
        fitting = [name for name, methods in _METHODS.items() if method in methods]
        offer = f"; it has {' or '.join(map(repr, fitting))}" if fitting else ""
        raise InvalidValueError(
            Argument("interval", interval), f"does not fit method={method!r}{offer}"
        )


def with_interval(
    result: PerformanceEstimate,
    interval: str,
    learner: Learner,
    folds: Sequence[Fold] | None,
    *,
    level: float,
    alternative: Alternative,
    n_halvings: int,
) -> PerformanceEstimate:
    """Return the result with an interval, and with the estimate of the interval's method."""
    if interval == "percentile":
        return replace(
            result, confidence_interval=_percentiles(result, learner, level, alternative)
        )
    assert folds is not None
    assert result.replicates is not None
    found: Callable[..., PerformanceEstimate]
    n_train, n_test = len(folds[0].train), len(folds[0].test)
    if interval == "corrected-resampled-t":
        found = partial(
            intervals.corrected_resampled_t, result.replicates, n_train=n_train, n_test=n_test
        )
    elif interval == "conservative-z":
        first, second = _halves(learner, n_halvings, len(folds), n_test)
        found = partial(
            intervals.conservative_z, result.estimate, first, second, n_rows=learner.n_rows
        )
    elif interval == "nested-cv":
        found = _nested(result, learner, folds)
    else:
        _need_rows(learner, interval)
        per_row = np.concatenate(_by_row(learner, folds))
        if result.n_repeats > 1:  # predictions of the same row are not independent
            rows = np.concatenate([fold.test for fold in folds])
            per_row = np.bincount(rows, per_row) / result.n_repeats
        found = partial(intervals.wald, per_row)
    made = found(metric=learner.metric, confidence_level=level, alternative=alternative)
    assert made.confidence_interval is not None
    # The learner knows the number of classes, on which the metric's range may depend.
    low, high = np.clip(tuple(made.confidence_interval), *_limits(learner)).tolist()
    return replace(
        result,
        estimate=made.estimate,
        confidence_interval=replace(made.confidence_interval, low=low, high=high),
        notes=made.notes,
    )


def _limits(learner: Learner) -> tuple[float, float]:
    return learner.metric.limits(len(np.unique(learner.y)) if learner.classifier else math.inf)


def _percentiles(
    result: PerformanceEstimate, learner: Learner, confidence_level: float, alternative: Alternative
) -> ConfidenceInterval:
    assert result.replicates is not None
    _validation.enough_replicates(confidence_level, alternative, len(result.replicates))
    low, high = _engine.kernel.order_statistic_interval(
        result.replicates, confidence_level, alternative, *_limits(learner)
    )
    return ConfidenceInterval(low, high, confidence_level, alternative)


def _halves(learner: Learner, n_halvings: int, n_resamples: int, n_test: int) -> FloatArray:
    """Estimates of all iterations, of shape (half, halving)."""
    folds = halves(learner, n_halvings, n_resamples, n_test)
    values = learner.values(folds, learner.outputs(folds))
    estimates: FloatArray = values.reshape(n_halvings, 2, n_resamples).mean(axis=2)
    return estimates.T


def _nested(
    result: PerformanceEstimate, learner: Learner, folds: Sequence[Fold]
) -> Callable[..., PerformanceEstimate]:
    """Nested cross-validation whose inner folds are the other outer folds, with shared models."""
    _need_rows(learner, "nested-cv")
    size = result.n_folds
    partitions = [
        Partition(tuple(folds[first : first + size])) for first in range(0, len(folds), size)
    ]
    plan = leaving_two_out(partitions, learner.n_rows, share=True)
    inner: list[list[FloatArray]] = [[] for _ in folds]
    rows = [split.rows for split in plan.splits]
    for split, values in zip(plan.splits, _by_row(learner, rows), strict=True):
        for use in plan.uses[split.repeat, split.fold]:
            inner[use.outer].append(values[use.rows])
    return partial(
        intervals.nested_cv,
        _by_row(learner, folds),
        [np.concatenate(losses) for losses in inner],
        n_rows=learner.n_rows,
        n_folds=size,
        cv_loss=result.estimate,
    )


def _by_row(learner: Learner, folds: Sequence[Fold]) -> list[FloatArray]:
    outputs = learner.outputs(folds)
    return [
        learner.row_values(predicted, learner.y[fold.test])
        for fold, predicted in zip(folds, outputs, strict=True)
    ]


def _need_rows(learner: Learner, interval: str) -> None:
    if not learner.is_per_row:
        raise InvalidValueError(
            "metric",
            f": {learner.metric.name!r} is not a mean over rows, which "
            f"interval={interval!r} requires",
        )
