"""CVT, CVM-CV and TT: cross-validation with tuning as it is, anew for the winner, or corrected."""

from typing import Any, Literal

import numpy as np

from .. import _validation
from ._base import Search, protocol
from ._cross_validation import (
    CrossValidation,
    Performed,
    apparent,
    correction_of,
    of_one_winner,
    plain_estimate,
)
from ._run import Run


@protocol
class CVT(Search):
    """Cross-validation with tuning; reports the *apparent* performance of the winner.

    Every configuration is cross-validated, the best is refit on all rows, and its cross-validated
    performance is reported uncorrected. As the best of many scores it is optimistically biased;
    :class:`bbc.BBC` corrects it. Algorithms 1 and 2 of [1]_. Models trained: R K C + 1.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The apparent performance, without an interval.

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

    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"

    def _performance(self, trained: CrossValidation) -> Performed:
        return of_one_winner(apparent(trained, self.selection), trained.run.scoring.decides)


@protocol
class CVMCV(Search):
    """Cross-validation with tuning; the winner is cross-validated again on a new partition.

    The new partition removes the optimism that is due to the folds but not that due to the rows, so
    the estimate remains optimistic on average [2]_. Models trained: R K (C + 1) + 1; there are as
    many new partitions as `n_repeats`.

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
    .. [2] I. Tsamardinos, A. Rakhshani, V. Lagani, "Performance-estimation properties of
       cross-validation-based protocols with simultaneous hyper-parameter optimization",
       International Journal on Artificial Intelligence Tools 24 (2015), Algorithm 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"n_neighbors": [1, 5, 9]}
    >>> search = bbc.baselines.CVMCV(KNeighborsClassifier(), grid, cv=5, random_state=0).fit(X, y)
    >>> search.n_models_trained_
    21
    """

    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"
    _draws_of_partitions = 2

    def _train(self, run: Run) -> CrossValidation:
        run.plan("cv", run.splits(), len(run.configurations))
        run.plan("new cv", run.on(run.new_partitions).splits(), 1)
        return super()._train(run)

    def _performance(self, trained: CrossValidation) -> Performed:
        tuned, decides = apparent(trained, self.selection), trained.run.scoring.decides
        winner = tuned[decides].winner
        anew = self._validate_anew(trained, winner)
        self.new_oos_predictions_ = anew.predictions()
        estimates = {
            name: plain_estimate(
                trained,
                name,
                estimate=float(anew.scores(name)[0][0]),
                apparent=estimate.estimate,
                winner=winner,
                method="cvm-cv",
                notes=estimate.notes,
                data_findings=estimate.data_findings,
                design=estimate.design,
            )
            for name, estimate in tuned.items()
        }
        return of_one_winner(estimates, decides)

    def _validate_anew(self, trained: CrossValidation, winner: int) -> CrossValidation:
        """Cross-validate the winner on the new partitions."""
        run = trained.run.on(trained.run.new_partitions)
        anew = CrossValidation(run)
        anew.keep(np.array([winner]))
        anew.poolings = trained.poolings
        run.begin_part("new cv", run.splits())
        anew.train(run.splits(), "new cv")
        if anew.fits.failures:
            raise ValueError(
                f"the winner {run.names[winner]!r} failed on the new partition: "
                f"{anew.fits.failures[winner][0]}"
            )
        return anew


@protocol
class TT(Search):
    """Cross-validation with tuning and the bias correction of Tibshirani and Tibshirani.

    The winner's score is made worse by the mean difference between each fold's best score and
    that of the winner (Algorithm 4 of [1]_). Scores are means over folds. Models trained:
    R K C + 1.

    Attributes
    ----------
    performance_ : Correction
        The corrected performance, without an interval; the best of each fold is by the selection
        metric.

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

    @property
    def _needs(self) -> _validation.Needs:
        return _validation.Needs(every_fold_scored=True)

    def _performance(self, trained: CrossValidation) -> Performed:
        return correction_of(trained, self.selection, {"method": "tt"})
