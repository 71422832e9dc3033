"""The functions of this package: each makes one correction and reads one statistic."""

from collections.abc import Sequence
from typing import Any, Unpack

from numpy.typing import ArrayLike

from .._validation import analysis_of
from ..results import Calibration, ClinicalPerformance, DecisionCurve, PerformanceCurve
from ._winner import SECONDARY, CorrectionArguments, WinnerPerformance

_DRAWN = """method : {"bbc", "bbc-two-level", "bbc-f"}, default="bbc"
    What a replicate draws, as in `bbc.correct`; "tt" draws nothing.
pooling : {"pooled", "fold"}, default="pooled"
    The selection metric on all rows together, or its mean over folds; statistics pool all rows.
selection : "best", Selection or callable, default="best"
    How the winner is selected, as in `bbc.correct`; it must be a configuration.
confidence_level : float, default=0.95
    Level of the two-sided intervals and bands, in (0, 1).
"""
_SHARED = f"""
y_true : array-like of shape (n_rows,)
    The truth, of two classes.
metric : str, Metric, scorer or callable
    The metric that selects the winner of each replicate, as in `bbc.correct`. Probabilities are
    best selected by a metric of probabilities, such as "log_loss".
{_DRAWN}"""
#: The same where one class of several may be read.
_OF_CLASS = f"""{_SHARED}of_class : optional
    For a truth of more than two classes: the one that is set against all others. Its probabilities
    or scores are read from the predictions of all classes; `metric` takes all classes.
labels : array-like, optional
    The classes in the order of the columns of class scores, as in `bbc.correct`.
"""
#: The same of censored times.
OF_TIMES = f"""
y_true : array-like of shape (n_rows, 2) or structured
    The truth: event and time.
metric : str, Metric, scorer or callable
    The metric that selects the winner of each replicate, as in `bbc.correct`: of survival, or of
    risks where a dict or OutOfSamplePredictions holds both.
{_DRAWN}"""


@analysis_of(_OF_CLASS)
def calibration(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    n_bins: int = 10,
    of_class: Any = None,
    labels: ArrayLike | None = None,
    **options: Unpack[CorrectionArguments],
) -> Calibration:
    """Correct the calibration of the selected configuration for selection.

    Replicates and winners are those of `bbc.correct`; each winner's calibration is computed on the
    rows that the replicate left out of bag.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample probabilities, of the positive class or of all classes, as in `bbc.correct`.
    n_bins : int, default=10
        Number of bins for the decomposition of the Brier score and the calibration error. Bins hold
        equal shares of the rows, tied predictions together.

    Returns
    -------
    Calibration
        Intercept, slope, observed over expected events, Brier score with its decomposition,
        expected calibration error and a smooth curve.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Notes
    -----
    The slope of a logistic regression by maximum likelihood is 4 % too far from zero with 100 rows
    and 15 % with the 37 that are out of bag. Apparent slopes and intercepts are of maximum
    likelihood, as elsewhere; those of the replicates are Firth's [4]_, without this bias. Both are
    undefined where a cut-off separates the classes [5]_. Probabilities of exactly 0 or 1 have no
    logit and are left out of both (`Calibration.share_certain`).

    The curve is a local linear regression of the truth on the probability: loess of degree 1 over
    three quarters of the rows. Of smoothers it is the one without bias where calibration is
    perfect, for the line that it estimates is then straight, and no sample separates it.

    The calibration error and the reliability of few rows are mostly noise, and never zero: ten bins
    of 50 rows hold 5 rows each. They tell little about small data; the curve and the slope tell
    more. Parts of the Brier score, the calibration error and observed over expected events depend
    on the number of rows; replicates lose the mean difference between the values of their winner
    out of bag and on all rows (for winners other than that of all rows, as the first 50 replicates
    show it). Calibration within folds would be calibration of even fewer rows: all are pooled.

    References
    ----------
    .. [1] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45
       (1958) (intercept and slope).
    .. [2] B. Van Calster et al., "A calibration hierarchy for risk models was defined: from utopia
       to empirical data", Journal of Clinical Epidemiology 74 (2016).
    .. [3] A. H. Murphy, "A new vector partition of the probability score", Journal of Applied
       Meteorology 12 (1973); D. B. Stephenson, C. A. S. Coelho, I. T. Jolliffe, "Two extra
       components in the Brier score decomposition", Weather and Forecasting 23 (2008).
    .. [4] D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80 (1993).
    .. [5] A. Albert, J. A. Anderson, "On the existence of maximum likelihood estimates in logistic
       regression models", Biometrika 71 (1984).

    Examples
    --------
    Risks that are twice as extreme as they should be, on the scale of logits:

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> logit = rng.normal(size=300)
    >>> y = rng.random(300) < 1 / (1 + np.exp(-logit))
    >>> risks = 1 / (1 + np.exp(-2 * logit[:, None] + rng.normal(0, 0.1, (300, 5))))
    >>> c = bbc.calibration(y, risks, metric="log_loss", n_bootstraps=200, random_state=1)
    >>> c.slope.estimate < 0.75, c.slope.ideal
    (True, 1.0)

    Of one class of three:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_predict
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y = y.map({0: "setosa", 1: "versicolor", 2: "virginica"})
    >>> fits = [cross_val_predict(LogisticRegression(C=c), X, y, cv=5, method="predict_proba")
    ...         for c in (0.01, 1)]
    >>> c = bbc.calibration(y, np.stack(fits, axis=1), metric="log_loss", of_class="virginica",
    ...                     n_bootstraps=200, random_state=1)
    >>> c.of_class, c.observed_expected.estimate > 0.9
    ('virginica', True)
    """
    winner = WinnerPerformance.of(
        "bbc.calibration", y_true, predictions, metric, options | {"labels": labels}, of_class
    )
    return winner.calibration(n_bins=n_bins)


