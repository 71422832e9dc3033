"""Cut-offs and ensembles in place of a configuration, on the draws of a case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import bbc
from fuzz.case import OF_ROWS, Case
from fuzz.comparison import Comparison, DisagreementError
from reference.bbc import Corrected
from reference.choices import BestThreshold, GreedyEnsemble, Rule, TopK, on_draws
from reference.problem import Problem

_MOST_CELLS = 4000  # rows times configurations: the oracle is slow
_LARGEST = 1e300  # a sum over an ensemble that may overflow is refused


def draw_choice(case: Case, rng: np.random.Generator) -> tuple[Case, Rule] | None:
    """A rule for some of the cases, and the case with the scores that a cut-off needs."""
    n_rows, n_configurations = case.repeats[0].shape[:2]
    plain = case.question in OF_ROWS and "selection" not in case.design and not case.by_function
    if not plain or n_rows * n_configurations * len(case.repeats) > _MOST_CELLS:
        return None
    classes = np.unique(case.y) if case.metric.has_classes else ()
    whole = case.kept is None and {"missing", "labels"}.isdisjoint(case.options)
    of_calls = case.metric._facts.get("form") in ("zero_one", "confusion")
    cuts = of_calls and len(classes) == 2 and whole
    if cuts and "seen" not in case.design and rng.random() < 0.6:
        steps = float(rng.choice((3.0, 10.0, 1e6)))
        positive = case.y == classes[-1]
        shape = (n_rows, n_configurations)
        scores = [
            np.round(steps * (0.4 * positive[:, None] + rng.random(shape))) / steps
            for _ in case.repeats
        ]
        given = {**case.given, "repeats": scores}
        return replace(case, repeats=scores, given=given, other=None, block=0), BestThreshold()
    if any((np.abs(own) > _LARGEST).any() for own in case.repeats if own.dtype.kind == "f"):
        return None
    if rng.random() < 0.5:
        return case, TopK(int(rng.integers(1, n_configurations + 1)))
    return case, GreedyEnsemble(int(rng.integers(1, 5)))


def selection_of(rule: Rule) -> bbc.selection.Selection:
    """The rule as bbc takes it."""
    if isinstance(rule, BestThreshold):
        return bbc.best_threshold()
    if isinstance(rule, GreedyEnsemble):
        return bbc.greedy_ensemble(rule.n_rounds)
    return bbc.top_k(rule.k)


def compare(case: Case, rule: Rule, problem: Problem, ours: Any, drawn: Corrected) -> None:
    """The same choices and scores, replicate by replicate, where exact arithmetic decides."""
    comparison = Comparison(case, problem)
    if not comparison.is_exact:
        return
    labels = case.metric.predicts == "labels"
    two_level = case.question == "bbc-two-level"
    theirs = on_draws(problem, rule, drawn, labels=labels, two_level=two_level)
    n = problem.n_configurations
    kept = np.arange(n) if case.kept is None else case.kept
    winners = kept[[each.winner(n) for each in theirs.choices]]
    if ours.n_redrawn != drawn.n_redrawn:
        raise DisagreementError(f"{rule}: {ours.n_redrawn} redrawn, the oracle {drawn.n_redrawn}")
    if not np.array_equal(ours.replicate_winners, winners):
        raise DisagreementError(f"{rule}: winners {ours.replicate_winners}, the oracle's {winners}")
    cuts = [each.threshold for each in theirs.choices]
    if theirs.overall.threshold is None:
        taking_part = np.mean([each.weights(n) > 0 for each in theirs.choices], axis=0)
        pairs = [
            (ours.weights[kept], theirs.overall.weights(n)),
            (ours.selection_frequency[kept], taking_part),
        ]
    else:
        pairs = [(ours.replicate_thresholds, cuts), (ours.threshold, theirs.overall.threshold)]
    for given, expected in pairs:
        if not np.array_equal(given, expected):
            raise DisagreementError(f"{rule}: {given}, the oracle's {expected}")
    comparison.close(ours.apparent, theirs.apparent, f"{rule}: apparent")
    for b, pair in enumerate(zip(ours.replicates, theirs.replicates, strict=True)):
        comparison.close(*pair, f"{rule}: replicate {b}")
