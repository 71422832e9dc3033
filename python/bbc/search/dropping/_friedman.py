"""F-race: Friedman's test on the ranks within folds, then pairwise comparisons with the best."""

import numpy as np
from scipy import stats

from ..._typing import FloatArray
from ._stage import Verdict


def friedman(losses: FloatArray, *, level: float) -> Verdict:
    """Race on losses of shape (n_folds, n_configurations).

    Evidence is the difference of the rank sums from the best's. If Friedman's test rejects
    equality, those are dropped whose difference exceeds Conover's
    t(1 - alpha/2) sqrt(2 (n A - sum R^2) / ((n - 1)(k - 1))), with A the sum of the squared ranks,
    R the rank sums, and (n - 1)(k - 1) degrees of freedom. Two configurations are compared by
    Wilcoxon's signed ranks, as F-race does.

    References
    ----------
    .. [1] M. Birattari, T. Stuetzle, L. Paquete, K. Varrentrapp, "A racing algorithm for
       configuring metaheuristics", GECCO (2002).
    .. [2] W. Conover, "Practical nonparametric statistics", 3rd edition (1999), section 5.8.
    """
    n, k = losses.shape
    ranks = stats.rankdata(losses, axis=1)
    sums = ranks.sum(axis=0)
    best = int(sums.argmin())
    evidence = sums - sums[best]
    alpha = 1 - level
    none = np.zeros(k, dtype=bool)
    if k == 2:
        differences = losses[:, 0] - losses[:, 1]
        rejected = differences.any() and stats.wilcoxon(differences).pvalue < alpha
        return Verdict(best, evidence, (evidence > 0) & rejected)
    squares = (ranks**2).sum()
    if squares == n * k * ((k + 1) / 2) ** 2:  # all tie in all folds
        return Verdict(best, evidence, none)
    if stats.friedmanchisquare(*losses.T).pvalue >= alpha:
        return Verdict(best, evidence, none)
    freedom = (n - 1) * (k - 1)
    spread = 2 * max(n * squares - (sums**2).sum(), 0.0) / freedom
    critical = stats.t.ppf(1 - alpha / 2, freedom) * np.sqrt(spread)
    return Verdict(best, evidence, evidence > critical)
