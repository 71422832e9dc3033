"""What the protocols share that estimate by the metric itself: a choice of pooling and rule."""

from os import PathLike
from typing import Any, Literal

import numpy as np

from ._base import Protocol


class Pooled(Protocol):
    """Base of the protocols without a bootstrap that leave pooling and selection free."""

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        scoring: Any = None,
        cv: Any = 10,
        n_repeats: int = 1,
        n_iter: int | None = None,
        pooling: Literal["auto", "pooled", "fold"] = "auto",
        selection: Any = "best",
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
        self.pooling = pooling
        self.selection = selection
