"""The winner of each replicate, scored on the out-of-bag rows of a subgroup.

Readings chosen where the texts are silent:

- All rows in bag select, whatever their subgroup; a subgroup is a mask of the rows that score.
- A replicate that leaves the metric undefined on a subgroup's out-of-bag rows is left out of that
  subgroup's estimate, and of the differences in which it takes part.
- The difference's t-distribution has one degree of freedom less than the smaller subgroup has
  units, or fewer if folds are drawn; its standard error is scaled for the units that were drawn.
"""

from __future__ import annotations

import math

import numpy as np

from .arithmetic import Array, Num, mean
from .bbc import Corrected
from .problem import Problem
from .several import Other
from .size import without_shifts


def in_subgroup(
    problem: Problem, decided: Corrected, inside: Array, *, two_level: bool = False
) -> Other:
    """Apparent score and replicates of the winners on the rows that are `inside`."""
    replicates = []
    sides = zip(decided.replicate_winners, decided.left_out, strict=True)
    for b, (winner, left) in enumerate(sides):
        rows = left * inside
        repeats = [b % problem.n_repeats] if two_level else range(problem.n_repeats)
        defined = all(problem.defined_parts(rows, r) for r in repeats)
        scores: list[Num] = [problem.repeat_score(int(winner), rows, r) for r in repeats if defined]
        replicates.append(float(mean(scores)) if defined else math.nan)
    own, size_bias = without_shifts(
        problem,
        replicates,
        list(decided.replicate_winners),
        [left * inside for left in decided.left_out],
        two_level=two_level,
        inside=inside,
    )
    everything = np.ones(problem.n_rows, dtype=np.int64) * inside
    return Other(problem.score(decided.winner, everything), np.asarray(own), size_bias)
