"""From predictions and options to a correction."""

from typing import Any

from ._blocks_of_rows import length_of_blocks
from ._rung_stream import correct_rung_stream
from ._validation import BY_RUNGS, Asked
from ._winners import (
    Winners,
    by_tibshirani,
    refuse_secondary,
    secondary_metrics,
    selecting_metric,
    with_secondary,
)
from .correction import Correction
from .errors import Argument, InvalidValueError
from .results import PerformanceEstimate
from .selection import Selection
from .selection import get as get_selection
from .selection._rules import rungs as given_rungs
from .sources import Predictions
from .streaming import correct_stream


def correct_predictions(
    given: Predictions,
    metric: Any,
    secondary: Any = None,
    *,
    rungs: Any = None,
    block_length: Any = None,
    options: Any,
) -> Correction:
    """What `bbc.correct` does; what the source of the predictions knows stands for defaults.

    Where the source says how metrics are pooled, and `options` do not, the winner is scored so,
    however it was selected.
    """
    metric, source = selecting_metric(metric), given._source
    lenient = secondary is None
    further = source.secondary if lenient else secondary_metrics(secondary, metric)
    pooled = source.pooling_of is not None and "pooling" not in options
    options = source.options | options
    if pooled and "pooling" not in options:
        options = options | {"pooling": given._pooling_of(metric)}
    pooling_of = given._pooling_of if pooled else None
    kept = given._data.predictions
    block_length = options.pop("block_length", None) if block_length is None else block_length
    if rungs is not None or options.get("missing") == "rungs":
        options = _by_rungs(options, rungs)
    if block_length is not None:
        length = length_of_blocks(given, metric, options, block_length)
        options = options | {"block_length": length}
    every = {metric.name: metric, **further}
    call = given._asked({"metric": metric} | options, every)
    if given._is_stream:
        if further:
            raise InvalidValueError("secondary", "is not for a stream, which takes one metric")
        return Correction(_of_stream(call, kept), None, given, "they came as a stream")
    refuse_secondary(call.options.selection, further)
    if call.options.method == "tt":
        why = 'method="tt" draws no replicates'
        found = Correction(by_tibshirani(call, further), None, given, why)
    else:
        winners = Winners(call, pooling_of=pooling_of)
        record = with_secondary(winners.estimate, further, winners.score, lenient=lenient)
        winners.tell(record)
        found = Correction(record, winners, given)
    return found._found(source.findings)


def _of_stream(call: Asked, predictions: Any) -> PerformanceEstimate:
    if call.data.missing == "rungs":
        return correct_rung_stream(call, predictions)
    if call.data.missing != "raise":
        raise InvalidValueError(
            Argument("missing", call.data.missing), "needs all predictions at once, not a stream"
        )
    return correct_stream(call, predictions)


def _by_rungs(options: Any, rungs: Any) -> Any:
    """The options of a correction rung by rung, which is a rule of choice of its own."""
    if options.get("missing") != "rungs":
        raise InvalidValueError("rungs", "is for {}", BY_RUNGS)
    rule = get_selection(options.get("selection", "best"))
    if rule.rule != "best":
        problem = f"{rule} is not for {{}}: each rung has its own best"
        raise InvalidValueError("selection", problem, BY_RUNGS)
    return options | {"selection": Selection("rungs", rungs=given_rungs(rungs))}
