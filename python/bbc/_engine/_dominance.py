"""Dominated configurations."""

import numpy as np

from .. import _core
from .._typing import BoolArray, FloatArray
from .._validation import Problem
from ..metrics import Metric
from ._convert import Plan, kernel_options, kernel_predictions, kernel_target


def dominated(
    problem: Problem, metric: Metric, plan: Plan, *, dropping_level: float, n_threads: int
) -> tuple[int, FloatArray, BoolArray]:
    """The best, the share of replicates in which each is strictly worse, and who is dominated."""
    best, share_worse, is_dominated = _core.dominated(
        kernel_target(problem.truth, problem.label_values, metric),
        kernel_predictions(problem.predictions, problem.truth, metric),
        kernel_options(plan, metric),
        dropping_level,
        n_threads,
    )
    return best, share_worse, is_dominated.astype(np.bool_)
