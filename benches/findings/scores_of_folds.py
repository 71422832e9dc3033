"""BBC025: intervals from scores of folds alone, and with the truth of the rows.

Five configurations of equal skill: the score of a row is normal, and 1 higher for an event; what
lies above the best cut-off is called an event. "Alone" only the scores of five folds of 600 rows
are known, as a finished search keeps them; "told" the truth of the rows as well. Folds are
stratified by class, or drawn freely, which a table of scores does not say.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

import bbc

from ._study import Line, Study, covers, ends, has, share

Floats = NDArray[np.float64]
N_ROWS, N_FOLDS, N_CONFIGURATIONS = 600, 5, 5
DISTANCE = 1.0
METRICS = ("accuracy", "f1", "brier_score", "roc_auc")


class Pair(NamedTuple):
    """A correction from scores alone, and with the truth; and the score that both should hold."""

    alone: bbc.PerformanceEstimate
    told: bbc.PerformanceEstimate
    truth: float


def cut_off(events: float) -> float:
    """Above it a row is an event more likely than not."""
    return DISTANCE / 2 + np.log((1 - events) / events) / DISTANCE


def population(metric: str, events: float) -> float:
    """The expected score of every configuration."""
    cut = cut_off(events)
    recall, others = norm.sf(cut - DISTANCE), norm.sf(cut)
    if metric == "accuracy":
        return float(events * recall + (1 - events) * (1 - others))
    if metric == "f1":
        called = events * recall + (1 - events) * others
        return float(2 * events * recall / (events + called))
    if metric == "roc_auc":
        return float(norm.cdf(DISTANCE / np.sqrt(2)))
    x = np.linspace(-8, 8 + DISTANCE, 20001)
    density = events * norm.pdf(x - DISTANCE), (1 - events) * norm.pdf(x)
    risk = risk_of(x, events)
    return float(np.trapezoid(density[0] * (1 - risk) ** 2 + density[1] * risk**2, x))


def risk_of(x: Floats, events: float) -> Floats:
    """The probability of an event."""
    return 1 / (1 + np.exp(-DISTANCE * (x - cut_off(events))))


def scores(metric: str, y: Any, x: Floats, events: float) -> Floats:
    """Of each configuration, a column of `x`."""
    event = (y == 1)[:, None]
    if metric == "brier_score":
        return np.mean((risk_of(x, events) - event) ** 2, axis=0)
    if metric == "roc_auc":
        n_events = event.sum()
        ranks = rankdata(x, axis=0)[y == 1].sum(axis=0)
        return (ranks - n_events * (n_events + 1) / 2) / (n_events * (len(y) - n_events))
    called = x > cut_off(events)
    if metric == "accuracy":
        return np.mean(called == event, axis=0)
    hits = (called & event).sum(axis=0)
    return 2 * hits / np.maximum(1, called.sum(axis=0) + event.sum())


def folds_of(y: Any, stratified: bool, rng: np.random.Generator) -> Any:
    """The fold of each row."""
    order = rng.permutation(len(y))
    if stratified:
        order = order[np.argsort(y[order], kind="stable")]
    folds = np.empty(len(y), int)
    folds[order] = np.arange(len(y)) % N_FOLDS
    return folds


def simulate(metric: str, events: float, stratified: bool, rng: np.random.Generator) -> Pair:
    """One sample, whose folds have events and others each."""
    while True:
        y = (rng.random(N_ROWS) < events).astype(int)
        folds = folds_of(y, stratified, rng)
        if all(0 < y[folds == k].mean() < 1 for k in range(N_FOLDS)):
            break
    common, own = rng.normal(size=(N_ROWS, 1)), rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
    x = np.sqrt(0.8) * common + np.sqrt(0.2) * own + DISTANCE * y[:, None]
    table = np.array([scores(metric, y[folds == k], x[folds == k], events) for k in range(N_FOLDS)])
    seed = int(rng.integers(2**32))
    alone, told = (
        bbc.correct(bbc.FoldScores(table, metric=metric, **given), random_state=seed, n_threads=1)
        for given in ({}, {"y": y})
    )
    return Pair(alone.record, told.record, population(metric, events))


def run(n_repetitions: int) -> Iterator[Line]:
    for metric in METRICS:
        for events, stratified in ((0.05, True), (0.1, True), (0.5, True), (0.1, False)):
            rng = np.random.default_rng(
                [25, METRICS.index(metric), round(100 * events), stratified]
            )
            found = [simulate(metric, events, stratified, rng) for _ in range(n_repetitions)]
            yield {
                "metric": metric,
                "events": events,
                "folds": "stratified" if stratified else "free",
                "finding alone": share(has(pair.alone, "BBC025") for pair in found),
                "finding told": share(has(pair.told, "BBC025") for pair in found),
                "coverage alone": share(covers(pair.alone, pair.truth) for pair in found),
                "coverage told": share(covers(pair.told, pair.truth) for pair in found),
                "width alone": float(np.mean([np.ptp(ends(pair.alone)) for pair in found])),
                "width told": float(np.mean([np.ptp(ends(pair.told)) for pair in found])),
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC025", run)
