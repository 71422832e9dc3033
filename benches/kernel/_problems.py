"""Random problems of a given size."""

from functools import cache
from typing import Any

import numpy as np


@cache
def problem(metric: str, n_rows: int, n_configurations: int) -> tuple[Any, Any]:
    """Truth and predictions of configurations that differ in how good they are."""
    rng = np.random.default_rng(0)
    shape = (n_rows, n_configurations)
    if metric == "mean_squared_error":
        truth = rng.normal(size=n_rows)
        noise = rng.uniform(0.5, 1.5, n_configurations)
        return truth, truth[:, None] + noise * rng.normal(size=shape)
    if metric == "concordance_index":
        survival = np.empty(n_rows, dtype=[("event", bool), ("time", float)])
        survival["event"] = rng.random(n_rows) < 0.6
        survival["time"] = rng.exponential(size=n_rows)
        noise = rng.uniform(0.5, 1.5, n_configurations)
        return survival, noise * rng.normal(size=shape) - np.log(survival["time"])[:, None]
    y = rng.integers(0, 2, n_rows)
    y[:2] = 0, 1
    if metric == "roc_auc":
        return y, rng.normal(size=shape) + np.outer(y, rng.uniform(0.5, 1.5, n_configurations))
    if metric == "log_loss":
        score = rng.normal(size=shape) + np.outer(y, rng.uniform(0.5, 1.5, n_configurations))
        return y, 1 / (1 + np.exp(-score))
    right = rng.random(shape) < 0.6
    return y, np.where(right, y[:, None], 1 - y[:, None]).astype(np.int8)
