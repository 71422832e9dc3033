"""Scores, labels and risks of equally good configurations, whose truth is known exactly."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]
_CORRELATION = 0.5  # of two configurations' errors on a row


@dataclass(frozen=True)
class World:
    """Scores are normal within classes, `shift` apart; labels cut them in the middle."""

    y: NDArray[np.int64]
    scores: Floats
    shift: float
    groups: NDArray[np.int64] | None

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        return (self.scores > self.shift / 2).astype(np.int64)

    @property
    def risks(self) -> Floats:
        """The probability of an event at the share of events in these rows."""
        share = self.y.mean()
        log_odds = np.log(share / (1 - share)) + self.shift * (self.scores - self.shift / 2)
        return np.asarray(1 / (1 + np.exp(-log_odds)))

    @property
    def truths(self) -> dict[str, float]:
        """Of metrics; precision and F1 depend on the share of events."""
        right = float(norm.cdf(self.shift / 2))
        share = float(self.y.mean())
        hits, alarms = share * right, (1 - share) * (1 - right)
        return {
            "roc_auc": float(norm.cdf(self.shift / np.sqrt(2))),
            "accuracy": right,
            "recall": right,
            "balanced_accuracy": right,
            "precision": hits / (hits + alarms),
            "f1": 2 * hits / (hits + alarms + share),
        }

    def of(self, metric: str) -> tuple[float, Any]:
        """Truth and predictions for a metric; squared errors are those of the scores' noise."""
        if metric == "mean_squared_error":
            return 1.0, self.scores - self.shift * self.y[:, None]
        return self.truths[metric], self.scores if metric == "roc_auc" else self.labels

    def roc(self, rates: Floats) -> Floats:
        return np.asarray(norm.cdf(self.shift + norm.ppf(rates)))

    def net_benefit(self, threshold: float) -> float:
        share = float(self.y.mean())
        odds = threshold / (1 - threshold)
        cut = self.shift / 2 + (np.log(odds) - np.log(share / (1 - share))) / self.shift
        hits, alarms = norm.sf(cut - self.shift), norm.sf(cut)
        return float(share * hits - (1 - share) * alarms * odds)


def world(
    rng: np.random.Generator,
    n_events: int,
    n_rows: int,
    n_configurations: int,
    auc: float,
    group_size: int,
    correlation: float,
) -> World:
    """Groups hold rows of both classes, whose errors share a part."""
    y = np.zeros(n_rows, dtype=np.int64)
    y[rng.choice(n_rows, n_events, replace=False)] = 1
    groups = np.arange(n_rows) // group_size
    shared = [
        np.sqrt(correlation) * rng.normal(size=(n_rows, k))[groups]
        + np.sqrt(1 - correlation) * rng.normal(size=(n_rows, k))
        for k in (1, n_configurations)
    ]
    errors = np.sqrt(_CORRELATION) * shared[0] + np.sqrt(1 - _CORRELATION) * shared[1]
    shift = np.sqrt(2) * norm.ppf(auc)
    scores = shift * y[:, None] + errors
    return World(y, scores, float(shift), groups if group_size > 1 else None)
