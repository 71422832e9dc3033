"""The test of model luck: permutation test of configuration x fold, and the bias it predicts.

Readings chosen where the texts are silent:

- Scores of ranking metrics become midranks within (repeat, fold, configuration): (rank - 1/2) / n.
  What squared Pearson correlates is standardised there; all other predictions stay as they are.
- Labels are permuted unit by unit, stratum by stratum in order of first row, repeat after repeat
  from one stream of words, by Fisher and Yates from the last unit down. If a group spans strata,
  there is but one.
- A permutation that leaves the metric undefined in a fold is drawn again, at most 100 times.
- What reaches the statistic but for rounding (1e-10 of it) reaches it.
- All configurations are tested, and compete where the bias is predicted; its variances are of
  those that some replicate chose, if `winners` tells them. Where that is a single one, whose luck
  gives it nothing, they are of all, and the bias is 0.
- Beyond 128 configurations one of each of 128 runs of equal length stands for all, at the place
  that the golden ratio gives (32 bits).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array
from .metrics import Metric, get
from .philox import bounded, numbering, words
from .problem import Problem, make_problem

STREAM = 0x80000004
MOST_CONFIGURATIONS = 128
MOST_ATTEMPTS = 100
LEVEL = 0.05
RANKED = ("roc_auc", "average_precision", "spearman", "concordance_index", "uno_concordance")


@dataclass(frozen=True)
class ModelLuck:
    """Result of the test; where `untestable` says why there was none, the rest means nothing."""

    untestable: str = ""
    p_value: float = 1.0
    n_permutations: int = 0
    luck_variance: float = 0.0
    row_variance: float = 0.0
    predicted_bias: float = 0.0


def spread_out(n: int, most: int = MOST_CONFIGURATIONS) -> list[int]:
    """The configurations that serve."""
    if n <= most:
        return list(range(n))
    chosen = []
    for i in range(most):
        begin, end = i * n // most, (i + 1) * n // most
        chosen.append(begin + (i * 2654435769 % 2**32) * (end - begin) // 2**32)
    return chosen


def scaled(metric: Metric, predictions: Array, folds: Array) -> Array:
    """Predictions (row, configuration[, class]) of one repeat on one scale for all folds."""
    ranks = metric.name.startswith(RANKED)
    if not ranks and metric.name != "squared_pearson":
        return predictions
    out = np.array(predictions, dtype=np.float64)
    for fold in set(folds[folds >= 0].tolist()):
        own = out[folds == fold]
        n = len(own)
        if ranks:
            below = (own[:, None] > own[None]).sum(axis=1)
            tied = (own[:, None] == own[None]).sum(axis=1)
            out[folds == fold] = (below + tied / 2) / n
        else:
            sd = own.std(axis=0)
            out[folds == fold] = (own - own.mean(axis=0)) / np.where(sd > 0, sd, 1)
    return out


def interaction(table: Array) -> float:
    """Sum of squares of (fold, configuration) scores less the means of both."""
    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    return float((rest**2).sum())


def noise_of_largest(x: Array, spread: float, weight: float) -> float:
    """E[N] at the largest of x + spread N, each x standing for `weight` of them.

    The derivative of the expected maximum in the spread, by the trapezoidal rule in steps of 1/4.
    """
    z = np.arange(-6, 8.25, 0.25)[:, None]
    u = z + (x.max() - x) / spread
    below = np.vectorize(lambda value: 0.5 * math.erfc(-value / math.sqrt(2)))(u)
    slopes = (weight * u * np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi) / below).sum(axis=1)
    return float(0.25 * (slopes * below.prod(axis=1) ** weight).sum())


class Partitions:
    """Folds of the rows in each repeat, and how they are permuted."""

    def __init__(self, folds: Array, units: list[int], strata: list[Any]) -> None:
        self.folds = [np.asarray(own) for own in folds]
        self.units = np.asarray(units)
        codes = np.asarray(numbering(strata))
        of_unit: dict[int, set[int]] = {}
        for unit, code in zip(units, codes.tolist(), strict=True):
            of_unit.setdefault(unit, set()).add(code)
        spans = any(len(own) > 1 for own in of_unit.values())
        self.stratum = {unit: 0 if spans else min(own) for unit, own in of_unit.items()}

    def fold_of_unit(self, repeat: int) -> dict[int, int]:
        """Fold of every unit that the repeat predicted."""
        folds = self.folds[repeat]
        return {int(u): int(k) for u, k in zip(self.units, folds, strict=True) if k >= 0}

    def untestable(self) -> str:
        """Why permutations tell nothing."""
        counts = [len(set(own[own >= 0].tolist())) for own in self.folds]
        if max(counts) < 2:
            return "a single hold-out"
        if max(counts) > 64:
            return "more than 64 folds"
        for repeat, own in enumerate(self.folds):
            known = self.fold_of_unit(repeat)
            there = own >= 0
            if any(known[u] != k for u, k in zip(self.units[there], own[there], strict=True)):
                return "a group with rows in several folds"
        for repeat, n_folds in enumerate(counts):
            sizes = np.bincount(list(self.fold_of_unit(repeat).values()))
            if n_folds > 1 and sizes[sizes > 0].min() < 2:
                rows = len(set(self.units.tolist())) == len(self.units)
                return f"a fold of a single {'row' if rows else 'group'}"
        return ""

    def permuted(self, source: Iterator[int]) -> list[Array]:
        """Permuted folds of the rows, repeat by repeat."""
        drawn = []
        for repeat, folds in enumerate(self.folds):
            fold_of = self.fold_of_unit(repeat)
            for stratum in range(max(self.stratum.values()) + 1):
                members = [u for u in sorted(fold_of) if self.stratum[u] == stratum]
                for i in range(len(members) - 1, 0, -1):
                    j = bounded(source, i + 1)
                    a, b = members[i], members[j]
                    fold_of[a], fold_of[b] = fold_of[b], fold_of[a]
            drawn.append(
                np.array(
                    [
                        fold_of[int(u)] if k >= 0 else -1
                        for u, k in zip(self.units, folds, strict=True)
                    ]
                )
            )
        return drawn


class Tables:
    """Fold scores of a partition of each repeat."""

    def __init__(self, problem: Problem, chosen: list[int], folds: Array) -> None:
        self.problem = problem
        self.chosen = chosen
        self.columns = [
            scaled(problem.metric, problem.predictions[r][:, chosen], folds[r])
            for r in range(problem.n_repeats)
        ]

    def of(self, partitions: list[Array]) -> list[Array] | None:
        """Tables (fold, configuration); None where a fold leaves the metric undefined."""
        problem, tables = self.problem, []
        weights = np.ones(problem.n_rows)
        weights = weights if problem.sample_weight is None else problem.sample_weight
        for columns, folds in zip(self.columns, partitions, strict=True):
            table = []
            for fold in sorted(set(folds[folds >= 0].tolist())):
                m = folds == fold
                truth = problem.truth.rows(m)
                if not problem.metric.defined(truth, weights[m]):
                    return None
                value = problem.metric.value
                table.append(
                    [value(truth, columns[m][:, c], weights[m]) for c in range(len(self.chosen))]
                )
            tables.append(np.asarray(table, dtype=np.float64))
        return tables


def permutation_test(
    draw: Callable[[int], float | None], observed: float, most: int
) -> tuple[float, list[float]] | None:
    """p-value of Besag and Clifford (1991), and the statistics of the permutations drawn."""
    enough = max(1, math.floor(LEVEL * (most + 1) + 1e-9))
    drawn: list[float] = []
    reach = 0
    for number in range(most):
        statistic = draw(number)
        if statistic is None:
            return None
        drawn.append(statistic)
        reach += statistic >= observed * (1 - 1e-10)
        if reach >= enough:
            return reach / len(drawn), drawn
    return (1 + reach) / (1 + most), drawn


def predicted_bias(
    tables: list[Array], luck: float, rows: float, n_configurations: int, sign: int
) -> float:
    """What BBC's estimate gains from luck: positive is too good."""
    if luck <= 0:
        return 0.0
    n_repeats = len(tables)
    means = sign * np.stack([table.mean(axis=0) for table in tables])
    x = means.mean(axis=0)
    share = np.mean([1 / len(table) for table in tables])
    of_luck = luck * share / n_repeats
    own = 0.0
    if n_repeats > 1:
        own = interaction(means) / ((n_repeats - 1) * (len(x) - 1))
    of_both = max(of_luck, (luck + rows) * share - own * (1 - 1 / n_repeats))
    variance = x.var(ddof=1)
    kept = math.sqrt(1 - of_luck / variance) if variance > of_luck else 0.0
    x = x.mean() + kept * (x - x.mean())
    spread = math.sqrt(of_both)
    return float(of_luck / spread * noise_of_largest(x, spread, n_configurations / len(x)))


