"""BBC032: metrics of folds with few events.

Scores of ten equally good configurations, made as for BBC014, in folds that are stratified by
class; the score of each fold is averaged (BBC-F). Harm is a bias of more than a tenth of the
interval's width; beside it is the bias of the same predictions scored by all rows together.
"""

from collections.abc import Iterator

import numpy as np

import bbc

from ._study import Line, Study, covers, ends, has, mean_and_error, share
from .rare_class import APART, cut_off, population

N_CONFIGURATIONS = 10
METRICS = ("average_precision", "precision", "f1", "mcc")
#: Rows, events and folds.
SETTINGS = (
    *((100, 10, 5), (100, 10, 10), (100, 30, 5), (300, 30, 5), (300, 30, 10), (600, 60, 5)),
    *((1500, 75, 5), (300, 90, 5), (300, 90, 10), (300, 150, 5)),
)


def stratified(n_rows: int, n_events: int, n_folds: int) -> np.ndarray:
    """Folds of rows of which the first are events: each has as many, up to one."""
    return np.concatenate([np.arange(n_events), n_events + np.arange(n_rows - n_events)]) % n_folds


def simulate(
    metric: str, n_rows: int, n_events: int, n_folds: int, rng: np.random.Generator
) -> tuple[bbc.PerformanceEstimate, bbc.PerformanceEstimate]:
    """The corrections of a mean over folds and of all rows together."""
    y = (np.arange(n_rows) < n_events).astype(int)
    scores = APART * y[:, None] + rng.normal(size=(n_rows, N_CONFIGURATIONS))
    given = scores if metric == "average_precision" else scores > cut_off(n_events / n_rows)
    options = {"metric": metric, "n_bootstraps": 300, "random_state": rng, "n_threads": 1}
    folds = stratified(n_rows, n_events, n_folds)
    by_fold = bbc.correct(y, given.astype(float), method="bbc-f", folds=folds, **options)
    return by_fold.record, bbc.correct(y, given.astype(float), **options).record


def run(n_repetitions: int) -> Iterator[Line]:
    for place, metric in enumerate(METRICS):
        for setting in SETTINGS:
            rng = np.random.default_rng([32, place, *setting])
            truth = population(metric, setting[1] / setting[0])
            found = [simulate(metric, *setting, rng) for _ in range(n_repetitions)]
            by_fold = [each for each, _ in found]
            bias, error = mean_and_error(e.estimate - truth for e in by_fold)
            width = float(np.mean([np.subtract(*ends(e)[::-1]) for e in by_fold]))
            yield {
                "metric": metric,
                "rows": setting[0],
                "events": setting[1],
                "folds": setting[2],
                "finding": share(has(e, "BBC032") for e in by_fold),
                "population value": truth,
                "bias": bias,
                "standard error": error,
                "bias / width": bias / width,
                "bias of rows": mean_and_error(e.estimate - truth for _, e in found)[0],
                "coverage": share(covers(e, truth) for e in by_fold),
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC032", run)
