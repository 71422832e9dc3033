"""Predictions of configurations whose true performance is known, with dependent errors."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]
#: How the configurations differ: not at all, one is better, or on a scale.
SHAPES = ("equal", "one better", "graded")
#: Correlation of the errors of two configurations on a row (on the normal scale).
CORRELATION = 0.5


class World(NamedTuple):
    """Truth, predictions (row, configuration) and their true performance by the metric."""

    y: NDArray[np.int64] | Floats
    predictions: Floats
    performance: Floats
    metric: str


def skill(shape: str, n_configurations: int, level: float, span: float) -> Floats:
    """True performance of each configuration."""
    if shape == "equal":
        return np.full(n_configurations, level)
    if shape == "one better":
        return np.where(np.arange(n_configurations) == 0, level + span, level)
    return level + span * np.linspace(1, 0, n_configurations)


def errors(n_rows: int, n_configurations: int, rng: np.random.Generator) -> Floats:
    """Standard normal, correlated between configurations."""
    common = rng.normal(size=(n_rows, 1))
    own = rng.normal(size=(n_rows, n_configurations))
    return np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * own


def accuracy(shape: str, n_rows: int, n_configurations: int, rng: np.random.Generator) -> World:
    """Labels that are right with a probability; pure noise if all are equal."""
    level, span = (0.5, 0.0) if shape == "equal" else (0.7, 0.1)
    p = skill(shape, n_configurations, level, span)
    y = rng.integers(0, 2, n_rows)
    right = norm.cdf(errors(n_rows, n_configurations, rng)) < p
    return World(y, np.where(right, y[:, None], 1 - y[:, None]).astype(float), p, "accuracy")


def squared_error(
    shape: str, n_rows: int, n_configurations: int, rng: np.random.Generator
) -> World:
    """Real predictions with normal errors: squared errors are skewed."""
    variance = skill(shape, n_configurations, 1.0, -0.25)
    y = rng.normal(size=n_rows)
    shift = np.sqrt(variance) * errors(n_rows, n_configurations, rng)
    return World(y, y[:, None] + shift, variance, "mean_squared_error")


def auc(shape: str, n_rows: int, n_configurations: int, rng: np.random.Generator) -> World:
    """Normal scores of two classes of equal size; pure noise if all are equal."""
    level, span = (0.5, 0.0) if shape == "equal" else (0.7, 0.1)
    a = skill(shape, n_configurations, level, span)
    y = np.arange(n_rows) % 2
    scores = np.sqrt(2) * norm.ppf(a) * y[:, None] + errors(n_rows, n_configurations, rng)
    return World(y, scores, a, "roc_auc")


WORLDS = {"accuracy": accuracy, "mean_squared_error": squared_error, "roc_auc": auc}
