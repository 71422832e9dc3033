"""``bbc correct-search``: a table of scores by fold, one estimate."""

import argparse

from .._finished._scores import FoldScores
from ..api import correct
from ..errors import arguments_called
from ._input import read_rows
from ._output import refuse_place, remark, write


def run_correct_search(arguments: argparse.Namespace) -> None:
    """Read, correct, write."""
    refuse_place(arguments.html)
    with arguments_called(scores=arguments.file):
        scores = FoldScores(
            arguments.file,
            metric=arguments.metric,
            greater_is_better=arguments.greater_is_better,
            n_repeats=arguments.n_repeats,
            **read_rows(arguments),
        )
        corrected = correct(
            scores,
            reselect=arguments.reselect,
            dynamic_search=arguments.dynamic_search,
            n_bootstraps=arguments.n_bootstraps,
            confidence_level=arguments.confidence_level,
            alternative=arguments.alternative,
            random_state=arguments.seed,
            n_threads=arguments.n_threads,
        )
    estimate = corrected.record
    better = "larger" if estimate.greater_is_better else "smaller"
    partitions = f"{estimate.n_repeats} partitions of " if estimate.n_repeats > 1 else ""
    rows = f"; truth {arguments.truth} of {estimate.n_rows} rows" if arguments.truth else ""
    remark(
        f"score {estimate.metric}, {better} is better; {partitions}{estimate.n_folds} folds; "
        f"{estimate.n_configurations} configurations{rows}"
    )
    write(estimate, arguments)
