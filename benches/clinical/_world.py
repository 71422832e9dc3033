"""Configurations whose calibration, net benefit and ROC curve are known exactly.

The log odds of an event are normal. A configuration sees them through noise: the logit of its
risk is a + b u, where u is standard normal and has correlation rho with the log odds. Its true
slope, net benefit and curve are integrals over u of the probability of an event given u, by
Gauss-Hermite quadrature.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MEAN, _SD = -0.8, 1.5  # of the log odds
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
_GRID = np.linspace(-7, 7, 4001)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


@dataclass(frozen=True)
class Configuration:
    """A configuration, with what is true of it."""

    rho: float
    shift: float  # of the logit of its risk, from the one that is calibrated
    stretch: float

    @cached_property
    def event(self) -> Array:
        """Probability of an event on the grid of u."""
        rest = _SD * np.sqrt(1 - self.rho**2)
        log_odds = _MEAN + _SD * self.rho * _GRID[:, None] + rest * _NODES
        return np.asarray(sigmoid(log_odds) @ _WEIGHTS / _WEIGHTS.sum())

    @cached_property
    def density(self) -> Array:
        """Weights of the grid of u, which add up to 1."""
        weights = np.exp(-(_GRID**2) / 2)
        return np.asarray(weights / weights.sum())

    def _line(self, x: Array) -> tuple[float, float]:
        """The logistic regression of the event on x."""
        a, b = 0.0, 1.0
        for _ in range(100):
            p = sigmoid(a + b * x)
            residual = self.density * (self.event - p)
            v = self.density * p * (1 - p)
            information = np.array([[v.sum(), (v * x).sum()], [(v * x).sum(), (v * x * x).sum()]])
            step = np.linalg.solve(information, [residual.sum(), (residual * x).sum()])
            a, b = a + step[0], b + step[1]
        return float(a), float(b)

    @cached_property
    def calibrated(self) -> tuple[float, float]:
        """Intercept and slope of the risk of u that is calibrated."""
        return self._line(_GRID)

    def logit(self, u: Array) -> Array:
        """The logit of the risk that it predicts."""
        a, b = self.calibrated
        return self.shift + self.stretch * (a + b * u)

    @cached_property
    def slope(self) -> float:
        return self._line(self.logit(_GRID))[1]

    def net_benefit(self, threshold: float) -> float:
        treated = self.density * (sigmoid(self.logit(_GRID)) >= threshold)
        odds = threshold / (1 - threshold)
        return float((treated * (self.event - (1 - self.event) * odds)).sum())

    def roc(self, rates: Array) -> Array:
        """Sensitivity at rates of false positives."""
        event, other = self.density * self.event, self.density * (1 - self.event)
        hits = np.append(0, np.cumsum(event[::-1])) / event.sum()
        alarms = np.append(0, np.cumsum(other[::-1])) / other.sum()
        return np.interp(rates, alarms, hits)

    def observed(self, risks: Array) -> Array:
        """Probability of an event given the predicted risk."""
        return np.interp(np.log(risks / (1 - risks)), self.logit(_GRID), self.event)


def worlds(rng: np.random.Generator, n_configurations: int) -> dict[str, list[Configuration]]:
    """Equal and calibrated configurations, and unequal ones that are not."""
    unequal = [
        Configuration(rho, shift, stretch)
        for rho, shift, stretch in zip(
            rng.uniform(0.5, 0.9, n_configurations),
            rng.normal(0, 0.3, n_configurations),
            np.exp(rng.normal(0.2, 0.3, n_configurations)),
            strict=True,
        )
    ]
    return {"equal": [Configuration(0.8, 0.0, 1.0)] * n_configurations, "unequal": unequal}


def draw(
    rng: np.random.Generator, configurations: list[Configuration], n_rows: int
) -> tuple[NDArray[np.int64], Array]:
    """Truth and risks of one sample."""
    common = rng.normal(size=n_rows)
    y = (rng.random(n_rows) < sigmoid(_MEAN + _SD * common)).astype(np.int64)
    columns = []
    for each in configurations:
        noise = rng.normal(size=n_rows)
        u = each.rho * common + np.sqrt(1 - each.rho**2) * noise
        columns.append(sigmoid(each.logit(u)))
    return y, np.column_stack(columns)
