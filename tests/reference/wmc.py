"""WMC and WMCS: Bernau, Augustin and Boulesteix (2013), as their published program has them.

The probability that a configuration has the least error is that of all its differences to the
others being negative, from the multivariate normal distribution function. WMCS's bias is simulated.
Covariance matrices must be regular: the published program patches others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import multivariate_normal

from .arithmetic import Array


def covariance(errors: Array, n_train: int, n_test: int) -> Array:
    """D R D with D^2 = (1 / B + rho / (1 - rho)) times the variances over iterations."""
    n_iterations = len(errors)
    rho = n_test / (n_train + n_test)
    scale = np.sqrt((1 / n_iterations + rho / (1 - rho)) * errors.var(axis=0, ddof=1))
    return np.asarray(scale[:, None] * np.corrcoef(errors.T) * scale)


def weights(means: Array, sigma: Array) -> Array:
    """P(c has the least error) under N(means, sigma)."""
    n = len(means)
    found = np.empty(n)
    for c in range(n):
        contrast = np.delete(np.eye(n)[c] - np.eye(n), c, axis=0)
        found[c] = multivariate_normal.cdf(
            np.zeros(n - 1),
            mean=contrast @ means,
            cov=contrast @ sigma @ contrast.T,
            abseps=1e-7,
            releps=1e-7,
            rng=np.random.default_rng(0),
        )
    return found


def shrinkage(means: Array, sigma: Array, rng: Any, n_draws: int = 400_000) -> float:
    """Expected bias of the least over its distance from the mean, at most 1."""
    drawn = rng.multivariate_normal(means, sigma, size=n_draws)
    least = int(means.argmin())
    bias = max(0.0, float(means.min() - drawn[drawn.argmin(axis=1) == least, least].mean()))
    distance = float(means.mean() - means.min())
    return 1.0 if distance == 0 else min(1.0, bias / distance)


def wmc(errors: Any, n_train: int, n_test: int, *, shrink: bool = False) -> tuple[float, Array]:
    """The weighted mean of the errors, and the weights."""
    errors = np.asarray(errors, dtype=float)
    means, sigma = errors.mean(axis=0), covariance(errors, n_train, n_test)
    centres = means
    if shrink:
        share = shrinkage(means, sigma, np.random.default_rng(1))
        centres = means - share * (means - means.mean())
    found = weights(centres, sigma)
    return float(found @ means), found
