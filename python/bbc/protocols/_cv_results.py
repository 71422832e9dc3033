"""``cv_results_`` as scikit-learn's searches have it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from scipy.stats import rankdata

from .._typing import FloatArray
from ..errors import UndefinedMetricError
from ._collected import Collected
from ._configurations import parameter_columns
from ._estimates import Pooling, scores_of
from ._run import Run
from ._scores import scores_by_fold


def cv_results(
    run: Run, collected: Collected, error_score: Any, poolings: Mapping[str, Pooling]
) -> dict[str, Any]:
    """Return times, parameters, and every metric by fold; folds count through all repeats.

    Ranks are those of the scores that decide: of all rows together, if `poolings` says so.
    """
    results: dict[str, Any] = {}
    results |= _summary("fit_time", collected.fit_times)
    results |= _summary("score_time", collected.score_times)
    results |= parameter_columns(run.configurations)
    results["params"] = [dict(one.params) for one in run.configurations]
    if run.configurations[0].estimator_name:
        names = [one.estimator_name for one in run.configurations]
        results["estimator"] = np.array(names, dtype=object)
    failed = _failed_cells(collected)
    for name, metric in run.scoring.metrics.items():
        scores = scores_by_fold(run, collected, name)
        if error_score != "raise":
            scores[failed] = error_score
        label = run.scoring.label(name)
        for cell in range(collected.n_cells):
            results[f"split{cell}_test_{label}"] = scores[cell]
        results |= _summary(f"test_{label}", scores)
        deciding = _deciding(run, collected, name, poolings)
        if poolings[name] == "pooled":
            results[f"pooled_test_{label}"] = deciding
        results[f"rank_test_{label}"] = _ranks(deciding if metric.greater_is_better else -deciding)
    return results


def _deciding(
    run: Run, collected: Collected, name: str, poolings: Mapping[str, Pooling]
) -> FloatArray:
    """The scores that decide by a metric; NaN where a configuration has none."""
    scores = np.full(len(run.configurations), np.nan)
    with suppress(UndefinedMetricError):
        scores[run.working] = scores_of(run, collected, name, poolings)[0]
    return scores


def _failed_cells(collected: Collected) -> Any:
    """Where a fit was tried (it took time) but left no prediction."""
    failed = np.zeros(collected.fit_times.shape, dtype=bool)
    cell = 0
    for repeat, one in enumerate(collected.partitions):
        for fold in one.folds:
            missing = ~collected.there[repeat, fold.test[0]]
            failed[cell] = missing & ~np.isnan(collected.fit_times[cell])
            cell += 1
    return failed


def _summary(name: str, by_cell: FloatArray) -> dict[str, FloatArray]:
    """Mean and standard deviation over the cells, as scikit-learn computes them."""
    columns = np.ascontiguousarray(by_cell.T)
    means = np.average(columns, axis=1)
    deviations = np.sqrt(np.average((columns - means[:, None]) ** 2, axis=1))
    return {f"mean_{name}": means, f"std_{name}": deviations}


def _ranks(scores: FloatArray) -> Any:
    """1 for the best; configurations without a score come last."""
    if np.isnan(scores).all():
        return np.ones(len(scores), dtype=np.int32)
    filled = np.where(np.isnan(scores), np.nanmin(scores) - 1, scores)
    return rankdata(-filled, method="min").astype(np.int32)
