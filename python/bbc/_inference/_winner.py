"""The winner's own performance."""

from .. import _engine
from .._warn import warn
from .._winners import Winners
from ..errors import Argument
from ..results import ConfidenceInterval, PerformanceEstimate
from ..results._correction import facts_of
from ._rows import best_of, given_models, refuse_design


def winner_interval_of(winners: Winners) -> PerformanceEstimate:
    """The performance of the configuration that was selected."""
    options, threads = winners.options, winners.n_threads
    problem, predictions = winners.problem(options.metric), winners.asked.data.predictions
    refuse_design(problem, options, Argument("Correction.winner_interval"))
    rows = _engine.row_values(problem, options.metric, n_threads=threads)
    winner = best_of(problem, options, threads)
    score = float(rows.scores[winner])
    raw = _engine.winner_interval(rows, problem, options, winner=winner, n_threads=threads)
    interval = None
    if raw["feasible"]:
        interval = ConfidenceInterval(
            raw["low"], raw["high"], options.confidence_level, options.alternative
        )
    if raw["warning"]:
        warn(f"winner_interval: {raw['warning']}")
    found = given_models(
        predictions,
        problem,
        options,
        winner=winner,
        winners=winners.raw["replicate_winners"],
        score=score,
        interval=interval,
        n_threads=threads,
    )
    reason = raw["reason"] if problem.of_folds is None else raw["reason"].replace("rows", "folds")
    notes = (*found.pop("notes"), *((raw["warning"],) if raw["warning"] else ()))
    return PerformanceEstimate(
        **facts_of(problem, options.metric),
        **found,
        estimate=raw["estimate"],
        confidence_interval=interval,
        infeasible=reason or None,
        method="hybrid",
        winner=problem.index_given(winner),
        apparent=score,
        unit=options.unit(problem),
        n_folds=problem.n_folds,
        seed=options.seed,
        notes=notes,
    )
