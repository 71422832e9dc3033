"""Selection on learn rows and on evaluation rows, before a bound: section 5 of the semantics.

Readings chosen where the texts are silent:

- A split is acceptable if every fold's learn rows, and the evaluation rows, have both classes.
- Ties go to the lowest index, in both steps; the learn scores are compared as float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .auc_intervals import auc


@dataclass(frozen=True)
class Selected:
    """The selected configuration and the candidates it was selected from."""

    selected: int
    candidates: list[int]


def acceptable(is_positive: Any, folds: Any, learn: Any) -> bool:
    """Whether all learn folds and the evaluation part have both classes."""
    y, folds = np.asarray(is_positive, dtype=bool), np.asarray(folds)
    learn = np.asarray(learn, dtype=bool)
    parts = [y[learn & (folds == k)] for k in np.unique(folds)] + [y[~learn]]
    return all(part.any() and not part.all() for part in parts)


def learn_scores(is_positive: Any, predictions: Any, folds: Any, learn: Any) -> list[float]:
    """Mean over folds of each configuration's AUC on the fold's learn rows."""
    y, p, folds = np.asarray(is_positive, dtype=bool), np.asarray(predictions), np.asarray(folds)
    masks = [np.asarray(learn, dtype=bool) & (folds == k) for k in np.unique(folds)]
    return [sum(auc(y[m], p[m, c]) for m in masks) / len(masks) for c in range(p.shape[1])]


def select(
    is_positive: Any, predictions: Any, folds: Any, learn: Any, rule: str = "best"
) -> Selected:
    """``best`` on the learn rows, or the best on the evaluation rows among the ``top10%``."""
    y, p = np.asarray(is_positive, dtype=bool), np.asarray(predictions)
    evaluation = ~np.asarray(learn, dtype=bool)
    scores = learn_scores(y, p, folds, learn)
    if rule == "best":
        winner = int(np.argmax(scores))
        return Selected(winner, [winner])
    threshold = float(np.quantile(scores, 0.9))
    candidates = [c for c, s in enumerate(scores) if s >= threshold]
    on_evaluation = [auc(y[evaluation], p[evaluation, c]) for c in candidates]
    return Selected(candidates[int(np.argmax(on_evaluation))], candidates)
