"""Correction of halving whose iterations all score the same rows, such as by trees or epochs.

The plain replicate is the score out of bag of the last iteration's pick. Subtracted is, for each
earlier iteration r, the slope of the row scores of iteration r + 1 on those of r, times what the
pick of r + 1 scores out of bag in iteration r beyond the pick of r.

Readings chosen where the texts are silent:

- Row scores are centred by configuration, over the configurations of iteration r + 1, by the
  weighted mean; what has a slope are the weighted sums of units (rows or groups).
- A term whose mean over the replicates is of the other sign (no luck) is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum
from typing import Any

import numpy as np

from .arithmetic import Array


def pick(table: Array, weights: Array, sign: int) -> int:
    """The best by the weighted mean of row scores, the lowest index on ties."""
    means = [fsum((weights * column).tolist()) / fsum(weights.tolist()) for column in table.T]
    best = max(sign * mean for mean in means)
    return min(c for c, mean in enumerate(means) if sign * mean == best)


def slope(before: Array, after: Array, weights: Array, units: Sequence[Hashable]) -> float:
    """That of units' centred scores on those before, within 0 and 1."""
    across, squares = [], []
    for earlier, later in zip(before.T, after.T, strict=True):
        sums = []
        for column in (earlier, later):
            mean = fsum((weights * column).tolist()) / fsum(weights.tolist())
            centred = (weights * (column - mean)).tolist()
            sums.append(
                {
                    unit: fsum(c for c, u in zip(centred, units, strict=True) if u == unit)
                    for unit in units
                }
            )
        across += [sums[0][unit] * sums[1][unit] for unit in sums[0]]
        squares += [sums[0][unit] ** 2 for unit in sums[0]]
    if fsum(squares) == 0:
        return 0.0
    return min(1.0, max(0.0, fsum(across) / fsum(squares)))


def replicates(
    tables: Sequence[Array],
    survivors: Sequence[Sequence[int]],
    counts: Any,
    sign: int,
    *,
    weights: Array | None = None,
    groups: Sequence[Hashable] | None = None,
) -> tuple[list[float], list[int]]:
    """The corrected replicates and their winners; `sign` is -1 if lower is better.

    `tables` are row scores by iteration, `survivors` the places that the configurations of each
    iteration but the first one had before.
    """
    n = len(tables[0])
    w = np.ones(n) if weights is None else weights
    units = list(range(n)) if groups is None else list(groups)
    found, winners = [], []
    terms: list[list[float]] = [[] for _ in survivors]
    for drawn in np.asarray(counts):
        picks = [pick(table, w * drawn, sign) for table in tables]
        out = w * (drawn == 0)

        def score(table: Array, configuration: int, out: Array = out) -> float:
            return fsum((out * table[:, configuration]).tolist()) / fsum(out.tolist())

        found.append(score(tables[-1], picks[-1]))
        winners.append(picks[-1])
        for r, places in enumerate(survivors):
            gain = score(tables[r], places[picks[r + 1]]) - score(tables[r], picks[r])
            terms[r].append(gain)
    for r, places in enumerate(survivors):
        share = slope(tables[r][:, list(places)], tables[r + 1], w, units)
        if sign * fsum(terms[r]) > 0:
            found = [value - share * gain for value, gain in zip(found, terms[r], strict=True)]
    return found, winners
