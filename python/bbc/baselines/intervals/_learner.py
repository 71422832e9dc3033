"""Intervals of the resampling error of a fixed learner, from its losses."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import _engine, _validation, metrics
from ..._docstrings import described
from ..._typing import Alternative, FloatArray
from ..._validation import ANALYSIS
from ...errors import InvalidTypeError, InvalidValueError
from ...results import PerformanceEstimate
from ._common import Confidence, make_confidence, performance

_NUMBERS = """
metric : str or Metric, optional
    The metric, which sets the direction and the range of the limits; by default an unbounded loss.
"""


@described(ANALYSIS, _NUMBERS)
def corrected_resampled_t(
    scores: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    metric: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Nadeau and Bengio's corrected t interval from repeated subsampling.

    The variance of the mean over J iterations is (1/J + n_test / n_train) S^2, because training
    sets overlap; the quantile is Student's with J - 1 degrees of freedom.

    Parameters
    ----------
    scores : array-like of shape (n_iterations,)
        Mean test score of each subsampling iteration.
    n_train, n_test : int
        Rows that each iteration trains and tests on.

    Returns
    -------
    PerformanceEstimate
        The mean score with its interval.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.corrected_resampled_t(
    ...     [0.20, 0.30, 0.25, 0.22], n_train=90, n_test=10)
    >>> [round(limit, 3) for limit in e.confidence_interval]
    [0.159, 0.326]
    """
    confidence, facts, limits = _common(metric, confidence_level, alternative)
    values = _finite(scores, "scores")
    n_train = _validation.integer(n_train, "n_train", lowest=1)
    n_test = _validation.integer(n_test, "n_test", lowest=1)
    raw = _engine.kernel.corrected_resampled_t(values, n_train, n_test, *confidence, *limits)
    return performance(
        raw, "corrected-resampled-t", confidence, facts | {"n_rows": n_train + n_test}
    )


