"""Blocks of neighbouring rows that are drawn together: their length, given or found."""

from typing import Any

from . import _engine
from ._validation._values import integer
from .errors import Argument, InvalidValueError
from .metrics import Metric
from .selection import get as get_selection
from .sources import Predictions


def length_of_blocks(given: Predictions, metric: Metric, options: Any, block_length: Any) -> int:
    """The number of neighbouring rows that are drawn together, found or given."""
    if options.get("method") in ("bbc-f", "tt"):
        method = Argument("method", options["method"])
        raise InvalidValueError(
            "block_length", "is for draws of rows, not of folds as by {}", method
        )
    is_found = _is_found(block_length, metric, options.get("selection", "best"))
    named = Argument("block_length", block_length)
    if given._source.no_blocks is not None:
        why, hint = given._source.no_blocks
        raise InvalidValueError(named, why, hint=hint)
    if not is_found:
        return integer(block_length, "block_length", lowest=1)
    if given._is_stream:
        raise InvalidValueError(named, "needs all predictions at once, not a stream")
    call = given._asked({"metric": metric} | options)
    return _engine.block_length(call.problem(), metric, n_threads=call.n_threads)


def _is_found(block_length: Any, metric: Metric, selection: Any) -> bool:
    """True if the length is to be found, of which the metric tells what rows contribute."""
    if not isinstance(block_length, str):
        integer(block_length, "block_length", lowest=1)
        return False
    found = Argument("block_length", block_length)
    if block_length != "auto":
        raise InvalidValueError(found, 'must be a number of rows or "auto"')
    if metric.family == "callable":
        raise InvalidValueError(
            found,
            f"reads what rows contribute, which the function {metric.name!r} does not tell",
            hint="give a number of rows",
        )
    if get_selection(selection).rule == "best_threshold":
        raise InvalidValueError(
            found,
            "reads what rows contribute, which depends on the cut-off that best_threshold() tunes",
            hint="give a number of rows",
        )
    return True
