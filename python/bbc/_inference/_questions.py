"""The questions of a correction about its configurations."""

from typing import Any, Literal

from .._winners import Winners
from ..errors import arguments_called
from ..results import PerformanceEstimate, PossibleWinners, RemainingOptimism
from ._possible import possible_winners_of
from ._remaining import remaining_optimism_of
from ._winner import winner_interval_of


class InferenceQuestions:
    """The questions of `bbc.Correction` about its configurations."""

    def _asks(self, question: str) -> Winners:
        raise NotImplementedError

    def _told(self, answer: Any) -> Any:
        raise NotImplementedError

    @arguments_called(y_true="y")
    def possible_winners(self, *, test: Literal["mcs", "argmin"] = "mcs") -> PossibleWinners:
        """Find the configurations that could be the best.

        The winner of a search has the best score on these rows; on other rows another configuration
        might have it. Configurations are eliminated as long as a test rejects that those that are
        left perform equally well. The set that is left contains the best configuration with
        probability `confidence_level` or more. A large set means that the data cannot tell, not
        that its configurations are equally good.

        The fitted models are taken as given: the result is about their performance on new rows, not
        about models that would be trained on other rows or with other seeds. With folds, finding
        BBC011 says whether that matters.

        Configurations are compared with all others, so time grows with the square of their number:
        10,000 take minutes. There may be 100,000.

        Parameters
        ----------
        test : {"mcs", "argmin"}, default="mcs"
            "mcs" is the model confidence set with the statistic T_max, from the scores of all
            configurations on the replicates of the correction; it takes any metric. "argmin" tests
            each configuration against a weighted mean of the others, without replicates. It takes
            the AUC and metrics that are means over rows, such as accuracy and losses, without
            groups, weights or pooling by fold.

        Returns
        -------
        PossibleWinners
            A p-value per configuration, and whether it could be the best; NaN and False for
            configurations that were left out.

        References
        ----------
        .. [1] P. R. Hansen, A. Lunde, J. M. Nason, "The model confidence set", Econometrica 79
           (2011), section 3.1.2 (T_max).
        .. [2] T. Zhang, H. Lee, J. Lei, "Winners with confidence: discrete argmin inference with an
           application to model selection", arXiv:2408.02060 (2024).

        Examples
        --------
        Two configurations are good and two are bad:

        >>> import bbc
        >>> s = bbc.simulate.accuracy(
        ...     300, 4, true_performance=[0.90, 0.60, 0.89, 0.50], random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
        >>> found = c.possible_winners()
        >>> found.possible.tolist()
        [True, False, True, False]
        """
        winners = self._asks("possible_winners")
        told: PossibleWinners = self._told(possible_winners_of(winners, test))
        return told

    @arguments_called(y_true="y")
    def winner_interval(self) -> PerformanceEstimate:
        """Estimate the performance of the configuration that was selected.

        The correction estimates the expected performance of *selecting and training*; this is about
        the configuration that happens to have won here: how well do its fitted models predict new
        rows, given that it was selected for its score on these? Scores are taken as normal on a
        scale, with the covariances of the rows' values, truncated to where the winner is the best;
        and the performance as lying in a simultaneous interval of all configurations, at a tenth of
        the error probability (the "hybrid" interval). The interval is within that one.

        The fitted models are taken as given. With folds, finding BBC011 says whether they differ by
        chance, of which neither the interval nor the model trained on all rows knows.

        Returns
        -------
        PerformanceEstimate
            The median-unbiased estimate with its interval, within the metric's range; `infeasible`
            gives the reason if there is none, such as fewer than ten groups, rows or events. With
            one configuration, or several that are the same, it is the interval of a single score.

        Notes
        -----
        Scores that are multiples of a step (accuracy, AUC) tie often. The winner is then taken to
        have won down to half a step below the others, by the usual correction for continuity. If
        other scores tie exactly, there is no interval.

        The scale is the logit of scores whose range is bounded, and the logarithm of losses none of
        whose values is negative. Standard errors have the quantiles of Student's t with n - 1
        degrees of freedom, for n rows or groups; for the AUC of the smaller class, and there must
        be ten rows (groups) of each. A perfect accuracy has exact limits, a perfect AUC Newcombe's,
        shared among the configurations.

        There is no "conditional" interval, which does without the simultaneous one: its limits run
        away where another configuration scores almost as well, and cut to the simultaneous limits
        it differs from the hybrid by 1 to 3 %.

        References
        ----------
        .. [1] I. Andrews, T. Kitagawa, A. McCloskey, "Inference on winners", Quarterly Journal of
           Economics 139 (2024), section 5.

        Examples
        --------
        Fifty configurations that guess at random: the apparent accuracy of the best is too high.

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 2, size=200)
        >>> predictions = rng.integers(0, 2, size=(200, 50))
        >>> c = bbc.correct(y, predictions, metric="accuracy", random_state=1)
        >>> e = c.winner_interval()
        >>> low, high = e.confidence_interval
        >>> e.apparent > 0.55, low < 0.5 < high
        (True, True)
        """
        winners = self._asks("winner_interval")
        told: PerformanceEstimate = self._told(winner_interval_of(winners))
        return told

    @arguments_called(y_true="y")
    def remaining_optimism(self, *, shift_limits: bool = False) -> RemainingOptimism:
        """Estimate what the correction leaves of the optimism.

        In cross-validation, rows of different folds trained each other's models. A configuration
        that suits some of them does well on the others, in bag and out of bag alike, and the
        correction takes that for skill. Rows of one fold never trained each other's models: what
        pairs of the former share beyond pairs of the latter tells how much of it there is, without
        a fit. It matters where dozens of different models compete on few rows.

        This is a second number beside the corrected estimate, of which simulations gave the size.
        It never takes its place. Where there is much to learn, the corrected estimate is mostly
        below the truth already, because folds train on fewer rows than the refit: it is then too
        low with this taken off, too.

        Parameters
        ----------
        shift_limits : bool, default=False
            Whether to shift the limits of the interval with the estimate. How often the shifted
            interval holds the truth was not studied.

        Returns
        -------
        RemainingOptimism
            kappa with its standard deviation, the further optimism, and the estimate without it.
            Finding BBC028 where it is more than a tenth of the interval's width.

        Notes
        -----
        kappa is the mean product of two rows of different folds less that of two rows of one fold,
        times the share of such pairs, in units of the variance of an in-bag score that rows
        explain. Products are averaged over the configurations, of values less their mean in that
        row: placements for the AUC, 0 or 1 for accuracy, and ranks among the configurations for
        losses. 0.5 is pure coupling. Its standard deviation is that of 99 permutations of the fold
        labels, within classes.

        The further optimism is c * min(max(kappa, 0), 0.6) * 0.09 / (0.09 + sd**2) times the mean
        difference between the winners' scores in bag and out of bag. c is 0.45 for the AUC, 0.6
        for accuracy, of which kappa and its standard deviation count one and a half times, and 0.9
        for losses.

        It needs at least ten configurations, folds that are known, at least four and at most 64,
        twice as many rows of each class, one repeat, and selection of the best score of all rows
        together. Weights, groups, draws within classes and times to an event were not studied, and
        logarithmic losses of which one row dominates that of the winner mislead it: all are
        refused.

        Examples
        --------
        Models of random inputs, which know only what the rows that trained them have in common:

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> y, folds = np.arange(60) % 2, np.arange(60) // 2 % 5
        >>> scores = np.empty((60, 100))
        >>> for j in range(100):
        ...     x = rng.normal(size=(60, 3))
        ...     for fold in range(5):
        ...         train = folds != fold
        ...         scores[~train, j] = x[~train] @ x[train].T @ (2 * y[train] - 1)
        >>> c = bbc.correct(y, scores, metric="roc_auc", folds=folds, random_state=1)
        >>> found = c.remaining_optimism()
        >>> f"{found.kappa:.1f}", f"{found.further_optimism:.2f}"
        ('0.5', '0.05')
        >>> [each.code for each in found.findings]
        ['BBC003', 'BBC028']
        """
        return remaining_optimism_of(self._asks("remaining_optimism"), shift_limits)
