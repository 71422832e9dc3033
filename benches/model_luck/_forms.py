"""Forms of a bootstrap that corrects for the choice: who chooses, and on what the choice is scored.

Most forms choose once in a replicate: weights of the rows in bag, and of the rows out of bag, in
every repeat. Crossed forms choose once for every fold, on the rows of the other folds.
"""

from collections.abc import Callable

import numpy as np

from ._worlds import Floats, Ints, Singles

Bags = tuple[Singles, Singles]
"""In-bag and out-of-bag weights: repeat (or 1: the same for all), replicate, row."""

Draw = Callable[[np.random.Generator, Ints, int, int], Bags]


def _folds_drawn(rng: np.random.Generator, n_folds: int, n: int) -> Ints:
    """How often each replicate draws each fold; at least one fold is left out."""
    counts = rng.multinomial(n_folds, np.full(n_folds, 1 / n_folds), size=n)
    while (full := (counts > 0).all(axis=1)).any():
        counts[full] = rng.multinomial(n_folds, np.full(n_folds, 1 / n_folds), size=full.sum())
    return counts


def _folds_left_out(rng: np.random.Generator, n_folds: int, n: int, n_out: int) -> Ints:
    """1 for folds that choose, 0 for `n_out` others."""
    return (rng.random((n, n_folds)).argsort(axis=1) >= n_out).astype(np.int64)


def _rows_within(rng: np.random.Generator, fold: Ints, counts: Ints) -> Singles:
    """For each fold drawn, as many rows within it as it has, each time anew."""
    weights = np.zeros((len(counts), len(fold)), dtype=np.float32)
    for k in range(counts.shape[1]):
        rows = np.flatnonzero(fold == k)
        weights[:, rows] = rng.multinomial(
            counts[:, k] * len(rows), np.full(len(rows), 1 / len(rows))
        )
    return weights


def _rows(rng: np.random.Generator, n_rows: int, n: int) -> Singles:
    return rng.multinomial(n_rows, np.full(n_rows, 1 / n_rows), size=n).astype(np.float32)


def _whole(counts: Ints, fold: Ints) -> Singles:
    return counts[:, fold].astype(np.float32)


def bbc(rng: np.random.Generator, folds: Ints, n_folds: int, n: int) -> Bags:
    """Rows drawn once for all repeats."""
    inside = _rows(rng, folds.shape[1], n)[None]
    return inside, (inside == 0).astype(np.float32)


def _fold_form(
    counts_of: Callable[[np.random.Generator, int, int], Ints],
    rows_in: bool,
    rows_out: bool,
    shared: bool = True,
) -> Draw:
    """Choose on folds drawn, score on the others, of repeat b mod R.

    `shared`: the rows in bag choose by the mean of all repeats; otherwise by that repeat's.
    """

    def draw(rng: np.random.Generator, folds: Ints, n_folds: int, n: int) -> Bags:
        n_repeats, n_rows = folds.shape
        inside = np.zeros((1 if shared else n_repeats, n, n_rows), dtype=np.float32)
        outside = np.zeros((n_repeats, n, n_rows), dtype=np.float32)
        for r, fold in enumerate(folds):
            turn = np.arange(r, n, n_repeats)
            counts = counts_of(rng, n_folds, len(turn))
            left = (counts == 0).astype(np.int64)
            within = (rng, fold)
            inside[0 if shared else r, turn] = (
                _rows_within(*within, counts) if rows_in else _whole(counts, fold)
            )
            outside[r, turn] = _rows_within(*within, left) if rows_out else _whole(left, fold)
        return inside, outside

    return draw


def joint(rng: np.random.Generator, folds: Ints, n_folds: int, n: int) -> Bags:
    """Rows drawn once, folds in each repeat; drawn rows of drawn folds choose."""
    rows = _rows(rng, folds.shape[1], n)
    counts = [_folds_drawn(rng, n_folds, n) for _ in folds]
    inside = [rows * _whole(c, f) for c, f in zip(counts, folds, strict=True)]
    outside = [(rows == 0) * (c[:, f] == 0) for c, f in zip(counts, folds, strict=True)]
    return np.stack(inside), np.stack(outside).astype(np.float32)


