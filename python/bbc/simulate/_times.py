"""Simulated risks for right-censored survival times."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from .. import _validation
from .._docstrings import described
from .._typing import FloatArray
from ..errors import InvalidValueError
from ._simulation import SIMULATED, Draw, Simulation

# Gauss-Legendre nodes cover log times and their differences up to eight standard deviations.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(96)
_REACH = 8.0


@described(SIMULATED)
def survival(
    n_rows: int,
    n_configurations: int,
    *,
    beta: tuple[float, float] = (9, 6),
    true_performance: ArrayLike | None = None,
    censored: float = 0.3,
    correlation: float = 0.0,
    n_folds: int = 10,
    random_state: Any = None,
) -> Simulation:
    """Simulate risks for right-censored survival times with known concordance.

    Log times g and log censoring times are normal and independent. A risk is
    -r g + sqrt(1 - r^2) e with e from N(0, 1), and r is such that the concordance index of
    comparable pairs, under this censoring, is the drawn one.

    Parameters
    ----------
    censored : float, default=0.3
        Expected share of censored rows, at most 0.9.

    Returns
    -------
    Simulation
        With `y` of the fields event and time, risks as predictions, and metric
        "concordance_index".

    Examples
    --------
    >>> import bbc
    >>> simulation = bbc.simulate.survival(80, 4, censored=0.5, random_state=0)
    >>> simulation.y.dtype.names, simulation.predictions.shape
    (('event', 'time'), (80, 4))
    """
    d = Draw(n_rows, n_configurations, beta, correlation, random_state)
    if _validation.share(censored, "censored") > 0.9:
        raise InvalidValueError("censored", f"must be between 0 and 0.9, got {censored!r}")
    truth = d.true_performance(true_performance)
    strength = _strength_of(truth, censored)
    event_time = d.generator.standard_normal(d.n_rows)
    limit = _censoring_location(censored) + d.generator.standard_normal(d.n_rows)
    y = np.empty(d.n_rows, dtype=[("event", np.bool_), ("time", np.float64)])
    y["event"] = event_time <= limit
    y["time"] = np.exp(np.minimum(event_time, limit))
    risks = d.noise() * np.sqrt(1 - strength**2) - event_time[:, None] * strength
    return d.simulation(
        "survival", "concordance_index", y, risks, truth, n_folds=n_folds, censored=censored
    )


def _censoring_location(censored: float) -> float:
    """Mean of normal log censoring times of variance 1 that censors this share of rows."""
    return float(-np.sqrt(2) * ndtri(censored))


def _concordance(strength: FloatArray, censored: float) -> FloatArray:
    """Concordance of comparable pairs for each strength.

    A pair is comparable if neither row is censored before the shorter time g: its weight is the
    squared probability of censoring after g. At a distance u of the log times the risks are
    concordant with probability Phi(r u / sqrt(2 (1 - r^2))).
    """
    shorter = _REACH * _NODES
    distance = _REACH * (1 + _NODES)
    uncensored = ndtr(_censoring_location(censored) - shorter) ** 2
    density = np.exp(-(shorter**2) / 2) * _WEIGHTS * uncensored
    longer = np.exp(-((shorter[:, None] + distance) ** 2) / 2) * _WEIGHTS
    weight = density @ longer
    scale = strength / np.sqrt(2 * (1 - strength**2))
    in_order = ndtr(scale[:, None] * distance)
    return np.asarray(in_order @ weight / weight.sum())


def _strength_of(concordance: FloatArray, censored: float) -> FloatArray:
    """The strength that gives each concordance, by bisection."""
    low, high = np.full(concordance.shape, -1.0), np.ones(concordance.shape)
    for _ in range(60):
        middle = (low + high) / 2
        inside = np.clip(middle, -1 + 1e-15, 1 - 1e-15)
        above = _concordance(inside, censored) > concordance
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.asarray((low + high) / 2)
