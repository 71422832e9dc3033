"""BBC-F: cross-validation with tuning, corrected by a bootstrap of folds."""

from typing import Any, Literal

from ._bootstrapped import Bootstrapped
from ._cv_results import cv_results
from ._estimates import choose_pooling
from ._run import Run


class BBCF(Bootstrapped):
    """Cross-validation with tuning and bootstrap bias correction on fold scores.

    As :class:`bbc.BBC`, but a replicate draws folds instead of rows, and scores are means over
    folds. With repeats, each replicate uses one of them. Models trained: R K C + 1.

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
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

    pooling: Literal["auto", "pooled", "fold"] = "fold"

    @property
    def _statistics_need(self) -> dict[str, Any]:
        return {"every_fold_scored": True}

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        poolings = choose_pooling(run, collected, self.pooling, run.working)
        self.performances_ = self._corrected(run, collected, poolings, method="bbc-f")
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = run.predictions(collected)
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)