def _half(rng: np.random.Generator, n_folds: int, n: int) -> Ints:
    return _folds_left_out(rng, n_folds, n, n_folds // 2)


def _third(rng: np.random.Generator, n_folds: int, n: int) -> Ints:
    return _folds_left_out(rng, n_folds, n, max(1, round(n_folds * 0.368)))


def _distinct(rng: np.random.Generator, n_folds: int, n: int) -> Ints:
    return (_folds_drawn(rng, n_folds, n) > 0).astype(np.int64)


SINGLE: dict[str, Draw] = {
    "bbc": bbc,
    "fold": _fold_form(_folds_drawn, rows_in=False, rows_out=False),
    "two-level": _fold_form(_folds_drawn, rows_in=True, rows_out=False),
    "two-level, rows out": _fold_form(_folds_drawn, rows_in=True, rows_out=True),
    "fold, rows out": _fold_form(_folds_drawn, rows_in=False, rows_out=True),
    "distinct, rows out": _fold_form(_distinct, rows_in=False, rows_out=True),
    "third, rows out": _fold_form(_third, rows_in=False, rows_out=True),
    "third, rows": _fold_form(_third, rows_in=True, rows_out=True),
    "half": _fold_form(_half, rows_in=False, rows_out=False),
    "half, rows": _fold_form(_half, rows_in=True, rows_out=False),
}
REPEATED: dict[str, Draw] = {
    "two-level, rotated": _fold_form(_folds_drawn, rows_in=True, rows_out=False, shared=False),
    "joint": joint,
}


def replicates(values: Singles, bags: Bags) -> tuple[Floats, Ints]:
    """Out-of-bag score of each replicate's winner, and the winner."""
    inside, outside = bags
    if len(inside) == 1:
        scores = inside[0] @ values.sum(axis=0)
    else:
        totals = inside.sum(axis=2)
        sums = np.stack([w @ x for w, x in zip(inside, values, strict=True)])
        scores = np.nansum(sums / np.where(totals > 0, totals, np.nan)[..., None], axis=0)
    winners = scores.argmax(axis=1)
    total, weight = np.zeros(len(winners)), np.zeros(len(winners))
    for r, x in enumerate(values):
        w = outside[r if len(outside) > 1 else 0]
        turn = np.flatnonzero(w.any(axis=1))
        mass = w[turn].sum(axis=1)
        picked = np.ascontiguousarray(x.T)[winners[turn]]
        total[turn] += np.einsum("bi,bi->b", w[turn], picked) / mass
        weight[turn] += 1
    return total / np.where(weight > 0, weight, np.nan), winners


def crossed(
    values: Singles, folds: Ints, n_folds: int, inside: Singles, outside: Singles
) -> tuple[Floats, Singles]:
    """Choose for each fold on the other folds' rows; mean over folds and repeats.

    Returns the replicates, and of the first one the value of each row under its fold's choice.
    """
    summed = values.sum(axis=0)
    scores = inside @ summed
    total, weight = np.zeros(len(inside)), np.zeros(len(inside))
    own = np.empty(values.shape[:2], dtype=np.float32)
    for r, fold in enumerate(folds):
        for k in range(n_folds):
            rows = np.flatnonzero(fold == k)
            winners = (scores - inside[:, rows] @ summed[rows]).argmax(axis=1)
            picked = np.ascontiguousarray(values[r, rows].T)[winners]
            w = outside[:, rows]
            total += np.einsum("bi,bi->b", w, picked)
            weight += w.sum(axis=1)
            own[r, rows] = picked[0]
    return total / weight, own


def crossed_weights(
    name: str, rng: np.random.Generator, folds: Ints, n_folds: int, n: int
) -> tuple[Singles, Singles]:
    """Row weights, in bag and out of bag, of a crossed form."""
    n_rows = folds.shape[1]
    if name == "crossed":
        once = np.ones((1, n_rows), dtype=np.float32)
        return once, once
    if name == "crossed, folds":
        rows = _rows_within(rng, folds[0], _folds_drawn_any(rng, n_folds, n))
        return rows, rows
    rows = _rows(rng, n_rows, n)
    return rows, rows if name == "crossed, rows" else (rows == 0).astype(np.float32)


def _folds_drawn_any(rng: np.random.Generator, n_folds: int, n: int) -> Ints:
    """As `_folds_drawn`, but at least two folds are drawn."""
    counts = _folds_drawn(rng, n_folds, n)
    while (single := (counts > 0).sum(axis=1) < 2).any():
        counts[single] = _folds_drawn(rng, n_folds, int(single.sum()))
    return counts


CROSSED = ("crossed", "crossed, rows", "crossed, rows out", "crossed, folds")


def two_level_weights(rng: np.random.Generator, fold: Ints, n_folds: int, n: int) -> Singles:
    """Weights, of mean one, of folds drawn and rows drawn within them."""
    counts = rng.multinomial(n_folds, np.full(n_folds, 1 / n_folds), size=n)
    weights = _rows_within(rng, fold, counts)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)
