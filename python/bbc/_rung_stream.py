"""Streams of configurations of a search that dropped some of them on the way.

What a rung chooses in a replicate is the best of all that are alive there. A configuration that no
rung chooses among some is chosen among none that has these, so that it can be forgotten.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from . import _engine, _validation
from ._rows import RowNames
from ._typing import AnyArray, IndexArray
from ._validation import BY_RUNGS, Asked, Options, Problem
from ._validation._predictions import per_repeat
from .errors import ArgumentError, InvalidValueError
from .results import PerformanceEstimate
from .results._correction import to_result
from .streaming import Blocks, dask_results


class _Part(NamedTuple):
    """Some configurations: their numbers among all, ascending, and what they predicted."""

    numbers: IndexArray
    columns: AnyArray

    def __add__(self, other: "_Part") -> "_Part":  # type: ignore[override]
        order = np.argsort(numbers := np.concatenate([self.numbers, other.numbers]))
        columns = np.concatenate([self.columns, other.columns], axis=1)
        return _Part(numbers[order], columns[:, order])


def correct_rung_stream(call: Asked, predictions: Any) -> PerformanceEstimate:
    """The correction rung by rung of `bbc.Blocks` or a Dask array: the bits of one piece."""
    rungs = call.options.selection.rungs
    assert rungs is not None
    if rungs.of_row is None:
        raise InvalidValueError(
            "rungs", "must say the rung of each row of a stream: a block shows those of its own"
        )
    left: _Part | None = None
    waiting: _Part | None = None
    n_given = 0
    for part, n in _parts(call, predictions):
        n_given += n
        waiting = part if waiting is None else waiting + part
        # Each choice takes as long as all that are there: as many are added as were left.
        if left is None or len(waiting.numbers) >= len(left.numbers):
            left, waiting = _chosen(call, waiting if left is None else left + waiting), None
    if left is None:
        raise InvalidValueError("predictions", "have no configurations")
    return _finished(call, left if waiting is None else left + waiting, n_given)


def _parts(call: Asked, predictions: Any) -> Iterator[tuple[_Part, int]]:
    """Blocks, or what is left of chunks, and how many configurations they were."""
    if not isinstance(predictions, Blocks):
        found = dask_results(_of_chunk, call, predictions, call.n_threads)
        ends = [first for first, _ in found[1:]] + [int(predictions.shape[1])]
        for (first, part), end in zip(found, ends, strict=True):
            yield part, end - first
        return
    rows = RowNames()
    rows.check(y_true=call.data.y_true)
    first = 0
    for block in predictions:
        rows.check(predictions=block)
        arrays, _ = per_repeat(block)
        if len(arrays) > 1:
            raise InvalidValueError(
                "predictions", f"have {len(arrays)} repeats; a stream with {{}} has one", BY_RUNGS
            )
        n = arrays[0].shape[1]
        yield _Part(np.arange(first, first + n), arrays[0]), n
        first += n


def _of_chunk(call: Asked, chunk: AnyArray, first: int, n_threads: int) -> _Part:
    """Runs on a worker: the configurations of a chunk that some rung chooses."""
    numbers = np.arange(first, first + chunk.shape[1])
    return _chosen(call._replace(n_threads=n_threads), _Part(numbers, chunk))


def _finished(call: Asked, left: _Part, n: int) -> PerformanceEstimate:
    problem, options = _problem(call, left, listed=len(left.numbers) < n)
    with _numbered_by(left.numbers):
        raw = _engine.correct(problem, options, n_threads=call.n_threads)
    problem = problem._replace(
        names=_validation.names(call.data.names, n),
        n_configurations_given=n,
        kept_configurations=left.numbers if len(left.numbers) < n else None,
    )
    return to_result(raw, problem, options)


def _chosen(call: Asked, part: _Part) -> _Part:
    """The configurations that some rung chooses; all where none is complete."""
    try:
        problem, options = _problem(call, part, listed=True)
    except ArgumentError as error:
        if error.code == "missing":  # in every row of these
            return part
        raise
    assert problem.predicted is not None
    if problem.left_out_rows.size or not problem.predicted.all(axis=1).any():
        return part
    with _numbered_by(part.numbers):
        raw = _engine.correct(problem, options, n_threads=call.n_threads)
    choices = raw["rung_choices"]
    return _Part(part.numbers[choices], np.ascontiguousarray(part.columns[:, choices]))


def _problem(call: Asked, part: _Part, *, listed: bool) -> tuple[Problem, Options]:
    """Some configurations validated; those that are `listed` are not all."""
    names = [str(number) for number in part.numbers.tolist()] if listed else None
    with _numbered_by(part.numbers):
        asked = call._replace(data=call.data._replace(predictions=part.columns, names=names))
        problem = asked.problem()
        return problem, call.options.for_problem(problem, call.resamples)


@contextmanager
def _numbered_by(numbers: IndexArray) -> Iterator[None]:
    """Number configurations in errors as all do, not as those that are there."""
    try:
        yield
    except ArgumentError as error:
        for name in ("configuration", "other configuration"):
            if name in error.place:
                error.place[name] = int(numbers[error.place[name]])
        raise
