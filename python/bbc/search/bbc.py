"""BBC: cross-validation with tuning, corrected by the bootstrap."""

from typing import Any, Literal

from .. import _validation
from .._typing import Alternative
from ..errors import Argument, InvalidValueError
from ..results import PerformanceEstimate
from ._base import Search
from ._cross_validation import CrossValidation
from ._cut_model import cut_model
from ._estimates import bootstrap_options, check_bootstrap, corrected
from ._parameters import protocol
from ._run import Run


@protocol
class BBC(Search):
    """Cross-validation with tuning and bootstrap bias correction of the winner's performance.

    All configurations are cross-validated. The selection of the best is then repeated on bootstrap
    replicates of their out-of-sample predictions, and each replicate's winner is scored on the
    rows that were not drawn; this trains no further model. With `n_repeats`, several partitions
    are used, and a replicate draws the same rows in all of them. Models trained: R K C + 1.

    With ``selection=bbc.best_threshold()`` the final model's `predict` applies the cut-off that was
    selected. An ensemble has no final model: ``selection=bbc.greedy_ensemble()`` and
    ``bbc.top_k(k)`` require ``refit=False``.

    Parameters
    ----------
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws: rows, or folds and rows within them, as in `bbc.correct`.
    stratify_bootstrap : bool, default=False
        Draw rows (or groups) within classes.
    interval : {"order-statistics", "calibrated"}, default="order-statistics"
        Kind of interval, as in `bbc.correct`; "calibrated" is for "bbc-two-level".

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5; intervals: section 3.1; repeats: section 3.2.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grid = {"n_neighbors": list(range(1, 30))}
    >>> search = bbc.BBC(KNeighborsClassifier(), grid, cv=5, random_state=0).fit(X[:80], y[:80])
    >>> search.n_models_trained_, search.performance_.optimism > 0
    (146, True)
    >>> low, high = search.performance_.confidence_interval
    """

    method: Literal["bbc", "bbc-two-level"] = "bbc"
    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"
    stratify_bootstrap: bool = False
    n_bootstraps: int = 1000
    interval: Literal["order-statistics", "calibrated"] = "order-statistics"
    confidence_level: float = 0.95
    alternative: Alternative = "two-sided"
    on_undefined: Literal["redraw", "raise"] = "redraw"
    size_correction: bool = True

    _takes_derived = True  # rules that choose a cut-off or an ensemble

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_bootstrap(self)
        _validation.choice(self.method, "method", ("bbc", "bbc-two-level"))
        _validation.choice(self.interval, "interval", ("order-statistics", "calibrated"))
        _validation.flag(self.size_correction, "size_correction")
        if self.interval == "calibrated" and self.method == "bbc":
            raise InvalidValueError(
                Argument("interval", "calibrated"), 'requires method="bbc-two-level"'
            )

    @property
    def _required_design(self) -> dict[str, Any]:
        design: dict[str, Any] = {"stratify": self.stratify_bootstrap}
        if self.method == "bbc-two-level":
            design["folds_needed_by"] = f'method="{self.method}"'
        return design

    def _finish(self, run: Run) -> None:
        super()._finish(run)
        threshold = self.performance_.threshold
        if self.refit and threshold is not None:
            self.best_estimator_ = cut_model(self.best_estimator_, threshold, run)

    def _performances(self, trained: CrossValidation) -> dict[str, PerformanceEstimate]:
        return corrected(
            trained,
            self.selection,
            method=self.method,
            interval=self.interval,
            stratify_bootstrap=self.stratify_bootstrap,
            size_correction=self.size_correction,
            **bootstrap_options(self),
        )
