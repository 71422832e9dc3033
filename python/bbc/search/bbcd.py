"""BBCD: BBC with early dropping of configurations that are unlikely to win."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _validation
from .._training._fit import Split
from .._warn import warn
from ..correction import Correction
from ..findings import found as shown_by
from ._base import protocol
from ._cross_validation import CrossValidation, finding
from ._run import Run
from .bbc import BBC
from .dropping import RULES, BootstrapRule, DroppingRule, Stage, make_rule


@protocol
class BBCD(BBC):
    """BBC with early dropping of configurations that are unlikely to be best.

    After each fold but the last, once there are `min_predictions`, the rows predicted so far are
    bootstrapped, and a configuration that is strictly worse than the current best in more than
    `dropping_level` of the replicates is dropped. From the second repeat on, all rows have been
    predicted, and the current repeat counts where it has predicted them. The correction is
    computed on the survivors and all rows (section 4 of [1]_).

    The other rules are those of earlier racing methods, for comparison; the correction of the
    survivors is the same. They race for the best score only, and refuse unsupported metrics before
    anything is trained.

    Parameters
    ----------
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws: rows, or folds and rows within them, as in `bbc.correct`.
    dropping : {"bootstrap", "hoeffding", "friedman", "cochran", "paired_t"}, default="bootstrap"
        How configurations are compared: "bootstrap", see above; "hoeffding", by bounds on the means
        of bounded losses of rows [3]_; "friedman", by ranks within five folds or more, as in F-race
        and irace [4]_; "cochran", by Cochran's test of the zero-one losses of each fold and a
        sequential test over seven folds or more, as in CVST [5]_; "paired_t", by paired t-tests of
        the scores of three folds or more [6]_.
    dropping_level : float, default=0.99
        Share of replicates above which a configuration that is strictly worse is dropped; for the
        other rules the confidence level of their tests.
    min_predictions : int, default=50
        Predictions per configuration before the first test.

    Attributes
    ----------
    oos_predictions_ : OutOfSamplePredictions
        Predictions of the configurations that survived, for any further analysis.
    dropped_ : ndarray of int of shape (n_configurations,)
        Fold, counted through all repeats, after which a configuration was dropped; -1 if never.
    dropping_history_ : list of dict
        For each test: fold, predictions per configuration, best configuration, those tested, and
        `share_worse`, their share of replicates; instead of it other rules have `evidence`: the
        distance of the bounds ("hoeffding"), of the rank sums ("friedman"), the share of folds
        among the top ("cochran"), or one minus the p-value ("paired_t").
    n_trained_ : ndarray of int of shape (n_repeats * n_folds,)
        Configurations trained on each fold.
    speed_up_ : float
        Models of the whole cross-validation divided by the models trained for it.

    References
    ----------
    .. [3] O. Maron, A. Moore, "Hoeffding races", NIPS 6 (1994).
    .. [4] M. Birattari, T. Stuetzle, L. Paquete, K. Varrentrapp, "A racing algorithm for
       configuring metaheuristics", GECCO (2002).
    .. [5] T. Krueger, D. Panknin, M. Braun, "Fast cross-validation via sequential testing",
       Journal of Machine Learning Research 16 (2015).
    .. [6] A. Zheng, M. Bilenko, "Lazy paired hyper-parameter tuning", IJCAI (2013).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.BBCD(KNeighborsClassifier(), {"n_neighbors": [1, 5, 90]}, random_state=0)
    >>> _ = search.fit(X, y)
    >>> bool(search.dropped_[2] >= 0), search.speed_up_ > 1
    (True, True)
    """

    dropping: str = "bootstrap"
    dropping_level: float = 0.99
    min_predictions: int = 50

    _takes_derived = False  # configurations are compared one by one

    @property
    def _methods(self) -> tuple[str, ...]:
        return ("bbc", "bbc-two-level")

    @property
    def _no_blocks(self) -> tuple[str, str]:
        return (
            "is not for bbc.BBCD, whose tests drop configurations on single rows of the first "
            "folds",
            "use bbc.BBC",
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.choice(self.dropping, "dropping", RULES)
        _validation.share(self.dropping_level, "dropping_level")
        _validation.integer(self.min_predictions, "min_predictions", lowest=1)

    def _run_search(self, trained: CrossValidation, splits: Sequence[Split]) -> None:
        run, n_configurations = trained.run, len(trained.run.configurations)
        rule = self._rule(run, len(splits))
        self.dropped_ = np.full(n_configurations, -1, dtype=np.int64)
        self.dropping_history_: list[dict[str, Any]] = []
        self.n_trained_ = np.zeros(len(splits), dtype=np.int64)
        for number, split in enumerate(splits):
            self.n_trained_[number] = len(trained.working)
            trained.train([split])
            trained.keep(np.setdiff1d(trained.working, list(trained.fits.failures)))
            if number == 0:  # the tests and the correction pool alike
                trained.choose_poolings(self._pooling)
            if split is splits[-1]:
                break
            if len(trained.working) > 1:
                self._drop(rule, trained, number)
            run.progress.survive(len(trained.working), n_configurations, len(splits) - number - 1)
        self.speed_up_ = len(splits) * n_configurations / int(self.n_trained_.sum())

    def _rule(self, run: Run, n_folds: int) -> DroppingRule:
        """The rule, checked for the run."""
        bootstrap = BootstrapRule(self.dropping_level, self.selection, self.n_bootstraps)
        rule = make_rule(self.dropping, n_folds, bootstrap)
        rule.check(run)
        return rule

    def _drop(self, rule: DroppingRule, trained: CrossValidation, number: int) -> None:
        """Test the configurations on the rows predicted so far, and drop."""
        predictions = trained.predictions_so_far()
        n_predictions = int(predictions.mask.all(axis=2).sum())
        if n_predictions < self.min_predictions:
            return
        test = rule.test(Stage(trained, number, predictions))
        if test is None:
            return
        working = trained.working
        self.dropping_history_.append(
            {
                "fold": number,
                "n_predictions": n_predictions,
                "best": int(working[test.best]),
                "configurations": working,
                "share_worse" if self.dropping == "bootstrap" else "evidence": test.evidence,
            }
        )
        self.dropped_[working[test.dropped]] = number
        trained.keep(working[~test.dropped])

    def _performance(self, trained: CrossValidation) -> Correction:
        correction = super()._performance(trained)
        dropping = [
            test["n_predictions"]
            for test in self.dropping_history_
            if (self.dropped_ == test["fold"]).any()
        ]
        if self.dropping != "bootstrap" or not dropping:
            return correction
        found = shown_by("dropping", {"n_predictions_at_drop": min(dropping)})
        for each in found:
            warn(str(each))
        return finding(correction, dict.fromkeys(["", *trained.run.scoring.secondary], found))
