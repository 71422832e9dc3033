"""Corrections out of core: blocks of configurations."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass
from math import isnan, prod
from typing import Any, NamedTuple

import numpy as np

from . import _engine, _validation
from ._rows import RowNames, name_place
from ._typing import AnyArray
from .errors import Argument, ArgumentError, InvalidValueError, MissingExtraError
from .results import PerformanceEstimate
from .results._correction import to_result

__all__ = ["Blocks", "correct_stream", "dask_results", "is_stream"]


@dataclass(frozen=True)
class Blocks:
    """Predictions that come as blocks of configurations, such as a generator of files.

    Parameters
    ----------
    iterable : iterable of array-like
        Blocks of shape (n_rows, n_configurations_of_the_block[, n_classes]), in order; with
        repeats a list of such arrays. It is consumed once.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 60)
    >>> predictions = rng.integers(0, 2, (60, 30))
    >>> stream = bbc.Blocks(predictions[:, first : first + 10] for first in (0, 10, 20))
    >>> streamed = bbc.correct(y, stream, metric="accuracy", random_state=1)
    >>> streamed == bbc.correct(y, predictions, metric="accuracy", random_state=1)
    True
    """

    iterable: Iterable[Any]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)


class State(NamedTuple):
    """What a stream keeps of blocks, to be sent to another process; of size O(n_bootstraps).

    `kernel` has the best configuration so far of each replicate, its key and its out-of-bag score;
    `added` are ranges [first, last) of configurations, and `n_repeats` is 0 if there are none.
    `winner` are the predictions of the best on all rows so far, one column per repeat.
    """

    kernel: bytes
    added: tuple[tuple[int, int], ...]
    n_repeats: int
    winner: tuple[AnyArray, ...]


class Stream:
    """A correction whose predictions are added block by block, in any order.

    A copy that is made before any block may add them in another process, and its state is merged.
    The result has the bits of one call, except for `model_luck`, which needs all at once.
    """

    def __init__(self, asked: _validation.Asked) -> None:
        options = asked.options
        if options.metric.family == "callable":
            raise InvalidValueError(
                "metric",
                f": {options.metric.name!r} is a Python function, which needs all "
                "predictions at once; make it a bbc.metrics.row_loss if it is a mean over rows",
            )
        if options.interval == "calibrated":
            raise InvalidValueError(
                Argument("interval", "calibrated"),
                "needs all predictions at once, not a stream: it estimates "
                "how much fitted models vary",
            )
        if options.selection.rule != "best" or options.method in ("bbc-f", "tt"):
            raise InvalidValueError(
                "predictions",
                ': a stream takes selection="best" and method="bbc" or "bbc-two-level" '
                "only, because no other choice can be made block by block",
            )
        data = deepcopy(asked.data._replace(predictions=None))  # blocks come later
        self._names = data.names
        self._y_true = data.y_true
        self._rows = RowNames()
        self._rows.check(y_true=data.y_true, **data.by_row)
        self._problem = _validation.without_predictions(data, options.metric, options.needs)
        self._options = options.for_problem(self._problem, asked.resamples)
        self._kernel = _engine.streaming_correction(self._problem, self._options)
        self._n_repeats = 0
        self._first_two: dict[int, list[AnyArray]] = {}
        self._winner: tuple[AnyArray, ...] = ()

    def add(self, block: Any, first: int | None = None, *, n_threads: int) -> None:
        """Add a block, whose first configuration by default follows the last one.

        If it raises an error, nothing was added.
        """
        if first is None:
            first = max((last for _, last in self._kernel.added()), default=0)
        rows = copy(self._rows)
        rows.check(predictions=block)
        names = None if self._names is None else self._names[first:]
        with _numbered_from(first, names, block, self._y_true):
            arrays = _validation.block(
                block,
                self._problem,
                self._options.metric,
                self._y_true,
                listed=self._names is not None,
            )
        self._check_repeats(len(arrays))
        shown = self._problem._replace(predictions=tuple(arrays))
        values = _engine.kernel_predictions(shown, self._options.metric)
        self._kernel.add(values, first, n_threads)
        self._n_repeats, self._rows = len(arrays), rows
        self._keep_two(arrays, first)
        winner = self._kernel.winner() - first
        if 0 <= winner < arrays[0].shape[1]:
            self._winner = shown.alone(winner).predictions

    def merge(self, state: State) -> None:
        """Add the configurations of a copy."""
        if not state.added:
            return
        self._check_repeats(state.n_repeats)
        self._kernel.merge(state.kernel)
        self._n_repeats = state.n_repeats
        winner = self._kernel.winner()
        if any(first <= winner < last for first, last in state.added):
            self._winner = state.winner

    def finish(self) -> PerformanceEstimate:
        """The result for all configurations added."""
        raw = _engine.finish(self._kernel, self._problem, self._options)
        n_configurations = self._kernel.added()[0][1]
        if len(self._first_two) == n_configurations == 2 and self._names is None:
            repeats = zip(self._first_two[0], self._first_two[1], strict=True)
            _validation.refuse_complements([np.column_stack(pair) for pair in repeats])
        problem = self._problem._replace(
            names=_validation.names(self._names, n_configurations),
            n_configurations_given=n_configurations,
            n_repeats=self._n_repeats,
        )
        winner = problem.of_column(self._winner, raw["winner"])
        return to_result(raw, problem, self._options, of_winner=winner)

    @property
    def state(self) -> State:
        """The state so far, to be merged elsewhere."""
        kernel = self._kernel
        return State(kernel.state(), kernel.added(), self._n_repeats, self._winner)

    def _keep_two(self, arrays: Sequence[AnyArray], first: int) -> None:
        """Keep the first two configurations while there are no others, to compare them."""
        last = first + arrays[0].shape[1]
        if last > 2 or arrays[0].ndim > 2:
            self._first_two.clear()
            return
        for index in range(first, last):
            self._first_two[index] = [array[:, index - first].copy() for array in arrays]

    def _check_repeats(self, n_repeats: int) -> None:
        if self._n_repeats not in (0, n_repeats):
            raise InvalidValueError(
                "predictions", f": {n_repeats} repeats, earlier blocks have {self._n_repeats}"
            )

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name != "_kernel"}
        return kept | {"_state": self._kernel.state()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state = kept.pop("_state")
        vars(self).update(kept)
        self._kernel = _engine.streaming_correction(self._problem, self._options)
        self._kernel.merge(state)


# What a worker holds of a Dask array at a time. A block costs as much as some hundred
# configurations before its first one, so that small chunks are joined; large ones are split.
_BYTES_OF_BLOCK = 64 * 2**20


@contextmanager
def _numbered_from(first: int, *named: Any) -> Iterator[None]:
    """Number configurations in errors as all blocks do, not as one."""
    try:
        yield
    except ArgumentError as error:
        name_place(error, *named)
        if "configuration" in error.place:
            error.place["configuration"] += first
        raise


def is_stream(predictions: Any) -> bool:
    """True if predictions are a stream of blocks."""
    return isinstance(predictions, Blocks) or _is_dask(predictions)


def correct_stream(call: _validation.Asked, predictions: Any) -> PerformanceEstimate:
    """Add all blocks of `bbc.Blocks` or of a Dask array, and finish."""
    correction, n_threads = Stream(call), call.n_threads
    if isinstance(predictions, Blocks):
        for block in predictions:
            correction.add(block, n_threads=n_threads)
            del block  # the next one is made while this one would still be there
    else:
        for _, state in dask_results(_chunk_state, correction, predictions, n_threads):
            correction.merge(state)
    return correction.finish()


def _is_dask(predictions: Any) -> bool:
    return type(predictions).__module__.startswith("dask.") and hasattr(predictions, "to_delayed")


def dask_results(
    function: Callable[[Any, AnyArray, int, int], Any],
    template: Any,
    predictions: Any,
    n_threads: int,
) -> list[tuple[int, Any]]:
    """What ``function(template, block, first, n_threads)`` makes of each block of configurations.

    It runs on the worker that has the block, which is numbered from `first`.
    """
    try:
        import dask
    except ImportError as error:
        raise MissingExtraError(
            "Dask arrays need dask: python -m pip install 'bbc-cv[dask]'"
        ) from error
    if predictions.ndim not in (2, 3):
        raise InvalidValueError(
            "predictions",
            ": a Dask array must have shape (n_rows, n_configurations[, n_classes]), "
            f"not {predictions.ndim} axes",
        )
    if any(map(isnan, predictions.shape)):
        raise InvalidValueError(
            "predictions",
            f": a Dask array of unknown size, shape {predictions.shape}; call its "
            "compute_chunk_sizes() first",
        )
    # Only configurations may be split: a score needs all rows.
    n_rows, _, *classes = predictions.shape
    of_one = n_rows * prod(classes) * predictions.dtype.itemsize
    at_once = max(1, _BYTES_OF_BLOCK // max(of_one, 1))
    widths: list[int] = []  # of whole chunks, or of parts of one
    for width in predictions.chunks[1]:
        if widths and widths[-1] + width <= at_once:
            widths[-1] += width
        else:
            widths += [min(at_once, width - first) for first in range(0, width, at_once)]
    whole = {axis: -1 for axis in range(predictions.ndim) if axis != 1}
    chunked = predictions.rechunk(whole | {1: tuple(widths) or (0,)})
    starts = np.cumsum([0, *chunked.chunks[1]])
    given = dask.delayed(template, traverse=False)
    tasks = [
        dask.delayed(function)(given, chunk, int(first), n_threads)
        for chunk, first in zip(chunked.to_delayed().ravel(), starts[:-1], strict=True)
    ]
    return list(zip(starts[:-1].tolist(), dask.compute(*tasks), strict=True))


def _chunk_state(template: Stream, chunk: AnyArray, first: int, n_threads: int) -> State:
    """Runs on a worker: add the chunk to a copy of the empty correction."""
    correction = deepcopy(template)
    correction.add(chunk, first, n_threads=n_threads)
    return correction.state
