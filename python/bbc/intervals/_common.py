"""What all intervals share: arguments in, a `PerformanceEstimate` out."""

from typing import Any, NamedTuple, cast

import numpy as np

from .. import _engine, _validation
from .._typing import Alternative, AnyArray, CodeArray
from .._validation import Problem
from .._warn import warn
from ..metrics import Metric
from ..results import ConfidenceInterval, PerformanceEstimate


class Confidence(NamedTuple):
    """Level and side of an interval."""

    level: float
    alternative: Alternative


def confidence(confidence_level: Any, alternative: Any) -> Confidence:
    """Both arguments, checked."""
    side = _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    return Confidence(_validation.confidence_level(confidence_level), cast(Alternative, side))


def columns(y_true: Any, predictions: Any, metric: Metric, **design: Any) -> Problem:
    """The validated problem of one partition; one configuration may be one-dimensional."""
    values = predictions
    if not hasattr(values, "columns"):
        _validation.refuse_other_order(y_true, predictions=predictions)
        values = values if hasattr(values, "ndim") else np.asarray(values)
        values = np.asarray(values).reshape(-1, 1) if values.ndim == 1 else values
    return _validation.problem(y_true, values, metric, **design)


def column(y_true: Any, predictions: Any, metric: Metric, **design: Any) -> Problem:
    """The validated problem of one configuration."""
    problem = columns(y_true, predictions, metric, **design)
    if problem.n_configurations != 1:
        raise ValueError(
            "predictions must be one column, the predictions of one fixed configuration, got "
            f"{problem.n_configurations} configurations"
        )
    return problem


def classes(problem: Problem) -> CodeArray:
    """Codes of the classes; of two classes, 1 is the positive one."""
    assert problem.truth.codes is not None
    return problem.truth.codes


def positives(problem: Problem) -> AnyArray:
    """Whether each row is of the positive class, as the kernel reads it."""
    return classes(problem).astype(np.uint8)


def correct_labels(problem: Problem) -> AnyArray:
    """Whether each label is right, of shape (n_rows, n_configurations)."""
    labels: AnyArray = classes(problem)
    if problem.label_values is not None:
        labels = problem.label_values[labels]
    correct: AnyArray = problem.predictions[0] == labels[:, None]
    return correct


def interval_of(raw: dict[str, Any], wanted: Confidence) -> ConfidenceInterval | None:
    """The limits; None if the method has none on these data."""
    return ConfidenceInterval(raw["low"], raw["high"], *wanted) if raw["feasible"] else None


def performance(
    raw: dict[str, Any], method: str, wanted: Confidence, **facts: Any
) -> PerformanceEstimate:
    """The result; a warning of the kernel is issued and kept."""
    notes = (raw["warning"],) if raw["warning"] else ()
    for note in notes:
        warn(f"{method}: {note}")
    return PerformanceEstimate(
        estimate=raw["estimate"],
        confidence_interval=interval_of(raw, wanted),
        infeasible=None if raw["feasible"] else raw["reason"],
        method=method,
        version=_engine.kernel_version(),
        notes=notes,
        **{"n_configurations": 1, **facts},
    )


def of_problem(
    raw: dict[str, Any],
    method: str,
    wanted: Confidence,
    problem: Problem,
    metric: Metric,
    **facts: Any,
) -> PerformanceEstimate:
    """The result of an analysis of predictions."""
    return performance(
        raw,
        method,
        wanted,
        metric=metric.name,
        metric_range=metric.range,
        greater_is_better=metric.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        names=problem.names,
        pos_label=problem.truth.pos_label if metric.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        **facts,
    )
