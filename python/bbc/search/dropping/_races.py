"""Earlier racing methods: Friedman tests, paired t-tests and Hoeffding races."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..._typing import FloatArray
from ...errors import Argument, InvalidValueError
from .._run import Run
from ._stage import ZERO_ONE, DroppingRule, Stage, Verdict, refuse_unlike_rows


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


@dataclass(frozen=True)
class HoeffdingRule(DroppingRule):
    """Drop what is worse than the best though both were as far off as Hoeffding's bound allows.

    References
    ----------
    .. [1] O. Maron, A. Moore, "Hoeffding races: accelerating model selection search for
       classification and function approximation", NIPS 6 (1994).
    """

    level: float

    def check(self, run: Run) -> None:
        """Refuse metrics that are not means of bounded losses."""
        metric = run.scoring.metric
        if metric.kernel not in (*ZERO_ONE, "brier_score"):
            raise InvalidValueError(
                Argument("dropping", "hoeffding"),
                f"requires a bounded per-row loss (accuracy, zero_one_loss or "
                f"brier_score); {metric.name!r} has none",
            )
        refuse_unlike_rows(run, "hoeffding")

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the mean losses of the rows so far."""
        classes = stage.trained.run.responses.classes
        low, high = stage.metric.limits(2 if classes is None else len(classes))
        return hoeffding(stage.row_losses(), level=self.level, width=high - low)


def hoeffding(losses: FloatArray, *, level: float, width: float) -> Verdict:
    """Race on losses (n_rows, n_configurations) within an interval of the given width.

    A mean is off by more than eps = width sqrt(log(2 / (1 - level)) / (2 n_rows)) with probability
    below 1 - level. Evidence is the distance of a configuration's lower end from the best's upper
    end: dropped where positive.
    """
    means = losses.mean(axis=0)
    best = int(means.argmin())
    if level >= 1:
        return Verdict(best, np.full(len(means), -np.inf), np.zeros(len(means), dtype=bool))
    eps = width * np.sqrt(np.log(2 / (1 - level)) / (2 * len(losses)))
    evidence = (means - eps) - (means[best] + eps)
    return Verdict(best, evidence, evidence > 0)
