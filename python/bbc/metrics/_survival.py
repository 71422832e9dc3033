"""Metrics of right-censored times whose rows are weighted for censoring."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._docstrings import described
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ._spec import METRICS, GivenCensoring, Metric, Parameter, named_metric, positive

_OF_TIME = """
censoring_survival : array-like of shape (n_rows,), optional
    Probability G(t-) of each row of being uncensored until just before its own time t, such as
    estimated on other rows; by default by Kaplan-Meier on the rows of the truth. It must be one
    function of time for all rows: both rows of a pair are weighted at the time of the event. Only
    events that the metric counts are read, where it must be in (0, 1].
"""
_OF_ROWS = """
censoring_survival : array-like of shape (n_rows,), optional
    Probability of each row of being uncensored until just before its own time, such as from a model
    of the censoring given the inputs. Only events that the metric counts are read, where it must be
    in (0, 1]. By default G is estimated by Kaplan-Meier.
censoring_survival_at : array-like, optional
    Probability of being uncensored beyond the evaluation times, needed with `censoring_survival`:
    a number for one time or shape (n_times,) for several if it is the same for all rows, else of
    shape (n_rows,) or (n_rows, n_times). Only rows that are followed beyond the time are read,
    where it must be in (0, 1].
"""


@described(_OF_TIME)
def uno_concordance(
    tau: float | None = None, *, censoring_survival: ArrayLike | None = None
) -> Metric:
    """Uno's concordance index: Harrell's, without its dependence on the censoring.

    The share of comparable pairs in which the earlier event has the higher risk, each pair weighted
    by 1 / G(t-)^2, where t is the time of the event and G(t) the probability of being uncensored
    beyond t. Ties are treated as in ``"concordance_index"``.

    Parameters
    ----------
    tau : float, optional
        Only events before `tau` count; all do by default. Late events have large weights: a `tau`
        at which a tenth of the rows is still followed makes estimates stable.

    Returns
    -------
    Metric
        The metric; it takes risks, higher where the event comes earlier.

    Notes
    -----
    G is estimated once, by Kaplan-Meier on all rows of the truth with their `sample_weight`; events
    come before censored rows of the same time. A row keeps its weight in every replicate.
    Censoring must not depend on the inputs, whether G is estimated or given.

    References
    ----------
    .. [1] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei, "On the C-statistics for
       evaluating overall adequacy of risk prediction procedures with censored survival data",
       Statistics in Medicine 30 (2011), equation 6.

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.uno_concordance(tau=365).name
    'uno_concordance(tau=365.0)'
    """
    metric = METRICS["uno_concordance"]
    return _given(
        metric if tau is None else metric.with_parameters(tau=tau), censoring_survival, None
    )


@described(_OF_TIME)
def cumulative_dynamic_auc(time: float, *, censoring_survival: ArrayLike | None = None) -> Metric:
    """Area under the ROC curve of an event by a stated time.

    Rows with an event by `time`, each weighted by 1 / G(t-) at its time t, against rows that are
    followed longer. G(t) is the probability of being uncensored beyond t, estimated as in
    `uno_concordance`. Rows censored before `time` are in no pair.

    Parameters
    ----------
    time : float
        The time, in units of the truth.

    Returns
    -------
    Metric
        The metric; it takes risks, higher where the event comes earlier.

    References
    ----------
    .. [1] H. Uno, T. Cai, L. Tian, L. J. Wei, "Evaluating prediction rules for t-year survivors
       with censored regression models", JASA 102 (2007).
    .. [2] H. Hung, C.-T. Chiang, "Estimation methods for time-dependent AUC models with survival
       data", Canadian Journal of Statistics 38 (2010).

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.cumulative_dynamic_auc(365).name
    'cumulative_dynamic_auc(time=365.0)'
    """
    metric = _at("cumulative_dynamic_auc", time=positive(time, "time"))
    return _given(metric, censoring_survival, None)


@described(_OF_ROWS)
def survival_brier_score(
    time: float,
    *,
    censoring_survival: ArrayLike | None = None,
    censoring_survival_at: ArrayLike | None = None,
) -> Metric:
    """Brier score of the probability of surviving a stated time; lower is better.

    The mean over rows of the squared difference between survival of `time` (0 or 1) and its
    predicted probability, weighted by 1 / G(t-) for rows with an event at t by then, by
    1 / G(time) for rows followed longer, and by 0 for rows censored before, whose outcome is not
    known. G(t) is the probability of being uncensored beyond t, estimated as in `uno_concordance`.

    Parameters
    ----------
    time : float
        The time, in units of the truth.

    Returns
    -------
    Metric
        The metric; it takes probabilities of surviving `time`, of shape
        (n_rows, n_configurations).

    References
    ----------
    .. [1] E. Graf, C. Schmoor, W. Sauerbrei, M. Schumacher, "Assessment and comparison of
       prognostic classification schemes for survival data", Statistics in Medicine 18 (1999).

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.survival_brier_score(365).greater_is_better
    False
    """
    metric = _at("survival_brier_score", time=positive(time, "time"))
    return _given(metric, censoring_survival, censoring_survival_at)


@described(_OF_ROWS)
def integrated_brier_score(
    times: Iterable[float],
    *,
    censoring_survival: ArrayLike | None = None,
    censoring_survival_at: ArrayLike | None = None,
) -> Metric:
    """Mean over time of the Brier score of survival probabilities; lower is better.

    `survival_brier_score` at each of the times, integrated by the trapezoidal rule and divided by
    the span of the times. Probabilities that rise from one time to the next by more than 1e-8 are
    refused.

    Parameters
    ----------
    times : iterable of float
        At least two ascending times, in units of the truth.

    Returns
    -------
    Metric
        The metric; it takes probabilities of surviving each time, of shape
        (n_rows, n_configurations, n_times).

    References
    ----------
    .. [1] E. Graf, C. Schmoor, W. Sauerbrei, M. Schumacher, "Assessment and comparison of
       prognostic classification schemes for survival data", Statistics in Medicine 18 (1999).

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.integrated_brier_score([100, 200, 300]).name
    'integrated_brier_score(times=(100.0, 200.0, 300.0))'
    """
    if isinstance(times, str) or not isinstance(times, Iterable):
        raise InvalidTypeError("times", f"must be several numbers, got {type(times).__name__}")
    given = tuple(positive(_plain(time), "times") for time in times)
    if len(given) < 2:
        raise InvalidValueError(
            "times",
            f"must be at least two, got {len(given)}",
            hint=("for one time use {}", Argument("bbc.metrics.survival_brier_score")),
        )
    if any(after <= before for before, after in pairwise(given)):
        raise InvalidValueError("times", "must ascend")
    metric = _at("integrated_brier_score", times=given)
    return _given(metric, censoring_survival, censoring_survival_at)


AT_TIMES: Mapping[str, tuple[Callable[..., Metric], str]] = {
    "cumulative_dynamic_auc": (cumulative_dynamic_auc, "time"),
    "survival_brier_score": (survival_brier_score, "time"),
    "integrated_brier_score": (integrated_brier_score, "times"),
}


def at_times(name: str, parameters: Mapping[str, Any]) -> Metric | None:
    """The metric of this name, if it is one that has no meaning without its times."""
    if name not in AT_TIMES:
        return None
    make, parameter = AT_TIMES[name]
    if set(parameters) != {parameter}:
        raise InvalidValueError(
            "metric", f": {name!r} needs its {parameter}: bbc.metrics.{name}({parameter}=...)"
        )
    return make(parameters[parameter])


def _given(metric: Metric, own: Any, later: Any) -> Metric:
    """The metric with probabilities of being uncensored, if they are given."""
    if own is None and later is None:
        return metric
    if metric.censoring == "brier" and (own is None or later is None):
        lacking = "censoring_survival" if own is None else "censoring_survival_at"
        raise InvalidValueError(
            lacking,
            "is needed, too: events are weighted at their own times, rows that are followed "
            "longer at those of the metric",
        )
    stem = metric.name.removesuffix(")")
    separator = "(" if stem == metric.name else ", "
    return replace(
        metric,
        name=f"{stem}{separator}censoring_survival=given)",
        censoring_survival=GivenCensoring(own, later),
    )


def _at(name: str, **times: Parameter) -> Metric:
    """The metric of the kernel's table that has no meaning without its times."""
    shown = ", ".join(f"{key}={value!r}" for key, value in times.items())
    return named_metric(name, name=f"{name}({shown})", parameters=tuple(times.items()))


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value
