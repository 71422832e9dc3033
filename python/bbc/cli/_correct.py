"""``bbc correct``: one table, one estimate."""

import argparse
from typing import Any

from .. import metrics
from .._validation import default_n_bootstraps
from ..api import correct
from ..correction import Correction
from ..predictions import OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..streaming import Blocks
from ._input import positive_class, read_predictions, say_taken, told
from ._messages import Bar, blocks
from ._output import refuse_place, write

_LONG_WORK = 2e10  # cells (rows x configurations x replicates): more than some seconds


def run_correct(arguments: argparse.Namespace) -> None:
    """Read, correct, write."""
    refuse_place(arguments.html)
    taken = read_predictions(arguments)
    predictions = taken.predictions
    options = told(correct, arguments)
    options["pos_label"] = positive_class(arguments, predictions)
    estimate = _corrected(predictions, options)
    say_taken(taken, options["metric"], options["pos_label"])
    write(estimate, arguments)


def _corrected(predictions: OutOfSamplePredictions, options: dict[str, Any]) -> PerformanceEstimate:
    """Long work goes by blocks, for the progress bar; the bits are the same."""
    metric = metrics.get(options["metric"])
    n_bootstraps = options["n_bootstraps"]
    if n_bootstraps is None:
        n_bootstraps = default_n_bootstraps(metric, options["selection"])
    cells = predictions.values.size * n_bootstraps
    by_row = options["method"] == "bbc"  # draws of folds are quick
    in_kernel = metric.family != "callable" and not metric.orders_classes
    at_once = options["selection"].derives or options["missing"] == "rungs"
    at_once = at_once or options["block_length"] == "auto" or not (by_row and in_kernel)
    at_once = at_once or options["secondary"] is not None
    if cells < _LONG_WORK or at_once or not predictions.is_complete:
        found: Correction = correct(predictions.y, predictions, **options)
        return found.record
    del options["missing"]  # of complete predictions none are
    bar = Bar(predictions.n_configurations, "configurations")
    stream = Blocks(blocks(predictions.values, n_bootstraps, bar))
    found = correct(
        predictions.y,
        stream,
        folds=predictions.folds,
        groups=predictions.groups,
        stratified_by=predictions.stratified_by,
        sample_weight=predictions.sample_weight,
        labels=predictions.classes,
        names=predictions.names,
        **options,
    )
    return found.record
