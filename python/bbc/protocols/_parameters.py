"""The parameters and attributes that all protocols have, described once."""

from os import PathLike
from typing import Any

import numpy as np

from .._docstrings import inherit_docstring


class Parameters:
    """What is common to the signatures, and to what is fitted.

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
    pooling : {"auto", "pooled", "fold"}, default="auto"
        The metric of all rows together, or the mean of the folds' metrics. "auto" takes the mean
        where pooling would rank decision values of different folds' models together (finding
        BBC005) and every fold defines the metric; results name the one that was taken.
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
        and from their configuration, the same in all folds and when the winner is trained on all
        rows. None draws one, or adopts that of the store.
    store : path, optional
        File that keeps every fit. The same call goes on where a stopped one ended, and one with a
        larger grid trains what is new; a call with another learner or other data is refused.
    verbose : int, default=0
        1 prints a line per fold: models trained and to train, and the time left. Callbacks of
        scikit-learn 1.9 and later, such as `ProgressBar`, show the same by ``set_callbacks``.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The winner's performance.
    performances_ : dict of str to PerformanceEstimate
        The same by every metric of `scoring`.
    best_index_, best_params_, best_estimator_, best_score_
        The winner, as in GridSearchCV; the score is in the metric's own units.
    configurations_ : tuple of Configuration
        All configurations, in order.
    oos_predictions_ : OutOfSamplePredictions
        Predictions of the configurations that never failed, for any further analysis.
    cv_results_ : dict
        As in GridSearchCV, in the metric's own units. ``rank_test_score`` ranks the scores that
        decide: with ``pooling="pooled"`` those of all rows together, in ``pooled_test_score``.
    n_models_trained_ : int
        Models that the result rests on, the final one included.
    n_models_from_store_ : int
        How many of them were found in the store.
    refit_time_ : float
        Seconds of the final fit.
    seed_ : int
        The seed of the run.
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
        refit: bool | str = True,
        error_score: Any = np.nan,
        pos_label: Any = None,
        n_jobs: int | None = None,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        store: str | PathLike[str] | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.cv = cv
        self.n_repeats = n_repeats
        self.n_iter = n_iter
        self.refit = refit
        self.error_score = error_score
        self.pos_label = pos_label
        self.n_jobs = n_jobs
        self.pre_dispatch = pre_dispatch
        self.random_state = random_state
        self.store = store
        self.verbose = verbose

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        inherit_docstring(cls)
