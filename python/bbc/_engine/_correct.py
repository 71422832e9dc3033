"""The correction itself, in one call or block by block."""

from collections.abc import Sequence
from typing import Any

from .. import _core
from .._typing import AnyArray
from .._validation import Problem
from ..metrics import Metric
from ._callable import correct_callable
from ._convert import Plan, kernel_options, kernel_predictions, kernel_target
from ._luck import IN_BLOCKS, OF_FUNCTION, model_luck, untested
from ._replay import correct_by_rule


def correct(problem: Problem, metric: Metric, plan: Plan, *, n_threads: int) -> dict[str, Any]:
    """Correct for the choice of the best configuration; keys as PerformanceEstimate's fields."""
    if metric.family == "callable":
        return correct_callable(problem, metric, plan) | untested(problem, OF_FUNCTION)
    target, predictions, options = _arguments(problem, metric, plan)
    result: dict[str, Any]
    if plan.selection.function is not None:
        result = correct_by_rule(target, predictions, options, metric, plan, n_threads=n_threads)
    else:
        result = _core.correct(target, predictions, options, n_threads)
    return result | model_luck(problem, metric, plan, target, predictions, n_threads=n_threads)


def correct_many(
    problems: Sequence[tuple[Problem, Metric, Plan]], *, n_threads: int
) -> list[dict[str, Any]]:
    """Correct small problems over the thread pool, one thread each."""
    arguments = [_arguments(*problem) for problem in problems]
    results = _core.correct_many(arguments, n_threads)
    return [
        result | model_luck(*problem, target, predictions, n_threads=n_threads)
        for result, problem, (target, predictions, _) in zip(
            results, problems, arguments, strict=True
        )
    ]


def _arguments(problem: Problem, metric: Metric, plan: Plan) -> tuple[Any, list[AnyArray], Any]:
    return (
        kernel_target(problem.truth, problem.label_values, metric),
        kernel_predictions(problem.predictions, problem.truth, metric),
        kernel_options(plan, metric),
    )


class Correction:
    """A correction that grows by blocks of configurations; see the kernel's `bbc::Correction`."""

    def __init__(self, problem: Problem, metric: Metric, plan: Plan) -> None:
        self._problem = problem
        self._truth = problem.truth
        self._metric = metric
        target = kernel_target(problem.truth, problem.label_values, metric)
        self._kernel = _core.Correction(target, kernel_options(plan, metric))

    def add(self, block: Sequence[AnyArray], first_configuration: int, n_threads: int) -> None:
        """Add one block (one array per repeat) that starts at `first_configuration`."""
        arrays = kernel_predictions(block, self._truth, self._metric)
        self._kernel.add(arrays, first_configuration, n_threads)

    def merge(self, state: bytes) -> None:
        """Take over what another correction of the same problem has seen."""
        self._kernel.merge(state)

    def finish(self) -> dict[str, Any]:
        """The result; keys as PerformanceEstimate's fields."""
        result: dict[str, Any] = self._kernel.finish()
        return result | untested(self._problem, IN_BLOCKS)

    @property
    def state(self) -> bytes:
        """What was seen so far, of size O(n_bootstraps)."""
        return bytes(self._kernel.state())
