"""Many small corrections in one call."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import _engine, _validation
from .errors import InvalidTypeError, InvalidValueError
from .results import PerformanceEstimate
from .results._correction import to_result

__all__ = ["correct_many"]


def correct_many(
    problems: Iterable[Any], *, n_threads: int | None = None, **options: Any
) -> list[PerformanceEstimate]:
    """Correct many small problems at once.

    Problems run in parallel, with one thread each, so that simulations and monitoring need no
    parallel loop. Each result is the same, to the bit, as that of `correct`.

    Parameters
    ----------
    problems : iterable of (y_true, predictions) or of dict
        A dict holds `y_true`, `predictions` and any further arguments of `correct`, which
        override the common ones.
    n_threads : int, optional
        Worker threads; all cores by default. The results do not depend on it.
    **options
        Arguments of `correct` common to all problems, such as `metric`. The method is "bbc";
        metric and selection may not be Python functions of all rows.

    Returns
    -------
    list of PerformanceEstimate
        One per problem, in order.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; a note says in which problem.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> problems = [(rng.integers(0, 2, 30), rng.integers(0, 2, (30, 8))) for _ in range(3)]
    >>> estimates = bbc.simulate.correct_many(problems, metric="accuracy", random_state=1)
    >>> estimates[2] == bbc.correct(*problems[2], metric="accuracy", random_state=1)
    True
    """
    threads = _validation.n_threads(n_threads)
    if not isinstance(problems, Iterable):
        raise InvalidTypeError(
            "problems", f"must be an iterable of problems, got {type(problems).__name__}"
        )
    prepared = []
    for number, problem in enumerate(problems):
        try:
            prepared.append(_prepared(problem, options))
        except (TypeError, ValueError) as error:
            error.add_note(f"in problem {number}")
            raise
    raw = _engine.correct_many(
        [(problem, settings) for problem, settings, _ in prepared], n_threads=threads
    )
    return [
        to_result(values, problem, settings, predictions=predictions)
        for values, (problem, settings, predictions) in zip(raw, prepared, strict=True)
    ]


def _prepared(
    entry: Any, common: Mapping[str, Any]
) -> tuple[_validation.Problem, _validation.Options, Any]:
    if not isinstance(entry, Mapping):
        if not hasattr(entry, "__len__") or len(entry) != 2:
            raise InvalidTypeError(
                "problems",
                ": each must be a pair (y_true, predictions) or a dict, got "
                f"{type(entry).__name__}",
            )
        entry = dict(zip(("y_true", "predictions"), entry, strict=True))
    arguments = dict(common) | dict(entry)
    missing = {"y_true", "predictions", "metric"} - set(arguments)
    if missing:
        raise InvalidTypeError(sorted(missing)[0], "is missing")
    y_true, predictions = arguments.pop("y_true"), arguments.pop("predictions")
    asked = _validation.asked(y_true, predictions, arguments, function="bbc.simulate.correct_many")
    options = asked.options
    if options.method != "bbc":
        raise InvalidValueError("method", f'must be "bbc" here, got {options.method!r}')
    if options.metric.family == "callable" or options.selection.function is not None:
        raise InvalidValueError(
            "metric", "and selection must not be Python functions here: use bbc.correct"
        )
    problem = asked.problem()
    return problem, options.for_problem(problem, asked.resamples), predictions
