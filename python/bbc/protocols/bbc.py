"""BBC: cross-validation with tuning, corrected by the bootstrap."""

from os import PathLike
from typing import Any, Literal

import numpy as np

from .. import _validation
from .._typing import Alternative
from ._bootstrapped import Bootstrapped
from ._cv_results import cv_results
from ._estimates import choose_pooling
from ._run import Run


class BBC(Bootstrapped):
    """Cross-validation with tuning and bootstrap bias correction of the winner's performance.

    All configurations are cross-validated. The selection of the best is then repeated on bootstrap
    replicates of their out-of-sample predictions, and each replicate's winner is scored on the
    rows that were not drawn; this trains no further model. With `n_repeats`, several partitions
    are used, and a replicate draws the same rows in all of them. Models trained: R K C + 1.

    Parameters
    ----------
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws: rows, or folds and rows within them, as in `bbc.correct`.
    stratify_bootstrap : bool, default=False
        Draw rows (or groups) within classes.
    interval : {"order-statistics", "calibrated"}, default="order-statistics"
        Kind of interval, as in `bbc.correct`; "calibrated" is for "bbc-two-level".

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5; intervals: section 3.1; repeats: section 3.2.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grid = {"n_neighbors": list(range(1, 30))}
    >>> search = bbc.BBC(KNeighborsClassifier(), grid, cv=5, random_state=0).fit(X[:80], y[:80])
    >>> search.n_models_trained_, search.performance_.optimism > 0
    (146, True)
    >>> low, high = search.performance_.confidence_interval
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
            selection=selection,
            n_bootstraps=n_bootstraps,
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
        self.method = method
        self.interval = interval
        self.pooling = pooling
        self.stratify_bootstrap = stratify_bootstrap

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.choice(self.method, "method", ("bbc", "bbc-two-level"))
        _validation.choice(self.interval, "interval", ("order-statistics", "calibrated"))
        if self.interval == "calibrated" and self.method == "bbc":
            raise ValueError('interval="calibrated" is one of method="bbc-two-level" only')

    @property
    def _statistics_need(self) -> dict[str, Any]:
        needs: dict[str, Any] = {"stratify": self.stratify_bootstrap}
        if self.method == "bbc-two-level":
            needs["folds_needed_by"] = f'method="{self.method}"'
        return needs

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        poolings = choose_pooling(run, collected, self.pooling, run.working)
        self.performances_ = self._corrected(
            run,
            collected,
            poolings,
            method=self.method,
            interval=self.interval,
            stratify_bootstrap=self.stratify_bootstrap,
        )
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = run.predictions(collected)
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)
