"""CVT: cross-validation with tuning."""

from typing import Any, Literal

from ..results import PerformanceEstimate
from ._base import Search, protocol
from ._cross_validation import CrossValidation
from ._estimates import apparent


@protocol
class CVT(Search):
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

    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"

    def _performances(self, trained: CrossValidation) -> dict[str, PerformanceEstimate]:
        return apparent(trained, self.selection)
