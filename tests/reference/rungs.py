"""Correction rung by rung of searches that drop configurations on the way.

Rows that the same configurations predicted form a rung. A rung's pick is the configuration that is
best in bag on the rows of this and earlier rungs, among those that predicted it; it alone scores
the rung's rows out of bag.

Readings chosen where the texts are silent:

- Picks and the winner go by the plain metric of all rows seen at once, also where scores are of
  pairs within rungs.
- R2 has the denominator of all rows: some row in bag is enough for a pick.
- The share of rows that a rung ends at counts rows, not their weights, and is a float64 quotient.
- Rungs are numbered 0, 1, ... in their order; `choose_only` has the caller's numbers if these are
  given.
- A rung whose out-of-bag rows have no pairs adds nothing to either sum of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from .arithmetic import Array
from .bbc import out_of_bag
from .metrics import Metric, get
from .problem import Problem, make_problem
from .truth import Truth

Score = Callable[[Array, Array], float]

PAIRS = ("roc_auc", "concordance_index")


@dataclass(frozen=True)
class Rungs:
    """What a search left: `of_row` numbers each row's rung, `reached` counts a configuration's."""

    problem: Problem
    of_row: Array
    reached: Array
    scores: Array

    @property
    def n_rungs(self) -> int:
        """Number of rungs."""
        return int(self.of_row.max()) + 1

    def alive(self, g: int) -> list[int]:
        """The configurations that predicted a rung."""
        return [c for c, depth in enumerate(self.reached) if depth > g]


@dataclass(frozen=True)
class Scored:
    """The correction; the words are those of the public result."""

    winner: int
    apparent: float
    replicates: Array
    replicate_winners: Array
    size_bias: float | None
    estimate: float
    optimism: float


def find_rungs(
    predicted: Any,
    of_row: Sequence[int] | Array | None = None,
    groups: Sequence[Hashable] | None = None,
    burn: float = 0.25,
    choose_only: Collection[int] = (),
) -> tuple[Array, Array, Array]:
    """Each row's rung, how many rungs each configuration reached, and which rows score."""
    pattern = np.asarray(predicted, dtype=bool)
    n, n_configurations = pattern.shape
    sets = [frozenset(np.flatnonzero(row).tolist()) for row in pattern]
    if not all(sets):
        raise ValueError("rows that nothing predicted")
    names: list[Any]
    if of_row is None:
        names = sorted(set(sets), key=lambda own: -len(own))
        rung = [names.index(own) for own in sets]
        numbers = list(range(len(names)))
    else:
        numbers = sorted({int(number) for number in of_row})
        rung = [numbers.index(int(number)) for number in of_row]
    alive = []
    for g in range(len(numbers)):
        own = {sets[i] for i in range(n) if rung[i] == g}
        if len(own) != 1:
            raise ValueError(f"rows of rung {g} were predicted by different configurations")
        alive.append(own.pop())
    for earlier, later in pairwise(alive):
        if not later <= earlier:
            raise ValueError("the sets of configurations are not nested")
    reached = [sum(c in own for own in alive) for c in range(n_configurations)]
    scores = []
    for i in range(n):
        so_far = sum(other <= rung[i] for other in rung)
        fresh = groups is None or not any(
            groups[j] == groups[i] and rung[j] < rung[i] for j in range(n)
        )
        scores.append(numbers[rung[i]] not in choose_only and so_far / n >= burn and fresh)
    if not any(scores):
        raise ValueError("no row scores")
    return np.asarray(rung), np.asarray(reached), np.asarray(scores)


def make_rungs(
    y: Any,
    P: Any,
    predicted: Any,
    metric: str | Metric,
    *,
    weights: Any = None,
    groups: Sequence[Hashable] | None = None,
    of_row: Sequence[int] | Array | None = None,
    burn: float = 0.25,
    choose_only: Collection[int] = (),
    classes: tuple[Any, ...] | None = None,
    pos_label: Any = None,
) -> Rungs:
    """Rungs from plain arrays. What is not predicted is never read."""
    measure = get(metric)
    of_rows = measure.row_loss is not None or measure.mean_of_rows
    of_confusion = measure.ratio_of_sums or measure.name == "ordinal_mean_absolute_error"
    if not (of_rows or of_confusion or measure.name == "r2" or measure.name in PAIRS):
        raise ValueError(f"{measure.name} is not a metric of rungs")
    rung, reached, scores = find_rungs(predicted, of_row, groups, burn, choose_only)
    # A hole has any value that its row has elsewhere: formulas may multiply it by a weight of zero.
    filled = np.array(P)
    for i, row in enumerate(np.asarray(predicted, dtype=bool)):
        filled[i, ~row] = filled[i, np.flatnonzero(row)[0]]
    problem = make_problem(
        y, filled, measure, sample_weight=weights, classes=classes, pos_label=pos_label
    )
    return Rungs(problem, rung, reached, scores)


def best_of(problem: Problem, configurations: list[int], counts: Array) -> int | None:
    """The best of some configurations on a sample, the lowest index on ties."""
    if not problem.defined(counts):
        return None
    keys = {c: problem.key(c, counts) for c in configurations}
    top = max(keys.values())
    return min(c for c in configurations if keys[c] == top)


def picks(rungs: Rungs, counts: Array) -> list[int | None]:
    """Each rung's pick; None where the rows in bag so far leave the metric undefined."""
    return [
        best_of(rungs.problem, rungs.alive(g), counts * (rungs.of_row <= g))
        for g in range(rungs.n_rungs)
    ]


