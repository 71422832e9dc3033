"""BBC-F: cross-validation with tuning, corrected by a bootstrap of folds."""

from typing import Any, Literal

from .. import _validation
from .._typing import Alternative
from ..results import PerformanceEstimate
from ._base import Search, protocol
from ._cross_validation import CrossValidation
from ._estimates import check_options, corrected, correction_options


@protocol
class BBCF(Search):
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

    selection: Any = "best"
    n_bootstraps: int = 1000
    confidence_level: float = 0.95
    alternative: Alternative = "two-sided"
    on_undefined: Literal["redraw", "raise"] = "redraw"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_options(self)

    @property
    def _needs(self) -> _validation.Needs:
        return _validation.Needs(every_fold_scored=True)

    def _performances(self, trained: CrossValidation) -> dict[str, PerformanceEstimate]:
        return corrected(trained, self.selection, correction_options(self) | {"method": "bbc-f"})
