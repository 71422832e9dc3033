"""From predictions and options to a correction."""

from typing import Any

from ._blocks_of_rows import in_blocks
from ._rung_stream import correct_rung_stream
from ._validation import BY_RUNGS, Asked
from ._winners import Winners, corrected, named_metrics
from .correction import Correction
from .errors import Argument, InvalidValueError
from .results import PerformanceEstimate, Performances
from .selection import Selection
from .selection import get as get_selection
from .selection._rules import rungs as given_rungs
from .sources import Predictions
from .streaming import StreamingCorrection, correct_stream


def correct_predictions(
    given: Predictions,
    metric: Any,
    decided_by: str | None = None,
    *,
    rungs: Any = None,
    block_length: Any = None,
    options: Any,
) -> Any:
    """What `bbc.correct` does; what the source of the predictions knows stands for defaults.

    Where the source says how metrics are pooled, and `options` do not, the winner is scored so,
    however it was selected.
    """
    named, deciding, several = named_metrics(metric, decided_by)
    pooled = given._source.pooling_of is not None and "pooling" not in options
    options = given._source.options | options
    if pooled and "pooling" not in options:
        options = options | {"pooling": given._pooling_of(named[deciding])}
    pooling_of = given._pooling_of if pooled else None
    kept = given._data.predictions
    block_length = options.pop("block_length", None) if block_length is None else block_length
    if rungs is not None or options.get("missing") == "rungs":
        options = _by_rungs(options, rungs)
    if block_length is not None:
        design = given._design_arguments
        options = in_blocks(given.y, kept, named[deciding], design | options, block_length)
    call = given._asked({"metric": named[deciding]} | options, named)
    if given._is_stream:
        if several:
            raise InvalidValueError("metric", ": a stream takes one metric, not several")
        return Correction(_of_stream(call, kept), None, given, "they came as a stream")
    if several or call.options.method == "tt":
        found = corrected(call, named, deciding, pooling_of)
        if several:
            return Performances(found)
        why = 'method="tt" draws no replicates'
        return Correction(found[deciding], None, given, why)._found(given._source.findings)
    winners = Winners(call, pooling_of=pooling_of)
    return Correction(winners.estimate, winners, given)._found(given._source.findings)


def _of_stream(call: Asked, predictions: Any) -> PerformanceEstimate:
    if call.data.missing == "rungs":
        return correct_rung_stream(call, predictions)
    if call.data.missing != "raise":
        raise InvalidValueError(
            Argument("missing", call.data.missing), "needs all predictions at once, not a stream"
        )
    correction = StreamingCorrection._with(call)
    return correct_stream(correction, predictions, n_threads=call.n_threads)


def _by_rungs(options: Any, rungs: Any) -> Any:
    """The options of a correction rung by rung, which is a rule of choice of its own."""
    if options.get("missing") != "rungs":
        raise InvalidValueError("rungs", "is for {}", BY_RUNGS)
    rule = get_selection(options.get("selection", "best"))
    if rule.rule != "best":
        problem = f"{rule} is not for {{}}: each rung has its own best"
        raise InvalidValueError("selection", problem, BY_RUNGS)
    return options | {"selection": Selection("rungs", rungs=given_rungs(rungs))}
