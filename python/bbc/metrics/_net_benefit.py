"""The net benefit of calls, whatever cut-off made them."""

from numbers import Real

from ..errors import InvalidTypeError, InvalidValueError
from ._spec import Metric


def net_benefit(threshold: float) -> Metric:
    """Net benefit of treating the rows that are called positive.

    True positives less false positives, per row, where a false positive weighs as the odds of the
    threshold probability: with 0.1, treating nine rows without the condition costs as much as
    treating one with it gains.

    Parameters
    ----------
    threshold : float
        The risk above which one would treat, in (0, 1). It states what errors cost, and belongs to
        the decision; the cut-off of the scores may be another, such as the one that
        `best_threshold` chooses.

    Returns
    -------
    Metric
        The metric; it takes labels of two classes, and higher is better.

    See Also
    --------
    bbc.Correction.decision_curve : The net benefit of treating by risks, at the thresholds.

    References
    ----------
    .. [1] A. J. Vickers, E. B. Elkin, "Decision curve analysis: a novel method for evaluating
       prediction models", Medical Decision Making 26 (2006).

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.net_benefit(0.1).name
    'net_benefit(threshold=0.1)'
    """
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise InvalidTypeError("threshold", f"must be a number, got {type(threshold).__name__}")
    if not 0 < threshold < 1:
        raise InvalidValueError("threshold", f"must be in (0, 1), got {float(threshold):g}")
    odds = float(threshold) / (1 - float(threshold))
    return Metric(
        name=f"net_benefit(threshold={float(threshold)!r})",
        kernel="row_score",
        family="additive",
        greater_is_better=True,
        target="binary",
        predicts="labels",
        lowest=-odds,
        highest=1.0,
        odds=odds,
    )
