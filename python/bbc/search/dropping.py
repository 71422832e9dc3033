"""Rules by which BBCD drops configurations: the bootstrap, and earlier racing methods."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import stats

from .. import _validation
from .._typing import BoolArray, FloatArray
from ..errors import Argument, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ..selection import get as get_rule
from ._cross_validation import CrossValidation, rule_for
from ._dominance import dominated
from ._run import Run

__all__ = ["RULES", "DroppingRule", "Stage", "Verdict", "make_rule"]


ZERO_ONE = ("accuracy", "zero_one_loss")


@dataclass(frozen=True, eq=False)
class Verdict:
    """A test's result, over the configurations that it compared.

    `best` is compared with the others and never dropped; `evidence` is what the rule found against
    each, in units of the rule.
    """

    best: int
    evidence: FloatArray
    dropped: BoolArray


@dataclass(frozen=True, eq=False)
class Stage:
    """The state of a race after a fold: `number` counts folds through all repeats.

    `predictions` are those of the remaining configurations for the repeats and rows so far.
    """

    trained: CrossValidation
    number: int
    predictions: OutOfSamplePredictions

    @property
    def metric(self) -> Metric:
        """The selection metric."""
        return self.trained.run.scoring.metric

    def fold_losses(self) -> FloatArray:
        """Scores of the folds so far in which the metric is defined, signed so that less is better.

        Returns an array of shape (n_folds, n_configurations).
        """
        scores = self.trained.scores_by_fold(
            self.trained.run.scoring.decides, self.trained.working
        )[: self.number + 1]
        scores = scores[~np.isnan(scores).any(axis=1)]
        return -scores if self.metric.greater_is_better else scores

    def row_losses(self) -> FloatArray:
        """Losses of the rows so far, averaged over the repeats that predicted them."""
        losses, mask = self._losses(), self.predictions.mask
        means: FloatArray = np.where(mask, losses, 0).sum(axis=0) / mask.sum(axis=0)
        return means

    def fold_row_losses(self) -> FloatArray:
        """Losses of the rows of the latest fold."""
        first_split = self.trained.fits.first_split
        repeat = int(np.searchsorted(first_split, self.number, side="right")) - 1
        assert self.predictions.folds is not None
        in_fold = self.predictions.folds[repeat] == self.number - first_split[repeat]
        losses: FloatArray = self._losses()[repeat, in_fold]
        return losses

    def _losses(self) -> FloatArray:
        """Losses of shape (n_repeats, n_rows, n_configurations), arbitrary where not predicted."""
        scores = self.trained.row_scores(self.trained.run.scoring.decides)
        return self.metric.limits()[1] - scores if self.metric.greater_is_better else scores


class DroppingRule(ABC):
    """A rule by which configurations are dropped."""

    def check(self, run: Run) -> None:  # noqa: B027 (most rules race on any run)
        """Refuse runs on which the rule cannot race, before anything is trained."""

    @abstractmethod
    def test(self, stage: Stage) -> Verdict | None:
        """Compare the configurations; None if there is too little to compare them on."""


@dataclass(frozen=True)
class FoldScoreRule(DroppingRule):
    """A race on the fold scores of any metric, from `fewest_folds` on."""

    level: float
    race: Callable[..., Verdict]
    fewest_folds: int

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the fold scores so far."""
        losses = stage.fold_losses()
        return None if len(losses) < self.fewest_folds else self.race(losses, level=self.level)


def refuse_unlike_rows(run: Run, rule: str) -> None:
    """Refuse weights and groups for a rule that assumes i.i.d. rows."""
    for name in ("sample_weight", "groups"):
        if getattr(run, name) is not None:
            raise InvalidValueError(
                Argument("dropping", rule),
                f"assumes independent and identically distributed rows and does "
                f'not support {name}; use dropping="bootstrap"',
            )


def friedman(losses: FloatArray, *, level: float) -> Verdict:
    """Race on losses of shape (n_folds, n_configurations), as F-race does (see `BBCD`).

    Evidence is the difference of the rank sums from the best's. If Friedman's test rejects
    equality, those are dropped whose difference exceeds that of W. Conover, "Practical
    nonparametric statistics", 3rd edition (1999), section 5.8:
    t(1 - alpha/2) sqrt(2 (n A - sum R^2) / ((n - 1)(k - 1))), with A the sum of the squared ranks,
    R the rank sums, and (n - 1)(k - 1) degrees of freedom. Two configurations are compared by
    Wilcoxon's signed ranks.
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
    """Drop what is worse than the best though both were as far off as Hoeffding's bound allows."""

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


# The errors of the sequential test, as in the authors' experiments.
_ALPHA, _BETA = 0.01, 0.1


