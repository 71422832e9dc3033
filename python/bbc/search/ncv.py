"""NCV: nested cross-validation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .. import _validation
from .._store import FitKey
from .._training._collected import InnerPlan, leaving_two_out, split_training_rows
from .._training._configurations import derived_seed, take_rows
from .._training._scoring import best_of, fold_means, select
from .._training._splits import Partition, make_partitions
from .._typing import FloatArray, IndexArray
from ..errors import UndefinedMetricError
from ..results import PerformanceEstimate
from ._base import Search, protocol
from ._cross_validation import (
    CrossValidation,
    Performed,
    notes_of,
    of_one_winner,
    plain_estimate,
    rule_for,
)
from ._run import Run


@protocol
class NCV(Search):
    """Nested cross-validation: tuning is repeated on the training rows of every outer fold.

    For each outer fold, an inner cross-validation on the other folds selects a configuration, which
    is scored on the outer fold. The estimate is the mean of these scores; the final configuration
    is selected on all rows (Algorithm 3 of [1]_). All scores are means over folds.

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

    inner_cv: Any = None
    share_fits: bool = True
    selection: Any = "best"

    @property
    def _fewest_folds(self) -> int:
        return 3 if self.inner_cv is None else 2

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.flag(self.share_fits, "share_fits")

    @property
    def _needs(self) -> _validation.Needs:
        return _validation.Needs(every_fold_scored=True)

    def _train(self, run: Run) -> CrossValidation:
        plan = self._plan(run)
        n_outer, n_configurations = len(run.splits()), len(run.configurations)
        run.plan("inner", plan.splits, n_configurations)
        run.plan("cv", run.splits(), n_configurations)
        if not self.share_fits:
            run.plan("outer", run.splits(), 1)
        inner = run.collector(plan.partitions)
        run.begin_part("inner", plan.splits)
        trained = CrossValidation(run, inner)
        for key, fit in run.train("inner", plan.splits, range(n_configurations)):
            plan.distribute(inner, key, fit)
            self._check_inner(trained, plan, key)
        self.n_models_unshared_ = (
            plan.n_inner_folds * n_configurations
            + n_outer * (1 + n_configurations)
            + bool(self.refit)
        )
        return self._cross_validate(CrossValidation(run, inner=trained))

    def _check_inner(self, trained: CrossValidation, plan: InnerPlan, key: FitKey) -> None:
        """Compare the scores of a model in the inner folds that use it, if it is sampled."""
        predicted = trained.run.trainer.predicted.pop(key, None)
        if predicted is None:
            return
        for use in plan.uses[key.repeat, key.fold]:
            place = key._replace(repeat=use.outer, fold=use.inner)
            where = f"fold {use.inner} of the inner loop of outer fold {use.outer}"
            trained.check(place, predicted.of_rows(use.rows), where)

    def _plan(self, run: Run) -> InnerPlan:
        if self.inner_cv is None:
            return leaving_two_out(run.partitions, run.n_rows, share=self.share_fits)

        def split(rows: IndexArray, number: int) -> tuple[Partition, ...]:
            return make_partitions(
                self.inner_cv,
                _safe_indexing(run.X, rows),
                run.y[rows],
                classifier=run.classifier,
                seed=derived_seed(run.seed, "inner", number),
                split_params=take_rows(run.split_params, rows, run.n_rows),
            )

        return split_training_rows(run.partitions, split)

    def _scores(self, trained: CrossValidation, name: str) -> FloatArray:
        """Fold scores of the remaining configurations; undefined ones are refused."""
        scores = trained.scores_by_fold(name, trained.working)
        undefined = np.isnan(scores).any(axis=1)
        if undefined.any():
            raise UndefinedMetricError(
                "metric",
                f"{name!r} is undefined on the rows of fold {int(np.argmax(undefined))}",
                hint="nested cross-validation needs its value in every fold",
            )
        return scores

    def _winners(self, trained: CrossValidation) -> IndexArray:
        """The winner of each outer fold by its inner loop, as an index into `working`."""
        inner = trained.inner
        assert inner is not None
        by_fold = self._scores(inner, trained.run.scoring.decides)
        first = inner.fits.first_split
        winners = [
            self._winner(trained, [partition], by_fold[first[number] : first[number + 1]])
            for number, partition in enumerate(inner.fits.partitions)
        ]
        return np.array(winners, dtype=np.int64)

    def _winner(
        self, trained: CrossValidation, partitions: Sequence[Partition], by_fold: FloatArray
    ) -> int:
        run = trained.run
        metric = run.scoring.metric
        means = fold_means(by_fold, partitions)
        rule = rule_for(self.selection, run, trained.working)
        return select(rule, means, best_of(means, metric), by_fold, metric, run.n_rows)

    def _train_outer_winners(self, trained: CrossValidation, winners: IndexArray) -> None:
        """Train each outer fold's winner again, as without sharing."""
        run = trained.run
        pairs = [
            (split, int(trained.working[winner]))
            for split, winner in zip(run.splits(), winners, strict=True)
        ]
        run.begin_part("outer", run.splits())
        run.progress.expect({("outer", split.repeat, split.fold): 1 for split, _ in pairs})
        for key, _ in run.trainer.train("outer", pairs):
            run.trainer.predicted.pop(key, None)  # trained for their time only

    def _performance(self, trained: CrossValidation) -> Performed:
        run = trained.run
        outer_winners = self._winners(trained)
        if not self.share_fits:
            self._train_outer_winners(trained, outer_winners)
        self.outer_winners_ = trained.working[outer_winners].reshape(len(run.partitions), -1)
        decides = run.scoring.decides
        winner = self._winner(trained, run.partitions, self._scores(trained, decides))
        rule = rule_for(self.selection, run, trained.working)
        estimates: dict[str, PerformanceEstimate] = {}
        for name in run.scoring.metrics:
            by_fold = self._scores(trained, name)
            outer = by_fold[np.arange(len(by_fold)), outer_winners]
            if name == decides:
                self.outer_scores_ = outer.reshape(len(run.partitions), -1)
            estimates[name] = plain_estimate(
                trained,
                name,
                estimate=float(fold_means(outer[:, None], run.partitions)[0]),
                apparent=float(fold_means(by_fold, run.partitions)[winner]),
                winner=int(trained.working[winner]),
                method="ncv",
                **notes_of(trained, name, winner, estimates, rule),
            )
        return of_one_winner(estimates, decides)