def model_luck(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    *,
    folds: Any,
    groups: Any = None,
    by_class: bool = False,
    winners: Any = None,
    seed: int = 0,
    n_permutations: int = 99,
    **design: Any,
) -> ModelLuck:
    """Test; `design` as `make_problem` takes it. `by_class` permutes within the values of y.

    `winners` has the configuration that each replicate chose.
    """
    problem = make_problem(y, predictions, get(metric), folds=folds, **design)
    assert problem.folds is not None
    labels = problem.folds
    if problem.seen is not None:
        labels = np.where(problem.seen, labels, -1)
    units = list(range(problem.n_rows)) if groups is None else numbering(list(groups))
    strata: list[Any] = [0] * problem.n_rows
    if by_class:
        truth = problem.truth
        survival = bool(truth.y.dtype.names)
        strata = (truth.events if survival else truth.y).tolist()
    if problem.n_configurations < 2:
        return ModelLuck("a single configuration")
    partitions = Partitions(labels, units, strata)
    why = partitions.untestable()
    if why:
        return ModelLuck(why)
    tables = Tables(problem, spread_out(problem.n_configurations), labels)
    given = tables.of(partitions.folds)
    if given is None:
        return ModelLuck("a fold that leaves the metric undefined")

    def statistic(found: list[Array]) -> float:
        return float(sum(interaction(table) for table in found))

    def draw(number: int, tables: Tables = tables) -> float | None:
        for attempt in range(MOST_ATTEMPTS):
            found = tables.of(partitions.permuted(words(seed, number, attempt, STREAM)))
            if found is not None:
                return statistic(found)
        return None

    n_folds = max(len(table) for table in given)
    most = min(n_permutations, 39) if n_folds > 10 else n_permutations
    test = permutation_test(draw, statistic(given), most)
    if test is None:
        return ModelLuck("permuted folds that leave the metric undefined")
    p_value, drawn = test
    n = problem.n_configurations
    rivals = sorted(set(range(n) if winners is None else np.asarray(winners).tolist()))
    of_folds, of_permutations, scored = statistic(given), sum(drawn) / len(drawn), given
    if 1 < len(rivals) < n:
        theirs = Tables(problem, [rivals[i] for i in spread_out(len(rivals))], labels)
        found = theirs.of(partitions.folds)
        assert found is not None
        scored, of_folds = found, statistic(found)
        again = [draw(number, theirs) for number in range(len(drawn))]
        of_permutations = sum(value for value in again if value is not None) / len(again)
    degrees = sum((table.shape[0] - 1) * (table.shape[1] - 1) for table in scored)
    luck, rows = max(0.0, (of_folds - of_permutations) / degrees), of_permutations / degrees
    sign = 1 if problem.metric.greater_is_better else -1
    bias = predicted_bias(given, luck, rows, n, sign) if len(rivals) > 1 else 0.0
    return ModelLuck("", p_value, len(drawn), luck, rows, bias)
