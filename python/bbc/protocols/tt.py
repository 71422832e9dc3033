"""TT: cross-validation with tuning, corrected by the method of Tibshirani and Tibshirani."""

from typing import Any, Literal

from .. import _validation
from .._tibshirani import tibshirani
from ..metrics import Metric
from ..results import PerformanceEstimate
from ._base import Protocol
from ._cv_results import cv_results
from ._estimates import Pooling, by_others, in_run
from ._run import Run


class TT(Protocol):
    """Cross-validation with tuning and the bias correction of Tibshirani and Tibshirani.

    The winner's score is made worse by the mean difference between each fold's best score and
    that of the winner. Scores are means over folds. Models trained: R K C + 1.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The corrected performance, without an interval.
    performances_ : dict of str to PerformanceEstimate
        The same for every metric of `scoring`; the best of each fold is by the selection metric.

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

    pooling: Literal["auto", "pooled", "fold"] = "fold"

    @property
    def _statistics_need(self) -> dict[str, Any]:
        return {"every_fold_scored": True}

    def _estimate(self, run: Run) -> None:
        collected = run.cross_validate()
        self.oos_predictions_ = run.predictions(collected)

        def by(_: str, metric: Metric) -> PerformanceEstimate:
            decides = run.scoring.metric
            estimate = tibshirani(
                run.y,
                self.oos_predictions_,
                metric,
                n_threads=_validation.n_threads(None),
                decided_by=None if metric is decides else decides,
                pos_label=run.pos_label if metric.target in ("binary", "classes") else None,
            )
            return in_run(estimate, run)

        self.performance_ = by(run.scoring.decides, run.scoring.metric)
        self.performances_ = {run.scoring.decides: self.performance_} | by_others(run, by)
        poolings: dict[str, Pooling] = dict.fromkeys(run.scoring.metrics, "fold")
        self.cv_results_ = cv_results(run, collected, self.error_score, poolings)
