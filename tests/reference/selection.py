"""Selection rules: which configuration wins on a sample.

Readings chosen where the texts are silent:

- The standard error is that of the configuration that is best on all rows, from its fold scores of
  all repeats together: sd (ddof 1) / sqrt(number of fold scores). Folds where the metric is
  undefined are left out.
- "Within one standard error" includes the edge and is decided on float64 scores.
- Equal complexity: the better score, then the lower index.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from .arithmetic import Array
from .problem import Problem


@dataclass(frozen=True)
class OneStandardError:
    """Least complex configuration within one standard error of the best."""

    complexity: Sequence[float]


Selection: TypeAlias = str | OneStandardError | Callable[[Array, Array], int]


def best(problem: Problem, counts: Array) -> int:
    """Configuration with the best score on a sample; ties go to the lowest index."""
    keys = [problem.key(c, counts) for c in range(problem.n_configurations)]
    return max(range(len(keys)), key=lambda c: (keys[c], -c))


def standard_error(problem: Problem) -> float:
    """Standard error of the fold scores of the configuration that is best on all rows."""
    everything = np.ones(problem.n_rows, dtype=np.int64)
    if not problem.defined(everything):
        raise ValueError(f"{problem.metric.name} is undefined on all rows")
    winner = best(problem, everything)
    by_fold = replace(problem, pooling="fold")
    scores = [
        problem.metric.value(
            truth,
            problem.predictions[r][m][:, winner],
            problem.weights(everything, r)[m],
        )
        for r in range(problem.n_repeats)
        for m, truth in by_fold.defined_parts(everything, r)
    ]
    if len(scores) < 2:
        raise ValueError("a standard error needs two fold scores")
    return float(np.std(scores, ddof=1)) / math.sqrt(len(scores))


def rule(problem: Problem, selection: Selection) -> Callable[[Array], int]:
    """Function from counts to the winner, with all that is fixed for all replicates worked out."""
    if selection == "best":
        return lambda counts: best(problem, counts)
    if isinstance(selection, OneStandardError):
        error, complexity = standard_error(problem), selection.complexity

        def one_standard_error(counts: Array) -> int:
            sign = 1.0 if problem.metric.greater_is_better else -1.0
            configurations = range(problem.n_configurations)
            goodness = [sign * problem.score(c, counts) for c in configurations]
            keys = [problem.key(c, counts) for c in configurations]
            near = [c for c in configurations if goodness[c] >= max(goodness) - error]
            return min(near, key=lambda c: (complexity[c], -keys[c], c))

        return one_standard_error
    assert callable(selection)
    choose = selection

    def by_user(counts: Array) -> int:
        scores = [problem.score(c, counts) for c in range(problem.n_configurations)]
        return int(choose(np.asarray(scores), counts))

    return by_user
