"""Philox4x32-10 (Salmon et al. 2011) and the draws of a replicate, in plain Python integers.

Readings chosen where the texts are silent:

- The draw block of a replicate starts at 0 and counts up by one for every four words.
- One stream of words serves the whole replicate; strata follow one another in it without gap.
- A group of a stratified draw belongs to the stratum of its first row.
- Folds are numbered, as all units, in the order of their first row.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import count

MASK32 = 0xFFFFFFFF
MULTIPLIER_0 = 0xD2511F53
MULTIPLIER_1 = 0xCD9E8D57
WEYL_0 = 0x9E3779B9
WEYL_1 = 0xBB67AE85

Words4 = tuple[int, int, int, int]


def philox4x32_10(counter: Words4, key: tuple[int, int]) -> Words4:
    """Ten rounds of Philox4x32 on one counter."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (
            (product_1 >> 32) ^ c1 ^ k0,
            product_1 & MASK32,
            (product_0 >> 32) ^ c3 ^ k1,
            product_0 & MASK32,
        )
        k0 = (k0 + WEYL_0) & MASK32
        k1 = (k1 + WEYL_1) & MASK32
    return c0, c1, c2, c3


def words(seed: int, replicate: int, attempt: int = 0, stream: int = 0) -> Iterator[int]:
    """Endless 32-bit words of one attempt of one replicate."""
    key = (seed & MASK32, seed >> 32)
    for block in count():
        yield from philox4x32_10((block, replicate, attempt, stream), key)


def bounded(source: Iterator[int], n: int) -> int:
    """Uniform integer in [0, n) by Lemire's multiply-shift, a rejected word being skipped."""
    threshold = (2**32 - n) % n
    while True:
        m = next(source) * n
        if (m & MASK32) >= threshold:
            return m >> 32


def numbering(labels: Sequence[Hashable]) -> list[int]:
    """Number labels 0, 1, ... in the order in which they first appear."""
    order: dict[Hashable, int] = {}
    return [order.setdefault(label, len(order)) for label in labels]


def draw_units(
    seed: int,
    replicate: int,
    attempt: int = 0,
    stream: int = 0,
    *,
    n_units: int,
    strata: Sequence[Hashable] | None = None,
) -> list[int]:
    """Indices of the units that a replicate draws.

    ``strata`` holds one label per unit; stratum after stratum draws as many units as it has.
    """
    source = words(seed, replicate, attempt, stream)
    codes = [0] * n_units if strata is None else numbering(strata)
    drawn = []
    for stratum in range(max(codes) + 1):
        members = [unit for unit in range(n_units) if codes[unit] == stratum]
        drawn += [members[bounded(source, len(members))] for _ in members]
    return drawn


def draw_counts(
    seed: int,
    replicate: int,
    attempt: int = 0,
    stream: int = 0,
    *,
    n_rows: int,
    groups: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
) -> list[int]:
    """How often each row is in bag; ``groups`` and ``strata`` hold one label per row."""
    units = list(range(n_rows)) if groups is None else numbering(groups)
    n_units = max(units) + 1
    unit_strata = None if strata is None else [strata[units.index(u)] for u in range(n_units)]
    drawn = draw_units(seed, replicate, attempt, stream, n_units=n_units, strata=unit_strata)
    multiplicity = [0] * n_units
    for unit in drawn:
        multiplicity[unit] += 1
    return [multiplicity[unit] for unit in units]
