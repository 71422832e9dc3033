"""Uncorrected scores of what a run predicted: on all rows, per fold, and of a final model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._typing import AnyArray, FloatArray
from .._validation import Problem
from ..errors import UndefinedMetricError
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ..selection import Selection, standard_error
from ._collected import Collected
from ._responses import Responses
from ._run import Run, check_target
from ._scoring import reads
from ._splits import Partition


def scores_on_all_rows(
    predictions: OutOfSamplePredictions, metric: Metric, *, pooling: str, pos_label: Any
) -> tuple[FloatArray, int]:
    """Return the score of each configuration, and the best one."""
    problem = _validation.problem(
        predictions.y,
        list(predictions.values),
        metric,
        folds=predictions.folds,
        sample_weight=predictions.sample_weight,
        names=predictions.names,
        mask=None if predictions.is_complete else predictions.mask,
        **_classes(metric, predictions.classes, pos_label),
    )
    scores, winner = _score(problem, metric, problem.parts(pooling))
    if winner < 0:
        raise UndefinedMetricError(f"metric {metric.name!r} is undefined on these predictions")
    return scores, winner


def scores_by_fold(run: Run, collected: Collected, name: str) -> FloatArray:
    """Return the scores of a metric, of shape (n_cells, n_configurations).

    NaN where a configuration did not predict the fold, or the metric is undefined on its rows.
    """
    metric = run.scoring.metrics[name]
    source = collected.labels if reads(metric, run.classifier) == "labels" else collected.scores
    assert source is not None
    scores = np.full((collected.n_cells, len(run.configurations)), np.nan)
    for cell, (repeat, rows) in enumerate(_test_rows(collected)):
        there = np.flatnonzero(collected.there[repeat, rows[0]])
        if not there.size:
            continue
        values = source[repeat][rows]
        try:
            problem = _validation.problem(
                run.y[rows],
                values if len(there) == values.shape[1] else values[:, there],
                metric,
                sample_weight=None if run.sample_weight is None else run.sample_weight[rows],
                names=[run.names[index] for index in there],
                **_classes(metric, run.responses.classes, run.pos_label),
            )
        except UndefinedMetricError:
            continue
        scores[cell, there] = _score(problem, metric, None)[0]
    return scores


def score_of_model(
    model: Any,
    X: Any,
    y: ArrayLike,
    metric: Metric,
    responses: Responses,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> float:
    """Return the score of one model on given rows."""
    outputs, _ = responses.of(model, X)
    return score_of_outputs(
        outputs,
        check_target(y, responses.classes is not None),
        metric,
        responses,
        sample_weight=sample_weight,
        pos_label=pos_label,
    )


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
    problem = problem_of_outputs(
        outputs, truth, metric, responses, sample_weight=sample_weight, pos_label=pos_label
    )
    return float(_score(problem, metric, None)[0][0])


def problem_of_outputs(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> Problem:
    """Return the validated problem of one model's outputs."""
    if reads(metric, responses.classes is not None) == "labels":
        assert responses.classes is not None
        values: AnyArray = responses.classes[outputs["labels"]]
    else:
        values = outputs["scores"]
    return _validation.problem(
        truth,
        values[:, None],
        metric,
        sample_weight=sample_weight,
        **_classes(metric, responses.classes, pos_label),
    )


def fold_means(by_fold: FloatArray, partitions: Sequence[Partition]) -> FloatArray:
    """Return the mean over repeats of the mean over folds, as the kernel computes it."""
    total, first = np.zeros(by_fold.shape[1]), 0
    for one in partitions:
        # Along the first axis numpy adds row after row.
        total += by_fold[first : first + len(one.folds)].sum(axis=0) / len(one.folds)
        first += len(one.folds)
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


def _score(problem: Problem, metric: Metric, folds: Any) -> tuple[FloatArray, int]:
    return _engine.score(problem, metric, folds=folds, n_threads=1)


def _classes(metric: Metric, classes: AnyArray | None, pos_label: Any) -> dict[str, Any]:
    """The arguments that a metric on classes needs, since a fold may lack one."""
    if metric.target not in ("binary", "classes"):
        return {}
    return {"labels": classes, "pos_label": pos_label}


def _test_rows(collected: Collected) -> Iterator[tuple[int, AnyArray]]:
    for repeat, one in enumerate(collected.partitions):
        for fold in one.folds:
            yield repeat, fold.test
