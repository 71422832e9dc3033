"""TT: cross-validation with tuning, corrected by the method of Tibshirani and Tibshirani."""

from .. import _validation
from ._base import Search, protocol
from ._cross_validation import CrossValidation
from ._estimates import Performed, correction_of


@protocol
class TT(Search):
    """Cross-validation with tuning and the bias correction of Tibshirani and Tibshirani.

    The winner's score is made worse by the mean difference between each fold's best score and
    that of the winner. Scores are means over folds. Models trained: R K C + 1.

    Attributes
    ----------
    performance_ : Correction
        The corrected performance, without an interval; the best of each fold is by the selection
        metric.

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

    @property
    def _needs(self) -> _validation.Needs:
        return _validation.Needs(every_fold_scored=True)

    def _performance(self, trained: CrossValidation) -> Performed:
        return correction_of(trained, self.selection, {"method": "tt"})
