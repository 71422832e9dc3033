"""Permuted truths: by row, or by blocks of rows that belong together."""

from collections.abc import Iterator

import numpy as np

from .._typing import AnyArray, CodeArray
from ..errors import InvalidValueError


def permutations(
    truth: AnyArray, groups: CodeArray | None, count: int, rng: np.random.Generator
) -> Iterator[AnyArray]:
    """Draw permuted truths; groups keep their outcomes together."""
    if groups is None:
        for _ in range(count):
            yield truth[rng.permutation(len(truth))]
        return
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    if len(starts) < 2:
        raise InvalidValueError("groups", "has one group: its outcomes have no other order")
    blocks = np.split(order, starts[1:])
    constant = all((truth[block] == truth[block[0]]).all() for block in blocks)
    for _ in range(count):
        drawn = rng.permutation(len(blocks))
        if constant:
            yield truth[order[starts][drawn]][groups]
        else:
            permuted = np.empty_like(truth)
            permuted[order] = truth[np.concatenate([blocks[block] for block in drawn])]
            yield permuted
