"""Bootstrap bias correction: Algorithm 5 of paper 000, and BBC-F, Algorithm 1 of paper 002.

Readings chosen where the texts are silent:

- ``n_redrawn`` counts draws thrown away; ``attempts`` says how many for each replicate.
- Explicit resamples hold indices of units (rows, or groups in the order of their first row).
- Out-of-bag scores use the sample weights of the rows never drawn.
- BBC-F treats fold scores as it would per-row losses: winners are compared by the correctly rounded
  in-bag sum. With repeats, the overall winner and the apparent score are means of all fold scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array, total
from .metrics import Metric, get
from .philox import draw_counts, draw_units, numbering
from .problem import Problem, make_problem
from .selection import Selection, rule
from .size import within, without_shifts

MAX_ATTEMPTS = 1000


@dataclass(frozen=True)
class Corrected:
    """Result of a correction; the words are those of the public result.

    `counts` says how often each replicate drew each row (each fold, in BBC-F), `left_out` how often
    it scores it.
    """

    estimate: float
    low: float
    high: float
    replicate_sd: float
    apparent: float
    optimism: float
    winner: int
    selection_frequency: Array
    replicates: Array
    replicate_winners: Array
    attempts: Array
    counts: Array
    left_out: Array
    size_bias: float | None = None
    as_published: bool = False

    @property
    def n_redrawn(self) -> int:
        """Number of draws thrown away."""
        return int(self.attempts.sum())


def order_statistic_interval(
    replicates: Sequence[float] | Array,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float, float]:
    """Interval from ordered replicates, the rank of share q being ceil(round(q B, 9))."""
    ordered = sorted(float(r) for r in replicates)
    a = 1 - confidence_level

    def at(share: float) -> float:
        return ordered[math.ceil(round(share * len(ordered), 9)) - 1]

    if alternative == "greater":
        return at(a), bounds[1]
    if alternative == "less":
        return bounds[0], at(1 - a)
    return at(a / 2), at(1 - a / 2)


def counts_of(drawn: Sequence[int] | Array, units: Sequence[int]) -> Array:
    """Rows' counts from drawn units; ``units`` gives the unit of each row."""
    multiplicity = np.bincount(np.asarray(drawn), minlength=max(units) + 1)
    return np.asarray(multiplicity[np.asarray(units)], dtype=np.int64)


def first_acceptable(
    draw: Callable[[int], Array], acceptable: Callable[[Array], bool]
) -> tuple[Array, int]:
    """First acceptable draw over the attempts 0, 1, ... and its attempt."""
    for attempt in range(MAX_ATTEMPTS):
        counts = draw(attempt)
        if acceptable(counts):
            return counts, attempt
    raise ValueError(f"{MAX_ATTEMPTS} draws of one replicate left the metric undefined")


def out_of_bag(counts: Array) -> Array:
    """Counts of the rows never drawn: each once."""
    return np.asarray(counts == 0, dtype=np.int64)


def replicate_counts(
    problem: Problem,
    *,
    seed: int,
    n_bootstraps: int,
    groups: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
    stream: int = 0,
) -> tuple[list[Array], list[int]]:
    """Counts of every replicate after redrawing, and how often each was redrawn."""

    def acceptable(counts: Array) -> bool:
        return problem.defined(counts) and problem.defined(out_of_bag(counts))

    drawn = []
    for b in range(n_bootstraps):

        def draw(attempt: int, b: int = b) -> Array:
            n = problem.n_rows
            return np.asarray(
                draw_counts(seed, b, attempt, stream, n_rows=n, groups=groups, strata=strata)
            )

        drawn.append(first_acceptable(draw, acceptable))
    return [counts for counts, _ in drawn], [attempt for _, attempt in drawn]


def corrected(
    metric: Metric,
    replicates: list[float],
    winners: list[int],
    attempts: list[int],
    counts: list[Array],
    left_out: list[Array],
    *,
    winner: int,
    apparent: float,
    n_configurations: int,
    interval: tuple[float, float],
    size_bias: float | None = None,
    as_published: bool = False,
) -> Corrected:
    """Result of a correction, from its replicates.

    One configuration has its apparent score, with limits moved to it that lie beyond, unless the
    form is that which was published, or draws are given.
    """
    estimate = math.fsum(replicates) / len(replicates)
    if n_configurations == 1 and not as_published:
        estimate = apparent
        interval = min(interval[0], estimate), max(interval[1], estimate)
    optimism = apparent - estimate if metric.greater_is_better else estimate - apparent
    return Corrected(
        estimate=estimate,
        low=interval[0],
        high=interval[1],
        replicate_sd=float(np.std(replicates, ddof=1)) if len(replicates) > 1 else math.nan,
        apparent=apparent,
        optimism=optimism,
        winner=winner,
        selection_frequency=np.bincount(winners, minlength=n_configurations) / len(winners),
        replicates=np.asarray(replicates),
        replicate_winners=np.asarray(winners),
        attempts=np.asarray(attempts),
        counts=np.asarray(counts),
        left_out=np.asarray(left_out),
        size_bias=size_bias,
        as_published=as_published,
    )


