"""Naive bootstrap of a fixed configuration."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ... import _engine, _validation, metrics
from ..._docstrings import described
from ..._typing import Alternative
from ..._validation import ANALYSIS
from ...errors import InvalidValueError, UndefinedMetricError
from ...metrics._resolve import metric_required
from ...results import PerformanceEstimate
from ._common import Confidence, column, of_problem

_KINDS = ("percentile", "basic", "bca", "studentized")


@metric_required
@described(ANALYSIS)
def naive_bootstrap(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    metric: Any,
    kind: Literal["percentile", "basic", "bca", "studentized"] = "percentile",
    groups: ArrayLike | None = None,
    stratify_bootstrap: bool = False,
    n_bootstraps: int | None = None,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    on_undefined: Literal["redraw", "raise"] = "redraw",
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Bootstrap interval of a configuration that was fixed in advance.

    It ignores selection: for the winner of a search use `bbc.correct`. Standard errors
    (studentized) and the acceleration (BCa) are jackknife estimates over rows or groups.

    Parameters
    ----------
    predictions : array-like of shape (n_rows,), (n_rows, 1) or (n_rows, 1, n_classes)
        Out-of-sample predictions of the configuration.
    metric : str, Metric, scorer or callable
        As in `bbc.correct`; a callable must return a loss per row (`bbc.metrics.row_loss`).
    kind : {"percentile", "basic", "bca", "studentized"}, default="percentile"
        Kind of interval. Limits are order statistics of the replicates, clipped to the metric's
        range.

    Returns
    -------
    PerformanceEstimate
        The score on all rows with its interval; `infeasible` gives the reason if there is none.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An introduction to the bootstrap" (1993), chapters 12-14.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> e = bbc.baselines.intervals.naive_bootstrap(
    ...     y, y + rng.normal(size=60), metric="mean_squared_error", kind="bca", random_state=1)
    >>> e.confidence_interval.low < e.estimate < e.confidence_interval.high
    True
    """
    spec = metrics.get(metric)
    if spec.family == "callable":
        raise InvalidValueError(
            "metric",
            f": {spec.name!r} is a Python function of all rows; the naive bootstrap takes "
            "named metrics and bbc.metrics.row_loss",
        )
    _validation.choice(kind, "kind", _KINDS)
    options = _validation.options(
        metric=spec,
        n_bootstraps=n_bootstraps,
        confidence_level=confidence_level,
        alternative=alternative,
        on_undefined=on_undefined,
        random_state=random_state,
        stratify_bootstrap=stratify_bootstrap,
    )
    confidence = Confidence(options.confidence_level, options.alternative)
    problem = column(
        y_true, predictions, spec, pos_label=pos_label, groups=groups, needs=options.needs
    )
    options = options.for_problem(problem, resamples, out_of_bag=False)
    raw = _engine.naive_bootstrap(
        problem, options, kind, n_threads=_validation.n_threads(n_threads)
    )
    if on_undefined == "raise" and raw["n_redrawn"]:
        raise UndefinedMetricError(
            "metric",
            f": {spec.name!r} is undefined in {raw['n_redrawn']} draws of "
            f'{options.n_bootstraps} replicates (on_undefined="raise")',
        )
    replicates = raw["replicates"]
    return of_problem(
        raw,
        f"naive-bootstrap-{kind}",
        confidence,
        problem,
        spec,
        {
            "replicates": replicates,
            "replicate_sd": float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0,
            "n_redrawn": raw["n_redrawn"],
            "unit": options.unit(problem),
            "seed": options.seed,
        },
    )
