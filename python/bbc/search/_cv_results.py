"""``cv_results_`` as scikit-learn's searches have it."""

from contextlib import suppress
from typing import Any

import numpy as np
from scipy.stats import rankdata

from .._training._configurations import parameter_columns
from .._typing import FloatArray
from ..errors import UndefinedMetricError
from ._cross_validation import CrossValidation


def cv_results(trained: CrossValidation, error_score: Any) -> dict[str, Any]:
    """Return times, parameters, and every metric by fold, counted through all repeats.

    Ranks are those of the selection scores: of all rows together, if metrics are pooled.
    """
    run, fits = trained.run, trained.fits
    results: dict[str, Any] = {}
    results |= _summary("fit_time", fits.fit_times)
    results |= _summary("score_time", fits.score_times)
    results |= parameter_columns(run.configurations)
    results["params"] = [dict(each.params) for each in run.configurations]
    if run.configurations[0].estimator_name:
        names = [each.estimator_name for each in run.configurations]
        results["estimator"] = np.array(names, dtype=object)
    # A fit that took time but gave no prediction.
    failed = ~fits.predicted & ~np.isnan(fits.fit_times)
    for name, metric in run.scoring.metrics.items():
        scores = trained.scores_by_fold(name)
        if error_score != "raise":
            scores[failed] = error_score
        label = run.scoring.label(name)
        for split in range(fits.n_splits):
            results[f"split{split}_test_{label}"] = scores[split]
        results |= _summary(f"test_{label}", scores)
        selection = _selection_scores(trained, name)
        if trained.poolings[name] == "pooled":
            results[f"pooled_test_{label}"] = selection
        results[f"rank_test_{label}"] = _ranks(
            selection if metric.greater_is_better else -selection
        )
    return results


def _selection_scores(trained: CrossValidation, name: str) -> FloatArray:
    """The selection scores by a metric; NaN where a configuration has none."""
    scores = np.full(len(trained.run.configurations), np.nan)
    with suppress(UndefinedMetricError):
        scores[trained.working] = trained.scores(name)[0]
    return scores


def _summary(name: str, by_split: FloatArray) -> dict[str, FloatArray]:
    """Mean and standard deviation over the splits, as scikit-learn computes them."""
    columns = np.ascontiguousarray(by_split.T)
    means = np.average(columns, axis=1)
    deviations = np.sqrt(np.average((columns - means[:, None]) ** 2, axis=1))
    return {f"mean_{name}": means, f"std_{name}": deviations}


def _ranks(scores: FloatArray) -> Any:
    """1 for the best; configurations without a score come last."""
    if np.isnan(scores).all():
        return np.ones(len(scores), dtype=np.int32)
    filled = np.where(np.isnan(scores), np.nanmin(scores) - 1, scores)
    return rankdata(-filled, method="min").astype(np.int32)
