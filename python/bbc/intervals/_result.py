"""The kernel's numbers -> PerformanceEstimate."""

from typing import Any

from .. import _engine
from .._validation import Problem
from .._warn import warn
from ..metrics import Metric
from ..results import ConfidenceInterval, PerformanceEstimate
from ._column import Confidence


def interval_of(raw: dict[str, Any], wanted: Confidence) -> ConfidenceInterval | None:
    """The limits; None if the method has none on these data."""
    if not raw["feasible"]:
        return None
    return ConfidenceInterval(raw["low"], raw["high"], wanted.level, wanted.alternative)


def performance(
    raw: dict[str, Any],
    method: str,
    wanted: Confidence,
    *,
    metric: str,
    greater_is_better: bool,
    n_rows: int,
    **facts: Any,
) -> PerformanceEstimate:
    """The result; a warning of the kernel's is given and kept."""
    notes = (raw["warning"],) if raw["warning"] else ()
    for note in notes:
        warn(f"{method}: {note}")
    return PerformanceEstimate(
        estimate=raw["estimate"],
        confidence_interval=interval_of(raw, wanted),
        infeasible=None if raw["feasible"] else raw["reason"],
        metric=metric,
        method=method,
        greater_is_better=greater_is_better,
        n_rows=n_rows,
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
        greater_is_better=metric.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        names=problem.names,
        pos_label=problem.truth.pos_label if metric.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        **facts,
    )
