"""TT: cross-validation with tuning, corrected by the method of Tibshirani and Tibshirani."""

from typing import Literal

from ..tibshirani import tt
from ._base import Protocol
from ._estimates import in_run
from ._results import cv_results
from ._run import Run


class TT(Protocol):
    """Cross-validation with tuning, corrected by how much each fold's best beats the winner.

    Scores are means over folds. No further model is trained: R K C + 1 in all.

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
        `groups`, an int keeps groups together.
    n_repeats : int, default=1
        Number of partitions. The first is GridSearchCV's, the others are shuffled.
    n_iter : int, optional
        Draw this many configurations per estimator from the grid's values and distributions.
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
        The corrected performance, without an interval.
    performances_ : dict of str to PerformanceEstimate
        The same under the name of the deciding metric; the others are in `cv_results_`.
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
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.TT(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=5).fit(X, y)
    >>> search.performance_.confidence_interval is None, search.n_models_trained_
    (True, 16)
    """

    pooling: Literal["pooled", "fold"] = "fold"

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        self.oos_predictions_ = run.predictions(collected)
        metric = run.scoring.metric
        estimate = tt(
            run.y,
            self.oos_predictions_,
            metric=metric,
            pos_label=run.pos_label if metric.target in ("binary", "classes") else None,
        )
        self.performance_ = in_run(estimate, run)
        self.performances_ = {run.scoring.decides: self.performance_}
        self.cv_results_ = cv_results(run, collected, self.error_score)
