"""BBCD: BBC with early dropping of configurations that are unlikely to win."""

from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np

from .. import _validation
from .._frozen import read_only
from .._typing import Alternative, BoolArray, IndexArray
from .._warn import warn
from ..findings import finding
from ..predictions import OutOfSamplePredictions
from ._collected import Collected
from ._cv_results import cv_results
from ._estimates import Pooling, choose_pooling
from ._fit import Cell
from ._run import Run
from .bbc import BBC
from .racing import RULES, Rule, Stage, make_rule

_ADVISED = 50  # predictions before the first test: Tsamardinos et al. (2018), section 4


class BBCD(BBC):
    """BBC with early dropping of configurations that are unlikely to be best.

    After each fold but the last, once there are `min_predictions`, the rows predicted so far are
    bootstrapped, and a configuration that is strictly worse than the current best in more than
    `dropping_level` of the replicates is dropped. From the second repeat on, all rows have been
    predicted, and the current repeat counts where it has predicted them. The correction is
    computed on the survivors and all rows.

    The other rules are those of earlier racing methods, for comparison; the correction of the
    survivors is the same. They race for the best score only, and refuse unsupported metrics before
    anything is trained.

    Parameters
    ----------
    dropping : {"bootstrap", "hoeffding", "friedman", "cochran", "paired_t"}, default="bootstrap"
        How configurations are compared: "bootstrap", see above; "hoeffding", by bounds on the means
        of bounded losses of rows [2]_; "friedman", by ranks within five folds or more, as in F-race
        and irace [3]_; "cochran", by Cochran's test of the zero-one losses of each fold and a
        sequential test over seven folds or more, as in CVST [4]_; "paired_t", by paired t-tests of
        the scores of three folds or more [5]_.
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
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       section 4.
    .. [2] O. Maron, A. Moore, "Hoeffding races", NIPS 6 (1994).
    .. [3] M. Birattari, T. Stuetzle, L. Paquete, K. Varrentrapp, "A racing algorithm for
       configuring metaheuristics", GECCO (2002).
    .. [4] T. Krueger, D. Panknin, M. Braun, "Fast cross-validation via sequential testing",
       Journal of Machine Learning Research 16 (2015).
    .. [5] A. Zheng, M. Bilenko, "Lazy paired hyper-parameter tuning", IJCAI (2013).

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

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        scoring: Any = None,
        cv: Any = 10,
        n_repeats: int = 1,
        n_iter: int | None = None,
        method: Literal["bbc", "bbc-two-level"] = "bbc",
        pooling: Literal["auto", "pooled", "fold"] = "auto",
        selection: Any = "best",
        stratify_bootstrap: bool = False,
        n_bootstraps: int = 1000,
        interval: Literal["order-statistics", "calibrated"] = "order-statistics",
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
        on_undefined: str = "redraw",
        dropping: str = "bootstrap",
        dropping_level: float = 0.99,
        min_predictions: int = 50,
        refit: bool | str = True,
        error_score: Any = np.nan,
        pos_label: Any = None,
        n_jobs: int | None = None,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        store: str | PathLike[str] | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator,
            param_grid,
            scoring=scoring,
            cv=cv,
            n_repeats=n_repeats,
            n_iter=n_iter,
            method=method,
            pooling=pooling,
            selection=selection,
            stratify_bootstrap=stratify_bootstrap,
            n_bootstraps=n_bootstraps,
            interval=interval,
            confidence_level=confidence_level,
            alternative=alternative,
            on_undefined=on_undefined,
            refit=refit,
            error_score=error_score,
            pos_label=pos_label,
            n_jobs=n_jobs,
            pre_dispatch=pre_dispatch,
            random_state=random_state,
            store=store,
            verbose=verbose,
        )
        self.dropping = dropping
        self.dropping_level = dropping_level
        self.min_predictions = min_predictions

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.choice(self.dropping, "dropping", RULES)
        _validation.share(self.dropping_level, "dropping_level")
        _validation.integer(self.min_predictions, "min_predictions", lowest=1)

    def _estimate(self, run: Run) -> None:
        cells, n_configurations = run.cells(), len(run.configurations)
        rule = self._rule(run, len(cells))
        collected = run.collector()
        self.dropped_ = np.full(n_configurations, -1, dtype=np.int64)
        self.dropping_history_: list[dict[str, Any]] = []
        run.begin_part("cv", cells)
        run.plan("cv", cells, n_configurations)
        alive = np.arange(n_configurations)
        self.n_trained_ = np.zeros(len(cells), dtype=np.int64)
        for number, cell in enumerate(cells):
            run.progress.expect({("cv", cell.repeat, cell.fold): len(alive)})
            for key, fit in run.trainer.train("cv", [cell], alive.tolist()):
                collected.add(key, fit)
            self.n_trained_[number] = len(alive)
            alive = np.setdiff1d(alive, list(collected.failures))
            if number == 0:  # the tests and the correction pool alike
                poolings = choose_pooling(run, collected, self.pooling, alive)
            if cell is cells[-1]:
                break
            if len(alive) > 1:
                pooling = poolings[run.scoring.decides]
                alive = self._survivors(rule, run, collected, cell, number, alive, pooling)
            run.progress.survive(len(alive), n_configurations, len(cells) - number - 1)
        run.settle(collected)
        run.working = alive
        self.speed_up_ = len(cells) * n_configurations / int(self.n_trained_.sum())
        self.performances_ = self._corrected(
            run,
            collected,
            poolings,
            method=self.method,
            interval=self.interval,
            stratify_bootstrap=self.stratify_bootstrap,
        )
        if self.dropping == "bootstrap":
            self._note_early_dropping()
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = run.predictions(collected)
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)

    def _rule(self, run: Run, n_folds: int) -> Rule:
        """The rule, which has refused what it cannot race on."""
        rule = make_rule(
            self.dropping,
            self.dropping_level,
            n_folds,
            selection=self.selection,
            stratify_bootstrap=self.stratify_bootstrap,
            n_bootstraps=self.n_bootstraps,
        )
        rule.check(run)
        return rule

    def _survivors(
        self,
        rule: Rule,
        run: Run,
        collected: Collected,
        cell: Cell,
        number: int,
        alive: IndexArray,
        pooling: Pooling,
    ) -> IndexArray:
        """Test the configurations on the rows seen so far; return those that go on."""
        there = np.asarray(collected.there[: cell.repeat + 1, :, alive].all(axis=2))
        n_predictions = int(there.sum())
        if n_predictions < self.min_predictions:
            return alive
        seen = _so_far(run.predictions(collected, alive), there)
        test = rule.test(Stage(run, collected, number, alive, seen, pooling))
        if test is None:
            return alive
        self.dropping_history_.append(
            {
                "fold": number,
                "n_predictions": n_predictions,
                "best": int(alive[test.best]),
                "configurations": alive,
                "share_worse" if self.dropping == "bootstrap" else "evidence": test.evidence,
            }
        )
        self.dropped_[alive[test.dropped]] = number
        return alive[~test.dropped]

    def _note_early_dropping(self) -> None:
        """Warn, once, of configurations dropped on fewer predictions than the authors advise."""
        early = [
            test["n_predictions"]
            for test in self.dropping_history_
            if test["n_predictions"] < _ADVISED and (self.dropped_ == test["fold"]).any()
        ]
        if not early:
            return
        found = finding("BBC009", f"after {early[0]} predictions per configuration")
        warn(str(found))
        self.performances_ = {
            name: replace(estimate, data_findings=(*estimate.data_findings, found))
            for name, estimate in self.performances_.items()
        }


def _so_far(predictions: OutOfSamplePredictions, there: BoolArray) -> OutOfSamplePredictions:
    """The predictions of the repeats begun so far, on the rows that any of them has seen."""
    n_repeats = len(there)
    rows = np.flatnonzero(there.any(axis=0))

    def taken(values: Any) -> Any:
        return None if values is None else read_only(values[:n_repeats, rows])

    def of_rows(values: Any) -> Any:
        return None if values is None else values[rows]

    return replace(
        predictions,
        y=predictions.y[rows],
        labels=taken(predictions.labels),
        scores=taken(predictions.scores),
        folds=taken(predictions.folds),
        mask=taken(predictions.mask),
        groups=of_rows(predictions.groups),
        sample_weight=of_rows(predictions.sample_weight),
    )
