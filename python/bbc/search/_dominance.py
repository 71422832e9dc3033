"""Dominated configurations: those worse than the best in nearly all replicates."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._counts import replicates_by_default
from .._docstrings import described
from .._page import Page
from .._result import SHARE, PerEntry, Result
from .._sentences import counted
from .._typing import BoolArray, FloatArray
from .._validation import ANALYSIS
from ..errors import InvalidValueError
from ..metrics._resolve import metric_required
from ..selection import get as get_rule

__all__ = ["Dominance", "dominated"]


@dataclass(frozen=True, eq=False)
class Dominance(Result):
    """How often each configuration is worse than the best.

    Attributes
    ----------
    best : int
        The configuration that the selection rule selects on all rows.
    share_worse : ndarray of shape (n_configurations,)
        Share of replicates in which each configuration is strictly worse than the best.
    dominated : ndarray of bool of shape (n_configurations,)
        Whether the share exceeds the dropping level; never for the best.
    n_bootstraps : int
        Number of replicates.
    seed : int or None
        Seed of the replicates; None if `resamples` were given.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> y = np.arange(40) % 2
    >>> result = bbc.baselines.dominated(
    ...     y, np.column_stack([y, 1 - y]), metric="accuracy", random_state=0)
    >>> result.best, result.dominated.tolist()
    (0, [False, True])
    """

    best: int
    share_worse: Annotated[FloatArray, SHARE]
    dominated: Annotated[BoolArray, PerEntry("share_worse")]
    n_bootstraps: int
    seed: int | None

    def _page(self) -> Page:
        n_worse, n = int(self.dominated.sum()), len(self.dominated)
        facts = [("best", f"configuration {self.best}"), ("replicates", str(self.n_bootstraps))]
        if self.seed is not None:
            facts.append(("seed", str(self.seed)))
        return Page(f"{n_worse} of {counted(n, 'configuration')} worse than the best", facts)

    def _frame(self) -> Any:
        return {
            "configuration": list(range(len(self.dominated))),
            "share_worse": self.share_worse,
            "dominated": self.dominated,
        }


@metric_required
@described(ANALYSIS)
def dominated(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    dropping_level: float = 0.99,
    folds: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    stratify_bootstrap: bool = False,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    pooling: Literal["pooled", "fold"] = "pooled",
    selection: Any = "best",
    n_bootstraps: int | None = None,
    resamples: ArrayLike | None = None,
    stream: int = 0,
    random_state: Any = None,
    n_threads: int | None = None,
) -> Dominance:
    """Find the configurations that are worse than the best in nearly all replicates.

    By this test BBCD drops configurations during cross-validation.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        As in `correct`.
    metric : str, Metric or scorer
        As in `correct`, but not a Python function of all rows.
    dropping_level : float, default=0.99
        Share of replicates in [0, 1] above which a configuration is dominated.
    n_bootstraps : int, optional
        Number of replicates; by default 1000.
    folds, pooling : optional
        As in `correct`.
    selection : "best" or Selection, default="best"
        How the best is selected on all rows.
    stream : int, default=0
        Stream of random numbers: t for the t-th test of a run, 0 for the correction.

    Returns
    -------
    Dominance
        The best configuration, the shares, and which configurations are dominated. A replicate
        is redrawn only if the metric is undefined in bag.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       section 4.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=50)
    >>> good, bad = y + 0.1 * rng.normal(size=50), rng.normal(size=50)
    >>> result = bbc.baselines.dominated(
    ...     y, np.column_stack([bad, good]), metric="r2", random_state=0)
    >>> result.best, result.share_worse.tolist()
    (1, [1.0, 0.0])
    """
    spec = metrics.get(metric)
    rule = get_rule(selection)
    if spec.family == "callable" or rule.function is not None:
        raise InvalidValueError(
            "metric", "and selection must not be Python functions in bbc.baselines.dominated"
        )
    if rule.derives:
        raise InvalidValueError(
            "selection", f": {rule} selects no configuration that others are worse than"
        )
    level = _validation.share(dropping_level, "dropping_level")
    if n_bootstraps is None:
        n_bootstraps = replicates_by_default("dominated", False)
    options = _validation.options(
        metric=spec,
        pooling=pooling,
        selection=rule,
        n_bootstraps=n_bootstraps,
        random_state=random_state,
        stratify_bootstrap=stratify_bootstrap,
        stream=_validation.integer(stream, "stream", lowest=0),
    )
    data = _validation.Data(
        y_true, predictions, folds, groups, sample_weight, pos_label=pos_label, labels=labels
    )
    problem = _validation.problem(data, spec, options.needs)
    options = options.for_problem(problem, resamples, out_of_bag=False, needs_interval=False)
    best, share_worse, is_dominated = _engine.dominated(
        problem, options, dropping_level=level, n_threads=_validation.n_threads(n_threads)
    )
    return Dominance(best, share_worse, is_dominated, options.n_bootstraps, options.seed)
