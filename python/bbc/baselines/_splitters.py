"""Folds stratified by quantiles of y, or by clusters of X."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.cluster import KMeans
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state

from .. import _validation
from .._frozen import as_array
from .._typing import AnyArray, IndexArray
from ..errors import InvalidValueError

_MOST_STRATA = 10


class _ByStrata(StratifiedKFold, ABC):  # type: ignore[misc]
    """A splitter that spreads strata evenly over the folds."""

    def __init__(
        self,
        n_splits: int = 10,
        *,
        n_strata: int | None = None,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        n_splits = _validation.integer(n_splits, "n_splits", lowest=2)
        shuffle = _validation.flag(shuffle, "shuffle")
        super().__init__(n_splits, shuffle=shuffle)
        self.random_state = random_state  # of clusters, too: also without shuffling
        self.n_strata = (
            None if n_strata is None else _validation.integer(n_strata, "n_strata", lowest=1)
        )

    @abstractmethod
    def _strata(self, X: Any, y: AnyArray) -> IndexArray:
        """The stratum of each row."""

    def _n_strata(self, n_rows: int) -> int:
        """By default every stratum has a row for every fold, if possible."""
        n_strata = self.n_strata or max(1, min(_MOST_STRATA, n_rows // self.n_splits))
        return min(n_strata, n_rows)

    def split(
        self, X: Any, y: ArrayLike, groups: Any = None
    ) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield the training and the test rows of each fold.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Inputs.
        y : array-like of shape (n_rows,)
            The truth.
        groups : object
            Ignored.

        Yields
        ------
        train, test : ndarray of int
            Rows.
        """
        truth = as_array(y)
        n_rows = len(truth)
        if n_rows < self.n_splits:
            raise ValueError(f"n_splits={self.n_splits}: more folds than rows (n_samples={n_rows})")
        strata = self._strata(X, truth)
        with warnings.catch_warnings():
            # A stratum may have fewer rows than there are folds.
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(np.zeros(n_rows), strata))


class QuantileKFold(_ByStrata):
    """Folds with the same distribution of a real-valued or survival target.

    Rows are binned by quantiles of y, and every bin is spread over all folds. For a survival
    target, events and censored rows are binned separately, by time.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds.
    n_strata : int, optional
        Number of bins; by default up to 10, each with at least one row per fold.
    shuffle : bool, default=True
        Whether rows are shuffled within each bin.
    random_state : int, RandomState or None, default=None
        As in scikit-learn; in a protocol None follows the seed of the run.

    References
    ----------
    .. [1] B. Bischl, O. Mersmann, H. Trautmann, C. Weihs, "Resampling methods for meta-model
       validation with recommendations for evolutionary computation", Evolutionary Computation 20
       (2012), section 2.4.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> y = np.arange(20.0)
    >>> folds = bbc.baselines.QuantileKFold(2, random_state=0).split(np.zeros((20, 1)), y)
    >>> [round(y[test].mean()) for _, test in folds]
    [9, 10]
    """

    def strata(self, y: ArrayLike) -> IndexArray:
        """Return the bin of each row, which protocols pass to the correction as ``stratified_by``.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            The truth.

        Returns
        -------
        ndarray of int of shape (n_rows,)
            Bins, counted from 0.

        Examples
        --------
        >>> import bbc
        >>> bbc.baselines.QuantileKFold(2, n_strata=2).strata([0.5, 3.0, 0.1, 9.0]).tolist()
        [0, 1, 0, 1]
        """
        return self._strata(None, as_array(y))

    def _strata(self, X: Any, y: AnyArray) -> IndexArray:
        n_strata = self._n_strata(len(y))
        if y.dtype.names is None:
            return _bins(y, n_strata)
        flags = [name for name in y.dtype.names if y.dtype[name].kind == "b"]
        times = [name for name in y.dtype.names if name not in flags]
        if len(flags) != 1 or len(times) != 1:
            raise InvalidValueError(
                "y", "must have one field of bool (event) and one of numbers (time)"
            )
        event = y[flags[0]]
        strata = np.empty(len(y), dtype=np.int64)
        share = max(1, round(n_strata * event.mean())) if event.any() else 0
        strata[event] = _bins(y[times[0]][event], share)
        strata[~event] = share + _bins(y[times[0]][~event], max(1, n_strata - share))
        return np.unique(strata, return_inverse=True)[1].astype(np.int64)


class ClusterKFold(_ByStrata):
    """Folds with the same distribution of the inputs: clusters of rows are spread over the folds.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds.
    n_strata : int, optional
        Number of clusters, by k-means on the unscaled inputs; by default up to 10.
    shuffle : bool, default=True
        Whether rows are shuffled within each cluster.
    random_state : int, RandomState or None, default=None
        As in scikit-learn; in a protocol None follows the seed of the run.

    References
    ----------
    .. [1] N. A. Diamantidis, D. Karlis, E. A. Giakoumakis, "Unsupervised stratification of
       cross-validation for accuracy estimation", Artificial Intelligence 116 (2000).

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> X = np.repeat([[0.0], [5.0]], 6, axis=0)
    >>> folds = bbc.baselines.ClusterKFold(3, n_strata=2, random_state=0).split(X, np.zeros(12))
    >>> [X[test].ravel().tolist() for _, test in folds]
    [[0.0, 0.0, 5.0, 5.0], [0.0, 0.0, 5.0, 5.0], [0.0, 0.0, 5.0, 5.0]]
    """

    def _strata(self, X: Any, y: AnyArray) -> IndexArray:
        state = check_random_state(self.random_state).randint(2**31 - 1)
        means = KMeans(self._n_strata(len(y)), n_init=10, random_state=state)
        clusters = means.fit_predict(np.asarray(X))
        return np.unique(clusters, return_inverse=True)[1].astype(np.int64)


def _bins(values: AnyArray, n_bins: int) -> IndexArray:
    """Bins of equal size, in the order of the values."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    bins: IndexArray = ranks * n_bins // max(1, len(values))
    return bins
