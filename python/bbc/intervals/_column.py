"""One prediction column (or several, on the same rows) at the door."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from .. import _validation, metrics
from .._typing import Alternative, AnyArray, CodeArray, FloatArray
from .._validation import Problem
from ..metrics import Metric


@dataclass(frozen=True)
class Confidence:
    """How sure, and of which side."""

    level: float
    alternative: Alternative


def confidence(confidence_level: Any, alternative: Any) -> Confidence:
    """Both arguments, checked."""
    side = _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    return Confidence(_validation.confidence_level(confidence_level), cast(Alternative, side))


def column(
    y_true: Any, predictions: Any, metric: Metric, *, pos_label: Any, **design: Any
) -> Problem:
    """The canonical problem of one configuration; predictions may be 1-d."""
    values = predictions
    if not hasattr(values, "columns"):
        _validation.refuse_other_order(y_true, "y_true", predictions=predictions)
        values = values if hasattr(values, "ndim") else np.asarray(values)
        values = np.asarray(values).reshape(-1, 1) if values.ndim == 1 else values
    problem = _validation.problem(y_true, values, metric, pos_label=pos_label, **design)
    if problem.n_configurations != 1 or problem.n_repeats != 1:
        raise ValueError(
            "predictions must be one column, the predictions of one fixed configuration, got "
            f"{problem.n_configurations} configurations"
        )
    return problem


def binary(y_true: Any, scores: Any, pos_label: Any) -> Problem:
    """Scores of a binary truth."""
    return column(y_true, scores, metrics.get("roc_auc"), pos_label=pos_label)


def codes(problem: Problem) -> CodeArray:
    """1 for the rows of the positive class."""
    assert problem.truth.codes is not None
    return problem.truth.codes


def right_calls(problem: Problem) -> AnyArray:
    """Whether each label is right, of shape (n_rows, n_configurations)."""
    labels: AnyArray = codes(problem)
    if problem.label_values is not None:
        labels = problem.label_values[labels]
    right: AnyArray = problem.predictions[0] == labels[:, None]
    return right


def finite(values: Any, name: str) -> FloatArray:
    """A finite 1-d array of numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be numbers, got dtype {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    out = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(out).all():
        raise ValueError(f"{name} is not finite at {int(np.argmin(np.isfinite(out)))}")
    return out
