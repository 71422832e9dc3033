"""Dominated configurations and BBCD's early dropping: section 4 of paper 000.

Readings chosen where the texts are silent:

- Folds are run in the sorted order of their labels, repeat after repeat.
- The units of a test are the rows seen so far, in row order. In a repeat that is under way a row
  counts only where it has a prediction there.
- A test is skipped, and uses up no stream, if the rows seen so far leave the metric undefined.
- Nothing is tested after the very last fold, because nothing is left to save; ``test_after_last``
  does so all the same.
- ``dropped`` numbers folds through all repeats: repeat * n_folds + fold.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arithmetic import Array
from .bbc import counts_of, first_acceptable
from .metrics import Metric, get
from .philox import draw_counts, numbering
from .problem import Problem, make_problem
from .selection import OneStandardError, Selection, rule


@dataclass(frozen=True)
class Dominated:
    """The best configuration, and how often each is strictly worse than it."""

    best: int
    share_worse: Array
    dominated: Array


def _in_bag_counts(
    problem: Problem,
    seed: int,
    n_bootstraps: int,
    stream: int,
    groups: Sequence[Hashable] | None,
    strata: Sequence[Hashable] | None,
) -> list[Array]:
    def draw(b: int, attempt: int) -> Array:
        n = problem.n_rows
        return np.asarray(
            draw_counts(seed, b, attempt, stream, n_rows=n, groups=groups, strata=strata)
        )

    return [
        first_acceptable(lambda attempt, b=b: draw(b, attempt), problem.defined)[0]  # type: ignore[misc]
        for b in range(n_bootstraps)
    ]


def compare(
    problem: Problem, counts: list[Array], dropping_level: float, selection: Selection
) -> Dominated:
    """Share of replicates in which each configuration is strictly worse than the best."""
    best = rule(problem, selection)(np.ones(problem.n_rows, dtype=np.int64))
    configurations = range(problem.n_configurations)
    worse = np.array(
        [[problem.key(c, w) < problem.key(best, w) for c in configurations] for w in counts]
    )
    share = worse.sum(axis=0) / len(counts)
    return Dominated(best, share, share > dropping_level)


def dominated(
    y: Any,
    predictions: Any,
    metric: str | Metric,
    *,
    dropping_level: float = 0.99,
    n_bootstraps: int = 1000,
    seed: int = 0,
    stream: int = 0,
    resamples: Any = None,
    groups: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
    selection: Selection = "best",
    classes: tuple[Any, ...] | None = None,
    pos_label: Any = None,
    n_repeats: int | None = None,
    folds: Any = None,
    pooling: str = "pooled",
) -> Dominated:
    """Configurations that lose against the best in more than ``dropping_level`` of replicates."""
    problem = make_problem(
        y,
        predictions,
        get(metric),
        pooling=pooling,
        folds=folds,
        classes=classes,
        pos_label=pos_label,
        n_repeats=n_repeats,
    )
    if resamples is None:
        counts = _in_bag_counts(problem, seed, n_bootstraps, stream, groups, strata)
    else:
        units = list(range(problem.n_rows)) if groups is None else numbering(groups)
        counts = [counts_of(drawn, units) for drawn in np.asarray(resamples)]
        for b, own in enumerate(counts):
            if not problem.defined(own):
                raise ValueError(f"resamples[{b}] leaves the metric undefined in bag")
    return compare(problem, counts, dropping_level, selection)


@dataclass(frozen=True)
class Dropping:
    """Fold after which each configuration was dropped (-1: never), and every test's result.

    ``tests`` holds (fold, configurations tested, result for these).
    """

    dropped: Array
    tests: list[tuple[int, list[int], Dominated]]


def _so_far(problem: Problem, seen: Array, alive: list[int]) -> tuple[Problem, Array]:
    """What is known of the survivors, on the rows with a prediction; and which rows these are."""
    started = seen.any(axis=1)
    rows = np.asarray(seen.any(axis=0))
    n_started = int(started.sum())
    part = Problem(
        problem.truth.rows(rows),
        problem.predictions[:n_started][:, rows][:, :, alive],
        problem.metric,
        problem.pooling,
        None if problem.folds is None else problem.folds[:n_started, rows],
        None if problem.sample_weight is None else problem.sample_weight[rows],
        None if seen[:n_started, rows].all() else seen[:n_started, rows],
    )
    return part, rows


def _of_survivors(selection: Selection, alive: list[int]) -> Selection:
    if isinstance(selection, OneStandardError):
        return OneStandardError([selection.complexity[c] for c in alive])
    return selection


def bbcd_dropping(
    y: Any,
    predictions: Any,
    folds: Any,
    metric: str | Metric,
    *,
    seed: int = 0,
    n_bootstraps: int = 1000,
    dropping_level: float = 0.99,
    min_predictions: int = 50,
    selection: Selection = "best",
    pooling: str = "pooled",
    groups: Sequence[Hashable] | None = None,
    stratify: bool = False,
    sample_weight: Any = None,
    pos_label: Any = None,
    n_repeats: int | None = None,
    test_after_last: bool = False,
) -> Dropping:
    """Drop sets of BBCD, given the predictions that all configurations would make."""
    problem = make_problem(
        y,
        predictions,
        get(metric),
        pooling=pooling,
        folds=folds,
        sample_weight=sample_weight,
        pos_label=pos_label,
        n_repeats=n_repeats,
    )
    assert problem.folds is not None
    seen = np.zeros(problem.predictions.shape[:2], dtype=bool)
    dropped = np.full(problem.n_configurations, -1)
    steps = [(r, label) for r in range(problem.n_repeats) for label in np.unique(problem.folds[r])]
    tests: list[tuple[int, list[int], Dominated]] = []
    for step, (r, label) in enumerate(steps):
        seen[r] |= problem.folds[r] == label
        alive = [c for c in range(problem.n_configurations) if dropped[c] < 0]
        part, rows = _so_far(problem, seen, alive)
        if seen.sum() < min_predictions or (step == len(steps) - 1 and not test_after_last):
            continue
        if not part.defined(np.ones(part.n_rows, dtype=np.int64)):
            continue
        own_groups = None if groups is None else [g for g, s in zip(groups, rows, strict=True) if s]
        strata = part.truth.y.tolist() if stratify else None
        counts = _in_bag_counts(part, seed, n_bootstraps, len(tests) + 1, own_groups, strata)
        result = compare(part, counts, dropping_level, _of_survivors(selection, alive))
        tests.append((step, alive, result))
        for c, out in zip(alive, result.dominated, strict=True):
            dropped[c] = step if out else -1
    return Dropping(dropped, tests)
