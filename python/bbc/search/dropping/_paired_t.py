"""Paired t-tests against the best."""

import numpy as np
from scipy import stats

from ..._typing import FloatArray
from ._stage import Verdict


def paired_t(losses: FloatArray, *, level: float) -> Verdict:
    """Race on losses of shape (n_folds, n_configurations) by one-sided paired t-tests.

    Evidence is one minus the p-value of "no worse than the best": dropped where above the level,
    which is nominal, because the folds' models share training rows.

    References
    ----------
    .. [1] A. Zheng, M. Bilenko, "Lazy paired hyper-parameter tuning", IJCAI (2013).
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
