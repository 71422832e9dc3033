"""The method of Tibshirani and Tibshirani: a bias correction from fold scores alone."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from . import _engine
from ._typing import FloatArray
from ._validation import Asked, Options, Problem
from ._warn import warn
from .errors import InvalidValueError
from .findings import found as shown_by
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import facts_of, uncorrected_findings


class FoldScores(NamedTuple):
    """Scores of shape (n_repeats, n_folds, n_configurations), and what they were computed from."""

    problem: Problem
    metric: Metric
    scores: FloatArray


def fold_scores(problem: Problem, metric: Metric, *, n_threads: int) -> FoldScores:
    """The metric of every configuration on every fold."""
    scores = _engine.fold_scores(problem, metric, n_threads=n_threads)
    if scores.shape[0] * scores.shape[1] < 2:
        raise InvalidValueError("folds", ': method="tt" needs at least two folds, got one')
    return FoldScores(problem, metric, scores)


def tibshirani(reported: FoldScores, selecting: FoldScores, asked: Asked) -> PerformanceEstimate:
    """Correct the winner's mean over folds by the mean distance from each fold's best.

    The winner, and each fold's best, are those of the `selecting` scores.
    """
    problem, metric, scores = reported
    raw = _engine.kernel.tt(
        selecting.scores,
        selecting.metric.greater_is_better,
        scores,
        metric.greater_is_better,
    )
    options = asked.options._replace(metric=metric, pooling="fold")
    winner = int(raw["winner"])
    found = uncorrected_findings(asked.data.predictions, problem, options, winner=winner)
    found["design"] = replace(found["design"], selection="best")
    assert problem.folds is not None
    single = any(np.bincount(repeat[repeat >= 0]).min() == 1 for repeat in problem.folds)
    for each in shown_by("small_folds", {"single_row_fold": single}):
        warn(str(each))
        found["data_findings"] += (each,)
    return PerformanceEstimate(
        **facts_of(problem, metric),
        **found,
        estimate=raw["estimate"],
        method="tt",
        winner=problem.index_given(winner),
        apparent=raw["apparent"],
        decided_by="" if selecting.metric is metric else selecting.metric.name,
        pooling="fold",
        n_folds=scores.shape[1],
    )


def refuse_draws(options: Options, resamples: Any) -> None:
    """Refuse options of draws where nothing is drawn."""
    said = {
        "resamples": resamples is not None,
        "stratify_bootstrap": options.stratify_bootstrap,
        "class_counts": options.class_counts == "fixed",
    }
    for name, is_said in said.items():
        if is_said:
            raise ValueError(f'{name} has no effect: method="tt" draws nothing')
    if options.selection.rule != "best":
        raise InvalidValueError("selection", ': method="tt" chooses the best mean over folds')
