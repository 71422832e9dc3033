"""Survival metrics whose rows are weighted for censoring.

Readings chosen where the texts are silent:

- The censoring distribution G is estimated once, by Kaplan-Meier on all rows with their sample
  weights. Events come before censored rows of the same time. Given instead, G is a table of rows:
  just before their own time, then beyond each of the metric's times.
- An event at t weighs by G(t-), a row followed beyond t by G(t).
- Uno's C takes events before tau. Its pairs are added up event by event, from the latest to the
  earliest, those of one time in order of row.
- The integrated Brier score follows the trapezoidal rule and is divided by the span of the times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .arithmetic import Array, Num, ratio
from .truth import Truth

Prepare = Callable[[Truth, Array | None], Truth]


def censoring_survival(truth: Truth, weights: Array | None, t: float, *, before: bool) -> float:
    """G(t), or G(t-): the probability of being uncensored beyond (or up to) t."""
    times, events = truth.times, truth.events
    w = np.ones(len(times)) if weights is None else weights
    g = 1.0
    for u in np.unique(times[~events]):
        if u > t or (before and u == t):
            break
        left = float(w[times > u].sum())
        g *= left / (left + float(w[(times == u) & ~events].sum()))
    return g


def uncensored_until_own(truth: Truth, weights: Array | None, i: int, g: Array | None) -> float:
    """G(t-) of row i at its own time t."""
    if g is not None:
        return float(g[i, 0])
    return censoring_survival(truth, weights, truth.times[i], before=True)


def for_uno(tau: float, g: Array | None = None) -> Prepare:
    """Weights of Uno's C (2011): 1 / G(t-)^2 of each event before tau."""

    def prepare(truth: Truth, weights: Array | None) -> Truth:
        row_weights = np.zeros(len(truth.times))
        for i in np.flatnonzero(truth.events & (truth.times < tau)):
            own = 1 / uncensored_until_own(truth, weights, int(i), g)
            row_weights[i] = own * own
        return replace(truth, row_weights=row_weights)

    return prepare


def uno_concordance(truth: Truth, risk: Array, w: Array) -> Num:
    """Share of the weight of comparable pairs in which the earlier event has the higher risk."""
    assert truth.row_weights is not None
    numerator = denominator = 0.0
    for i in np.argsort(-truth.times, kind="stable"):
        later = truth.comparable[i]
        if truth.row_weights[i] == 0 or not later.any():
            continue
        own = w[i] * truth.row_weights[i]
        twice = 2.0 * w[later & (risk[i] > risk)].sum() + w[later & (risk[i] == risk)].sum()
        numerator += own * twice
        denominator += 2.0 * own * w[later].sum()
    return ratio(numerator, denominator)


def for_dynamic_auc(time: float, g: Array | None = None) -> Prepare:
    """Weights of cases (an event by the time: 1 / G(t-)) and controls (followed longer: -1)."""

    def prepare(truth: Truth, weights: Array | None) -> Truth:
        row_weights = np.where(truth.times > time, -1.0, 0.0)
        for i in np.flatnonzero(truth.events & (truth.times <= time)):
            row_weights[i] = 1 / uncensored_until_own(truth, weights, int(i), g)
        return replace(truth, row_weights=row_weights)

    return prepare


def dynamic_auc(truth: Truth, risk: Array, w: Array) -> Num:
    """Weighted share of pairs of a case and a control in which the case has the higher risk."""
    assert truth.row_weights is not None
    controls = truth.row_weights < 0
    numerator = denominator = 0.0
    for i in np.flatnonzero(truth.row_weights > 0):
        own = w[i] * truth.row_weights[i]
        higher, tied = controls & (risk[i] > risk), controls & (risk[i] == risk)
        numerator += own * (2.0 * w[higher].sum() + w[tied].sum())
        denominator += 2.0 * own * w[controls].sum()
    return ratio(numerator, denominator)


def for_brier(times: tuple[float, ...], g: Array | None = None) -> Prepare:
    """Weights of the squared errors at each of the times (Graf et al. 1999)."""

    def prepare(truth: Truth, weights: Array | None) -> Truth:
        row_weights = np.zeros((len(truth.times), len(times)))
        for i, (own, event) in enumerate(zip(truth.times, truth.events, strict=True)):
            for k, t in enumerate(times):
                if own > t and g is not None:
                    row_weights[i, k] = 1 / float(g[i, 1 + k])
                elif own > t:
                    row_weights[i, k] = 1 / censoring_survival(truth, weights, t, before=False)
                elif event:
                    row_weights[i, k] = 1 / uncensored_until_own(truth, weights, i, g)
        return replace(truth, row_weights=row_weights)

    return prepare


def brier(times: tuple[float, ...]) -> Callable[[Truth, Array], Array]:
    """Weighted squared errors of survival probabilities, averaged over the span of the times."""

    def loss(truth: Truth, p: Array) -> Array:
        assert truth.row_weights is not None
        p = p.reshape(len(truth.times), len(times))
        survived = truth.times[:, None] > np.asarray(times)
        at_times = truth.row_weights * (survived - p) ** 2
        if len(times) == 1:
            return np.asarray(at_times[:, 0])
        areas = np.diff(times) * (at_times[:, 1:] + at_times[:, :-1]) / 2
        return np.asarray(areas.sum(axis=1) / (times[-1] - times[0]))

    return loss


NO_TAU = math.inf
