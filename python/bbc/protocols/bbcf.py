"""BBC-F: cross-validation with tuning, corrected by a bootstrap of folds."""

from os import PathLike
from typing import Any, Literal

import numpy as np

from .._typing import Alternative
from ._bootstrapped import Bootstrapped
from ._results import cv_results
from ._run import Run


class BBCF(Bootstrapped):
    """Cross-validation with tuning, corrected by a bootstrap of the folds' scores.

    As :class:`bbc.BBC`, but a replicate draws folds instead of rows, and scores are means over
    folds. With repeats, each replicate stays within one. Models trained: R K C + 1.

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
    selection : "best", Selection or callable, default="best"
        How the winner is chosen, as in ``bbc.correct``.
    n_bootstraps : int, default=1000
        Number of replicates.
    confidence_level : float, default=0.95
        Level of the interval.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Sides of the interval.
    on_undefined : {"redraw", "raise"}, default="redraw"
        What to do about a replicate that leaves the metric undefined.
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
        Seed of the bootstrap, 0 to 2**53 - 1: ``bbc.correct`` on `oos_predictions_` with the same
        seed gives the same replicates. Learners whose own `random_state` is None get one derived
        from it and from their training rows. None draws one, or adopts that of the store.
    store : path, optional
        File that keeps every fit. The same call goes on where a stopped one ended.
    verbose : int, default=0
        1 prints a line per fold.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The corrected performance and its interval.
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
    .. [1] Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> search = bbc.BBCF(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, random_state=0)
    >>> search.fit(X, y).performance_.unit
    'fold'
    """

    pooling: Literal["pooled", "fold"] = "fold"

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        scoring: Any = None,
        cv: Any = 10,
        n_repeats: int = 1,
        n_iter: int | None = None,
        selection: Any = "best",
        n_bootstraps: int = 1000,
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

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        self.performances_ = self._corrected(run, collected, pooling="fold", method="bbc-f")
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = run.predictions(collected)
        self.cv_results_ = cv_results(run, collected, self.error_score)
