"""The selection and the split behind paper 002's Table 2, as its program makes them.

They differ from `bbc.baselines.bound` in two ways, which the paper does not mention.

- Every AUC has an automatic direction: where the median score of the positives is below that of the
  negatives, the scores are turned round, so that poor configurations look good.
- Where the evaluation part is large enough, the split is redrawn until it has rows of both classes
  from every fold, which gives it more rows of a rare class than a quarter.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

Z = float(ndtri(0.95))


class Selected(NamedTuple):
    """A selected configuration and those that it was selected from, on the evaluation rows."""

    configuration: int
    place: int
    y: np.ndarray
    raw: np.ndarray
    directed: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """Scores of the selected configuration, in the direction of its AUC."""
        return np.asarray(self.directed[:, self.place])

    @property
    def n_correct(self) -> int:
        """Correct calls at threshold 0, in the original direction."""
        return int(((self.raw[:, self.place] > 0) == (self.y == 1)).sum())


def learn_rows(
    y: np.ndarray, folds: np.ndarray, rng: np.random.Generator, *, every_fold: bool = True
) -> np.ndarray:
    """A mask of three quarters of the rows, redrawn until all parts have both classes.

    With `every_fold` the evaluation part has both from every fold, if it is large enough.
    """
    n_learn, n_folds = 3 * y.size // 4, int(folds.max()) + 1
    by_fold = every_fold and 2 * n_folds <= y.size - n_learn
    codes = folds * 2 + y
    while True:
        learn = np.zeros(y.size, dtype=bool)
        learn[rng.permutation(y.size)[:n_learn]] = True
        evaluated = codes[~learn] if by_fold else y[~learn]
        complete = 2 * n_folds if by_fold else 2
        if np.unique(codes[learn]).size == 2 * n_folds and np.unique(evaluated).size == complete:
            return learn


def directed_auc(
    y: np.ndarray, scores: np.ndarray, automatic: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """AUC of every column in its automatic direction, and that direction, 1 or -1."""
    n_positive = int(y.sum())
    ranks = np.arange(1, y.size + 1)[:, None]
    ranked = y[np.argsort(scores, axis=0)]
    above = (ranks * ranked).sum(axis=0) - n_positive * (n_positive + 1) / 2
    auc = above / (n_positive * (y.size - n_positive))
    if not automatic:
        return auc, np.ones(auc.size)
    turned = np.median(scores[y == 0], axis=0) > np.median(scores[y == 1], axis=0)
    return np.where(turned, 1 - auc, auc), np.where(turned, -1, 1)


def select(
    y: np.ndarray,
    scores: np.ndarray,
    folds: np.ndarray,
    learn: np.ndarray,
    rule: str,
    *,
    automatic: bool = True,
) -> Selected:
    """The best mean fold AUC on the learn rows, or the best on the others among its top tenth."""
    parts = [learn & (folds == fold) for fold in range(int(folds.max()) + 1)]
    means = np.mean([directed_auc(y[part], scores[part], automatic)[0] for part in parts], axis=0)
    candidates = np.array([int(np.argmax(means))])
    if rule == "top10%":
        candidates = np.flatnonzero(means >= np.quantile(means, 0.9))
    raw = scores[~learn][:, candidates]
    auc, direction = directed_auc(y[~learn], raw, automatic)
    place = int(np.argmax(auc))
    return Selected(int(candidates[place]), place, y[~learn], raw, raw * direction)


def hanley_mcneil(auc: float, n_positive: int, n_negative: int) -> float:
    """Lower 95 % bound by the formula of 1982."""
    variance = auc * (1 - auc) + _pairs(auc, n_positive - 1, n_negative - 1)
    return float(auc - Z * np.sqrt(variance / (n_positive * n_negative)))


def hanley_mcneil_as_published(auc: float, n_correct: int, n_rows: int) -> float | None:
    """The same with correct calls and all other rows for class sizes, and one wrong sign.

    Without a correct call, which an AUC that was turned round allows, there is no bound.
    """
    if n_correct == 0:
        return None
    n_other = n_rows - n_correct
    variance = auc * (1 - auc) + _pairs(auc, n_correct + 1, n_other - 1)
    return float(auc - Z * np.sqrt(variance / (n_correct * n_other)))


def _pairs(auc: float, first: int, second: int) -> float:
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    return first * (q1 - auc**2) + second * (q2 - auc**2)
