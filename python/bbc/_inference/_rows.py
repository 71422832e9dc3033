"""Inference from the values of rows: what it cannot take, and the winner."""

from .. import _engine
from .._validation import Options, Problem
from ..errors import Argument, InvalidValueError


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
        raise InvalidValueError(Argument("pooling", "fold"), "is not taken by {}", by)
    if problem.seen is not None:
        raise InvalidValueError(
            "predictions", "of different rows in different repeats are not taken by {}", by
        )


def best_of(problem: Problem, options: Options, threads: int) -> int:
    """The best on all rows, by the exact arithmetic of a correction."""
    parts = options.parts(problem)
    return int(_engine.score(problem, options.metric, folds=parts, n_threads=threads)[1])
