"""AUC and concordance index: the kernel beside what one writes in Python today.

    python benches/kernel/versus_numpy_auc.py [rows configurations]

All competitors do the whole job (draws, in-bag scores of all configurations, winners, out-of-bag
scores) on one thread, interleaved in one process; medians of the runs that fit the time budget.
The scikit-learn loop is timed on a few replicates and scaled.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numba
import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

import bbc

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

N_BOOTSTRAPS = 1000
BUDGET_SECONDS = 4.0


def make_problem(n_rows: int, n_configurations: int, seed: int = 0) -> tuple[Ints, Floats]:
    """Binormal scores; configurations differ in how good they are."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    y[:2] = 0, 1
    strength = rng.uniform(0.5, 1.5, n_configurations)
    return y, rng.normal(size=(n_rows, n_configurations)) + np.outer(y, strength)


def draw(n_rows: int, n_bootstraps: int, seed: int) -> Ints:
    """In-bag counts of each replicate."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, n_rows, (n_bootstraps, n_rows))
    offset = np.arange(n_bootstraps)[:, None] * n_rows
    flat = np.bincount((drawn + offset).ravel(), minlength=n_bootstraps * n_rows)
    return flat.reshape(n_bootstraps, n_rows)


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _walk(order: Ints, y: Ints, scores: Floats, weights: Ints) -> float:
    """Pairs in the right order, in one pass over the sorted rows."""
    twice, below, tied_negatives, tied_positives = 0, 0, 0, 0
    n_positives, n_negatives = 0, 0
    last = len(order) - 1
    for i, row in enumerate(order):
        w = weights[row]
        if y[row] == 1:
            tied_positives += w
            n_positives += w
        else:
            tied_negatives += w
            n_negatives += w
        if i == last or scores[row] != scores[order[i + 1]]:
            twice += tied_positives * (2 * below + tied_negatives)
            below += tied_negatives
            tied_positives, tied_negatives = 0, 0
    return twice / (2 * n_positives * n_negatives)


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _walk_all(orders: Ints, y: Ints, columns: Floats, counts: Ints) -> Floats:
    out = np.empty(counts.shape[0])
    for b in range(counts.shape[0]):
        best, winner = -1.0, -1
        for j in range(orders.shape[0]):
            score = _walk(orders[j], y, columns[j], counts[b])
            if score > best:
                best, winner = score, j
        out_of_bag = (counts[b] == 0).astype(np.int64)
        out[b] = _walk(orders[winner], y, columns[winner], out_of_bag)
    return out


def numba_walk(y: Ints, scores: Floats, n_bootstraps: int = N_BOOTSTRAPS) -> float:
    """Sort once, walk each replicate."""
    columns = np.ascontiguousarray(scores.T)
    orders = np.argsort(columns, axis=1, kind="stable")
    counts = draw(len(y), n_bootstraps, 1)
    return float(_walk_all(orders, y, columns, counts).mean())


def numpy_cumsum(y: Ints, scores: Floats, n_bootstraps: int = N_BOOTSTRAPS) -> float:
    """Sort once; per configuration, cumulative sums of all replicates (no ties)."""
    counts = draw(len(y), n_bootstraps, 1).astype(np.float64)
    positive = y == 1
    n_positives = counts[:, positive].sum(axis=1)
    n_negatives = counts[:, ~positive].sum(axis=1)
    best = np.full(n_bootstraps, -np.inf)
    winners = np.zeros(n_bootstraps, dtype=np.int64)
    orders = np.argsort(scores, axis=0, kind="stable")
    for j in range(scores.shape[1]):
        order = orders[:, j]
        weights = counts[:, order]
        below = np.cumsum(weights * ~positive[order], axis=1)
        auc = np.einsum("ij,ij->i", weights * positive[order], below) / (n_positives * n_negatives)
        better = auc > best
        best[better] = auc[better]
        winners[better] = j
    out = np.empty(n_bootstraps)
    for b in range(n_bootstraps):
        rows = counts[b] == 0
        out[b] = roc_auc_score(y[rows], scores[rows, winners[b]])
    return float(out.mean())


def sklearn_loop(y: Ints, scores: Floats, n_bootstraps: int) -> float:
    """Replicate by replicate and configuration by configuration."""
    counts = draw(len(y), n_bootstraps, 1)
    out = np.empty(n_bootstraps)
    for b in range(n_bootstraps):
        in_bag = [
            roc_auc_score(y, scores[:, j], sample_weight=counts[b]) for j in range(scores.shape[1])
        ]
        rows = counts[b] == 0
        out[b] = roc_auc_score(y[rows], scores[rows, int(np.argmax(in_bag))])
    return float(out.mean())


def ours(y: Ints, scores: Floats) -> float:
    """The kernel, one thread."""
    estimate = bbc.correct(
        y, scores, metric="roc_auc", n_bootstraps=N_BOOTSTRAPS, random_state=1, n_threads=1
    )
    return estimate.estimate


def interleaved(competitors: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Runs them in turn until the budget is spent; each at least twice."""
    times: dict[str, list[float]] = {name: [] for name in competitors}
    start = time.perf_counter()
    while min(map(len, times.values())) < 2 or time.perf_counter() - start < BUDGET_SECONDS:
        for name, run in competitors.items():
            before = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - before)
    return times


def main() -> None:
    """Prints one table per problem."""
    arguments = [int(a) for a in sys.argv[1:]]
    problems = [(50, 100), (500, 500)] if not arguments else [(arguments[0], arguments[1])]
    warm_up = make_problem(20, 3)
    numba_walk(*warm_up, 4)
    for n_rows, n_configurations in problems:
        y, scores = make_problem(n_rows, n_configurations)
        cells = N_BOOTSTRAPS * n_rows * n_configurations
        few = max(1, 20_000 // n_configurations // 10)
        times = interleaved(
            {
                "bbc": lambda y=y, scores=scores: ours(y, scores),
                "numba presorted walk": lambda y=y, scores=scores: numba_walk(y, scores),
            }
        )
        if cells <= 3e8:
            times |= interleaved(
                {"numpy presort + cumsum": lambda y=y, scores=scores: numpy_cumsum(y, scores)}
            )
            sample = interleaved(
                {"sklearn loop": lambda y=y, s=scores, few=few: sklearn_loop(y, s, few)}
            )
            times["sklearn loop (scaled)"] = [
                t * N_BOOTSTRAPS / few for t in sample["sklearn loop"]
            ]
        reference = float(np.median(times["bbc"]))
        print(f"\nAUC, {n_rows} rows x {n_configurations} configurations x {N_BOOTSTRAPS}")
        for name, runs in times.items():
            median = float(np.median(runs))
            print(
                f"{name:24s} {median * 1e3:12.3f} ms {median / cells * 1e12:12.1f} ps/cell"
                f" {median / reference:10.1f}x   (minimum {min(runs) * 1e3:.3f} ms)"
            )


if __name__ == "__main__":
    main()
