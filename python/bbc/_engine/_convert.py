"""Specs and canonical arrays -> what the kernel takes. Nothing is checked here again."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._frozen import frozen
from .._typing import Alternative, AnyArray, CodeArray, FloatArray, IndexArray
from .._validation import Truth
from ..metrics import Metric
from ..resampling import Resampling
from ..selection import BEST, Selection


@frozen(eq=False)
class Plan:
    """All that decides the replicates and what is reported of them, as canonical arrays.

    `units` and `strata` are codes per row; `folds`, of shape (n_repeats, n_rows), are given only
    where the metric is a mean over folds, `drawn_folds` where replicates draw folds and units
    within them (two-level), `selection_folds` where the rule reads fold scores.
    """

    resampling: Resampling
    units: CodeArray | None = None
    strata: CodeArray | None = None
    folds: CodeArray | None = None
    drawn_folds: CodeArray | None = None
    row_weights: FloatArray | None = None
    confidence_level: float = 0.95
    alternative: Alternative = "two-sided"
    selection: Selection = BEST
    selection_folds: CodeArray | None = None

    def repeat(self, replicate: int) -> int | None:
        """The one repeat in which a two-level replicate is scored; None for all."""
        return None if self.drawn_folds is None else replicate % len(self.drawn_folds)


def fewest_folds(folds: CodeArray) -> int:
    """The number of folds of the repeat that has the fewest."""
    return int(folds.max(axis=1).min()) + 1


def kernel_version() -> str:
    """Version of the compiled module."""
    return str(_core.__version__)


def kernel_metric(metric: Metric) -> Any:
    """The kernel's metric; a callable has none, and its replicates only need a row a side."""
    name = metric.kernel or ("row_score" if metric.greater_is_better else "row_loss")
    if metric.family == "callable":
        return _core.Metric(name)
    return _core.Metric(name, sign=float(metric.sign), **dict(metric.parameters))


def kernel_target(truth: Truth, label_values: IndexArray | None, metric: Metric) -> Any:
    """The kernel's truth; metrics of a Python function read none of it in the kernel."""
    if metric.function is not None:
        return _core.Target.real(np.zeros(len(truth.values)), truth.name)
    if truth.codes is not None:
        # Errors name classes by these values, so the user's own integers are best.
        labels = truth.integer_labels if label_values is None else label_values
        if labels is None:
            labels = np.arange(truth.n_classes, dtype=np.int64)
        assert truth.classes is not None
        of_integers = truth.classes.dtype.kind in "iu"
        names = [] if of_integers else [str(label) for label in truth.classes]
        return _core.Target.labels(
            np.ascontiguousarray(truth.codes),
            truth.n_classes,
            np.ascontiguousarray(labels),
            names,
            truth.name,
        )
    if truth.event is not None and truth.time is not None:
        return _core.Target.survival(
            np.ascontiguousarray(truth.event, dtype=np.uint8),
            np.ascontiguousarray(truth.time),
            truth.name,
        )
    assert truth.real is not None
    return _core.Target.real(np.ascontiguousarray(truth.real), truth.name)


def kernel_options(plan: Plan, metric: Metric, *, rotate_repeats: bool = False) -> Any:
    """The kernel's options."""
    return _core.Options(
        metric=kernel_metric(metric),
        n_bootstraps=plan.resampling.n_bootstraps,
        seed=plan.resampling.seed or 0,
        stream=plan.resampling.stream,
        units=kernel_codes(plan.units),
        strata=kernel_codes(plan.strata),
        resamples=kernel_codes(plan.resampling.resamples),
        drawn_folds=kernel_codes(plan.drawn_folds),
        folds=kernel_codes(plan.folds),
        row_weights=plan.row_weights,
        redraw=plan.resampling.on_undefined == "redraw",
        confidence_level=plan.confidence_level,
        alternative=plan.alternative,
        complexity=plan.selection.complexity,
        complexity_folds=kernel_codes(plan.selection_folds),
        rotate_repeats=rotate_repeats,
    )


def kernel_predictions(
    predictions: Sequence[AnyArray], truth: Truth, metric: Metric
) -> list[AnyArray]:
    """One array per repeat; a `row_loss` metric's function is applied here, column by column."""
    if metric.function is None:
        return list(predictions)
    return [_losses(repeat, truth, metric) for repeat in predictions]


def _losses(repeat: AnyArray, truth: Truth, metric: Metric) -> FloatArray:
    assert metric.function is not None
    n_rows, n_configurations = repeat.shape[:2]
    losses = np.empty((n_rows, n_configurations), order="F")
    for j in range(n_configurations):
        values = np.asarray(metric.function(truth.values, repeat[:, j]), dtype=np.float64)
        if values.shape != (n_rows,):
            raise ValueError(
                f"metric: {metric.name!r} must give one number per row, so an array of shape "
                f"({n_rows},), but gave shape {values.shape} for configuration {j}"
            )
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            raise ValueError(
                f"metric: {metric.name!r} is not finite at row {row}, configuration {j}"
            )
        losses[:, j] = values
    return losses


def kernel_codes(codes: CodeArray | None) -> CodeArray | None:
    """Codes per row, or per repeat and row, one after another."""
    return None if codes is None else np.ascontiguousarray(codes, dtype=np.int32).reshape(-1)