@described(ANALYSIS, _NUMBERS)
def conservative_z(
    estimate: float,
    first: ArrayLike,
    second: ArrayLike,
    *,
    n_rows: int,
    metric: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Nadeau and Bengio's conservative z interval from paired subsampling of disjoint halves.

    The rows are split at random into two halves, R times. The variance is
    sum((a_r - b_r)^2) / (2 R), where a_r and b_r are the results of the whole resampling scheme in
    the first and the second half, with test sets as large as those of the estimate. The interval is
    conservative because models of halves are trained on fewer rows.

    Parameters
    ----------
    estimate : float
        The resampling estimate from all rows.
    first, second : array-like of shape (n_halvings,)
        Mean score of all subsampling iterations in the first and in the second half of each split.
    n_rows : int
        Rows behind the estimate.

    Returns
    -------
    PerformanceEstimate
        The estimate with its interval.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.conservative_z(0.2, [0.1, 0.2], [0.2, 0.1], n_rows=100)
    >>> [round(limit, 3) for limit in e.confidence_interval]
    [0.061, 0.339]
    """
    confidence, facts, limits = _common(metric, confidence_level, alternative)
    raw = _engine.kernel.conservative_z(
        float(_finite([estimate], "estimate")[0]),
        _finite(first, "first"),
        _finite(second, "second"),
        *confidence,
        *limits,
    )
    n_rows = _validation.integer(n_rows, "n_rows", lowest=1)
    return performance(raw, "conservative-z", confidence, facts | {"n_rows": n_rows})


@described(ANALYSIS, _NUMBERS)
def nested_cv(
    outer: Sequence[ArrayLike],
    inner: Sequence[ArrayLike],
    *,
    n_rows: int,
    n_folds: int,
    cv_loss: float | None = None,
    metric: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Nested cross-validation interval of Bates, Hastie and Tibshirani.

    The mean squared error of cross-validation is estimated from the outer folds, as (mean of the
    inner losses - mean of the outer losses)^2 minus the variance of the latter; the standard error
    is kept between the naive one and sqrt(n_folds) times it.

    Parameters
    ----------
    outer, inner : sequence of array-like
        One array of per-row losses for each outer fold of each repetition: of its held-out rows,
        and of the other rows by the cross-validation inside them.
    n_rows : int
        Rows of the data.
    n_folds : int
        Outer folds of a repetition.
    cv_loss : float, optional
        Mean loss of plain cross-validation; if given, the estimate is corrected for its bias.

    Returns
    -------
    PerformanceEstimate
        The mean inner loss, minus its bias if `cv_loss` is given, with its interval.

    References
    ----------
    .. [1] S. Bates, T. Hastie, R. Tibshirani, "Cross-validation: what does it estimate and how
       well does it do it?", Journal of the American Statistical Association 119 (2024).

    Examples
    --------
    >>> import bbc
    >>> outer = [[0, 1], [0, 0], [1, 0]]
    >>> inner = [[0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]]
    >>> e = bbc.baselines.intervals.nested_cv(outer, inner, n_rows=6, n_folds=3)
    >>> round(e.estimate, 3)
    0.333
    """
    confidence, facts, limits = _common(metric, confidence_level, alternative)
    raw = _engine.kernel.nested_cv(
        _folds(outer, "outer"),
        _folds(inner, "inner"),
        _validation.integer(n_rows, "n_rows", lowest=1),
        _validation.integer(n_folds, "n_folds", lowest=2),
        None if cv_loss is None else float(_finite([cv_loss], "cv_loss")[0]),
        *confidence,
        *limits,
    )
    facts |= {"n_rows": n_rows, "n_folds": n_folds}
    return performance(raw, "nested-cv", confidence, facts)


@described(ANALYSIS, _NUMBERS)
def wald(
    losses: ArrayLike,
    *,
    metric: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Normal interval of a mean loss over independent rows.

    Valid for a hold-out set. For cross-validation it is too short, because models of different
    folds share training rows, and serves for comparison only.

    Parameters
    ----------
    losses : array-like of shape (n_rows,)
        Out-of-sample loss of each row.

    Returns
    -------
    PerformanceEstimate
        The mean loss with its interval.

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.wald([0, 1, 0, 0, 1, 0, 0, 0], metric="zero_one_loss")
    >>> [round(limit, 3) for limit in e.confidence_interval]
    [0.0, 0.571]
    """
    confidence, facts, limits = _common(metric, confidence_level, alternative)
    per_row = _finite(losses, "losses")
    raw = _engine.kernel.wald(per_row, *confidence, *limits)
    return performance(raw, "wald", confidence, facts | {"n_rows": len(per_row)})


def _common(
    metric: Any, confidence_level: Any, alternative: Any
) -> tuple[Confidence, dict[str, Any], tuple[float, float]]:
    """Confidence, facts of the metric, and its range for any number of classes."""
    facts: dict[str, Any] = {"metric": "loss", "metric_range": None, "greater_is_better": False}
    limits = -math.inf, math.inf
    if metric is not None:
        spec = metrics.get(metric)
        limits = spec.limits(math.inf)
        facts = {
            "metric": spec.name,
            "metric_range": spec.range,
            "greater_is_better": spec.greater_is_better,
        }
    return make_confidence(confidence_level, alternative), facts, limits


def _folds(losses: Any, name: str) -> list[FloatArray]:
    """The losses of each fold."""
    if not isinstance(losses, Iterable) or isinstance(losses, str):
        raise InvalidTypeError(name, f"must be one array per fold, got {type(losses).__name__}")
    found = [_finite(fold, f"{name}[{number}]") for number, fold in enumerate(losses)]
    if not found:
        raise InvalidValueError(name, "has no folds")
    return found


def _finite(values: Any, name: str) -> FloatArray:
    """A finite one-dimensional array of numbers."""
    array = _validation.plain_array(values, name)
    if array.dtype.kind not in "biuf":
        raise InvalidTypeError(name, f"must be numbers, got dtype {array.dtype}")
    if array.ndim != 1:
        raise InvalidValueError(name, f"must be one-dimensional, got shape {array.shape}")
    out = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(out).all():
        raise InvalidValueError(name, f"is not finite at {int(np.argmin(np.isfinite(out)))}")
    return out
