"""The kernel's test of model luck, and the interval that allows for it."""

import math
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._typing import AnyArray
from .._validation import Options, Problem

_PERMUTATIONS = 99
OF_FUNCTION = "a metric that is a Python function"
IN_BLOCKS = "predictions that come in blocks"
OF_DERIVED = "predictions that a cut-off or an ensemble derives"
OF_RUNGS = "predictions that only some configurations have"


def model_luck(
    problem: Problem,
    options: Options,
    target: _core.Target,
    predictions: Sequence[AnyArray],
    metric: _core.Metric,
    *,
    n_threads: int,
) -> dict[str, Any]:
    """Test whether fitted models differ; the only key is `model_luck`, with ModelLuck's fields."""
    assert problem.folds is not None
    design = problem.folds, problem.groups, problem.sample_weight
    draws = options.seed or 0, _PERMUTATIONS
    return {"model_luck": _core.model_luck(target, predictions, metric, *design, *draws, n_threads)}


def wanted(problem: Problem, options: Options) -> bool:
    """Whether anything depends on luck: an estimate that allows for it needs no test."""
    takes_models_as_given = options.method == "bbc" or options.interval == "calibrated"
    return problem.folds is not None and takes_models_as_given


def untested(problem: Problem, options: Options, why: str) -> dict[str, Any]:
    """Why there is no test, where one is wanted."""
    return {"model_luck": {"untestable": why}} if wanted(problem, options) else {}


def calibrated(
    raw: dict[str, Any], problem: Problem, options: Options, limits: tuple[float, float]
) -> dict[str, Any]:
    """The calibrated interval of a two-level correction, as keys `low`, `high` and `infeasible`."""
    luck = raw["model_luck"]
    if luck["untestable"]:
        reason = f"a calibrated interval needs the variance of model luck: {luck['untestable']}"
        return {"low": math.nan, "high": math.nan, "infeasible": reason}
    # What the training rows that folds share add, as in comparisons.
    overlap = _core.training_overlap(problem.fewest_folds, problem.n_repeats)
    found = _core.calibrated_interval(
        raw["estimate"],
        raw["replicate_sd"],
        problem.fewest_folds,
        luck["luck_variance"],
        overlap,
        options.confidence_level,
        options.alternative,
        *limits,
    )
    return {"low": found["low"], "high": found["high"], "infeasible": found["reason"]}