def scored_rows(rungs: Rungs, counts: Array, picked: list[int | None]) -> Array:
    """1 for rows that are out of bag, score, and have a pick; else 0."""
    has_pick = np.asarray([picked[g] is not None for g in rungs.of_row])
    return np.asarray(out_of_bag(counts) * (rungs.scores & has_pick))


def picked_column(rungs: Rungs, picked: list[int | None]) -> Array:
    """Each row's prediction by its rung's pick; rungs without one have any prediction."""
    column = [
        rungs.problem.predictions[0][i, picked[g] or 0] for i, g in enumerate(rungs.of_row.tolist())
    ]
    return np.asarray(column)


def comparable_pairs(metric: Metric, truth: Truth) -> Array:
    """[i, j] is True where the prediction of row i ought to be the higher."""
    n = len(truth.y)
    pairs = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            if metric.name == "roc_auc":
                pairs[i, j] = truth.is_positive[i] and not truth.is_positive[j]
                continue
            own, other = truth.times[i], truth.times[j]
            tied_with_censored = own == other and not truth.events[j]
            pairs[i, j] = truth.events[i] and (own < other or tied_with_censored)
    return pairs


def scorer(rungs: Rungs) -> Score:
    """Score of a column on rows that are marked 1; NaN where undefined."""
    problem = rungs.problem
    weights = np.ones(problem.n_rows) if problem.sample_weight is None else problem.sample_weight
    if problem.metric.name not in PAIRS:

        def of_rows(column: Array, rows: Array) -> float:
            own = replace(problem, predictions=column[None, :, None])
            return own.score(0, rows) if own.defined(rows) else math.nan

        return of_rows

    pairs = comparable_pairs(problem.metric, problem.truth)
    pairs &= rungs.of_row[:, None] == rungs.of_row[None, :]

    def of_pairs(column: Array, rows: Array) -> float:
        concordant, comparable = [], []
        for i, j in np.argwhere(pairs & np.outer(rows > 0, rows > 0)).tolist():
            weight = float(weights[i]) * float(weights[j])
            comparable.append(weight)
            if column[i] >= column[j]:
                concordant.append(weight if column[i] > column[j] else weight / 2)
        return math.fsum(concordant) / math.fsum(comparable) if comparable else math.nan

    return of_pairs


def accepts(rungs: Rungs, score: Score, counts: Array) -> bool:
    """Whether a replicate has a score and a winner."""
    if not (rungs.problem.defined(counts) and rungs.problem.defined(out_of_bag(counts))):
        return False
    picked = picks(rungs, counts)
    if picked[-1] is None:
        return False
    rows = scored_rows(rungs, counts, picked)
    return not math.isnan(score(picked_column(rungs, picked), rows))


def acceptable(
    y: Any,
    P: Any,
    predicted: Any,
    metric_name: str | Metric,
    counts: Any,
    **design: Any,
) -> bool:
    """Whether one replicate, given by its rows' counts, is kept; else it is drawn again.

    `design` are further arguments of `make_rungs`.
    """
    rungs = make_rungs(y, P, predicted, metric_name, **design)
    return accepts(rungs, scorer(rungs), np.asarray(counts, dtype=np.int64))


def on_draws(
    y: Any,
    P: Any,
    predicted: Any,
    metric_name: str | Metric,
    counts: Any,
    *,
    size_shift: bool = False,
    **design: Any,
) -> Scored:
    """The correction on given counts, (replicate, row)."""
    rungs = make_rungs(y, P, predicted, metric_name, **design)
    score, complete = scorer(rungs), rungs.alive(rungs.n_rungs - 1)
    predictions = rungs.problem.predictions[0]
    everything = np.ones(rungs.problem.n_rows, dtype=np.int64)
    winner = best_of(rungs.problem, complete, everything)
    if winner is None:
        raise ValueError("the metric is undefined on all rows")
    apparent = score(predictions[:, winner], everything)
    if math.isnan(apparent):
        raise ValueError("no rung has a pair")

    replicates, winners, rows_of = [], [], []
    for b, drawn in enumerate(np.asarray(counts, dtype=np.int64)):
        if not accepts(rungs, score, drawn):
            raise ValueError(f"counts[{b}] leaves the metric undefined")
        picked = picks(rungs, drawn)
        last = picked[-1]
        assert last is not None
        winners.append(last)
        rows_of.append(scored_rows(rungs, drawn, picked))
        replicates.append(score(picked_column(rungs, picked), rows_of[-1]))

    size_bias = None
    if size_shift:
        shift = {}
        for c in set(winners):
            on_fewer = [score(predictions[:, c], rows) for rows in rows_of]
            shift[c] = math.fsum(on_fewer) / len(on_fewer) - score(predictions[:, c], everything)
        replicates = [r - shift[c] for r, c in zip(replicates, winners, strict=True)]
        size_bias = math.fsum(shift[c] for c in winners) / len(winners)

    estimate = math.fsum(replicates) / len(replicates)
    gain = apparent - estimate
    return Scored(
        winner=winner,
        apparent=apparent,
        replicates=np.asarray(replicates),
        replicate_winners=np.asarray(winners),
        size_bias=size_bias,
        estimate=estimate,
        optimism=gain if rungs.problem.metric.greater_is_better else -gain,
    )
