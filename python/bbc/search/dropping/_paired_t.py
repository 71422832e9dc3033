"""Paired t-tests against the best."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..._typing import FloatArray
from .._run import Run
from ._stage import Stage, Verdict

_FEWEST_FOLDS = 3


@dataclass(frozen=True)
class PairedTRule:
    """Drop what is worse than the best by a one-sided paired t-test over the folds so far.

    The folds' models share training rows, so the level is nominal.

    References
    ----------
    .. [1] A. Zheng, M. Bilenko, "Lazy paired hyper-parameter tuning", IJCAI (2013).
    """

    level: float

    def check(self, run: Run) -> None:
        """Refuse nothing: every metric has fold scores."""

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the differences of the fold scores so far."""
        losses = stage.fold_losses()
        return None if len(losses) < _FEWEST_FOLDS else paired_t(losses, level=self.level)


def paired_t(losses: FloatArray, *, level: float) -> Verdict:
    """Race on losses of shape (n_folds, n_configurations).

    Evidence is one minus the p-value of "no worse than the best": dropped where above the level.
    """
    n = len(losses)
    best = int(losses.mean(axis=0).argmin())
    gaps = losses - losses[:, [best]]
    means, errors = gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(n)
    # Without any spread a gap is certain, and no gap is none.
    certain = np.where(means > 0, np.inf, 0.0)
    t = np.divide(means, errors, out=certain, where=errors > 0)
    evidence = stats.t.cdf(t, n - 1)
    return Verdict(best, evidence, evidence > level)
