"""Statistics of binary predictions, from their formulas: calibration, net benefit, ROC, precision.

Readings chosen where the texts are silent:

- Weights are relative; Firth's adjustment counts rows, of which there are as many as the weights
  are worth (Kish): sum(w)^2 / sum(w^2).
- Predictions of exactly 0 or 1 have no logit and are left out of logistic regressions.
- Bins of equal weight: a row is in the bin that the weight of smaller predictions has reached.
- Loess of degree 1 with tricube weights on the nearest points that hold 3/4 of the weight; the
  mean at the place itself where no other point weighs anything.
- A row at the threshold is treated. At a vertical part of the ROC curve its upper end counts, at a
  vertical drop of the precision its upper end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .arithmetic import Array

SPAN = 0.75


@dataclass(frozen=True)
class Rows:
    """Truth (0 or 1), predictions and weights of the rows that count."""

    y: Array
    p: Array
    w: Array


def _newton(y: Array, x: Array, w: Array, *, offset: Array, firth: bool) -> Array:
    """Coefficients at which the (adjusted) score is zero, by damped Fisher scoring."""
    beta = np.zeros(x.shape[1])
    for _ in range(5000):
        p = 1 / (1 + np.exp(-(x @ beta + offset)))
        v = w * p * (1 - p)
        inverse = np.linalg.inv(x.T @ (v[:, None] * x))
        residual = w * (y - p)
        if firth:
            leverage = v * np.einsum("ij,jk,ik->i", x, inverse, x)
            residual = residual + leverage * (0.5 - p)
        step = inverse @ (x.T @ residual)
        longest = np.abs(step).max()
        beta = beta + step * min(1.0, 1.0 / longest if longest > 0 else 1.0)
        if longest < 1e-13 * (1 + np.abs(beta).max()):
            break
    return beta


def _with_logit(rows: Rows) -> tuple[Array, Array, Array]:
    inside = (rows.p > 0) & (rows.p < 1)
    w = rows.w[inside]
    if w.size:
        w = w * w.sum() / (w**2).sum()
    p = rows.p[inside]
    return rows.y[inside], np.log(p) - np.log1p(-p), w


def line(rows: Rows, *, firth: bool = False) -> tuple[float, float]:
    """Intercept and slope of the logistic regression of the truth on the logit."""
    y, x, w = _with_logit(rows)
    event, other = x[y == 1], x[y == 0]
    if not event.size or not other.size:
        return math.nan, math.nan
    if other.max() <= event.min() or event.max() <= other.min():
        return math.nan, math.nan
    scale = x.std()
    beta = _newton(
        y,
        np.column_stack([np.ones_like(x), x / scale]),
        w,
        offset=np.zeros_like(x),
        firth=firth,
    )
    return float(beta[0]), float(beta[1] / scale)


def intercept(rows: Rows, *, firth: bool = False) -> float:
    """Calibration in the large: the intercept with the logit as offset."""
    y, x, w = _with_logit(rows)
    if not (y == 1).any() or not (y == 0).any():
        return math.nan
    return float(_newton(y, np.ones((len(y), 1)), w, offset=x, firth=firth)[0])


def brier_parts(rows: Rows, n_bins: int) -> dict[str, float]:
    """Brier score, its decomposition, the calibration error, O/E and the share of 0 and 1."""
    y, p, w = rows.y, rows.p, rows.w
    total = w.sum()
    rate = (w * y).sum() / total
    score = (w * (y - p) ** 2).sum() / total
    below = np.array([w[p < one].sum() for one in p])
    bins = np.minimum(np.floor(below * n_bins / total), n_bins - 1)
    reliability = resolution = error = 0.0
    for one in np.unique(bins):
        here = bins == one
        weight = w[here].sum()
        observed = (w * y)[here].sum() / weight
        predicted = (w * p)[here].sum() / weight
        reliability += weight / total * (predicted - observed) ** 2
        resolution += weight / total * (observed - rate) ** 2
        error += weight / total * abs(predicted - observed)
    uncertainty = rate * (1 - rate)
    expected = (w * p).sum()
    return {
        "brier_score": score,
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": uncertainty,
        "within_bins": score - (reliability - resolution + uncertainty),
        "calibration_error": error,
        "observed_expected": (w * y).sum() / expected if expected > 0 else math.nan,
        "share_certain": w[(p == 0) | (p == 1)].sum() / total,
    }


def smooth(rows: Rows, place: float) -> float:
    """The calibration curve at one prediction."""
    if place < rows.p.min() or place > rows.p.max():
        return math.nan
    distance = np.abs(rows.p - place)
    order = np.argsort(distance, kind="stable")
    gathered = np.cumsum(rows.w[order])
    needed = SPAN * rows.w.sum() * (1 - 1e-9)
    reach = distance[order][np.searchsorted(gathered, needed)]
    if reach == 0:
        here = distance == 0
        return float(np.average(rows.y[here], weights=rows.w[here]))
    near = distance < reach
    k = rows.w[near] * (1 - (distance[near] / reach) ** 3) ** 3
    if not k.sum() > 0:
        return math.nan
    x, y = rows.p[near] - place, rows.y[near]
    if len(np.unique(x)) == 1:
        return float(np.average(y, weights=k)) if x[0] == 0 else math.nan
    design = np.column_stack([np.ones_like(x), x / reach])
    fitted = np.linalg.lstsq(np.sqrt(k)[:, None] * design, np.sqrt(k) * y, rcond=None)[0][0]
    return float(min(max(fitted, 0.0), 1.0))


def continued(curves: Array) -> Array:
    """Curves of replicates; one that ends goes on by the mean step of those that do not."""
    steps = [np.nan] * curves.shape[1]
    for place in range(1, curves.shape[1]):
        both = curves[:, place] - curves[:, place - 1]
        if not np.isnan(both).all():
            steps[place] = float(np.nanmean(both))
    found = curves.copy()
    low, high = np.nanmin(curves), np.nanmax(curves)
    for curve in found:
        for place in range(1, len(curve)):
            if np.isnan(curve[place]):
                curve[place] = np.clip(curve[place - 1] + steps[place], low, high)
        for place in range(len(curve) - 2, -1, -1):
            if np.isnan(curve[place]):
                curve[place] = np.clip(curve[place + 1] - steps[place + 1], low, high)
    return found


def net_benefit(rows: Rows, threshold: float) -> tuple[float, float, float, float]:
    """Net benefit, that of treating all, their difference, and the standardised one."""
    total = rows.w.sum()
    treated = rows.p >= threshold
    odds = threshold / (1 - threshold)
    event, other = rows.w * rows.y, rows.w * (1 - rows.y)
    benefit = (event[treated].sum() - other[treated].sum() * odds) / total
    of_all = (event.sum() - other.sum() * odds) / total
    rate = event.sum() / total
    return benefit, of_all, benefit - of_all, benefit / rate if rate > 0 else math.nan


def per_1000(rows: Rows, threshold: float) -> tuple[float, float, float, float]:
    """Found, missed, false alarms and rightly left alone, of which each is weight by weight."""
    counts = dict.fromkeys([(True, True), (True, False), (False, True), (False, False)], 0.0)
    for y, p, w in zip(rows.y, rows.p, rows.w, strict=True):
        counts[bool(y == 1), bool(p >= threshold)] += float(w)
    found, missed, alarms, alone = (1000 * each / rows.w.sum() for each in counts.values())
    return found, missed, alarms, alone


def cutoffs(rows: Rows) -> tuple[Array, Array]:
    """Rates of false positives and of true positives for falling cut-offs, from (0, 0)."""
    event, other = rows.w * rows.y, rows.w * (1 - rows.y)
    points = [(0.0, 0.0)]
    for cut in np.unique(rows.p)[::-1]:
        above = rows.p >= cut
        points.append((other[above].sum() / other.sum(), event[above].sum() / event.sum()))
    x, y = np.array(points).T
    return x, y


def sensitivity_at(rows: Rows, rate: float) -> float:
    """Height of the ROC curve, the upper end where it is vertical."""
    x, y = cutoffs(rows)
    at = np.flatnonzero(np.abs(x - rate) < 1e-9)
    return float(y[at[-1]]) if at.size else float(np.interp(rate, x, y))


def specificity_at(rows: Rows, sensitivity: float) -> float:
    """The largest specificity at a sensitivity."""
    x, y = cutoffs(rows)
    at = np.flatnonzero(np.abs(y - sensitivity) < 1e-9)
    if at.size:
        return 1 - float(x[at[0]])
    after = int(np.argmax(y > sensitivity))
    share = (sensitivity - y[after - 1]) / (y[after] - y[after - 1])
    return 1 - float(x[after - 1] + share * (x[after] - x[after - 1]))


def partial_area(rows: Rows, low: float, high: float, *, focus: str) -> tuple[float, float]:
    """Area over a range of specificity or sensitivity, and McClish's standardisation."""
    x, y = cutoffs(rows)
    if focus == "sensitivity":
        x, y = 1 - y[::-1], 1 - x[::-1]
    # By the trapezoid rule between all corners, with both limits from inside the range.
    area = 0.0
    for i in range(1, len(x)):
        left, right = max(x[i - 1], 1 - high), min(x[i], 1 - low)
        if left >= right:
            continue
        heights = [
            y[i - 1] + (at - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1])
            for at in (left, right)
        ]
        area += (right - left) * sum(heights) / 2
    least = (high - low) * ((1 - low) + (1 - high)) / 2
    return area, 0.5 * (1 + (area - least) / (high - low - least))


