"""NCV: nested cross-validation."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from sklearn.utils import _safe_indexing

from .. import _validation
from .._typing import FloatArray, IndexArray
from ..errors import UndefinedMetricError
from ..results import PerformanceEstimate
from ._base import Protocol
from ._collected import Collected
from ._cv_results import cv_results
from ._estimates import Pooling, notes_of, plain_estimate, rule_for
from ._nested import InnerPlan, as_they_are, split_anew
from ._routing import take_rows
from ._run import Run
from ._scores import best_of, fold_means, scores_by_fold, select
from ._seeds import derived_seed
from ._splits import Partition, make_partitions


class NCV(Protocol):
    """Nested cross-validation: tuning is repeated on the training rows of every outer fold.

    For each outer fold, an inner cross-validation on the other folds selects a configuration, which
    is scored on the outer fold. The estimate is the mean of these scores; the final configuration
    is selected on all rows. All scores are means over folds.

    Unless `inner_cv` is given, the inner folds are the outer ones except the one held out. The
    model trained without folds i and j is then used twice, and the outer winners are among the
    models of the final selection, so R K C (K + 1) / 2 + 1 models give the same results as
    R (K^2 C + K) + 1 models.

    Parameters
    ----------
    inner_cv : int or splitter, optional
        Splits of the training rows of an outer fold; by default the other outer folds.
    share_fits : bool, default=True
        Whether a model is reused wherever the training rows are the same. Results do not change.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The mean of the outer folds' scores, without an interval; the winner, and its apparent
        performance, are those of the final selection.
    outer_winners_ : ndarray of int of shape (n_repeats, n_folds)
        The configuration selected in each outer fold.
    outer_scores_ : ndarray of shape (n_repeats, n_folds)
        Its score in the outer fold.
    n_models_unshared_ : int
        Number of models without sharing.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 3.
    .. [2] B. Bischl, O. Mersmann, H. Trautmann, C. Weihs, "Resampling methods for meta-model
       validation with recommendations for evolutionary computation", Evolutionary Computation 20
       (2012), section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"n_neighbors": [1, 5, 9]}
    >>> search = bbc.NCV(KNeighborsClassifier(), grid, cv=5).fit(X, y)
    >>> search.n_models_trained_, search.n_models_unshared_
    (46, 81)
    """

    pooling: Literal["auto", "pooled", "fold"] = "fold"

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        scoring: Any = None,
        cv: Any = 10,
        inner_cv: Any = None,
        n_repeats: int = 1,
        n_iter: int | None = None,
        selection: Any = "best",
        share_fits: bool = True,
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
            refit=refit,
            error_score=error_score,
            pos_label=pos_label,
            n_jobs=n_jobs,
            pre_dispatch=pre_dispatch,
            random_state=random_state,
            store=store,
            verbose=verbose,
        )
        self.inner_cv = inner_cv
        self.share_fits = share_fits
        self.selection = selection

    @property
    def _fewest_folds(self) -> int:
        return 3 if self.inner_cv is None else 2

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.flag(self.share_fits, "share_fits")

    @property
    def _statistics_need(self) -> dict[str, Any]:
        return {"every_fold_scored": True}

    def _estimate(self, run: Run) -> None:
        plan = self._plan(run)
        n_outer, n_configurations = len(run.cells()), len(run.configurations)
        run.plan("inner", plan.cells, n_configurations)
        run.plan("cv", run.cells(), n_configurations)
        if not self.share_fits:
            run.plan("outer", run.cells(), 1)
        inner = run.collector(plan.partitions)
        run.train_cells("inner", plan.cells, lambda key, fit: plan.hand_on(inner, key, fit))
        collected = run.train("cv")
        run.settle(inner, collected)

        outer_winners = self._winners(run, plan.partitions, self._scores(run, inner))
        if not self.share_fits:
            self._train_outer_winners(run, outer_winners)
        self._set_performances(run, collected, outer_winners)
        self.n_models_unshared_ = (
            plan.n_inner_folds * n_configurations
            + n_outer * (1 + n_configurations)
            + bool(self.refit)
        )
        self.oos_predictions_ = run.predictions(collected)
        poolings: dict[str, Pooling] = dict.fromkeys(run.scoring.metrics, "fold")
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)

    def _plan(self, run: Run) -> InnerPlan:
        if self.inner_cv is None:
            return as_they_are(run.partitions, run.n_rows, share=self.share_fits)

        def split(rows: IndexArray, number: int) -> tuple[Partition, ...]:
            return make_partitions(
                self.inner_cv,
                _safe_indexing(run.X, rows),
                run.y[rows],
                classifier=run.classifier,
                seed=derived_seed(run.seed, "inner", number),
                split_params=take_rows(run.split_params, rows, run.n_rows),
            )

        return split_anew(run.partitions, split)

    def _scores(self, run: Run, collected: Collected, name: str = "") -> FloatArray:
        """Scores by fold of the working configurations; every fold must have one."""
        name = name or run.scoring.decides
        scores = scores_by_fold(run, collected, name)[:, run.working]
        undefined = np.isnan(scores).any(axis=1)
        if undefined.any():
            raise UndefinedMetricError(
                f"metric {name!r} is undefined on the rows of fold {int(np.argmax(undefined))}; "
                "nested cross-validation needs its value in every fold"
            )
        return scores

    def _winners(
        self, run: Run, partitions: Sequence[Partition], by_fold: FloatArray
    ) -> IndexArray:
        """The winner of each partition by its mean score, as a place in `run.working`."""
        winners, first = [], 0
        for one in partitions:
            own = by_fold[first : first + len(one.folds)]
            first += len(one.folds)
            winners.append(self._winner(run, [one], own))
        return np.array(winners, dtype=np.int64)

    def _winner(self, run: Run, partitions: Sequence[Partition], by_fold: FloatArray) -> int:
        metric = run.scoring.metric
        means = fold_means(by_fold, partitions)
        rule = rule_for(self.selection, run, run.working)
        return select(rule, means, best_of(means, metric), by_fold, metric, run.n_rows)

    def _train_outer_winners(self, run: Run, outer_winners: IndexArray) -> None:
        """Train each outer fold's winner, though it is among the models of the final choice."""
        pairs = [
            (cell, int(run.working[winner]))
            for cell, winner in zip(run.cells(), outer_winners, strict=True)
        ]
        run.begin_part("outer", run.cells())
        run.progress.expect({("outer", cell.repeat, cell.fold): 1 for cell, _ in pairs})
        for _ in run.trainer.train_pairs("outer", pairs):
            pass

    def _set_performances(self, run: Run, collected: Collected, outer_winners: IndexArray) -> None:
        n_repeats = len(run.partitions)
        by_fold = self._scores(run, collected)
        winner = self._winner(run, run.partitions, by_fold)
        self.performances_: dict[str, PerformanceEstimate] = {}
        best = int(run.working[winner])
        for name, metric in run.scoring.metrics.items():
            own = by_fold if name == run.scoring.decides else self._scores(run, collected, name)
            outer = own[np.arange(len(own)), outer_winners]
            if name == run.scoring.decides:
                self.outer_scores_ = outer.reshape(n_repeats, -1)
            self.performances_[name] = plain_estimate(
                run,
                metric,
                estimate=float(fold_means(outer[:, None], run.partitions)[0]),
                apparent=float(fold_means(own, run.partitions)[winner]),
                winner=best,
                method="ncv",
                pooling="fold",
                **notes_of(run, collected, name, "fold", best, self.performances_),
            )
        self.outer_winners_ = run.working[outer_winners].reshape(n_repeats, -1)
        self.performance_ = self.performances_[run.scoring.decides]
