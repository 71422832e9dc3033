"""What a correction leaves of the optimism, from rows that trained each other's models."""

from dataclasses import replace

from .. import _engine, _validation
from .._validation import Options, Problem
from .._winners import Winners
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval, RemainingOptimism
from ._rows import refuse_design


def remaining_optimism_of(winners: Winners, shift_limits: bool) -> RemainingOptimism:
    """The further optimism of a correction by rows."""
    _validation.flag(shift_limits, "shift_limits")
    options, threads = winners.options, winners.n_threads
    problem = winners.problem(options.metric)
    _refuse_unstudied(problem, options)
    raw = _engine.remaining_optimism(problem, options, winners.raw, n_threads=threads)
    estimate = winners.estimate
    interval = estimate.confidence_interval
    if interval is not None and shift_limits:
        shift = raw["coupled_estimate"] - estimate.estimate
        interval = _shifted(interval, shift, estimate.metric_range)
    return RemainingOptimism(
        estimate=estimate,
        **{name: raw[name] for name in _FIELDS},
        confidence_interval=interval if shift_limits else None,
    )


_FIELDS = ("kappa", "kappa_sd", "in_bag_optimism", "further_optimism", "coupled_estimate")


def _refuse_unstudied(problem: Problem, options: Options) -> None:
    """Refuse designs for which nothing is known; the kernel refuses what it can tell by itself."""
    by = Argument("Correction.remaining_optimism")
    unstudied: list[tuple[bool, str | Argument, str]] = [
        (problem.block_length > 0, Argument("block_length", problem.block_length), "was"),
        (problem.groups is not None, "groups", "were"),
        (problem.strata is not None, Argument("stratify_bootstrap", True), "was"),
        (problem.truth.event is not None, "y_true", "of times to an event was"),
    ]
    for there, argument, what in unstudied:
        if there:
            raise InvalidValueError(argument, f"{what} not studied for {{}}", by)
    refuse_design(problem, options, by)
    if problem.left_out_rows.size or problem.left_out_configurations.size:
        problem_text = ": some rows or configurations were left out ({}): {} needs all of them"
        raise InvalidValueError("predictions", problem_text, Argument("missing"), by)


def _shifted(
    interval: ConfidenceInterval, shift: float, limits: tuple[float, float] | None
) -> ConfidenceInterval:
    """The interval around the coupled estimate, within the metric's range."""
    low, high = (limit + shift for limit in interval)
    if limits is not None:
        low, high = (min(max(limit, limits[0]), limits[1]) for limit in (low, high))
    return replace(interval, low=low, high=high)