@analysis_of(_OF_CLASS)
def decision_curve(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    thresholds: ArrayLike | None = None,
    of_class: Any = None,
    labels: ArrayLike | None = None,
    **options: Unpack[CorrectionArguments],
) -> DecisionCurve:
    """Correct the net benefit of the selected configuration for selection.

    Net benefit at a threshold t: true positives less false positives times t / (1 - t), per row,
    where rows with a probability of at least t are treated. Replicates and winners are those of
    `bbc.correct`.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample probabilities of the positive class, as in `bbc.correct`.
    thresholds : array-like, optional
        Ascending threshold probabilities in (0, 1); 0.01, 0.02, ..., 0.99 by default.

    Returns
    -------
    DecisionCurve
        Net benefit with pointwise and simultaneous bands, that of treating all, the difference of
        both, and the standardised net benefit.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    References
    ----------
    .. [1] A. J. Vickers, E. B. Elkin, "Decision curve analysis: a novel method for evaluating
       prediction models", Medical Decision Making 26 (2006).
    .. [2] K. F. Kerr, M. D. Brown, K. Zhu, H. Janes, "Assessing the clinical impact of risk
       prediction models with decision curves", Journal of Clinical Oncology 34 (2016)
       (standardised net benefit).

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> d = bbc.decision_curve(s.y, risks, metric="roc_auc", thresholds=[0.1, 0.2], random_state=1)
    >>> d.net_benefit.estimates.shape, d.net_benefit.n_undefined.tolist()
    ((2,), [0, 0])
    """
    winner = WinnerPerformance.of(
        "bbc.decision_curve", y_true, predictions, metric, options | {"labels": labels}, of_class
    )
    return winner.decision_curve(thresholds=thresholds)


