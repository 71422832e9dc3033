"""The record of a result: what the trainer told, and what data and options show."""

from typing import Any

import numpy as np

from .._codec import plain_label
from .._design import Design
from .._typing import CodeArray
from .._validation import Options, Problem
from ..predictions import OutOfSamplePredictions


def design_of(problem: Problem, predictions: Any, options: Options | None = None) -> Design:
    """The design of an analysis of a problem; without options nothing was drawn."""
    truth, groups, weights = problem.truth, problem.groups, problem.sample_weight
    made = predictions if isinstance(predictions, OutOfSamplePredictions) else None
    counts: tuple[tuple[Any, int], ...] = ()
    event = truth.event
    if truth.codes is not None and truth.classes is not None:
        of_class = np.bincount(truth.codes, minlength=len(truth.classes)).tolist()
        counts = tuple(zip(map(plain_label, truth.classes.tolist()), of_class, strict=True))
        if len(counts) == 2:
            event = truth.codes == 1
    values = {} if made is None else vars(made.design).copy()
    if made is not None:
        # False is the default of both, and a statement only where the training was seen.
        known = made.design.training != "unknown"
        values["time_ordered"] = made.time_ordered or (False if known else None)
        values["dynamic_search"] = made.dynamic_search or (False if known else None)
    values |= {
        "n_rows_scored": problem.n_rows,
        "n_groups": None if groups is None else int(groups.max()) + 1,
        "n_events": None if event is None else int(np.count_nonzero(event)),
        "class_counts": counts,
        "weighted": weights is not None and bool((weights != weights[0]).any()),
    }
    if groups is not None and event is not None:
        values["n_groups_with_event"] = len(np.unique(groups[event]))
    if options is not None:
        values |= {
            "stratified_draws": problem.strata is not None,
            "block_draws": options.method != "bbc-f" and are_blocks(groups),
            "selection": str(options.selection),
            "interval": options.interval,
        }
        if options.dynamic_search:
            values["dynamic_search"] = True
    return Design(**values)


def are_blocks(groups: CodeArray | None) -> bool:
    """Whether each group is a block of consecutive rows, and some have several."""
    # Codes are in the order of first rows, so those of blocks never fall.
    return (
        groups is not None
        and int(groups[-1]) + 1 < len(groups)
        and bool((groups[1:] >= groups[:-1]).all())
    )
