"""CVM-CV: cross-validation with tuning, then cross-validation of the winner anew."""

from os import PathLike
from typing import Any, Literal

import numpy as np

from ._base import Protocol
from ._estimates import apparent, plain_estimate, scores_of
from ._results import cv_results
from ._run import Run


class CVMCV(Protocol):
    """Cross-validation with tuning, and the winner cross-validated again on a new partition.

    The new folds remove the part of the optimism that is owed to lucky folds, not the part owed
    to lucky rows: the estimate is still too good on average. Models trained: K C + K + 1, times
    the repeats; there are as many new partitions as `n_repeats`.

    Parameters
    ----------
    estimator : estimator or dict of str to estimator
        What is tuned; several learners compete under their names.
    param_grid : dict, list, sampler, study or dict of str to these, optional
        Hyper-parameters as in GridSearchCV; a list of dicts with single values gives the
        configurations one by one; an Optuna study those that it evaluated. With several
        estimators, a dict from their names.
    scoring : str, metric, scorer, callable, list or dict, optional
        What ``bbc.correct`` takes as `metric`, or several of these. Accuracy or R2 by default.
    cv : int, splitter or iterable, default=10
        Folds, as in GridSearchCV. An int is lowered to the rows of the rarest class. With
        `groups`, an int keeps groups together. A splitter must give new folds when it is asked
        again: let it shuffle.
    n_repeats : int, default=1
        Number of partitions. The first is GridSearchCV's, the others are shuffled.
    n_iter : int, optional
        Draw this many configurations per estimator from the grid's values and distributions.
    pooling : {"pooled", "fold"}, default="pooled"
        The metric of all rows together, or the mean of the folds' metrics.
    selection : "best", Selection or callable, default="best"
        How the winner is chosen, as in ``bbc.correct``.
    refit : bool or str, default=True
        Whether to train the winner on all rows; with several metrics, the name of the one that
        decides.
    error_score : "raise" or number, default=nan
        What becomes of a fit that fails: an error, or this score in `cv_results_`. A
        configuration that failed is named in a warning and cannot win.
    pos_label : label, optional
        The positive class of a binary metric; the larger by default.
    n_jobs : int, optional
        Fits in parallel, through joblib and whatever backend is active there. Results do not
        depend on it.
    pre_dispatch : int or str, default="2*n_jobs"
        As in GridSearchCV.
    random_state : int, Generator or None, default=None
        Seed, 0 to 2**53 - 1. Learners whose own `random_state` is None get one derived from it
        and from their training rows. None draws one, or adopts that of the store.
    store : path, optional
        File that keeps every fit. The same call goes on where a stopped one ended.
    verbose : int, default=0
        1 prints a line per fold.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The winner's performance on the new partition, without an interval.
    performances_ : dict of str to PerformanceEstimate
        The same by every metric of `scoring`.
    new_oos_predictions_ : OutOfSamplePredictions
        The winner's predictions on the new partition.
    best_index_, best_params_, best_estimator_, best_score_
        The winner, as in GridSearchCV; the score is in the metric's own units.
    configurations_ : tuple of Configuration
        All configurations, in order.
    oos_predictions_ : OutOfSamplePredictions
        Predictions of the configurations that never failed, for any further analysis.
    cv_results_ : dict
        As in GridSearchCV.
    n_models_trained_ : int
        Models that the result rests on, the final one included.
    n_models_from_store_ : int
        How many of them were found in the store.
    refit_time_ : float
        Seconds of the final fit.
    seed_ : int
        The seed of the run.

    References
    ----------
    .. [1] I. Tsamardinos, A. Rakhshani, V. Lagani, "Performance-estimation properties of
       cross-validation-based protocols with simultaneous hyper-parameter optimization",
       International Journal on Artificial Intelligence Tools 24 (2015), Algorithm 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"n_neighbors": [1, 5, 9]}
    >>> search = bbc.CVMCV(KNeighborsClassifier(), grid, cv=5, random_state=0).fit(X, y)
    >>> search.n_models_trained_
    21
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
        pooling: Literal["pooled", "fold"] = "pooled",
        selection: Any = "best",
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
        self.pooling = pooling
        self.selection = selection

    @property
    def _n_partitions(self) -> int:
        return 2 * self.n_repeats

    def _tuning(self, run: Run) -> Run:
        return run.on(run.partitions[: len(run.partitions) // 2])

    def _estimate(self, run: Run) -> None:
        first = self._tuning(run)
        anew = run.on(run.partitions[len(first.partitions) :])
        n_tune, n_again = len(first.cells()), len(anew.cells())
        run.progress.set_total(
            n_tune * len(run.configurations) + n_again + (self.refit is not False)
        )
        collected = first.cross_validate()
        tuned = apparent(first, collected, pooling=self.pooling, selection=self.selection)
        winner = tuned[run.scoring.decides].winner
        again = anew.train("new cv", [winner])
        if again.failures:
            raise ValueError(
                f"the winner {run.names[winner]!r} failed on the new partition: "
                f"{again.failures[winner][0]}"
            )
        anew.working = np.array([winner])
        self.performances_ = {}
        for name, metric in run.scoring.metrics.items():
            scores, _ = scores_of(anew, again, name, self.pooling)
            self.performances_[name] = plain_estimate(
                first,
                metric,
                estimate=float(scores[0]),
                apparent=tuned[name].estimate,
                winner=winner,
                method="cvm-cv",
                pooling=self.pooling,
                notes=tuned[name].notes,
            )
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = first.predictions(collected)
        self.new_oos_predictions_ = anew.predictions(again)
        self.cv_results_ = cv_results(first, collected, self.error_score)
