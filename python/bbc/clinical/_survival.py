"""Calibration of survival probabilities at a time, and all that is reported of survival."""

from collections.abc import Sequence
from typing import Any, Unpack

from numpy.typing import ArrayLike

from .. import _validation, metrics
from .._validation import analysis_of
from ..predictions import checked_times
from ..results import SurvivalCalibration, SurvivalPerformance
from ._functions import OF_TIMES
from ._winner import CorrectionArguments, WinnerPerformance


@analysis_of(OF_TIMES)
def survival_calibration(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    time: float,
    n_groups: int = 5,
    **options: Unpack[CorrectionArguments],
) -> SurvivalCalibration:
    """Correct the calibration of the selected configuration's risks at a time for selection.

    Replicates and winners are those of `bbc.correct`; each winner's calibration is computed on the
    rows that the replicate left out of bag.

    Parameters
    ----------
    predictions : array-like, dict or OutOfSamplePredictions
        Out-of-sample probabilities of surviving `time`, of shape (n_rows, n_configurations); or a
        dict or OutOfSamplePredictions with survival at several times, one of which is `time`.
    time : float
        The time, before which the truth has events and beyond which some row is followed.
    n_groups : int, default=5
        Number of groups of equal size, by the winner's risk, whose observed risk is Kaplan-Meier's.

    Returns
    -------
    SurvivalCalibration
        Intercept and slope on the complementary log-log scale, observed over expected risk, a
        smooth curve, and groups.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Notes
    -----
    Whether a row that was censored before the time had the event is unknown. In its place stands
    the pseudo-value of each row [1]_: with F the Kaplan-Meier estimate of the risk of all n rows
    and F' that without the row, n F - (n - 1) F'. Given the inputs its mean is the risk, if
    censoring does not depend on them; without censoring it is 0 or 1. Pseudo-values are computed
    once, on all rows. Intercept and slope solve the estimating equations of pseudo-values with the
    complementary log-log link [2]_ [3]_; on that scale a proportional hazard is a shift. The curve
    is the local linear regression of `bbc.calibration`.

    Intercept, slope and observed over expected risk depend on the number of rows; replicates lose
    the mean difference between the values of their winner out of bag and on all rows (for winners
    other than that of all rows, as the first 50 replicates show it). With one configuration the
    estimate is the apparent value.

    References
    ----------
    .. [1] P. K. Andersen, J. P. Klein, S. Rosthoj, "Generalised linear models for correlated
       pseudo-observations, with applications to multi-state models", Biometrika 90 (2003).
    .. [2] N. van Geloven et al., "Validation of prediction models in the presence of competing
       risks: a guide through modern methods", BMJ 377 (2022).
    .. [3] D. J. McLernon et al., "Assessing performance and clinical usefulness in prediction
       models with survival outcomes", Annals of Internal Medicine 176 (2023).

    Examples
    --------
    Curves that are twice as extreme as they should be, on the complementary log-log scale:

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> event, censored = rng.exponential(np.exp(-x)), rng.exponential(3.0, 300)
    >>> y = np.column_stack([event <= censored, np.minimum(event, censored)])
    >>> survival = np.exp(-np.exp(2 * x[:, None] + rng.normal(0, 0.1, (300, 5))))
    >>> c = bbc.survival_calibration(
    ...     y, survival, metric=bbc.metrics.survival_brier_score(1.0), time=1.0,
    ...     n_bootstraps=200, random_state=1)
    >>> c.slope.estimate < 0.75, c.slope.ideal
    (True, 1.0)
    """
    reads = metrics.survival_brier_score(time)
    n_groups = _validation.integer(n_groups, "n_groups", lowest=2)
    winner = WinnerPerformance.of(
        "bbc.survival_calibration", y_true, predictions, metric, dict(options)
    )
    return winner.survival_calibration(reads, n_groups=n_groups)


@analysis_of(OF_TIMES)
def survival_performance(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    times: ArrayLike,
    secondary: Sequence[Any] | None = None,
    n_groups: int = 5,
    **options: Unpack[CorrectionArguments],
) -> SurvivalPerformance:
    """Correct all that a clinical paper reports of the selected survival model.

    Discrimination, accuracy and calibration at stated times, from one correction: replicates and
    winners are those of `bbc.correct`. `bbc.report` writes the result as a page.

    Parameters
    ----------
    predictions : array-like, dict or OutOfSamplePredictions
        A dict or OutOfSamplePredictions with survival at `times`, and preferably risks ("scores"),
        without which there is no discrimination. Of one time, also out-of-sample probabilities of
        surviving it, of shape (n_rows, n_configurations).
    times : array-like of shape (n_times,)
        Ascending times at which calibration is reported.
    secondary : sequence of str or Metric, optional
        Metrics that are reported beside the selection metric. By default Uno's concordance up to
        the last time and the dynamic AUC at each, if the predictions have risks; the Brier score at
        each time, and the integrated one of several.
    n_groups : int, default=5
        As in `bbc.survival_calibration`.

    Returns
    -------
    SurvivalPerformance
        Estimates by every metric, and the calibration at each time.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.survival(150, 10, random_state=0)
    >>> at = (0.5, 1.0)
    >>> survival = np.exp(-np.exp(s.predictions)[:, :, None] * at / 2)
    >>> p = bbc.survival_performance(
    ...     s.y, {"scores": s.predictions, "survival": survival, "times": at},
    ...     metric="uno_concordance", times=at, random_state=1)
    >>> [e.metric for e in p.performances][2:4]
    ['cumulative_dynamic_auc(time=0.5)', 'cumulative_dynamic_auc(time=1.0)']
    """
    n_groups = _validation.integer(n_groups, "n_groups", lowest=2)
    at = checked_times(times)
    winner = WinnerPerformance.of(
        "bbc.survival_performance", y_true, predictions, metric, dict(options)
    )
    return winner.survival_performance(times=at, secondary=secondary, n_groups=n_groups)
