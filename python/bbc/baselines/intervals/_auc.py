"""Analytic intervals of the AUC of a fixed configuration."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ... import _engine, _validation, metrics
from ..._docstrings import described
from ..._page import Page, four, limits, remarks
from ..._result import Result, Share
from ..._rows import refuse_other_rows
from ..._typing import Alternative, FloatArray
from ..._validation import ANALYSIS, Problem
from ...errors import InvalidValueError, arguments_called
from ...results import ConfidenceInterval, PerformanceEstimate
from ._common import column, interval_of, make_confidence, of_problem, positives

_AUC = metrics.get("roc_auc")
_SCORES = """
y_true : array-like of shape (n_rows,)
    The truth, two classes.
scores : array-like of shape (n_rows,) or (n_rows, 1)
    Out-of-sample scores; higher means positive.
"""


@described(ANALYSIS, _SCORES)
def delong(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> PerformanceEstimate:
    """DeLong's interval of the AUC of a fixed configuration, in O(n log n).

    The variance is that of the placements: var(V10) / n_pos + var(V01) / n_neg. Limits are clipped
    to [0, 1]. There is no interval if a class has a single row. If all placements are equal (a
    perfect score), the variance is zero and the limits equal the estimate: a warning says that the
    interval is uninformative.

    Returns
    -------
    PerformanceEstimate
        The AUC with its interval; `infeasible` gives the reason if there is none.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or
       more correlated receiver operating characteristic curves", Biometrics 44 (1988).
    .. [2] X. Sun, W. Xu, "Fast implementation of DeLong's algorithm", IEEE Signal Processing
       Letters 21 (2014).

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.delong([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.2, 0.4, 0.7, 0.9])
    >>> round(e.estimate, 3), round(e.confidence_interval.low, 3)
    (0.778, 0.291)
    """
    confidence = make_confidence(confidence_level, alternative)
    with arguments_called(predictions="scores"):
        problem = column(y_true, scores, _AUC, pos_label=pos_label)
    raw = _engine.kernel.delong(positives(problem), _scores(problem), *confidence)
    return of_problem(raw, "delong", confidence, problem, _AUC)


@described(ANALYSIS, _SCORES)
def hanley_mcneil(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    variant: Literal["standard", "published"] = "standard",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> PerformanceEstimate:
    """Hanley and McNeil's interval of the AUC of a fixed configuration.

    The variance depends on the AUC and the class sizes only.

    Parameters
    ----------
    variant : {"standard", "published"}, default="standard"
        "published" is the formula of a published table [2]_, only to reproduce it: it replaces
        the class sizes by the numbers of correct and wrong predictions (a score above 0 predicts
        the positive class), and has a wrong sign.

    Returns
    -------
    PerformanceEstimate
        The AUC with its interval; `infeasible` gives the reason if there is none.

    References
    ----------
    .. [1] J. A. Hanley, B. J. McNeil, "The meaning and use of the area under a receiver operating
       characteristic (ROC) curve", Radiology 143 (1982).
    .. [2] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Table 2.

    Examples
    --------
    >>> import bbc
    >>> e = bbc.baselines.intervals.hanley_mcneil(
    ...     [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.2, 0.4, 0.7, 0.9])
    >>> round(e.confidence_interval.low, 3)
    0.371
    """
    _validation.choice(variant, "variant", ("standard", "published"))
    confidence = make_confidence(confidence_level, alternative)
    with arguments_called(predictions="scores"):
        problem = column(y_true, scores, _AUC, pos_label=pos_label)
    positive, scores = positives(problem), _scores(problem)
    if variant == "published":
        n_correct = int(np.count_nonzero((scores > 0) == (positive == 1)))
        calls = n_correct, len(scores) - n_correct
        raw = _engine.kernel.hanley_mcneil_paraschakis2024(positive, scores, *calls, *confidence)
    else:
        raw = _engine.kernel.hanley_mcneil(positive, scores, *confidence)
    return of_problem(raw, "hanley-mcneil", confidence, problem, _AUC)


@dataclass(frozen=True, eq=False)
class DelongTest(Result):
    """Result of DeLong's test of two AUCs on the same rows.

    Attributes
    ----------
    first, second : float
        The AUCs.
    difference : float
        First minus second.
    z, p_value : float or None
        Statistic and p-value of the hypothesis of equal AUCs; None if infeasible.
    confidence_interval : ConfidenceInterval or None
        Interval of the difference.
    infeasible : str or None
        Why there is no test.

    Examples
    --------
    >>> import bbc
    >>> y = [0, 0, 1, 0, 1, 1]
    >>> test = bbc.baselines.intervals.delong_test(y, [1, 3, 2, 4, 7, 9], [1, 2, 3, 4, 5, 6])
    >>> test.first < test.second
    True
    """

    first: float
    second: float
    difference: float
    z: float | None
    p_value: Share | None
    confidence_interval: ConfidenceInterval | Any
    infeasible: str | None

    def _page(self) -> Page:
        rows = [
            ("first", four(self.first), "-"),
            ("second", four(self.second), "-"),
            ("difference", f"{self.difference:+.4f}", limits(self.confidence_interval)),
        ]
        facts = []
        if self.z is not None and self.p_value is not None:
            facts.append(("p", f"{self.p_value:.3g} (z = {self.z:.3g})"))
        return Page(
            "DeLong's test of two AUCs",
            facts,
            [[("", "AUC", "interval"), *rows]],
            remarks(infeasible=self.infeasible),
        )


@described(ANALYSIS, _SCORES)
def delong_test(
    y_true: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
) -> DelongTest:
    """Test whether two fixed configurations have the same AUC on the same rows.

    Parameters
    ----------
    first, second : array-like of shape (n_rows,) or (n_rows, 1)
        Out-of-sample scores of the two configurations; higher means positive.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative hypothesis: with "greater" the first AUC is larger, with "less" smaller.

    Returns
    -------
    DelongTest
        Both AUCs, their difference with its interval, z and the p-value.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or
       more correlated receiver operating characteristic curves", Biometrics 44 (1988).

    Examples
    --------
    >>> import bbc
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1]
    >>> first, second = [1, 2, 6, 3, 4, 5, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]
    >>> test = bbc.baselines.intervals.delong_test(y, first, second)
    >>> round(test.p_value, 3)
    0.386
    """
    confidence = make_confidence(confidence_level, alternative)
    refuse_other_rows(y_true=y_true, first=first, second=second)
    problems = []
    for name, scores in (("first", first), ("second", second)):
        with arguments_called(predictions=name):
            problems.append(column(y_true, scores, _AUC, pos_label=pos_label))
    for name, problem in zip(("first", "second"), problems, strict=True):
        if problem.left_out_rows.size:
            raise InvalidValueError(name, f"is missing in row {int(problem.left_out_rows[0])}")
    first_scores, second_scores = map(_scores, problems)
    raw = _engine.kernel.delong_test(
        positives(problems[0]), first_scores, second_scores, *confidence
    )
    feasible = raw["feasible"]
    return DelongTest(
        first=raw["first_auc"],
        second=raw["second_auc"],
        difference=raw["estimate"],
        z=raw["z"] if feasible else None,
        p_value=raw["p_value"] if feasible else None,
        confidence_interval=interval_of(raw, confidence),
        infeasible=None if feasible else raw["reason"],
    )


def _scores(problem: Problem) -> FloatArray:
    return np.ascontiguousarray(problem.predictions[0][:, 0])
