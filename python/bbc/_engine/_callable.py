"""Metrics that are Python functions: replicates drawn by the kernel, scored in Python."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import AnyArray, FloatArray, IndexArray
from .._validation import Options, Problem
from .._warn import warn
from ..errors import Argument, InvalidValueError, UndefinedMetricError
from ..metrics._sklearn import is_sklearn_function
from ..selection import BEST, standard_error
from ._replay import Shifts, summary, without_shift
from ._scorer import Scorer, scored_repeat

if TYPE_CHECKING:
    from .._core import Sampler

_MOST_ATTEMPTS = 1000
_SECONDS_OF_CALLS = 2000


def correct_callable(problem: Problem, options: Options, sampler: "Sampler") -> dict[str, Any]:
    """Algorithm 5 with a Python function as the metric, on the draws of every other metric."""
    metric = options.metric
    folds, drawn_folds = options.parts(problem), options.drawn_folds(problem)
    scorer = Scorer(problem, metric, folds, two_level=drawn_folds is not None)
    on_all_rows = scorer.on_all_rows()
    _warn_if_slow(options, len(on_all_rows))
    by_replicate = _ReplicateScorer(scorer, problem, options, on_all_rows)
    winner = by_replicate.choose(on_all_rows, np.ones(problem.n_rows, np.int64))
    n_bootstraps = options.n_bootstraps

    replicates = np.empty(n_bootstraps)
    winners = np.empty(n_bootstraps, np.int64)
    attempts = np.empty(n_bootstraps, np.int64)
    n_undefined = 0
    for b in range(n_bootstraps):
        why = f": replicate {b} leaves metric {metric.name!r} undefined"
        for attempt in redraws(why):
            counts, scoring = sampler.draw(b, attempt)
            scored = by_replicate.score_replicate(
                counts.astype(np.int64), scoring, scored_repeat(b, drawn_folds)
            )
            if scored is not None:
                attempts[b] = attempt
                break
            if options.resamples is not None:
                raise InvalidValueError("resamples", why)
            if options.on_undefined == "raise":
                raise UndefinedMetricError(Argument("on_undefined", "raise"), why)
        assert scored is not None
        winners[b], replicates[b], undefined = scored
        n_undefined += undefined
    size_bias = None
    if options.size_correction:
        chosen, places = np.unique(winners, return_inverse=True)
        shifts = Shifts(on_all_rows[chosen], n_bootstraps)
        for b in range(n_bootstraps):
            _, scoring = sampler.draw(b, int(attempts[b]))
            known = (int(places[b]), float(replicates[b]))
            repeat = scored_repeat(b, drawn_folds)
            shifts.add(b, by_replicate.score_all(scoring, chosen, known, repeat))
        lost = without_shift(replicates, shifts.of(places))
        replicates, size_bias = lost["replicates"], lost["size_bias"]
    found = summary(replicates, winners, options, problem, size_bias=size_bias)
    return found | {
        "apparent": float(on_all_rows[winner]),
        "winner": winner,
        "n_redrawn": int(attempts.sum()),
        "undefined_fold_share": n_undefined / scorer.n_fold_sides(n_bootstraps),
        "attempts": attempts,
    }


def _warn_if_slow(options: Options, n_configurations: int) -> None:
    """Tell who named a metric that it is not in the kernel; a function of scikit-learn takes ms."""
    function = getattr(options.metric.function, "func", options.metric.function)
    n_calls = options.n_bootstraps * n_configurations
    if n_calls >= _SECONDS_OF_CALLS and function and is_sklearn_function(function):
        warn(
            f"metric {options.metric.name!r} is not in bbc's kernel: scikit-learn's function is "
            f"called {n_calls} times, {options.n_bootstraps} replicates of "
            f"{n_configurations} configurations; fewer n_bootstraps give a first result",
            UserWarning,
        )


def redraws(why: str) -> Iterator[int]:
    """Numbers the draws of a replicate; an error says `why` the last that is allowed failed."""
    yield from range(_MOST_ATTEMPTS)
    raise UndefinedMetricError("y_true", f": {_MOST_ATTEMPTS} draws in a row{why}")


class _ReplicateScorer:
    """Selects in bag and scores out of bag, a replicate at a time."""

    def __init__(
        self, scorer: Scorer, problem: Problem, options: Options, on_all_rows: FloatArray
    ) -> None:
        self._scorer = scorer
        self._greater_is_better = options.metric.greater_is_better
        self._selection = options.selection
        self._margin = 0.0
        if self._selection.needs_folds:
            assert problem.folds is not None
            counts = np.empty(0)
            best = BEST.choose(on_all_rows, counts, greater_is_better=self._greater_is_better)
            by_fold = scorer.fold_scores(problem.folds)
            self._margin = standard_error(by_fold[..., best].ravel())

    def choose(self, scores: FloatArray, counts: AnyArray) -> int:
        """The winner by the rule."""
        return self._selection.choose(
            scores, counts, greater_is_better=self._greater_is_better, margin=self._margin
        )

    def score_replicate(
        self, counts: AnyArray, scoring: AnyArray, repeat: int | None
    ) -> tuple[int, float, int] | None:
        """Winner, its out-of-bag score, and the number of folds without a score on either side.

        Rows whose `scoring` is zero are out of bag. None if either side leaves the metric
        undefined.
        """
        out_of_bag = np.flatnonzero(scoring == 0)
        if out_of_bag.size == 0:
            return None
        in_bag, n_undefined = self._scorer.scores(np.repeat(np.arange(len(counts)), counts))
        if in_bag is None:
            return None
        winner = self.choose(in_bag, counts)
        score, more = self._scorer.score(out_of_bag, winner, repeat)
        return None if math.isnan(score) else (winner, score, n_undefined + more)

    def score_all(
        self,
        scoring: AnyArray,
        chosen: IndexArray,
        known: tuple[int, float],
        repeat: int | None,
    ) -> FloatArray:
        """Out-of-bag scores of chosen configurations, of which one is `known`: (1, chosen)."""
        out_of_bag = np.flatnonzero(scoring == 0)
        scores = np.empty((1, len(chosen)))
        for place, configuration in enumerate(chosen):
            if place == known[0]:
                scores[0, place] = known[1]
                continue
            scores[0, place], _ = self._scorer.score(out_of_bag, int(configuration), repeat)
        return scores
