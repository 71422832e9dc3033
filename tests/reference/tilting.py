"""Bootstrap tilting (BT) and its multiplicity-adjusted form (MABT), given the replicates' counts.

Readings chosen where the texts are silent:

- The bracket steps tau down by .5 from 0 until p <= alpha / 2; bisection between there and 0 ends
  when the floats do, and returns its side with p <= alpha.
- Statistics are compared as exact fractions (of integer counts).
- ``published`` takes the influence values from a least-squares fit of the statistic on the counts
  relative to their class sizes, centred within classes (as ``empinf`` of R's boot), weights
  normalised over the whole sample and importance prod (n w_i)^c_bi; its bound is the closed form
  as well. It differs for AUC only.
- MABT's ranks count the replicates at or below; G counts maxima at or below its argument.
- The AUC's strata are the classes; accuracy has one stratum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from .arithmetic import Array
from .auc_intervals import InfeasibleError, comparison_matrix, placements

LOWEST_TAU = {"roc_auc": -20.0, "accuracy": -10.0}
STEP = 0.5


@dataclass(frozen=True)
class Tilted:
    """Lower bound, tilting parameter, p reached there, effective number of replicates."""

    bound: float
    tau: float
    p: float
    effective_size: float


@dataclass(frozen=True)
class Sample:
    """Evaluation rows of one configuration: scores of an AUC, or calls (right or wrong)."""

    metric: str
    is_positive: Array
    values: Array

    @property
    def strata(self) -> list[Array]:
        """Masks within which rows are drawn."""
        if self.metric == "accuracy":
            return [np.ones(len(self.values), dtype=bool)]
        return [self.is_positive, ~self.is_positive]

    def exact(self, counts: Array) -> Fraction:
        """The statistic with integer counts."""
        counts = np.asarray(counts, dtype=np.int64)
        if self.metric == "accuracy":
            return Fraction(int(counts[self.values == 1].sum()), int(counts.sum()))
        twice = (2 * comparison_matrix(self.is_positive, self.values)).astype(np.int64)
        pos, neg = counts[self.is_positive], counts[~self.is_positive]
        return Fraction(int(pos @ twice @ neg), 2 * int(pos.sum()) * int(neg.sum()))

    def weighted(self, w: Array) -> float:
        """The statistic with real weights, in closed form."""
        if self.metric == "accuracy":
            return float(w @ self.values / w.sum())
        pos, neg = w[self.is_positive], w[~self.is_positive]
        k = comparison_matrix(self.is_positive, self.values)
        return float(pos @ k @ neg / (pos.sum() * neg.sum()))

    def influence(self) -> Array:
        """Influence values: correctness, or (n / n_class)(placement - AUC)."""
        if self.metric == "accuracy":
            return np.asarray(self.values, dtype=np.float64)
        v10, v01 = placements(self.is_positive, self.values)
        result = np.empty(len(self.values))
        n, a = len(result), v10.mean()
        result[self.is_positive] = n / len(v10) * (v10 - a)
        result[~self.is_positive] = n / len(v01) * (v01 - a)
        return result


def fitted_influence(sample: Sample, counts: Array, statistics: Array) -> Array:
    """Influence values by regression of the statistic on the counts."""
    sizes = np.empty(len(sample.values))
    for stratum in sample.strata:
        sizes[stratum] = stratum.sum()
    design = np.column_stack([np.ones(len(counts)), counts / sizes])
    slopes = np.linalg.lstsq(design, statistics, rcond=None)[0][1:]
    for stratum in sample.strata:
        slopes[stratum] -= slopes[stratum].mean()
    return np.asarray(slopes)


def tilted_weights(tau: float, influence: Array, strata: list[Array]) -> Array:
    """Weights proportional to exp(tau L), adding up to 1 in each stratum."""
    w = np.empty(len(influence))
    for stratum in strata:
        e = np.exp(tau * influence[stratum] - np.max(tau * influence[stratum]))
        w[stratum] = e / e.sum()
    return w


def importance(counts: Array, w: Array, strata: list[Array]) -> Array:
    """Likelihood of each replicate under the weights, relative to equal weights."""
    logs = np.zeros(len(counts))
    for stratum in strata:
        logs += counts[:, stratum] @ np.log(stratum.sum() * w[stratum])
    return np.asarray(np.exp(logs))


def find_tau(p: Callable[[float], float], alpha: float, lowest: float) -> float:
    """The tau <= 0 at which p falls to alpha."""
    if p(0.0) <= 2 * alpha:
        raise InfeasibleError("p(0) is not above twice alpha")
    low = 0.0
    while p(low) > alpha / 2:
        low -= STEP
        if low < lowest:
            raise InfeasibleError("p never reaches half of alpha")
    high = 0.0
    while low < (middle := (low + high) / 2) < high:
        if p(middle) <= alpha:
            low = middle
        else:
            high = middle
    return low


@dataclass(frozen=True)
class _Tilting:
    """One configuration's replicates under tilting."""

    sample: Sample
    counts: Array
    influence: Array
    strata: list[Array]
    exact: list[Fraction]
    observed: Fraction

    def weights(self, tau: float) -> Array:
        return tilted_weights(tau, self.influence, self.strata)

    def importance(self, tau: float) -> Array:
        return importance(self.counts, self.weights(tau), self.strata)

    def result(self, p: Callable[[float], float], alpha: float) -> Tilted:
        tau = find_tau(p, alpha, LOWEST_TAU[self.sample.metric])
        i = self.importance(tau)
        size = float(i.sum() ** 2 / (i**2).sum())
        return Tilted(self.sample.weighted(self.weights(tau)), tau, p(tau), size)


