"""BBC014: metrics of a rare class.

Scores of fifty equally good configurations are normal, 1.2 apart between the classes; labels come
from the cut-off at which both classes are equally likely. The population values are integrals at
the prevalence of the sample.
"""

from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

import bbc

from ._study import Line, Study, covers, ends, has, mean_and_error, share

N_ROWS, N_CONFIGURATIONS, APART = 100, 50, 1.2
METRICS = ("average_precision", "f1", "mcc", "balanced_accuracy", "roc_auc")


def cut_off(prevalence: float) -> float:
    """The score at which both classes are equally likely."""
    return float(APART / 2 + np.log(1 / prevalence - 1) / APART)


def population(metric: str, prevalence: float) -> float:
    """The value of a metric on infinitely many rows."""
    if metric == "roc_auc":
        return float(norm.cdf(APART / np.sqrt(2)))
    if metric == "average_precision":
        recall = (np.arange(200_000) + 0.5) / 200_000
        alarms = norm.sf(norm.isf(recall) + APART)  # false positive rate at that recall
        positive = prevalence * recall
        return float(np.mean(positive / (positive + (1 - prevalence) * alarms)))
    t = cut_off(prevalence)
    tp, tn = prevalence * norm.sf(t - APART), (1 - prevalence) * norm.cdf(t)
    fn, fp = prevalence - tp, 1 - prevalence - tn
    if metric == "precision":
        return float(tp / (tp + fp))
    if metric == "f1":
        return float(2 * tp / (2 * tp + fp + fn))
    if metric == "balanced_accuracy":
        return float((tp / prevalence + tn / (1 - prevalence)) / 2)
    return float((tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def simulate(metric: str, n_positive: int, rng: np.random.Generator) -> bbc.PerformanceEstimate:
    """A correction by one metric."""
    y = (np.arange(N_ROWS) < n_positive).astype(int)
    scores = APART * y[:, None] + rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
    ranks = metric in ("average_precision", "roc_auc")
    return bbc.correct(
        y,
        scores if ranks else (scores > cut_off(n_positive / N_ROWS)).astype(int),
        metric=metric,
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )


def run(n_repetitions: int) -> Iterator[Line]:
    for place, metric in enumerate(METRICS):
        for n_positive in (4, 9, 20, 50):
            rng = np.random.default_rng([14, place, n_positive])
            truth = population(metric, n_positive / N_ROWS)
            found = [simulate(metric, n_positive, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate - truth for e in found)
            yield {
                "metric": metric,
                "rows of the class": n_positive,
                "finding": share(has(e, "BBC014") for e in found),
                "population value": truth,
                "bias": bias,
                "standard error": error,
                "coverage": share(covers(e, truth) for e in found),
                "width": float(np.mean([np.subtract(*ends(e)[::-1]) for e in found])),
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC014", run)