@dataclass
class CochranRule(DroppingRule):
    """Drop what was among the top of too few folds, by Wald's sequential test.

    The top of a fold are the best configurations whose zero-one losses Cochran's Q cannot tell
    apart (sections 3.2 and 3.3 of the paper on CVST, see `BBCD`).
    """

    level: float
    n_folds: int
    _trace: dict[int, list[bool]] = field(default_factory=dict)

    def check(self, run: Run) -> None:
        """Refuse metrics other than zero-one losses, and too few folds."""
        metric = run.scoring.metric
        if metric.kernel not in ZERO_ONE:
            raise InvalidValueError(
                Argument("dropping", "cochran"),
                f"requires zero-one losses (accuracy or zero_one_loss), "
                f'not {metric.name!r}; dropping="friedman" supports any metric',
            )
        if _top_share(self.n_folds) >= 1:
            raise InvalidValueError(
                Argument("dropping", "cochran"),
                f": the sequential test needs at least 7 folds in all, not {self.n_folds}",
            )
        refuse_unlike_rows(run, "cochran")

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the losses of the latest fold, and by the folds before."""
        working = stage.trained.working.tolist()
        top = top_configurations(stage.fold_row_losses(), level=self.level)
        for index, is_top in zip(working, top, strict=True):
            self._trace.setdefault(index, []).append(bool(is_top))
        traces = np.array([self._trace[index] for index in working])
        wins = traces.sum(axis=1)
        # Of those most often among the top, the best on all rows so far.
        means = stage.row_losses().mean(axis=0)
        best = int(np.lexsort((means, -wins))[0])
        flops = wins <= fewest_tops(traces.shape[1], self.n_folds)
        flops[best] = False
        return Verdict(best, wins / traces.shape[1], flops)


def top_configurations(losses: FloatArray, *, level: float) -> BoolArray:
    """True for configurations, by columns of zero-one losses, that are among the top.

    The best k are tested for k = 2, 3, ... until Cochran's Q rejects that they are alike, at
    (1 - level) over the number of tests (Bonferroni).
    """
    n_configurations = losses.shape[1]
    order = np.argsort(losses.mean(axis=0), kind="stable")
    alpha = (1 - level) / max(n_configurations - 1, 1)
    n_top = 1
    while n_top < n_configurations and cochran_q(losses[:, order[: n_top + 1]])[1] > alpha:
        n_top += 1
    top = np.zeros(n_configurations, dtype=bool)
    top[order[:n_top]] = True
    return top


def cochran_q(losses: FloatArray) -> tuple[float, float]:
    """Cochran's Q of a table of zeros and ones, (n_rows, k), and its chi-squared p-value."""
    k = losses.shape[1]
    of_rows, of_columns = losses.sum(axis=1), losses.sum(axis=0)
    spread = k * of_rows.sum() - (of_rows**2).sum()
    if spread == 0:  # all agree in every row
        return 0.0, 1.0
    q = (k - 1) * (k * (of_columns**2).sum() - of_columns.sum() ** 2) / spread
    return float(q), float(stats.chi2.sf(q, k - 1))


def fewest_tops(n_folds_so_far: int, n_folds: int) -> float:
    """The largest number of top places in `n_folds_so_far` folds with which one is dropped.

    Wald's test of a share of 1/2 against a larger one; the value is the line of the flops.
    """
    share = _top_share(n_folds)
    odds = np.log(share / 0.5) + np.log(0.5 / (1 - share))
    return float((n_folds_so_far * np.log(0.5 / (1 - share)) + np.log(_BETA / (1 - _ALPHA))) / odds)


def _top_share(n_folds: int) -> float:
    """The share of top folds that Wald's test accepts after all folds and no earlier."""
    return float(0.5 * ((1 - _BETA) / _ALPHA) ** (1 / n_folds))


@dataclass
class BootstrapRule(DroppingRule):
    """Drop what is strictly worse than the best in more than a share of the replicates.

    Evidence is that share.
    """

    level: float
    selection: Any
    n_bootstraps: int | None
    n_tests: int = 0

    def check(self, run: Run) -> None:
        """Refuse Python functions, which the kernel cannot compare."""
        if run.scoring.metric.family == "callable" or get_rule(self.selection).function is not None:
            raise ValueError(
                "BBCD drops by metrics and rules that the kernel knows, not by a Python function; "
                "use bbc.BBC"
            )
        _validation.refuse_given_censoring(
            run.scoring.metric, "the tests of BBCD are on the rows of the folds so far"
        )

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the bootstrap; the t-th test has stream t of the run's seed."""
        trained, predictions = stage.trained, stage.predictions
        run, metric = trained.run, stage.metric
        rule = rule_for(self.selection, run, trained.working)
        if stage.number == 0:
            if rule.needs_folds:  # it compares the scores of two folds or more
                return None
            # The mean over a single fold is its score.
            predictions = replace(predictions, folds=None)
        if predictions.groups is not None and len(np.unique(predictions.groups)) < 2:
            return None
        pooling = trained.poolings[run.scoring.decides]
        try:
            found = dominated(
                predictions.y,
                predictions,
                metric=metric,
                dropping_level=self.level,
                pooling="pooled" if predictions.folds is None else pooling,
                selection=rule,
                pos_label=run.pos_label_of(metric),
                n_bootstraps=self.n_bootstraps,
                stream=self.n_tests + 1,
                random_state=run.seed,
            )
        except UndefinedMetricError:
            return None
        self.n_tests += 1
        return Verdict(found.best, found.share_worse, found.dominated)


RULES = ("bootstrap", "hoeffding", "friedman", "cochran", "paired_t")


def make_rule(name: str, n_folds: int, bootstrap: BootstrapRule) -> DroppingRule:
    """Return the rule of a name for a race of `n_folds` folds in all, at the bootstrap's level."""
    _validation.choice(name, "dropping", RULES)
    if name == "bootstrap":
        return bootstrap
    level = bootstrap.level
    if bootstrap.selection != "best":
        raise InvalidValueError(
            Argument("dropping", name),
            'races for the best score, so selection must be "best"; '
            'dropping="bootstrap" supports other rules',
        )
    if name == "cochran":
        return CochranRule(level, n_folds)
    if name == "hoeffding":
        return HoeffdingRule(level)
    if name == "friedman":  # irace's number of folds before its first test
        return FoldScoreRule(level, friedman, fewest_folds=5)
    return FoldScoreRule(level, paired_t, fewest_folds=3)
