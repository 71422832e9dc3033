"""Binomial intervals of the accuracy of a fixed configuration."""

from typing import Any

from numpy.typing import ArrayLike

from ... import _engine, metrics
from ..._docstrings import described
from ..._typing import Alternative
from ..._validation import ANALYSIS
from ...results import PerformanceEstimate
from ._common import column, correct_labels, make_confidence, of_problem

_LABELS = """
y_true : array-like of shape (n_rows,)
    The truth, any number of classes.
predictions : array-like of shape (n_rows,) or (n_rows, 1)
    Out-of-sample labels.
"""


@described(ANALYSIS, _LABELS)
def wilson(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Wilson's score interval of the accuracy of a fixed configuration.

    Returns
    -------
    PerformanceEstimate
        The accuracy with its interval.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
       Journal of the American Statistical Association 22 (1927).

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.wilson([0, 0, 1, 1, 1], [0, 0, 1, 1, 0])
    >>> [round(limit, 3) for limit in e.confidence_interval]
    [0.376, 0.964]
    """
    return _proportion("wilson", y_true, predictions, confidence_level, alternative)


@described(ANALYSIS, _LABELS)
def clopper_pearson(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> PerformanceEstimate:
    """Clopper and Pearson's exact interval of the accuracy of a fixed configuration.

    Returns
    -------
    PerformanceEstimate
        The accuracy with its interval.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", Biometrika 26 (1934).

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.clopper_pearson([0, 0, 1, 1, 1], [0, 0, 1, 1, 0])
    >>> [round(limit, 3) for limit in e.confidence_interval]
    [0.284, 0.995]
    """
    return _proportion("clopper-pearson", y_true, predictions, confidence_level, alternative)


def _proportion(
    method: str, y_true: Any, predictions: Any, confidence_level: Any, alternative: Any
) -> PerformanceEstimate:
    confidence = make_confidence(confidence_level, alternative)
    metric = metrics.get("accuracy")
    problem = column(y_true, predictions, metric)
    n_correct = int(correct_labels(problem).sum())
    formula = _engine.kernel.wilson if method == "wilson" else _engine.kernel.clopper_pearson
    raw = formula(n_correct, problem.n_rows, *confidence)
    return of_problem(raw, method, confidence, problem, metric)
