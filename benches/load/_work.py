"""Corrections to keep a machine busy with, and what tells two of their results apart."""

import hashlib
from functools import cache
from typing import Any

import numpy as np

import bbc

#: One metric of each family: counted errors, exact sums, ranks, many classes, pairs.
METRICS = ("accuracy", "mean_squared_error", "roc_auc", "f1_macro", "concordance_index")


@cache
def problem(metric: str, n_rows: int, n_configurations: int) -> tuple[Any, Any]:
    """Truth and predictions for a metric."""
    rng = np.random.default_rng(n_rows * n_configurations)
    shape = (n_rows, n_configurations)
    if metric in ("accuracy", "f1_macro"):
        y = rng.integers(0, 3, n_rows)
        return y, np.where(rng.random(shape) < 0.5, y[:, None], 1).astype(np.int8)
    scores = rng.normal(size=shape)
    if metric == "concordance_index":
        y = np.empty(n_rows, dtype=[("event", bool), ("time", float)])
        y["event"], y["time"] = rng.random(n_rows) < 0.6, rng.exponential(size=n_rows)
        return y, scores - y["time"][:, None]
    if metric == "roc_auc":
        y = np.arange(n_rows) % 2
        return y, scores + y[:, None]
    return rng.normal(size=n_rows), scores


def answer(metric: str, n_rows: int = 200, n_configurations: int = 50, **options: Any) -> str:
    """Correct a problem; return the digest of all that was computed."""
    options = {"n_bootstraps": 200, "random_state": 1} | options
    y, predictions = problem(metric, n_rows, n_configurations)
    return digest(bbc.correct(y, predictions, metric=metric, **options))


def digest(estimate: bbc.PerformanceEstimate) -> str:
    """Return what changes with any bit of an estimate."""
    numbers = (estimate.replicates, estimate.replicate_winners, estimate.estimate)
    return hashlib.sha256(b"".join(np.asarray(one).tobytes() for one in numbers)).hexdigest()


def answers(n_threads: int | None = None) -> list[str]:
    """Return the digests of one problem per metric."""
    return [answer(metric, n_threads=n_threads) for metric in METRICS]
