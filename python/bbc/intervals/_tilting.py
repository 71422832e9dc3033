"""Bootstrap tilting of one configuration, and of the best of several."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._docstrings import ANALYSIS, described
from .._typing import Alternative, CodeArray, FloatArray
from .._validation import Problem
from ..metrics import Metric
from ..results import PerformanceEstimate
from ._column import Confidence, codes, column, confidence, right_calls
from ._result import of_problem

_TILTED = """
y_true : array-like of shape (n_rows,)
    The truth; two classes for "roc_auc".
metric : {"roc_auc", "accuracy"}, default="roc_auc"
    The statistic. Replicates of the AUC are drawn within classes.
variant : {"standard", "published"}, default="standard"
    "published" does as the code behind published tables: influence values of the AUC fitted
    by regression, row weights normalised over the whole sample.
n_bootstraps : int, optional
    Number of replicates; 2000 for the AUC and 10000 for the accuracy by default.
resamples : array-like of int of shape (n_bootstraps, n_rows), optional
    Explicit drawn rows instead of random ones, to replay an analysis. For the AUC each
    replicate draws as many rows of each class as there are.
confidence_level : float, default=0.95
    Level of the bound, in (0, 1).
"""


@described(ANALYSIS, _TILTED)
def tilting(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    metric: Literal["roc_auc", "accuracy"] = "roc_auc",
    variant: Literal["standard", "published"] = "standard",
    n_bootstraps: int | None = None,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "greater",
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Bound the performance of one fixed configuration by bootstrap tilting (BT).

    The sample is tilted exponentially along the influence values of the statistic until, in the
    tilted sample, a replicate as good as the observed score has probability alpha; the bound is
    the statistic of that sample. Replicates are drawn once and reweighted by importance.

    Parameters
    ----------
    predictions : array-like of shape (n_rows,) or (n_rows, 1)
        Out-of-sample scores ("roc_auc") or labels ("accuracy").
    alternative : {"two-sided", "greater", "less"}, default="greater"
        "greater" gives a lower bound only, "less" an upper bound only.

    Returns
    -------
    PerformanceEstimate
        The score with its bound and the effective sample size of the importance weights;
        `infeasible` says why if no tilt reaches alpha, as for a perfect score.

    References
    ----------
    .. [1] B. Efron, "Nonparametric standard errors and confidence intervals", Canadian Journal of
       Statistics 9 (1981).

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> e = bbc.intervals.tilting(y, y + rng.normal(size=100), random_state=1)
    >>> e.confidence_interval.low < e.estimate, e.confidence_interval.high
    (True, 1.0)
    """
    wanted = confidence(confidence_level, alternative)
    spec = _statistic(metric)
    problem = column(
        y_true, predictions, spec, pos_label=pos_label if metric == "roc_auc" else None
    )
    return _tilted(
        "bt", problem, spec, wanted, 0, variant, n_bootstraps, resamples, random_state, n_threads
    )


@described(ANALYSIS, _TILTED)
def mabt(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    selected: int | None = None,
    metric: Literal["roc_auc", "accuracy"] = "roc_auc",
    variant: Literal["standard", "published"] = "standard",
    n_bootstraps: int | None = None,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Bound the performance of the best of several configurations from below (MABT).

    Multiplicity-adjusted bootstrap tilting: as `tilting`, with the p-value taken from the
    distribution of the largest of all configurations' scores, so that the bound holds although
    the configuration was chosen on these very rows.

    Parameters
    ----------
    predictions : array-like of shape (n_rows, n_configurations)
        Out-of-sample scores ("roc_auc") or labels ("accuracy") of the configurations that
        competed.
    selected : int, optional
        The configuration to bound; the best on these rows by default.

    Returns
    -------
    PerformanceEstimate
        The score with its lower bound and the effective sample size of the importance weights;
        `infeasible` says why if no tilt reaches alpha, as for a perfect score.

    References
    ----------
    .. [1] P. Rink, W. Brannath, "Post-selection confidence bounds for prediction performance"
       (2022).

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> e = bbc.intervals.mabt(y, y[:, None] + rng.normal(size=(100, 5)), random_state=1)
    >>> e.confidence_interval.low < e.estimate
    True
    """
    wanted = confidence(confidence_level, "greater")
    spec = _statistic(metric)
    problem = _validation.problem(
        y_true, predictions, spec, pos_label=pos_label if metric == "roc_auc" else None
    )
    threads = _validation.n_threads(n_threads)
    if problem.n_repeats != 1:
        raise ValueError(f"predictions has {problem.n_repeats} repeats; mabt takes one")
    if selected is None:
        _, selected = _engine.score(problem, spec, folds=None, n_threads=threads)
    chosen = _validation.integer(selected, "selected", lowest=0)
    if chosen >= problem.n_configurations:
        raise ValueError(
            f"selected must be below n_configurations = {problem.n_configurations}, got {chosen}"
        )
    return _tilted(
        "mabt",
        problem,
        spec,
        wanted,
        chosen,
        variant,
        n_bootstraps,
        resamples,
        random_state,
        threads,
    )


def _statistic(metric: Any) -> Metric:
    return metrics.get(_validation.choice(metric, "metric", ("roc_auc", "accuracy")))


def _tilted(
    method: str,
    problem: Problem,
    metric: Metric,
    wanted: Confidence,
    selected: int,
    variant: Any,
    n_bootstraps: int | None,
    resamples: Any,
    random_state: Any,
    n_threads: int | None,
) -> PerformanceEstimate:
    _validation.choice(variant, "variant", ("standard", "published"))
    drawn = None
    if resamples is not None:
        drawn = _validation.resamples(resamples, problem.n_rows, "row", out_of_bag=False)
        n_bootstraps = len(drawn)
    if n_bootstraps is not None:
        n_bootstraps = _validation.n_bootstraps(n_bootstraps)
        _validation.enough_replicates(wanted.level, wanted.alternative, n_bootstraps)
    seed = _validation.seed(random_state)
    classes, columns = _statistics(problem, metric)
    raw = _engine.tilting(
        method,
        classes,
        columns,
        selected=selected,
        published=variant == "published",
        n_bootstraps=n_bootstraps,
        seed=seed,
        resamples=drawn,
        level=wanted.level,
        alternative=wanted.alternative,
        n_threads=_validation.n_threads(n_threads),
    )
    return of_problem(
        raw,
        method,
        wanted,
        problem,
        metric,
        winner=selected,
        seed=seed,
        effective_sample_size=raw["effective_sample_size"] if raw["feasible"] else None,
    )


def _statistics(problem: Problem, metric: Metric) -> tuple[CodeArray | None, FloatArray]:
    """Classes and scores, or right calls alone; configurations first."""
    if metric.name == "accuracy":
        return None, np.ascontiguousarray(right_calls(problem).T, dtype=np.float64)
    return codes(problem), np.ascontiguousarray(problem.predictions[0].T, dtype=np.float64)
