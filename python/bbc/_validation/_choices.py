"""Rules that derive predictions: which metrics and methods they take, and what the metrics read."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..selection import Selection

if TYPE_CHECKING:
    from ._problem import Problem

_CUT = (
    *("zero_one_loss", "accuracy", "balanced_accuracy", "precision", "recall", "specificity"),
    *("f_beta", "jaccard", "mcc", "kappa", "distance_to_corner"),
)


def metric_of(rule: Selection, metric: Metric, method: str, interval: str) -> Metric:
    """The metric as a rule uses it: with a threshold, one of labels reads scores."""
    if method not in ("bbc", "bbc-two-level"):
        raise InvalidValueError(
            "selection",
            f'{rule} needs predictions of rows: method "bbc" or "bbc-two-level", not {{}}',
            Argument("method", method),
        )
    if interval == "calibrated":
        raise InvalidValueError(
            Argument("interval", interval),
            f"is for the selection of one configuration, not for {rule}",
        )
    if metric.function is not None:
        raise InvalidValueError(
            "selection",
            f"{rule} takes metrics by name, not the Python function {metric.name!r}",
        )
    if rule.rule != "best_threshold":
        return metric
    if metric.kernel not in _CUT:
        raise InvalidValueError(
            "selection",
            f"{rule} makes labels of scores, but metric {metric.name!r} takes {metric.predicts}",
            hint="use a metric of labels, such as 'f1'",
        )
    return replace(metric, predicts="score", target="binary", response_method=(), response="")


def check_scores(problem: "Problem") -> None:
    """Refuse labels where scores are cut."""
    classes = problem.truth.integer_labels
    if classes is None:
        return
    for array in problem.predictions:
        # Mostly the first column shows that they are scores.
        if not (np.isin(array[:, 0], classes).all() and np.isin(array, classes).all()):
            return
    raise InvalidValueError(
        "predictions",
        "are labels, but best_threshold() makes labels of scores",
        hint="give probabilities or decision values",
    )
