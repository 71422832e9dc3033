"""Choices other than one configuration: a cut-off, a greedy ensemble, the k best.

A choice maps the in-bag rows to a column of predictions, which is scored as any configuration is.

Readings chosen where the texts are silent:

- In-bag scores are those of rows with a positive weight, of all repeats that predicted them.
- A midpoint of a < b is .5 a + .5 b in float64, or a where that is b.
- An average is the running float64 sum of its members, from zero, divided by their number; greedy
  ensembles add in order of rounds, the k best in order of their indices.
- Votes that tie go to the first class in order; of two classes the positive one is last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .arithmetic import Array, mean
from .bbc import Corrected
from .problem import Problem
from .several import Other


@dataclass(frozen=True)
class BestThreshold:
    """The configuration and cut-off with the best metric of labels."""


@dataclass(frozen=True)
class GreedyEnsemble:
    """Rounds of adding the configuration that improves the average most, with replacement."""

    n_rounds: int


@dataclass(frozen=True)
class TopK:
    """The average of the k best."""

    k: int


Rule = BestThreshold | GreedyEnsemble | TopK


@dataclass(frozen=True)
class Choice:
    """Members of an average, in the order of adding; or one configuration and its cut-off."""

    members: tuple[int, ...]
    threshold: float | None = None

    def weights(self, n_configurations: int) -> Array:
        """Share of each configuration."""
        return np.bincount(self.members, minlength=n_configurations) / len(self.members)

    def winner(self, n_configurations: int) -> int:
        """The largest weight, the lowest index on ties."""
        return int(np.argmax(self.weights(n_configurations)))


@dataclass(frozen=True)
class CorrectedChoice:
    """What was chosen on all rows and in each replicate, and its scores."""

    overall: Choice
    apparent: float
    choices: list[Choice]
    replicates: Array


def ordered_classes(problem: Problem) -> list[object]:
    """The classes in sorted order, of two the positive one last."""
    truth = problem.truth
    if truth.y.dtype.kind == "f" or truth.y.dtype.names:
        return []
    classes = list(truth.classes)
    swapped = truth.pos_label is not None and len(classes) == 2 and classes[0] == truth.pos_label
    return classes[::-1] if swapped else classes


def average(problem: Problem, members: tuple[int, ...], labels: bool) -> Array:
    """The column of an ensemble, (repeat, row, 1[, class])."""
    if labels:
        classes = ordered_classes(problem)
        drawn = problem.predictions[:, :, list(members)]
        votes = np.stack([(drawn == label).sum(axis=2) for label in classes])
        return np.asarray(np.array(classes)[np.argmax(votes, axis=0)])[:, :, None]
    total = np.zeros_like(problem.predictions[:, :, 0], dtype=np.float64)
    for member in members:
        total = total + problem.predictions[:, :, member]
    return np.asarray(total / len(members))[:, :, None]


def cut(problem: Problem, configuration: int, threshold: float) -> Array:
    """The labels of a configuration whose scores are cut, (repeat, row, 1)."""
    classes = np.array(ordered_classes(problem))
    above = problem.predictions[:, :, configuration] > threshold
    return np.asarray(classes[above.astype(int)])[:, :, None]


def column(problem: Problem, choice: Choice, labels: bool) -> Problem:
    """The problem of the one derived configuration."""
    if choice.threshold is not None:
        return replace(problem, predictions=cut(problem, choice.members[0], choice.threshold))
    return replace(problem, predictions=average(problem, choice.members, labels))


def cut_offs(problem: Problem, configuration: int, counts: Array) -> list[float]:
    """All cut-offs of a configuration on a sample."""
    scores: set[float] = set()
    for r in range(problem.n_repeats):
        in_bag = problem.weights(counts, r) > 0
        scores |= set(problem.predictions[r][in_bag, configuration].tolist())
    distinct = sorted(scores)
    cuts = [-math.inf]
    for low, high in pairwise(distinct):
        middle = 0.5 * low + 0.5 * high
        cuts.append(middle if middle < high else low)
    return [*cuts, math.inf]


def best_threshold(problem: Problem, counts: Array) -> Choice:
    """Configuration and cut-off with the best key."""
    best, chosen = None, None
    for c in range(problem.n_configurations):
        cuts = cut_offs(problem, c, counts)
        keys = [replace(problem, predictions=cut(problem, c, t)).key(0, counts) for t in cuts]
        top = max(keys)
        if best is not None and not top > best:
            continue
        first = last = keys.index(top)
        while last + 1 < len(keys) and keys[last + 1] == top:
            last += 1
        best, chosen = top, Choice((c,), cuts[(first + last) // 2])
    assert chosen is not None
    return chosen


def greedy_ensemble(problem: Problem, counts: Array, n_rounds: int, labels: bool) -> Choice:
    """Members in the order of adding."""
    members: tuple[int, ...] = ()
    for _ in range(n_rounds):
        keys = []
        for c in range(problem.n_configurations):
            grown = column(problem, Choice((*members, c)), labels)
            keys.append(grown.key(0, counts))
        members = (*members, keys.index(max(keys)))
    return Choice(members)


def top_k(problem: Problem, counts: Array, k: int) -> Choice:
    """The k best, in order of index."""
    keys = [problem.key(c, counts) for c in range(problem.n_configurations)]
    order = sorted(range(len(keys)), key=lambda c: (-keys[c], c))
    return Choice(tuple(sorted(order[:k])))


def choose(problem: Problem, rule: Rule, counts: Array, labels: bool) -> Choice:
    """What a rule chooses on a sample."""
    if isinstance(rule, BestThreshold):
        return best_threshold(problem, counts)
    if isinstance(rule, GreedyEnsemble):
        return greedy_ensemble(problem, counts, rule.n_rounds, labels)
    return top_k(problem, counts, rule.k)


def on_draws(
    problem: Problem, rule: Rule, drawn: Corrected, *, labels: bool, two_level: bool
) -> CorrectedChoice:
    """The correction of a rule on the replicates of another one."""
    everything = np.ones(problem.n_rows, dtype=np.int64)
    overall = choose(problem, rule, everything, labels)
    choices, replicates = [], []
    for b, (counts, left) in enumerate(zip(drawn.counts, drawn.left_out, strict=True)):
        chosen = choose(problem, rule, counts, labels)
        derived = column(problem, chosen, labels)
        repeat = b % problem.n_repeats
        scored = derived.repeat_score(0, left, repeat) if two_level else derived.score(0, left)
        choices.append(chosen)
        replicates.append(scored)
    apparent = column(problem, overall, labels).score(0, everything)
    return CorrectedChoice(overall, apparent, choices, np.asarray(replicates))


def described(
    problem: Problem, chosen: CorrectedChoice, drawn: Corrected, *, labels: bool, two_level: bool
) -> Other:
    """Another metric of what was chosen: of the labels that cut-offs make, or of the scores."""

    def score(choice: Choice, left: Array, repeats: range | list[int]) -> float:
        own, place = problem, choice.members[0]
        if labels:
            own, place = column(problem, choice, labels), 0
        if not all(own.defined_parts(left, r) for r in repeats):
            return math.nan
        return float(mean([own.repeat_score(place, left, r) for r in repeats]))

    every = range(problem.n_repeats)
    replicates = [
        score(choice, left, [b % problem.n_repeats] if two_level else every)
        for b, (choice, left) in enumerate(zip(chosen.choices, drawn.left_out, strict=True))
    ]
    everything = np.ones(problem.n_rows, dtype=np.int64)
    return Other(score(chosen.overall, everything, every), np.asarray(replicates))
