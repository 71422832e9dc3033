"""Scores of one model, and selection by fold scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._typing import AnyArray, FloatArray
from ..metrics import Metric
from ..selection import Selection, standard_error
from ._responses import Responses
from ._scoring import reads
from ._splits import Partition


def score_of_outputs(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> float:
    """Return the score of one model's outputs; NaN or an error if it is undefined."""
    problem = _problem(outputs, truth, metric, responses, sample_weight, pos_label)
    return float(_engine.score(problem, metric, folds=None, n_threads=1)[0][0])


def row_scores_of_outputs(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    *,
    pos_label: Any,
) -> FloatArray:
    """Return the score of one model's output for each row alone; NaN where it is undefined."""
    problem = _problem(outputs, truth, metric, responses, None, pos_label)
    scores: FloatArray = _engine.row_scores(problem, metric, n_threads=1)[0, :, 0]
    return scores


def _problem(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> _validation.Problem:
    _validation.refuse_given_censoring(metric, "a model is scored on other rows here")
    classes = responses.classes
    if classes is not None and reads(metric, True) == "labels":
        values: AnyArray = classes[outputs["labels"]]
    elif "decisions" in outputs and metric.reads_decisions(by_fold=True):
        values = outputs["decisions"]
    else:
        values = outputs["scores"]
    data = _validation.Data(truth, values[:, None], sample_weight=sample_weight)
    if metric.has_classes:  # of which a fold may lack one
        positive = _validation.positive_class(metric, pos_label, responses.pos_label)
        data = data._replace(classes=classes, pos_label=positive)
    return _validation.problem(data, metric)


def fold_means(by_fold: FloatArray, partitions: Sequence[Partition]) -> FloatArray:
    """Return the mean over repeats of the mean over folds, as the kernel computes it."""
    total, first = np.zeros(by_fold.shape[1]), 0
    for partition in partitions:
        n_folds = len(partition.folds)
        # Along the first axis numpy adds row after row.
        total += by_fold[first : first + n_folds].sum(axis=0) / n_folds
        first += n_folds
    means: FloatArray = total / len(partitions)
    return means


def best_of(scores: FloatArray, metric: Metric) -> int:
    """Return the best score that is defined; ties go to the lowest index."""
    worst = -np.inf if metric.greater_is_better else np.inf
    filled = np.where(np.isnan(scores), worst, scores)
    return int(filled.argmax() if metric.greater_is_better else filled.argmin())


def select(
    rule: Selection,
    scores: FloatArray,
    best: int,
    by_fold: FloatArray,
    metric: Metric,
    n_rows: int,
) -> int:
    """Return the winner by a rule, given the scores on all rows, the best, and the folds' scores.

    One standard error: that of the best configuration's fold scores.
    """
    if rule.rule == "best":
        return best
    margin = standard_error(by_fold[:, best]) if rule.needs_folds else 0.0
    counts = np.ones(n_rows, dtype=np.int64)
    return rule.choose(scores, counts, greater_is_better=metric.greater_is_better, margin=margin)
