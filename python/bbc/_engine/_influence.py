"""What each unit contributes to the score of one configuration."""

from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, CodeArray, IndexArray
from .._validation import Options, Problem
from ._kernel import kernel_metric, kernel_predictions, kernel_target, replicate_options
from ._scorer import Scorer

_MOST_CALLS = 500  # of a Python function
_UNDEFINED = "the metric is undefined without one of the rows or groups"


def influence(
    problem: Problem,
    options: Options,
    configuration: int,
    *,
    units: CodeArray | IndexArray | None = None,
    n_units: int = 0,
    n_threads: int,
) -> _core.Influence:
    """Contributions by unit, of which there are at least `n_units`; rows or groups by default."""
    metric = options.metric
    if units is None:
        units = problem.groups
    if metric.family == "callable":
        found = _by_function(problem, options, configuration, units)
    else:
        column = [array[:, configuration : configuration + 1] for array in problem.predictions]
        settings = replicate_options(
            options._replace(resamples=None),
            kernel_metric(metric),
            units=None if units is None else np.ascontiguousarray(units, dtype=np.int32),
            folds=problem.parts(options.pooling),
            row_weights=problem.sample_weight,
        )
        found = _core.influence(
            kernel_target(problem, metric),
            kernel_predictions(problem, metric, column),
            settings,
            0,
            n_threads,
        )
    lacking = n_units - len(found.values)
    if lacking <= 0 or found.infeasible:
        return found
    return _core.Influence(np.pad(found.values, (0, lacking)), found.n_effective, "")


def n_distinct(problem: Problem) -> int:
    """Configurations with predictions that no other has."""
    return _core.n_distinct([_comparable(array) for array in problem.predictions])


def _comparable(array: AnyArray) -> AnyArray:
    """Predictions as the kernel compares them; those for functions may be text."""
    if array.dtype.kind in "biu" or array.dtype == np.float64:
        return array
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    codes: AnyArray = np.unique(array, return_inverse=True)[1].reshape(array.shape)
    return codes


def _by_function(
    problem: Problem, options: Options, configuration: int, units: Any
) -> _core.Influence:
    """The jackknife, as in the kernel."""
    scorer = Scorer(problem, options.metric, options.parts(problem))
    of_row = np.arange(problem.n_rows) if units is None else np.asarray(units)
    there = np.unique(of_row)
    n = len(there)
    step = -(-n // _MOST_CALLS)
    whole, _ = scorer.score(np.arange(problem.n_rows), configuration)
    values = np.zeros(int(of_row.max()) + 1)
    for unit in there[::step]:
        without, _ = scorer.score(np.flatnonzero(of_row != unit), configuration)
        values[unit] = (whole - without) * np.sqrt(step * (n - 1) / n)
    if n < 2 or np.isnan(values).any():
        return _core.Influence(np.empty(0), float(n), _UNDEFINED)
    return _core.Influence(values, float(n), "")
