"""Whether the fitted models of a configuration differ: the kernel's test."""

import math
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._typing import AnyArray
from .._validation import Problem
from ..metrics import Metric
from ._convert import Plan, fewest_folds, kernel_codes, kernel_metric

_PERMUTATIONS = 99
OF_FUNCTION = "a metric that is a Python function"
IN_BLOCKS = "predictions that come in blocks"


def model_luck(
    problem: Problem,
    metric: Metric,
    plan: Plan,
    target: Any,
    predictions: Sequence[AnyArray],
    *,
    n_threads: int,
) -> dict[str, Any]:
    """Test what the kernel's `target` and `predictions` tell, if folds are known.

    The only key is `model_luck`, with the fields of ModelLuck; there is none without folds.
    """
    folds = kernel_codes(problem.folds)
    if folds is None:
        return {}
    luck = _core.model_luck(
        target,
        predictions,
        kernel_metric(metric),
        folds,
        kernel_codes(problem.groups),
        problem.sample_weight,
        plan.resampling.seed or 0,
        _PERMUTATIONS,
        n_threads,
    )
    return {"model_luck": luck}


def luck_matters(
    p_value: float, predicted_bias: float, estimate: float, limits: tuple[float, float], side: str
) -> bool:
    """Whether luck is likely, and large beside the interval with these limits."""
    return _core.luck_matters(p_value, predicted_bias, estimate, *limits, side)


def untested(problem: Problem, why: str) -> dict[str, Any]:
    """The same where there can be no test."""
    return {} if problem.folds is None else {"model_luck": {"untestable": why}}


def calibrated(raw: dict[str, Any], plan: Plan, limits: tuple[float, float]) -> dict[str, Any]:
    """The calibrated interval of a two-level correction, as keys `low`, `high` and `infeasible`."""
    assert plan.drawn_folds is not None
    luck = raw["model_luck"]
    if luck["untestable"]:
        reason = f"a calibrated interval needs the variance of model luck: {luck['untestable']}"
        return {"low": math.nan, "high": math.nan, "infeasible": reason}
    found = _core.calibrated_interval(
        raw["estimate"],
        raw["replicate_sd"],
        fewest_folds(plan.drawn_folds),
        luck["luck_variance"],
        plan.confidence_level,
        plan.alternative,
        *limits,
    )
    return {"low": found["low"], "high": found["high"], "infeasible": found["reason"]}
