"""CVM-CV: cross-validation with tuning, then a new cross-validation of the winner."""

import numpy as np

from ._cv_results import cv_results
from ._estimates import apparent, choose_pooling, plain_estimate, scores_of
from ._pooled import Pooled
from ._run import Run


class CVMCV(Pooled):
    """Cross-validation with tuning; the winner is cross-validated again on a new partition.

    The new partition removes the optimism that is due to the folds but not that due to the rows, so
    the estimate remains optimistic on average. Models trained: R K (C + 1) + 1; there are as many
    new partitions as `n_repeats`.

    Parameters
    ----------
    cv : int, splitter or iterable, default=10
        Folds, as in GridSearchCV. An int is lowered to the rows of the rarest class. With
        `groups`, an int keeps groups together. A splitter must give new folds when it is called
        again, so it must shuffle.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The winner's performance on the new partition, without an interval.
    new_oos_predictions_ : OutOfSamplePredictions
        The winner's predictions on the new partition.

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

    @property
    def _n_partitions(self) -> int:
        return 2 * self.n_repeats

    def _tuning(self, run: Run) -> Run:
        return run.on(run.partitions[: len(run.partitions) // 2])

    def _estimate(self, run: Run) -> None:
        first = self._tuning(run)
        anew = run.on(run.partitions[len(first.partitions) :])
        run.plan("cv", first.cells(), len(run.configurations))
        run.plan("new cv", anew.cells(), 1)
        collected = first.cross_validate()
        poolings = choose_pooling(first, collected, self.pooling, first.working)
        tuned = apparent(first, collected, poolings=poolings, selection=self.selection)
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
            scores, _ = scores_of(anew, again, name, poolings)
            self.performances_[name] = plain_estimate(
                first,
                metric,
                estimate=float(scores[0]),
                apparent=tuned[name].estimate,
                winner=winner,
                method="cvm-cv",
                pooling=poolings[name],
                notes=tuned[name].notes,
                data_findings=tuned[name].data_findings,
            )
        self.performance_ = self.performances_[run.scoring.decides]
        self.oos_predictions_ = first.predictions(collected)
        self.new_oos_predictions_ = anew.predictions(again)
        self.cv_results_ = cv_results(first, collected, self.error_score, poolings)