def precision_at(rows: Rows, recall: float) -> float:
    """Precision on the curve of Davis and Goadrich, the highest at a recall."""
    event, other = rows.w * rows.y, rows.w * (1 - rows.y)
    hits = recall * event.sum()
    before = (0.0, 0.0)
    for cut in np.unique(rows.p)[::-1]:
        above = rows.p >= cut
        now = (event[above].sum(), other[above].sum())
        if now[0] >= hits - 1e-9 * event.sum():
            share = min(1.0, (hits - before[0]) / (now[0] - before[0]))
            return float(hits / (hits + before[1] + share * (now[1] - before[1])))
        before = now
    raise AssertionError("the last cut-off reaches every event")


def band(replicates: Array, level: float) -> dict[str, Array]:
    """Means, pointwise and simultaneous limits of complete (replicate, point) curves."""
    n, n_points = replicates.shape
    ordered = np.sort(replicates, axis=0)

    def limits(low: int, high: int) -> tuple[Array, Array]:
        return ordered[low - 1], ordered[high - 1]

    tail = (1 - level) / 2
    lows, highs = limits(math.ceil(round(tail * n, 9)), math.ceil(round((1 - tail) * n, 9)))
    for rank in range(math.ceil(round(tail * n, 9)), 0, -1):
        wide = limits(rank, n + 1 - rank)
        inside = ((replicates >= wide[0]) & (replicates <= wide[1])).all(axis=1)
        if inside.sum() >= level * n - 1e-9:
            break
    means = np.array([math.fsum(replicates[:, i]) / n for i in range(n_points)])
    return {
        "estimates": means,
        "lows": lows,
        "highs": highs,
        "simultaneous_lows": wide[0],
        "simultaneous_highs": wide[1],
    }


def without_shifts(
    value: Callable[[Rows], float],
    rows_of: Callable[[int | None, int], Rows],
    winners: Array,
    winner: int,
) -> Array:
    """Values of each replicate's winner less its shift: mean value out of bag less that on all.

    `rows_of(b, c)` are the rows of replicate b (None: all rows) with the predictions of c. The
    apparent winner's shift is from all replicates; others differ from it as in the first 50.
    """
    replicates = range(len(winners))
    of_winner = np.array([value(rows_of(b, winner)) for b in replicates])
    mean = np.nanmean(of_winner)
    shifts = {}
    for c in {*winners.tolist()}:
        apart = 0.0
        if c != winner:
            compared = [value(rows_of(b, c)) - of_winner[b] for b in replicates[:50]]
            apart = np.nanmean(compared)
        shifts[c] = mean + apart - value(rows_of(None, c))
    own = [value(rows_of(b, c)) - shifts[c] for b, c in enumerate(winners.tolist())]
    return np.array([one for one in own if not math.isnan(one)])
