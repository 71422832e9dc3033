"""Searches that drop configurations on the way, replayed on the scores of a table of all fits.

Each function takes the scores of each configuration on its first 1, 2, ... folds, (configuration,
fold), greater is better, and returns how many folds each was evaluated on. Configurations come in
their order. The pruners stop where Optuna's do: test_dynamic_search_bench.py runs both.
"""

from collections.abc import Callable, Sequence

import numpy as np

# Successive halving: (folds seen so far, share of the configurations that go on).
HALVING = ((2, 1 / 3), (4, 1 / 9))
N_STARTUP = 5
# Hyperband's brackets of 1, 2, 4 and 8 folds, and their shares of the trials (Optuna's).
BRACKETS = ((1, 2, 4), (2, 4), (4,), ())
TRIALS = (8, 6, 4, 4)

Search = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def halving(scores: np.ndarray, _: np.random.Generator) -> np.ndarray:
    """Successive halving in three rungs."""
    n, n_folds = scores.shape
    depth = np.full(n, n_folds)
    alive = np.arange(n)
    for seen, share in HALVING:
        order = np.argsort(-scores[alive, seen - 1], kind="stable")
        n_left = max(2, round(share * n))
        depth[alive[order[n_left:]]] = seen
        alive = np.sort(alive[order[:n_left]])
    return depth


def median_pruner(scores: np.ndarray, _: np.random.Generator) -> np.ndarray:
    """Stop a trial whose best score so far is below the median of completed trials."""
    n, n_folds = scores.shape
    depth = np.full(n, n_folds)
    for trial in range(n):
        completed = np.flatnonzero(depth[:trial] == n_folds)
        if completed.size < N_STARTUP:
            continue
        median = np.median(scores[completed], axis=0)
        below = np.maximum.accumulate(scores[trial]) < median
        below[-1] = False  # nothing is left to stop
        if below.any():
            depth[trial] = int(below.argmax()) + 1
    return depth


def asha(scores: np.ndarray, _: np.random.Generator) -> np.ndarray:
    """Asynchronous halving: go on if in the better half of those that came to a rung before."""
    return _asynchronous(scores, np.zeros(len(scores), int), BRACKETS[:1])


def hyperband(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Asynchronous halving in four brackets, which take the folds in one order."""
    share = np.array(TRIALS) / sum(TRIALS)
    return _asynchronous(scores, rng.choice(len(BRACKETS), len(scores), p=share), BRACKETS)


def reliability(*parts: np.ndarray) -> float:
    """The share of skill in the variance of scores between configurations; the rest is luck.

    A score is the mean over the rows, or over those of each class, of a table (row, configuration).
    """
    noise = 0.0
    for part in parts:
        own = part - part.mean(axis=1, keepdims=True)
        noise += float(own.var(axis=0, ddof=1).mean()) / len(part)
    n = parts[0].shape[1]
    observed = float(parts[0].mean(axis=0).var(ddof=1))
    return max(0.0, 1 - noise * n / (n - 1) / observed) if observed > 0 else 0.0


def _asynchronous(
    scores: np.ndarray, bracket_of: np.ndarray, brackets: Sequence[tuple[int, ...]]
) -> np.ndarray:
    n, n_folds = scores.shape
    depth = np.full(n, n_folds)
    came: dict[tuple[int, int], list[float]] = {}
    for trial in range(n):
        for seen in brackets[bracket_of[trial]]:
            others = came.setdefault((bracket_of[trial], seen), [])
            others.append(scores[trial, seen - 1])
            if others[-1] < sorted(others)[-max(1, len(others) // 2)]:
                depth[trial] = seen
                break
    return depth


SEARCHES: dict[str, Search] = {
    "halving": halving,
    "median pruner": median_pruner,
    "ASHA": asha,
    "Hyperband": hyperband,
}
