"""What all intervals share: from arguments to a `PerformanceEstimate`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import numpy as np

from ... import _engine, _validation
from ..._rows import refuse_other_rows
from ..._typing import Alternative, AnyArray
from ..._validation import PLAIN, Needs, Problem
from ..._warn import warn
from ...errors import InvalidValueError
from ...metrics import Metric
from ...results import ConfidenceInterval, PerformanceEstimate
from ...results._correction import design_of, facts_of

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Confidence(NamedTuple):
    """Level and side of an interval."""

    level: float
    alternative: Alternative


def make_confidence(confidence_level: Any, alternative: Any) -> Confidence:
    """Both arguments, validated."""
    side = _validation.choice(alternative, "alternative", ("two-sided", "greater", "less"))
    return Confidence(_validation.confidence_level(confidence_level), cast(Alternative, side))


def columns(
    y_true: Any,
    predictions: Any,
    metric: Metric,
    *,
    pos_label: Any = None,
    groups: Any = None,
    needs: Needs = PLAIN,
) -> Problem:
    """The validated problem of one partition; a single configuration may be a vector."""
    values = predictions
    if not hasattr(values, "columns"):
        refuse_other_rows(y_true=y_true, predictions=predictions, groups=groups)
        values = _validation.plain_array(values, "predictions")
        values = values.reshape(-1, 1) if values.ndim == 1 else values
    data = _validation.Data(y_true, values, groups=groups, pos_label=pos_label)
    problem = _validation.problem(data, metric, needs)
    if problem.n_repeats != 1:
        raise InvalidValueError(
            "predictions", f"has {problem.n_repeats} repeats; an interval takes one"
        )
    return problem


def column(
    y_true: Any,
    predictions: Any,
    metric: Metric,
    *,
    pos_label: Any = None,
    groups: Any = None,
    needs: Needs = PLAIN,
) -> Problem:
    """The validated problem of one configuration."""
    problem = columns(y_true, predictions, metric, pos_label=pos_label, groups=groups, needs=needs)
    if problem.n_configurations != 1:
        raise InvalidValueError(
            "predictions",
            "must be one column, the predictions of one fixed configuration, got "
            f"{problem.n_configurations} configurations",
        )
    return problem


def positives(problem: Problem) -> AnyArray:
    """1 for rows of the positive class, else 0."""
    assert problem.truth.codes is not None
    return problem.truth.codes.astype(np.uint8)


def correct_labels(problem: Problem) -> AnyArray:
    """True where a predicted label is correct, of shape (n_rows, n_configurations)."""
    codes = problem.truth.codes
    assert codes is not None
    truth = codes if problem.label_values is None else problem.label_values[codes]
    correct: AnyArray = problem.predictions[0] == truth[:, None]
    return correct


def interval_of(raw: dict[str, Any], confidence: Confidence) -> ConfidenceInterval | None:
    """The limits; None if the method has none on these data."""
    return ConfidenceInterval(raw["low"], raw["high"], *confidence) if raw["feasible"] else None


def performance(
    raw: dict[str, Any], method: str, confidence: Confidence, facts: dict[str, Any]
) -> PerformanceEstimate:
    """The result, of which `facts` are further fields; a warning of the kernel is kept."""
    notes = (raw["warning"],) if raw["warning"] else ()
    sized: dict[str, Any] = {"n_configurations": 1, "version": _engine.kernel_version()}
    for note in notes:
        warn(f"{method}: {note}")
    return PerformanceEstimate(
        estimate=raw["estimate"],
        confidence_interval=interval_of(raw, confidence),
        infeasible=None if raw["feasible"] else raw["reason"],
        method=method,
        notes=notes,
        **sized | facts,
    )


def of_problem(
    raw: dict[str, Any],
    method: str,
    confidence: Confidence,
    problem: Problem,
    metric: Metric,
    more: Mapping[str, Any] = NOTHING,
) -> PerformanceEstimate:
    """The result of an analysis of predictions, with `more` fields."""
    facts = facts_of(problem, metric) | {"design": design_of(problem, None)}
    return performance(raw, method, confidence, facts | dict(more))
