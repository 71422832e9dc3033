"""BBC: cross-validation with tuning, corrected by a bootstrap of rows or of folds."""

from typing import Any, Literal

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from .. import _validation
from ..correction import Correction
from ..errors import Argument, InvalidValueError
from ._base import Search, protocol
from ._cross_validation import CrossValidation, check_options, correction_of, correction_options
from ._run import Run


def cut_model(model: Any, threshold: float, run: Run) -> Any:
    """A fitted model whose labels are those of its scores above a threshold."""
    method = next(name for name in run.responses.methods if hasattr(model, name))
    cut = FixedThresholdClassifier(
        FrozenEstimator(model),
        # Scikit-learn calls positive what is at or above the threshold.
        threshold=float(np.nextafter(threshold, np.inf)),
        pos_label=run.responses.pos_label,
        response_method=method,
    )
    return cut.fit(run.X, run.y)


@protocol
class BBC(Search):
    """Cross-validation with tuning and bootstrap bias correction of the winner's performance.

    All configurations are cross-validated. The selection of the best is then repeated on bootstrap
    replicates of their out-of-sample predictions, and each replicate's winner is scored on the
    rows that were not drawn; this trains no further model. With `n_repeats`, several partitions
    are used, and a replicate draws the same rows in all of them. Models trained: R K C + 1. This is
    Algorithm 5 of [1]_, with the intervals of its section 3.1 and the repeats of 3.2.

    With ``selection=bbc.best_threshold()`` the final model's `predict` applies the cut-off that was
    selected. An ensemble has no final model: ``selection=bbc.greedy_ensemble()`` and
    ``bbc.top_k(k)`` require ``refit=False``.

    Other options, such as `block_length` and `alternative`, are those of `bbc.correct`, which makes
    the correction of a fitted search again with them: ``bbc.correct(search, block_length="auto")``.
    It trains nothing, and draws with the same seed.

    Parameters
    ----------
    method : {"bbc", "bbc-two-level", "bbc-f"}, default="bbc"
        What a replicate draws: rows, folds and rows within them, or folds, whose scores are
        averaged (BBC-F [2]_), as in `bbc.correct`.

    References
    ----------
    .. [2] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Algorithm 1.

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
    >>> bound = bbc.correct(search, alternative="greater").confidence_interval
    >>> low < bound.low, bound.high
    (True, 1.0)
    >>> bbc.BBC(KNeighborsClassifier(), grid, method="bbc-f").fit(X[:80], y[:80]).performance_.unit
    'fold'
    """

    method: Literal["bbc", "bbc-two-level", "bbc-f"] = "bbc"
    pooling: Literal["auto", "pooled", "fold"] = "auto"
    selection: Any = "best"
    n_bootstraps: int | None = None
    confidence_level: float = 0.95

    _takes_derived = True  # rules that choose a cut-off or an ensemble

    @property
    def _methods(self) -> tuple[str, ...]:
        return ("bbc", "bbc-two-level", "bbc-f")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _validation.choice(self.method, "method", self._methods)
        check_options(self)
        if self.method == "bbc-f" and self.pooling == "pooled":
            raise InvalidValueError(
                Argument("pooling", self.pooling), "is not for {}", Argument("method", self.method)
            )

    @property
    def _pooling(self) -> str:
        return "fold" if self.method == "bbc-f" else self.pooling

    @property
    def _needs(self) -> _validation.Needs:
        if self.method == "bbc-f":
            return _validation.Needs(every_fold_scored=True)
        needed_by = f'method="{self.method}"' if self.method == "bbc-two-level" else ""
        return _validation.Needs(needed_by)

    def _finish(self, run: Run) -> None:
        super()._finish(run)
        threshold = self.performance_.threshold
        if self.refit and threshold is not None:
            self.best_estimator_ = cut_model(self.best_estimator_, threshold, run)

    def _performance(self, trained: CrossValidation) -> Correction:
        return correction_of(trained, self.selection, correction_options(self))
