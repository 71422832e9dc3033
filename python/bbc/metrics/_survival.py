"""Metrics of right-censored times whose rows are weighted for censoring."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import Argument, InvalidTypeError, InvalidValueError
from ._spec import Metric, Parameter, positive
from ._table import METRICS


def uno_concordance(tau: float | None = None) -> Metric:
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
    return metric if tau is None else metric.with_parameters(tau=tau)


def cumulative_dynamic_auc(time: float) -> Metric:
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
    return replace(
        METRICS["uno_concordance"],
        name=_named("cumulative_dynamic_auc", time=positive(time, "time")),
        parameters=(("time", float(time)),),
        censoring="dynamic_auc",
    )


def survival_brier_score(time: float) -> Metric:
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
    name = _named("survival_brier_score", time=positive(time, "time"))
    return _brier(name, ("time", float(time)))


def integrated_brier_score(times: Iterable[float]) -> Metric:
    """Mean over time of the Brier score of survival probabilities; lower is better.

    `survival_brier_score` at each of the times, integrated by the trapezoidal rule and divided by
    the span of the times.

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
    return _brier(_named("integrated_brier_score", times=given), ("times", given))


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


def _brier(name: str, parameter: tuple[str, Parameter]) -> Metric:
    return Metric(
        name=name,
        kernel="row_loss",
        family="additive",
        greater_is_better=False,
        target="survival",
        predicts="survival",
        parameters=(parameter,),
        lowest=0.0,
        prediction_range="[0, 1]",
        censoring="brier",
    )


def _named(name: str, **parameter: Parameter) -> str:
    shown = ", ".join(f"{key}={value!r}" for key, value in parameter.items())
    return f"{name}({shown})"


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value
