"""Two-level BBC: a replicate draws folds, and rows within each fold drawn.

The fitted models are drawn again with the folds, so that a winner is scored on models that had no
part in its choice.

Readings chosen where the texts are silent:

- Replicate b draws from repeat b mod R; its in-bag score is that of all repeats, as in one-level
  BBC, and its out-of-bag score is that of its own repeat.
- A unit is a row, or the part of a group that lies in the fold; its stratum is that of its first
  row. Strata are numbered over all rows, also over those that the repeat did not predict.
- One stream of words serves the whole replicate: first the folds, then fold after fold in the order
  drawn, and in each fold stratum after stratum. A fold drawn twice draws its rows twice.
- Rows that the repeat did not predict, and rows of a drawn fold that were not drawn themselves, are
  on neither side.
- With fewer than four folds in some repeat there is no interval.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array
from .bbc import Corrected, corrected, first_acceptable, order_statistic_interval
from .metrics import Metric, get
from .philox import bounded, numbering, words
from .problem import make_problem
from .selection import Selection, rule
from .size import within, without_shifts

LEAST_FOLDS = 4


@dataclass(frozen=True)
class Fold:
    """One fold of a repeat: of every stratum, the units; of every unit, the rows."""

    strata: list[list[list[int]]]

    @property
    def rows(self) -> list[int]:
        """All rows of the fold."""
        return [row for units in self.strata for unit in units for row in unit]

    def draw(self, source: Iterator[int]) -> list[int]:
        """As many units of every stratum as it has, with replacement; their rows."""
        drawn = [units[bounded(source, len(units))] for units in self.strata for _ in units]
        return [row for unit in drawn for row in unit]


def labels_of(folds: Any, n_repeats: int, n_rows: int, seen: Any) -> Array:
    """Fold of every row in every repeat, -1 where the repeat did not see the row."""
    labels = np.broadcast_to(np.atleast_2d(folds), (n_repeats, n_rows))
    return labels if seen is None else np.where(seen, labels, -1)


def folds_of(labels: Array, groups: Sequence[Hashable], strata: Sequence[Hashable]) -> list[Fold]:
    """Folds of one repeat in the order of their first row; negative labels are in none."""
    stratum = numbering(strata)
    folds: dict[int, dict[Hashable, list[int]]] = {}
    for row in np.flatnonzero(labels >= 0).tolist():
        folds.setdefault(int(labels[row]), {}).setdefault(groups[row], []).append(row)
    return [
        Fold([[u for u in units.values() if stratum[u[0]] == s] for s in range(max(stratum) + 1)])
        for units in folds.values()
    ]


def draw_sides(
    folds: list[Fold], n_rows: int, seed: int, replicate: int, attempt: int
) -> tuple[Array, Array]:
    """Counts of the rows in bag and out of bag."""
    source = words(seed, replicate, attempt)
    drawn = [bounded(source, len(folds)) for _ in folds]
    in_bag = [row for k in drawn for row in folds[k].draw(source)]
    left_out = [row for k, fold in enumerate(folds) if k not in drawn for row in fold.rows]
    sides = [np.bincount(np.asarray(rows, int), minlength=n_rows) for rows in (in_bag, left_out)]
    return sides[0], sides[1]


def limits(
    replicates: Sequence[float],
    confidence_level: float,
    alternative: str,
    bounds: tuple[float, float],
    shifted: bool,
) -> tuple[float, float]:
    """Order statistics of the replicates; those that lost a shift end where the metric does."""
    interval = order_statistic_interval(replicates, confidence_level, alternative, bounds)
    return within(interval, bounds) if shifted else interval


def bbc_two_level(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    *,
    folds: Any,
    seed: int = 0,
    n_bootstraps: int = 1000,
    groups: Sequence[Hashable] | None = None,
    stratify: bool = False,
    sample_weight: Any = None,
    pooling: str = "pooled",
    selection: Selection = "best",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    classes: tuple[Any, ...] | None = None,
    pos_label: Any = None,
    n_repeats: int | None = None,
    seen: Any = None,
    size_correction: bool = True,
) -> Corrected:
    """Two-level BBC on rows or groups, optionally within classes; arguments as in `bbc`.

    ``folds`` is (row,) or (repeat, row), negative where a repeat did not predict; so is ``seen``.
    """
    measure = get(metric)
    n_rows = len(y)
    labels = labels_of(folds, n_repeats or 1, n_rows, seen)
    problem = make_problem(
        y,
        predictions,
        measure,
        pooling=pooling,
        folds=labels,
        sample_weight=sample_weight,
        classes=classes,
        pos_label=pos_label,
        n_repeats=n_repeats,
        seen=None if np.all(labels >= 0) else labels >= 0,
        fixed_spread=size_correction,
    )
    units = list(range(n_rows)) if groups is None else list(groups)
    strata = np.asarray(y).tolist() if stratify else [0] * n_rows
    repeats = [folds_of(own, units, strata) for own in labels]
    choose = rule(problem, selection)

    def replicate(b: int) -> tuple[Array, Array, int, int, float]:
        r = b % len(repeats)

        def draw(attempt: int) -> Array:
            return np.stack(draw_sides(repeats[r], n_rows, seed, b, attempt))

        def acceptable(sides: Array) -> bool:
            return problem.defined(sides[0]) and len(problem.defined_parts(sides[1], r)) > 0

        (in_bag, left_out), attempt = first_acceptable(draw, acceptable)
        winner = choose(in_bag)
        return in_bag, left_out, attempt, winner, problem.repeat_score(winner, left_out, r)

    drawn = zip(*map(replicate, range(n_bootstraps)), strict=True)
    counts, left_out, attempts, winners, raw = drawn
    replicates, size_bias = list(raw), None
    if size_correction:
        own = problem, replicates, winners, left_out
        replicates, size_bias = without_shifts(*own, two_level=True)
    interval = math.nan, math.nan
    if min(map(len, repeats)) >= LEAST_FOLDS:
        bounds = measure.bounds(problem.truth)
        interval = limits(replicates, confidence_level, alternative, bounds, size_bias is not None)
    everything = np.ones(n_rows, dtype=np.int64)
    overall = choose(everything)
    return corrected(
        measure,
        replicates,
        list(winners),
        list(attempts),
        list(counts),
        list(left_out),
        winner=overall,
        apparent=problem.score(overall, everything),
        n_configurations=problem.n_configurations,
        interval=interval,
        size_bias=size_bias,
        as_published=not size_correction,
    )