def _tilting(sample: Sample, counts: Array, variant: str) -> _Tilting:
    exact = [sample.exact(c) for c in counts]
    observed = sample.exact(np.ones(len(sample.values), dtype=np.int64))
    if variant == "published" and sample.metric == "roc_auc":
        statistics = np.array([float(t) for t in exact])
        influence = fitted_influence(sample, counts, statistics)
        everything = [np.ones(len(sample.values), dtype=bool)]
        return _Tilting(sample, counts, influence, everything, exact, observed)
    return _Tilting(sample, counts, sample.influence(), sample.strata, exact, observed)


def _sample(metric: str, is_positive: Any, values: Any) -> Sample:
    flags = np.zeros(len(values), bool) if is_positive is None else np.asarray(is_positive, bool)
    return Sample(metric, flags, np.asarray(values))


def bt(
    metric: str,
    is_positive: Any,
    values: Any,
    counts: Any,
    confidence_level: float = 0.95,
    variant: str = "standard",
) -> Tilted:
    """Lower bound by bootstrap tilting.

    ``values``: scores (``metric="roc_auc"``) or 1 for right and 0 for wrong (``"accuracy"``, where
    ``is_positive`` may be None). ``counts``: (replicate, row).
    """
    tilting = _tilting(_sample(metric, is_positive, values), np.asarray(counts), variant)
    above = np.array(
        [1.0 if t > tilting.observed else 0.5 * (t == tilting.observed) for t in tilting.exact]
    )

    def p(tau: float) -> float:
        return float(np.mean(tilting.importance(tau) * above))

    return tilting.result(p, 1 - confidence_level)


def mabt(
    metric: str,
    is_positive: Any,
    columns: Any,
    selected: int,
    counts: Any,
    confidence_level: float = 0.95,
    variant: str = "standard",
) -> Tilted:
    """Lower bound of the selected one of several configurations (columns)."""
    counts, columns = np.asarray(counts), np.asarray(columns)
    n_replicates = len(counts)
    shares = []
    for j in range(columns.shape[1]):
        t = [_sample(metric, is_positive, columns[:, j]).exact(c) for c in counts]
        shares.append(stats.rankdata([float(v) for v in t], method="max") / (n_replicates + 1))
    maxima = np.max(shares, axis=0)
    tilting = _tilting(_sample(metric, is_positive, columns[:, selected]), counts, variant)
    at_most = np.array([t <= tilting.observed for t in tilting.exact])

    def p(tau: float) -> float:
        i = tilting.importance(tau)
        reached = math.fsum(i[at_most].tolist()) / math.fsum(i.tolist())
        return float(np.mean(maxima > reached))

    return tilting.result(p, 1 - confidence_level)
