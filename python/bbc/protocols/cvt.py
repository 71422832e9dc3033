"""CVT: cross-validation with tuning."""

from ._cv_results import cv_results
from ._estimates import apparent, choose_pooling
from ._pooled import Pooled
from ._run import Run


class CVT(Pooled):
    """Cross-validation with tuning; reports the *apparent* performance of the winner.

    Every configuration is cross-validated, the best is refit on all rows, and its cross-validated
    performance is reported uncorrected. As the best of many scores it is optimistically biased;
    :class:`bbc.BBC` corrects it. Models trained: R K C + 1.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The apparent performance, without an interval.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithms 1 and 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"n_neighbors": [1, 5, 9]}
    >>> search = bbc.CVT(KNeighborsClassifier(), grid, cv=5).fit(X, y)
    >>> search.best_params_, search.n_models_trained_
    ({'n_neighbors': 5}, 16)
    >>> print(search.performance_.confidence_interval)
    None
    """

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        poolings = choose_pooling(run, collected, self.pooling, run.working)
        self.performances_ = apparent(run, collected, poolings=poolings, selection=self.selection)
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = run.predictions(collected)
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)
