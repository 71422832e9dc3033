"""F-race: Friedman's test on the ranks within folds, then pairwise comparisons with the best."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..._typing import FloatArray
from .._run import Run
from ._stage import Stage, Verdict

# As many as irace wants before its first test.
_FEWEST_FOLDS = 5


@dataclass(frozen=True)
class FriedmanRule:
    """Drop what ranks significantly worse than the best over the folds so far.

    References
    ----------
    .. [1] M. Birattari, T. Stuetzle, L. Paquete, K. Varrentrapp, "A racing algorithm for
       configuring metaheuristics", GECCO (2002).
    .. [2] W. Conover, "Practical nonparametric statistics", 3rd edition (1999), section 5.8.
    """

    level: float

    def check(self, run: Run) -> None:
        """Refuse nothing: every metric can be ranked."""

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the ranks of the fold scores so far."""
        losses = stage.fold_losses()
        return None if len(losses) < _FEWEST_FOLDS else friedman(losses, level=self.level)


def friedman(losses: FloatArray, *, level: float) -> Verdict:
    """Race on losses of shape (n_folds, n_configurations).

    Evidence is the difference of the rank sums from the best's. If Friedman's test rejects
    equality, those are dropped whose difference exceeds Conover's
    t(1 - alpha/2) sqrt(2 (n A - sum R^2) / ((n - 1)(k - 1))), with A the sum of the squared ranks,
    R the rank sums, and (n - 1)(k - 1) degrees of freedom. Two configurations are compared by
    Wilcoxon's signed ranks, as F-race does.
    """
    n, k = losses.shape
    ranks = stats.rankdata(losses, axis=1)
    sums = ranks.sum(axis=0)
    best = int(sums.argmin())
    evidence = sums - sums[best]
    alpha = 1 - level
    nobody = np.zeros(k, dtype=bool)
    if k == 2:
        differences = losses[:, 0] - losses[:, 1]
        rejected = differences.any() and stats.wilcoxon(differences).pvalue < alpha
        return Verdict(best, evidence, (evidence > 0) & rejected)
    squares = (ranks**2).sum()
    if squares == n * k * ((k + 1) / 2) ** 2:  # all tie in all folds
        return Verdict(best, evidence, nobody)
    if stats.friedmanchisquare(*losses.T).pvalue >= alpha:
        return Verdict(best, evidence, nobody)
    freedom = (n - 1) * (k - 1)
    spread = 2 * max(n * squares - (sums**2).sum(), 0.0) / freedom
    critical = stats.t.ppf(1 - alpha / 2, freedom) * np.sqrt(spread)
    return Verdict(best, evidence, evidence > critical)
