"""Corrections of streams: iterables of blocks, and Dask arrays."""

import copy
from math import isnan, prod
from typing import Any

import numpy as np

from ._typing import AnyArray
from .errors import InvalidValueError, MissingExtraError
from .results import PerformanceEstimate
from .streaming import Blocks, StreamingCorrection, StreamingState

# What a worker holds of a Dask array at a time. A block costs as much as some hundred
# configurations before its first one, so that small chunks are joined; large ones are split.
_BYTES_OF_BLOCK = 64 * 2**20


def is_stream(predictions: Any) -> bool:
    """Whether predictions are a stream of blocks."""
    return isinstance(predictions, Blocks) or _is_dask(predictions)


def correct_stream(
    correction: StreamingCorrection, predictions: Any, *, n_threads: int
) -> PerformanceEstimate:
    """Add all blocks of `bbc.Blocks` or of a Dask array, and finish."""
    if isinstance(predictions, Blocks):
        for block in predictions:
            correction.add(block, n_threads=n_threads)
    else:
        for state in _dask_states(correction, predictions, n_threads):
            correction.merge(state)
    return correction.finish()


def _is_dask(predictions: Any) -> bool:
    return type(predictions).__module__.startswith("dask.") and hasattr(predictions, "to_delayed")


def _dask_states(correction: StreamingCorrection, predictions: Any, n_threads: int) -> Any:
    """The state of each block of configurations, computed on the worker that has the block."""
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
    n_rows, n_configurations, *classes = predictions.shape
    of_one = n_rows * prod(classes) * predictions.dtype.itemsize
    at_once = max(1, min(n_configurations, _BYTES_OF_BLOCK // max(of_one, 1)))
    whole = {axis: -1 for axis in range(predictions.ndim) if axis != 1}
    chunked = predictions.rechunk(whole | {1: at_once})
    starts = np.cumsum([0, *chunked.chunks[1]])
    template = dask.delayed(correction, traverse=False)
    tasks = [
        dask.delayed(_chunk_state)(template, chunk, int(first), n_threads)
        for chunk, first in zip(chunked.to_delayed().ravel(), starts[:-1], strict=True)
    ]
    return dask.compute(*tasks)


def _chunk_state(
    template: StreamingCorrection, chunk: AnyArray, first: int, n_threads: int
) -> StreamingState:
    """Runs on a worker: add the chunk to a copy of the empty correction."""
    correction = copy.deepcopy(template)
    correction.add(chunk, first, n_threads=n_threads)
    return correction.state
