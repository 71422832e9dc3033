"""Metrics that are Python functions: the kernel's replicates, scored in Python. Slow."""

import math
from typing import Any

import numpy as np

from .. import _core
from .._typing import AnyArray, FloatArray, IndexArray
from .._validation import Problem
from ..errors import UndefinedMetricError
from ..metrics import Metric
from ._convert import Plan, kernel_options, kernel_target

_MOST_ATTEMPTS = 1000


def correct_callable(problem: Problem, metric: Metric, plan: Plan) -> dict[str, Any]:
    """Algorithm 5 with a Python function as the metric; same draws as every other metric."""
    if plan.row_weights is not None:
        raise ValueError(
            f"sample_weight: metric {metric.name!r} is a Python function of (y, prediction) and "
            "takes no weights"
        )
    scorer = _Scorer(problem, metric, plan)
    target = kernel_target(problem.truth, None, metric)
    sampler = _core.Sampler(target, kernel_options(plan, metric))
    everything = np.arange(problem.n_rows)
    n_bootstraps = plan.resampling.n_bootstraps
    on_all_rows = scorer.scores(everything)
    if on_all_rows is None:
        raise UndefinedMetricError(f"metric: {metric.name!r} is undefined (NaN) on all rows")
    winner = scorer.best(on_all_rows)

    replicates = np.empty(n_bootstraps)
    winners = np.empty(n_bootstraps, np.int64)
    n_redrawn = 0
    for b in range(n_bootstraps):
        for attempt in range(_MOST_ATTEMPTS):
            counts = sampler.draw(b, attempt)
            scored = _score_replicate(scorer, everything, counts)
            if scored is not None:
                break
            why = f"replicate {b} leaves metric {metric.name!r} undefined"
            if plan.resampling.resamples is not None:
                raise ValueError(f"resamples: {why}")
            if plan.resampling.on_undefined == "raise":
                raise UndefinedMetricError(f'{why} (on_undefined="raise")')
            n_redrawn += 1
        else:
            raise UndefinedMetricError(f"y: {_MOST_ATTEMPTS} draws in a row: {why}")
        winners[b], replicates[b] = scored
    low, high = _core.order_statistic_interval(
        replicates, plan.confidence_level, plan.alternative, metric.lowest, metric.highest
    )
    estimate = math.fsum(replicates) / n_bootstraps
    return {
        "estimate": estimate,
        "low": low,
        "high": high,
        "replicate_sd": float(np.std(replicates, ddof=1)) if n_bootstraps > 1 else 0.0,
        "apparent": float(on_all_rows[winner]),
        "winner": winner,
        "replicates": replicates,
        "replicate_winners": winners,
        "n_redrawn": n_redrawn,
        "undefined_fold_share": 0.0,
    }


class _Scorer:
    """Scores of all configurations, or of one, on a list of rows."""

    def __init__(self, problem: Problem, metric: Metric, plan: Plan) -> None:
        self._y = problem.truth.values
        self._predictions = problem.predictions
        self._metric = metric
        self._folds = plan.folds

    def best(self, scores: FloatArray) -> int:
        """The best score; ties go to the lowest index."""
        return int(np.argmax(scores) if self._metric.greater_is_better else np.argmin(scores))

    def scores(self, rows: IndexArray) -> FloatArray | None:
        """Scores of all configurations; None if the metric is undefined on these rows."""
        n_configurations = self._predictions[0].shape[1]
        scores = np.array([self.score(rows, j) for j in range(n_configurations)])
        undefined = np.isnan(scores)
        if undefined.all():
            return None
        if undefined.any():
            j = int(np.argmax(undefined))
            raise ValueError(
                f"metric: {self._metric.name!r} is NaN for configuration {j} but not for others, "
                "so the configurations cannot be compared"
            )
        return scores

    def score(self, rows: IndexArray, configuration: int) -> float:
        """Mean over repeats of the metric on the rows, or of its mean over their folds."""
        values = [
            self._pooled(rows, repeat[:, configuration])
            if self._folds is None
            else self._by_fold(rows, repeat[:, configuration], self._folds[number])
            for number, repeat in enumerate(self._predictions)
        ]
        return sum(values) / len(values)

    def _pooled(self, rows: IndexArray, prediction: AnyArray) -> float:
        assert self._metric.function is not None
        value = self._metric.function(self._y[rows], prediction[rows])
        try:
            return self._metric.sign * float(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"metric: {self._metric.name!r} must return a number, got {type(value).__name__}"
            ) from None

    def _by_fold(self, rows: IndexArray, prediction: AnyArray, folds: AnyArray) -> float:
        values = [
            self._pooled(rows[folds[rows] == fold], prediction) for fold in np.unique(folds[rows])
        ]
        defined = [value for value in values if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan


def _score_replicate(
    scorer: _Scorer, everything: IndexArray, counts: AnyArray
) -> tuple[int, float] | None:
    """Winner and its out-of-bag score; None if either side leaves the metric undefined."""
    out_of_bag = np.flatnonzero(counts == 0)
    if out_of_bag.size == 0:
        return None
    in_bag = scorer.scores(np.repeat(everything, counts))
    if in_bag is None:
        return None
    winner = scorer.best(in_bag)
    score = scorer.score(out_of_bag, winner)
    return None if math.isnan(score) else (winner, score)