def bbc(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    *,
    seed: int = 0,
    n_bootstraps: int = 1000,
    resamples: Any = None,
    folds: Any = None,
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
    """Algorithm 5 on rows or groups, optionally within classes.

    ``predictions`` is (row, configuration[, class]), or with ``n_repeats`` (repeat, row, ...).
    ``seen`` (repeat, row) says which rows a repeat predicted. ``resamples`` holds drawn unit
    indices, one replicate a row, and replaces the seed.
    """
    measure = get(metric)
    problem = make_problem(
        y,
        predictions,
        measure,
        pooling=pooling,
        folds=folds,
        sample_weight=sample_weight,
        classes=classes,
        pos_label=pos_label,
        n_repeats=n_repeats,
        seen=seen,
        fixed_spread=size_correction,
    )
    if resamples is not None:
        units = list(range(problem.n_rows)) if groups is None else numbering(groups)
        all_counts = [counts_of(drawn, units) for drawn in np.asarray(resamples)]
        attempts = [0] * len(all_counts)
        for b, counts in enumerate(all_counts):
            if not (problem.defined(counts) and problem.defined(out_of_bag(counts))):
                raise ValueError(f"resamples[{b}] leaves the metric undefined")
    else:
        strata = np.asarray(y).tolist() if stratify else None
        all_counts, attempts = replicate_counts(
            problem, seed=seed, n_bootstraps=n_bootstraps, groups=groups, strata=strata
        )
    choose = rule(problem, selection)
    winners = [choose(counts) for counts in all_counts]
    left_out = [out_of_bag(counts) for counts in all_counts]
    replicates = [
        problem.score(winner, left) for winner, left in zip(winners, left_out, strict=True)
    ]
    size_bias = None
    if size_correction:
        replicates, size_bias = without_shifts(problem, replicates, winners, left_out)
    everything = np.ones(problem.n_rows, dtype=np.int64)
    overall = choose(everything)
    bounds = measure.bounds(problem.truth)
    interval = order_statistic_interval(replicates, confidence_level, alternative, bounds)
    return corrected(
        measure,
        replicates,
        winners,
        attempts,
        all_counts,
        left_out,
        winner=overall,
        apparent=problem.score(overall, everything),
        n_configurations=problem.n_configurations,
        interval=interval if size_bias is None else within(interval, bounds),
        size_bias=size_bias,
        as_published=resamples is not None or not size_correction,
    )


def fold_counts(seed: int, replicate: int, n_folds: int) -> tuple[Array, int]:
    """Counts of the folds of a replicate of BBC-F, and how often it was redrawn."""

    def draw(attempt: int) -> Array:
        return counts_of(draw_units(seed, replicate, attempt, n_units=n_folds), range(n_folds))

    return first_acceptable(draw, lambda counts: bool(np.any(counts == 0)))


def bbc_f(
    fold_scores: Any,
    metric: str | Metric,
    *,
    seed: int = 0,
    n_bootstraps: int = 1000,
    resamples: Any = None,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    bounds: tuple[float, float] | None = None,
) -> Corrected:
    """Algorithm 1 of paper 002 on fold scores (fold, configuration) or (repeat, fold, ...)."""
    measure = get(metric)
    table = np.asarray(fold_scores, dtype=np.float64)
    table = table if table.ndim == 3 else table[None]
    n_repeats, n_folds, n_configurations = table.shape
    sign = 1.0 if measure.greater_is_better else -1.0

    def average(scores: Array, counts: Array, c: int) -> float:
        return float(total(counts * scores[:, c])) / int(counts.sum())

    def choose(scores: Array, counts: Array) -> int:
        drawn_scores = np.repeat(scores, counts, axis=0)
        sums = [sign * math.fsum(drawn_scores[:, c]) for c in range(n_configurations)]
        return max(range(n_configurations), key=lambda c: (sums[c], -c))

    if resamples is None:
        drawn = [fold_counts(seed, b, n_folds) for b in range(n_bootstraps)]
    else:
        drawn = [(counts_of(row, range(n_folds)), 0) for row in np.asarray(resamples)]
    winners, replicates = [], []
    for b, (counts, _) in enumerate(drawn):
        if not np.any(counts == 0):
            raise ValueError(f"resamples[{b}] leaves no fold out of bag")
        scores = table[b % n_repeats]
        winners.append(choose(scores, counts))
        replicates.append(average(scores, out_of_bag(counts), winners[-1]))
    attempts = [attempt for _, attempt in drawn]
    everything = table.reshape(-1, n_configurations)
    each_once = np.ones(len(everything), dtype=np.int64)
    overall = choose(everything, each_once)
    return corrected(
        measure,
        replicates,
        winners,
        attempts,
        [counts for counts, _ in drawn],
        [out_of_bag(counts) for counts, _ in drawn],
        winner=overall,
        apparent=average(everything, each_once, overall),
        n_configurations=n_configurations,
        interval=order_statistic_interval(
            replicates, confidence_level, alternative, bounds or (measure.low, measure.high)
        ),
        as_published=resamples is not None,
    )
