"""What the protocols with a bootstrap share: its parameters, checked before any work."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from .. import _validation
from .._typing import Alternative
from ..results import PerformanceEstimate
from ._base import Protocol
from ._collected import Collected
from ._estimates import Pooling, corrected
from ._run import Run


class Bootstrapped(Protocol):
    """Base of the protocols that correct by the bootstrap.

    Parameters
    ----------
    n_bootstraps : int, default=1000
        Number of replicates.
    confidence_level : float, default=0.95
        Level of the interval.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Sides of the interval.
    on_undefined : {"redraw", "raise"}, default="redraw"
        What to do about a replicate that leaves the metric undefined.
    random_state : int, Generator or None, default=None
        Seed of the bootstrap, 0 to 2**53 - 1: ``bbc.correct`` on `oos_predictions_` with the same
        seed gives the same replicates. Learners whose own `random_state` is None get one derived
        from it and from their configuration, the same in all folds and when the winner is trained
        on all rows. None draws one, or adopts that of the store.

    Attributes
    ----------
    performance_ : PerformanceEstimate
        The corrected performance and its interval.
    performances_ : dict of str to PerformanceEstimate
        The same by every metric of `scoring`, from the same winners and replicates; replicates
        that leave one of the other metrics undefined are counted in its `n_undefined`.
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        scoring: Any = None,
        cv: Any = 10,
        n_repeats: int = 1,
        n_iter: int | None = None,
        selection: Any = "best",
        n_bootstraps: int = 1000,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
        on_undefined: str = "redraw",
        refit: bool | str = True,
        error_score: Any = np.nan,
        pos_label: Any = None,
        n_jobs: int | None = None,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        store: str | PathLike[str] | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator,
            param_grid,
            scoring=scoring,
            cv=cv,
            n_repeats=n_repeats,
            n_iter=n_iter,
            refit=refit,
            error_score=error_score,
            pos_label=pos_label,
            n_jobs=n_jobs,
            pre_dispatch=pre_dispatch,
            random_state=random_state,
            store=store,
            verbose=verbose,
        )
        self.selection = selection
        self.n_bootstraps = n_bootstraps
        self.confidence_level = confidence_level
        self.alternative = alternative
        self.on_undefined = on_undefined

    def _check_parameters(self) -> None:
        super()._check_parameters()
        n_bootstraps = _validation.n_bootstraps(self.n_bootstraps)
        level = _validation.confidence_level(self.confidence_level)
        _validation.choice(self.alternative, "alternative", ("two-sided", "greater", "less"))
        _validation.choice(self.on_undefined, "on_undefined", ("redraw", "raise"))
        _validation.enough_replicates(level, self.alternative, n_bootstraps)

    def _corrected(
        self, run: Run, collected: Collected, poolings: Mapping[str, Pooling], **options: Any
    ) -> dict[str, PerformanceEstimate]:
        """The corrected performance by every metric; one metric decides."""
        return corrected(
            run,
            collected,
            poolings=poolings,
            selection=self.selection,
            n_bootstraps=self.n_bootstraps,
            confidence_level=self.confidence_level,
            alternative=self.alternative,
            on_undefined=self.on_undefined,
            **options,
        )
