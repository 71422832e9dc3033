"""Naive bootstrap of one fixed configuration."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._docstrings import ANALYSIS, described
from .._typing import Alternative
from ..errors import UndefinedMetricError
from ..resampling import Resampling
from ..results import PerformanceEstimate
from ._common import column, confidence, of_problem

_KINDS = ("percentile", "basic", "bca", "studentized")


@described(ANALYSIS)
def naive_bootstrap(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    metric: Any,
    kind: Literal["percentile", "basic", "bca", "studentized"] = "percentile",
    groups: ArrayLike | None = None,
    stratify_bootstrap: bool = False,
    n_bootstraps: int = 1000,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    on_undefined: Literal["redraw", "raise"] = "redraw",
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Bootstrap interval of one configuration that was fixed beforehand.

    It ignores selection: for the winner of a search use `bbc.correct`. Standard errors
    (studentized) and the acceleration (BCa) are jackknife estimates that leave out one row or group
    at a time.

    Parameters
    ----------
    predictions : array-like of shape (n_rows,), (n_rows, 1) or (n_rows, 1, n_classes)
        Out-of-sample predictions of the configuration.
    metric : str, Metric, scorer or callable
        As in `bbc.correct`; a callable must give one loss per row (`bbc.metrics.row_loss`).
    kind : {"percentile", "basic", "bca", "studentized"}, default="percentile"
        Kind of interval. Limits are order statistics of the replicates, cut to the metric's
        range.

    Returns
    -------
    PerformanceEstimate
        The score on all rows with its interval; `infeasible` says why if there is none.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An introduction to the bootstrap" (1993), chapters 12-14.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> e = bbc.intervals.naive_bootstrap(
    ...     y, y + rng.normal(size=60), metric="mean_squared_error", kind="bca", random_state=1)
    >>> e.confidence_interval.low < e.estimate < e.confidence_interval.high
    True
    """
    spec = metrics.get(metric)
    if spec.family == "callable":
        raise ValueError(
            f"metric: {spec.name!r} is a Python function of all rows; the bootstrap of one "
            "configuration takes named metrics and bbc.metrics.row_loss"
        )
    _validation.choice(kind, "kind", _KINDS)
    _validation.choice(on_undefined, "on_undefined", ("redraw", "raise"))
    wanted = confidence(confidence_level, alternative)
    problem = column(
        y_true,
        predictions,
        spec,
        pos_label=pos_label,
        groups=groups,
        stratify=stratify_bootstrap,
    )
    unit: Literal["row", "group"] = "row" if problem.groups is None else "group"
    drawn = None
    if resamples is not None:
        n_units = problem.n_rows if problem.groups is None else int(problem.groups.max()) + 1
        drawn = _validation.resamples(resamples, n_units, unit, out_of_bag=False)
        n_bootstraps = len(drawn)
    resampling = Resampling(
        unit=unit,
        n_bootstraps=_validation.n_bootstraps(n_bootstraps),
        seed=_validation.seed(random_state),
        stratified=stratify_bootstrap,
        on_undefined=on_undefined,
        resamples=drawn,
    )
    _validation.enough_replicates(*wanted, resampling.n_bootstraps)
    plan = _engine.Plan(
        resampling,
        units=problem.groups,
        strata=problem.strata,
        confidence_level=wanted.level,
        alternative=wanted.alternative,
    )
    raw = _engine.naive_bootstrap(
        problem, spec, plan, kind, n_threads=_validation.n_threads(n_threads)
    )
    if on_undefined == "raise" and raw["n_redrawn"]:
        raise UndefinedMetricError(
            f"metric: {spec.name!r} is undefined in {raw['n_redrawn']} draws of "
            f'{resampling.n_bootstraps} replicates (on_undefined="raise")'
        )
    replicates = raw["replicates"]
    return of_problem(
        raw,
        f"naive-bootstrap-{kind}",
        wanted,
        problem,
        spec,
        replicates=replicates,
        replicate_sd=float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0,
        n_redrawn=raw["n_redrawn"],
        unit=resampling.unit,
        seed=resampling.seed,
    )
