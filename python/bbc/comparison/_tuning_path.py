"""The path of a search: the correction of its first t configurations, for every t in one pass."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _engine
from .._frozen import NO_INDICES
from .._typing import AnyArray, BoolArray, IndexArray
from .._validation import BY_RUNGS, Options, Problem
from .._winners import Winners, run
from ..errors import InvalidValueError
from ..metrics import Metric
from ..results import Difference, TuningPath
from ..results._correction import interval
from ._differences import Replicates, differences, drawn_units, shares_of

__all__ = ["path_of"]


# Where winners vary between replicates, standard errors are up to 2.5 times too large: intervals of
# this nominal level exclude zero in less than 5 % of simulated flat and rising paths.
_LEVEL_OF_FALLS = 0.9


def path_of(
    winners: Winners,
    metric: Metric | None,
    numbers_of: Callable[[int], dict[str, Any]] | None = None,
) -> TuningPath:
    """The path by the metric that selected the winners, or by another.

    ``numbers_of(t)`` are those of the first t, where these are not numbers of the winners; falls
    are told by the replicates of the winners.
    """
    settings = winners.options
    if settings.metric.family == "callable":
        raise InvalidValueError(
            "metric",
            f": {settings.metric.name!r} is a Python function of all rows, which has no path",
            hint="make it a bbc.metrics.row_loss if it is a mean over rows",
        )
    problem = winners.problem(settings.metric)
    if settings.selection.rungs is None:
        points, found = _corrected(problem, settings, winners.n_threads)
    elif metric is not None:
        raise InvalidValueError("metric", "is not for {}: each rung has its own winners", BY_RUNGS)
    else:
        points, found = _by_rungs(problem, settings, winners)
    shown = None if numbers_of is None else list(map(numbers_of, points))
    return _path(points, [*map(winners.first, points[:-1], found[:-1]), winners], metric, shown)


def _points(count: int) -> list[int]:
    """The numbers of configurations: 1, 2, 4, ... and all."""
    return [2**power for power in range(count.bit_length()) if 2**power < count] + [count]


def _by_rungs(
    problem: Problem, settings: Options, winners: Winners
) -> tuple[list[int], list[dict[str, Any]]]:
    """The corrections rung by rung of the first 1, 2, 4, ..., where one was carried to the end."""
    predicted = problem.predicted
    assert predicted is not None
    complete = np.flatnonzero(_is_complete(predicted))
    points = [t for t in _points(problem.n_configurations) if t > complete[0]]
    found = []
    for t in points[:-1]:
        first = problem._replace(
            predictions=tuple(array[:, :t] for array in problem.predictions),
            predicted=np.ascontiguousarray(predicted[:, :, :t]),
        )
        found.append(run(first, settings, n_threads=winners.n_threads))
    return points, [*found, winners.raw]


def _is_complete(predicted: AnyArray) -> BoolArray:
    """Which configurations predicted all rows that any did."""
    there = predicted.any(axis=2)
    return np.asarray(predicted[there].all(axis=0))


def _stopped(problem: Problem) -> IndexArray:
    """The configurations that the search stopped early, as far as its predictions show it."""
    left_out = problem.left_out_configurations
    if problem.predicted is not None:
        return problem.indices_given(np.flatnonzero(~_is_complete(problem.predicted)))
    return left_out if len(left_out) == problem.n_stopped else NO_INDICES


def _corrected(
    problem: Problem, settings: Options, n_threads: int
) -> tuple[list[int], list[dict[str, Any]]]:
    """The kernel's result for the first 1, 2, 4, ... and all configurations.

    Blocks are added in order, and the state after each is the correction of all before.
    """
    points = _points(problem.n_configurations)
    correction = _engine.streaming_correction(problem, settings)
    arrays = _engine.kernel_predictions(problem, settings.metric)
    found = []
    for first, last in zip([0, *points], points, strict=False):
        correction.add([array[:, first:last] for array in arrays], first, n_threads)
        found.append(_engine.finish(correction, problem, settings))
    return points, found


def _path(
    points: Sequence[int],
    corrections: Sequence[Winners],
    metric: Metric | None,
    shown: Sequence[dict[str, Any]] | None,
) -> TuningPath:
    """The curves by the metric that selected, None, or by another, in the caller's numbering."""
    last = corrections[-1]
    if metric is None and last.is_scored_otherwise:
        metric = last.options.metric
    if metric is None:
        options, problem = last.options, last.problem(last.options.metric)
        found = [each.raw for each in corrections]
        estimate = last.estimate
    else:
        options, problem = last.read_by(metric)
        scored = [each.scored_on(options, problem) for each in corrections]
        among = np.all([each.scores.defined for each in scored], axis=0)
        found = [
            correction.numbers(each, among)
            for correction, each in zip(corrections, scored, strict=True)
        ]
        estimate = last.performance(scored[-1], among)
    falls = _falls(points, found, problem, options)
    found = found if shown is None else list(shown)
    ends = [
        (math.nan, math.nan)
        if raw.get("infeasible")
        else tuple(interval(raw, options, problem.truth.n_classes))
        for raw in found
    ]
    tried = [problem.index_given(t - 1) + 1 for t in points[:-1]]
    return TuningPath(
        n_configurations=np.array([*tried, problem.n_configurations_given]),
        estimates=np.array([raw["estimate"] for raw in found]),
        apparent=np.array([raw["apparent"] for raw in found]),
        lows=np.array([low for low, _ in ends]),
        highs=np.array([high for _, high in ends]),
        winners=problem.indices_given(np.array([raw["winner"] for raw in found])),
        estimate=estimate,
        falls=falls,
        stopped=_stopped(problem),
    )


def _falls(
    points: Sequence[int], found: Sequence[dict[str, Any]], problem: Problem, settings: Options
) -> tuple[Difference, ...]:
    """How much worse the best of all is than the best of the first t, for each t."""
    last = f"all {points[-1]}"
    families = [
        Replicates(name, raw["replicates"], shares=shares_of(problem, raw, settings))
        for name, raw in zip([*(f"first {t}" for t in points[:-1]), last], found, strict=True)
    ]
    # The winners of both are often the same, so only the replicates tell; models are as they are.
    draws = drawn_units(problem, settings)._replace(overlap=0.0)
    settings = settings._replace(confidence_level=_LEVEL_OF_FALLS, alternative="greater")
    pairs = [(family.name, last) for family in families[:-1]]
    return differences(families, pairs, draws, problem, settings)