@analysis_of(_OF_CLASS)
def roc_curve(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    of_class: Any = None,
    labels: ArrayLike | None = None,
    **options: Unpack[CorrectionArguments],
) -> PerformanceCurve:
    """Correct the ROC curve of the selected configuration for selection.

    At each rate of false positives the sensitivity is averaged over the replicates, whose winners
    are those of `bbc.correct`. Tied scores are joined by a line, so the area below each curve
    counts ties one half.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample scores, larger for the positive class, as in `bbc.correct`.

    Returns
    -------
    PerformanceCurve
        The curve at 0, 0.01, ..., 1 with pointwise and simultaneous bands; it also gives the
        partial AUC, and the sensitivity at a fixed specificity and the reverse.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    References
    ----------
    .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27 (2006)
       (ties, and the average of curves at fixed rates of false positives).
    .. [2] M. Myllymäki, T. Mrkvička, P. Grabarnik, H. Seijo, U. Hahn, "Global envelope tests for
       spatial processes", Journal of the Royal Statistical Society B 79 (2017) (bands by rank).

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> roc = bbc.roc_curve(s.y, s.predictions, metric="roc_auc", random_state=1)
    >>> float(roc.curve.estimates[-1])
    1.0
    >>> area = roc.partial_auc(specificity=(0.8, 1))
    >>> bool(area.estimate < area.apparent)
    True
    """
    winner = WinnerPerformance.of(
        "bbc.roc_curve", y_true, predictions, metric, options | {"labels": labels}, of_class
    )
    return winner.roc_curve()


@analysis_of(_OF_CLASS)
def precision_recall_curve(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    of_class: Any = None,
    labels: ArrayLike | None = None,
    **options: Unpack[CorrectionArguments],
) -> PerformanceCurve:
    """Correct the precision-recall curve of the selected configuration for selection.

    At each recall the precision is averaged over the replicates, whose winners are those of
    `bbc.correct`. Between cut-offs the number of true and of false positives is interpolated, not
    the precision.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample scores, larger for the positive class, as in `bbc.correct`.

    Returns
    -------
    PerformanceCurve
        The curve at recalls 0.01, 0.02, ..., 1 with pointwise and simultaneous bands.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    References
    ----------
    .. [1] J. Davis, M. Goadrich, "The relationship between precision-recall and ROC curves",
       International Conference on Machine Learning (2006).

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> curve = bbc.precision_recall_curve(s.y, s.predictions, metric="roc_auc", random_state=1)
    >>> curve.kind, curve.curve.x.shape
    ('precision-recall', (100,))
    """
    winner = WinnerPerformance.of(
        "bbc.precision_recall_curve",
        y_true,
        predictions,
        metric,
        options | {"labels": labels},
        of_class,
    )
    return winner.precision_recall_curve()


@analysis_of(_SHARED)
def clinical_performance(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    secondary: Sequence[Any] = SECONDARY,
    thresholds: ArrayLike | None = None,
    n_bins: int = 10,
    **options: Unpack[CorrectionArguments],
) -> ClinicalPerformance:
    """Correct all that a clinical paper reports about the selected configuration.

    Discrimination, calibration and net benefit, from one correction: replicates and winners are
    those of `bbc.correct`. `bbc.report` writes the result as a page.

    Parameters
    ----------
    predictions : array-like, list, frame or OutOfSamplePredictions
        Out-of-sample probabilities of the positive class, as in `bbc.correct`.
    secondary : sequence of str or Metric
        Metrics that are reported beside the selection metric.
    thresholds : array-like, optional
        As in `bbc.decision_curve`.
    n_bins : int, default=10
        As in `bbc.calibration`.

    Returns
    -------
    ClinicalPerformance
        Estimates by every metric, calibration, net benefit and curves.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> risks = 1 / (1 + 2.718**-s.predictions)
    >>> p = bbc.clinical_performance(s.y, risks, metric="log_loss", random_state=1)
    >>> p.n_events, p.performances[1].metric
    (39, 'roc_auc')
    """
    winner = WinnerPerformance.of(
        "bbc.clinical_performance", y_true, predictions, metric, dict(options)
    )
    return winner.clinical_performance(secondary=secondary, n_bins=n_bins, thresholds=thresholds)
