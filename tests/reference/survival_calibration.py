"""Calibration of survival at a time, from the formulas.

Readings chosen where the texts are silent:

- Pseudo-values are those of all rows, whatever rows a replicate scores; weights count rows.
- The line on the complementary log-log scale has the least squares of pseudo-values, which is where
  the estimating equations with independence and equal variances are zero.
"""

from __future__ import annotations

import numpy as np

from .arithmetic import Array
from .clinical import Rows, smooth


def risk(event: Array, time: Array, w: Array, at: float) -> float:
    """Kaplan-Meier's probability of an event by a time."""
    survival = 1.0
    for u in np.unique(time[event & (time <= at)]):
        survival *= 1 - w[(time == u) & event].sum() / w[time >= u].sum()
    return 1 - survival


def pseudo_values(event: Array, time: Array, w: Array, at: float) -> Array:
    """Jackknife pseudo-values of that probability."""
    of_all, total = risk(event, time, w, at), w.sum()
    found = []
    for i in range(len(time)):
        others = np.arange(len(time)) != i
        without = risk(event[others], time[others], w[others], at)
        found.append((total * of_all - (total - w[i]) * without) / w[i])
    return np.array(found)


def _solve(y: Array, x: Array, w: Array, offset: Array, start: Array) -> Array:
    """Least squares of y about 1 - exp(-exp(offset + x b)), by Levenberg and Marquardt.

    NaN where a coefficient is beyond 30, and risks are 0 or 1.
    """
    beta, damping = start, 1e-3

    def squares(b: Array) -> float:
        return float((w * (y - 1 + np.exp(-np.exp(offset + x @ b))) ** 2).sum())

    for _ in range(5000):
        eta = offset + x @ beta
        slope = np.exp(eta - np.exp(eta))[:, None] * x
        normal = slope.T @ (w[:, None] * slope)
        gradient = slope.T @ (w * (y - 1 + np.exp(-np.exp(eta))))
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
        if np.abs(step).max() < 1e-12:
            break
        if np.abs(beta + step).max() > 30:
            return np.full_like(beta, np.nan)
        if squares(beta + step) <= squares(beta) * (1 + 1e-14):
            beta, damping = beta + step, max(damping / 10, 1e-15)
        else:
            damping *= 10
    return beta


def scalars(rows: Rows) -> dict[str, float]:
    """Slope, both intercepts, and observed over expected risk; `rows.p` are risks."""
    inside = (rows.p > 0) & (rows.p < 1)
    y, w = rows.y[inside], rows.w[inside]
    x = np.log(-np.log1p(-rows.p[inside]))
    ones, mean = np.ones((len(x), 1)), float(np.average(x, weights=w))
    sd = float(np.sqrt(np.average((x - mean) ** 2, weights=w)))
    z = np.column_stack([ones, (x - mean) / sd])
    a, b = _solve(y, z, w, np.zeros_like(x), np.array([mean, sd]))
    return {
        "intercept": float(_solve(y, ones, w, x, np.zeros(1))[0]),
        "slope": float(b / sd),
        "slope_intercept": float(a - b * mean / sd),
        "observed_expected": float((rows.w * rows.y).sum() / (rows.w * rows.p).sum()),
    }


def curve(rows: Rows, grid: Array) -> Array:
    """Observed against predicted risk, smoothed."""
    return np.array([smooth(rows, place) for place in grid])
