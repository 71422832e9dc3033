"""The correction after iterations that score the same rows: halving by trees, epochs and the like.

No row is new to the survivors of an iteration, so that their luck on the rows that chose them is
measured instead, and the share of it that carries over is taken from their estimate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .. import _engine, _validation
from .._typing import FloatArray, IndexArray
from .._validation import Asked, Problem
from .._winners import run, selecting_metric
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..results._correction import to_result

#: The options that say otherwise than what iterations need.
_PLAIN = {
    "method": "bbc",
    "missing": "raise",
    "pooling": "pooled",
    "selection": "best",
    "interval": "order-statistics",
    "rungs": None,
    "block_length": None,
    "secondary": None,
}


class Iterations(NamedTuple):
    """What the iterations of a search predicted that differ in something other than rows.

    Attributes
    ----------
    resource : str
        What they differ in.
    predictions : tuple of OutOfSamplePredictions
        Of each iteration, all of its configurations that predicted all folds.
    survivors : tuple of ndarray of int
        For each iteration but the first one: the places that its configurations had before.
    """

    resource: str
    predictions: tuple[OutOfSamplePredictions, ...]
    survivors: tuple[IndexArray, ...]


def correct_iterations(
    iterations: Iterations, metric: Any, options: dict[str, Any]
) -> PerformanceEstimate:
    """The corrected performance of the last iteration's winner, less the luck of those before."""
    metric = selecting_metric(metric)
    _refuse_others(iterations, metric, options)
    options = {name: value for name, value in options.items() if name not in _PLAIN}
    options["random_state"] = _validation.seed(options.get("random_state"))
    calls = [
        _validation.asked(each.y, each, {"metric": metric} | options)
        for each in iterations.predictions
    ]
    problems = [call.problem() for call in calls]
    last, settings = calls[-1], calls[-1].options.for_problem(problems[-1], calls[-1].resamples)
    if any(problem.seen is not None for problem in problems):
        raise InvalidValueError(
            "search", f": iterations of {iterations.resource} need folds that test every row"
        )
    found = [run(problem, settings, n_threads=last.n_threads) for problem in problems]
    luck, total, n_crossed = np.zeros(settings.n_bootstraps), 0.0, 0
    for (before, after), (earlier, later), survivors in zip(
        pairwise(problems), pairwise(found), iterations.survivors, strict=True
    ):
        following = survivors[later["replicate_winners"]]
        scores = _scores(before, settings, following, last).replicates
        share = _slope(before, after, survivors, metric, last.n_threads)
        carried = share * (scores - earlier["replicates"])
        # Below 0, the later pick was worse here: its curve crossed the others', which is no luck.
        if metric.greater_is_better == (carried.mean() > 0):
            luck += carried
            total += abs(float(carried.mean()))
        else:
            n_crossed += 1
    raw, problem = found[-1], problems[-1]
    winners = raw["replicate_winners"]
    rates = _scores(problem, settings, winners, last, winner=raw["winner"]).rates
    within = settings.metric.limits(problem.truth.n_classes)
    replicates = np.clip(raw["replicates"] - luck, *within)
    # Survivors of all that began: one of several was selected.
    n = problems[0].n_configurations
    moments = _engine.moments(replicates, winners, raw["apparent"], settings, n)
    limits = _engine.limits(
        moments["replicates"], moments["estimate"], settings, problem, rates=rates
    )
    # Whether luck of fitted models is left is not known of survivors.
    raw = {key: raw[key] for key in _KEPT} | moments | limits
    known = replace(iterations.predictions[-1], dynamic_search=False)
    estimate = to_result(raw, problem, settings, predictions=known)
    note = f"{len(found)} iterations by {iterations.resource}, from whose survivors {total:.3g} of "
    note += "luck was taken"
    if n_crossed:
        note += f"; that of {n_crossed} is not known, because later picks were worse there"
    return replace(
        estimate,
        notes=(*estimate.notes, note),
        design=replace(estimate.design, selection="iterations"),
    )


_KEPT = ("winner", "n_redrawn", "undefined_fold_share", "size_bias")


def _refuse_others(iterations: Iterations, metric: Metric, options: dict[str, Any]) -> None:
    unknown = options.keys() - {*_validation.ARGUMENTS, *_PLAIN}
    if unknown:
        _validation.refuse_argument("bbc.correct", min(unknown))
    for name, plain in _PLAIN.items():
        given = options.get(name, plain)
        if not (given is plain or (isinstance(given, str) and given == plain)):
            raise InvalidValueError(
                name, f"is not for iterations of {iterations.resource}, which take the default"
            )
    if not _validation.is_mean_of_rows(metric):
        raise InvalidValueError(
            Argument("metric", metric.name),
            f"is no mean over rows; those tell how much luck iterations of {iterations.resource} "
            "hand on",
            hint='give another one, such as "accuracy", "log_loss" or "mean_squared_error"',
        )


def _scores(
    problem: Problem, settings: Any, picks: IndexArray, call: Asked, winner: int | None = None
) -> _engine.WinnerScores:
    """Scores of each replicate's configuration on the rows out of bag."""
    scored = _engine.ScoredProblem(problem, settings)
    raw = {"replicate_winners": picks, "winner": int(picks[0]) if winner is None else winner}
    return _engine.score_winners(scored, scored, raw, n_threads=call.n_threads)


def _slope(
    before: Problem, after: Problem, survivors: IndexArray, metric: Metric, n_threads: int
) -> float:
    """How much of the luck of a unit in one iteration is still there in the next one, 0 to 1.

    The slope of the units' scores on those before, within configurations.
    """
    there = before._replace(predictions=tuple(each[:, survivors] for each in before.predictions))
    earlier, later = (_luck(each, metric, n_threads) for each in (there, after))
    squares = float((earlier**2).sum())
    return min(1.0, max(0.0, float((earlier * later).sum()) / squares)) if squares > 0 else 0.0


def _luck(problem: Problem, metric: Metric, n_threads: int) -> FloatArray:
    """Of each unit and configuration: its rows' scores less the mean, summed by weight."""
    scores = _engine.row_scores(problem, metric, n_threads=n_threads).mean(axis=0)
    weights = problem.sample_weight
    if weights is None:
        weights = np.ones(problem.n_rows)
    of_rows: FloatArray = weights[:, None] * (scores - np.average(scores, axis=0, weights=weights))
    if problem.groups is None:
        return of_rows
    of_units = np.zeros((problem.n_units, of_rows.shape[1]))
    np.add.at(of_units, problem.groups, of_rows)
    return of_units


def places_before(
    resource: str, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> IndexArray:
    """Where the configurations of an iteration stood in the one before.

    scikit-learn hands the same values on, of which the resource alone is replaced.
    """

    def key(params: Mapping[str, Any]) -> frozenset[tuple[str, int]]:
        return frozenset((name, id(value)) for name, value in params.items() if name != resource)

    found = {key(params): place for place, params in reversed(list(enumerate(before)))}
    if any(key(params) not in found for params in after):
        raise InvalidValueError("search", ": a configuration went on after a fit of it had failed")
    return np.array([found[key(params)] for params in after])
