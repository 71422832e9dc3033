"""What inference about winners shares: rows that votes are made of, and luck of the models."""

from typing import Any

from .. import _engine
from .._typing import IndexArray
from .._validation import Options, Problem
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval
from ..results._correction import (
    draw_findings,
    luck_findings,
    model_luck,
    uncorrected_findings,
    warn,
)


def refuse_design(problem: Problem, options: Options, by: str | Argument) -> None:
    """Refuse what `by`, which reads the values of single rows, does not take."""
    metric = options.metric
    if metric.family == "callable":
        raise InvalidValueError(
            "metric",
            f": {metric.name!r} is a Python function of all rows, but {{}} reads single rows",
            by,
            hint="bbc.metrics.row_loss(function) makes a metric of a function of rows",
        )
    if problem.sample_weight is not None:
        raise InvalidValueError("sample_weight", "is not taken by {}", by)
    if problem.strata is not None:
        raise InvalidValueError(
            Argument("stratify_bootstrap", True), "has no effect: {} draws nothing", by
        )
    if options.pooling == "fold":
        raise InvalidValueError(
            Argument("pooling", "fold"),
            "is how the winner was selected, as by a search, and is not taken by {}",
            by,
            hint=("for that, correct with {}", Argument("pooling", "pooled")),
        )
    if problem.seen is not None:
        raise InvalidValueError(
            "predictions", "of different rows in different repeats are not taken by {}", by
        )


def best_of(problem: Problem, options: Options, threads: int) -> int:
    """The best on all rows, by the exact arithmetic of a correction."""
    parts = options.parts(problem)
    return int(_engine.score(problem, options.metric, folds=parts, n_threads=threads)[1])


def given_models(
    predictions: Any,
    problem: Problem,
    options: Options,
    *,
    winner: int,
    winners: IndexArray,
    score: float,
    interval: ConfidenceInterval | None,
    n_redrawn: int = 0,
    n_threads: int,
) -> dict[str, Any]:
    """Findings, notes and the test of model luck, as fields of a result; warns of findings.

    `winners` are those of the correction's replicates; `interval` is that of the winner's score,
    against which the bias due to luck is compared.
    """
    found = uncorrected_findings(predictions, problem, options, winner=winner)
    raw = _engine.luck_of(problem, options, winners, n_threads=n_threads)
    luck = None if raw is None else model_luck(raw)
    more = (
        *draw_findings({"n_redrawn": n_redrawn}, problem, options),
        *luck_findings(luck, score, interval),
    )
    warn(more)
    found["data_findings"] += more
    pooling = "fold" if problem.of_folds else options.pooling
    return found | {"model_luck": luck, "pooling": pooling}
