"""What rules of selection take: metrics, predictions and options."""

from dataclasses import replace

import numpy as np

from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..selection import BEST, Selection
from ._problem import BY_RUNGS, Problem


def metric_of(rule: Selection, metric: Metric, method: str, interval: str) -> Metric:
    """The metric as a rule uses it: with a threshold, one of labels reads scores."""
    named, called = ("selection", f"{rule} ") if rule.rungs is None else (BY_RUNGS, "")
    if method not in ("bbc", "bbc-two-level"):
        raise InvalidValueError(
            named,
            f'{called}needs predictions of rows: method "bbc" or "bbc-two-level", not {{}}',
            Argument("method", method),
        )
    if interval == "calibrated":
        raise InvalidValueError(
            Argument("interval", interval),
            f"is for the selection of one configuration, not for {rule}",
        )
    if metric.function is not None:
        raise InvalidValueError(
            named,
            f"{called}takes metrics by name, not the Python function {metric.name!r}",
        )
    if rule.rule != "best_threshold":
        return metric
    if metric._facts.get("form") not in ("zero_one", "confusion"):
        raise InvalidValueError(
            "selection",
            f"{rule} makes labels of scores, but metric {metric.name!r} "
            + ("only describes them" if metric.odds else f"takes {metric.predicts}"),
            hint="use a metric of labels, such as 'f1'",
        )
    return _of_scores(metric)


def _of_scores(metric: Metric) -> Metric:
    """A metric of labels that are made of scores."""
    return replace(metric, predicts="score", target="binary", response_method=(), response="")


def described_metric(rule: Selection, metric: Metric) -> tuple[Metric, Selection]:
    """A metric that describes what a rule chose, and the rule that makes what it reads.

    Metrics of labels are read at the cut-off that was chosen, others of the winner as it is.
    """
    if rule.rule != "best_threshold":
        return metric, BEST
    if metric.function is not None and metric.response in ("", "labels", "predict"):
        raise InvalidValueError(
            "metric",
            f": {rule} makes labels of scores for metrics by name; the Python function "
            f"{metric.name!r} may read scores",
            hint='say so with response="scores" or response="probabilities"',
        )
    return (_of_scores(metric), rule) if metric.predicts == "labels" else (metric, BEST)


def compares_pairs(metric: Metric) -> bool:
    """True if the metric compares pairs of rows, which rungs count within themselves."""
    return metric.kernel in ("roc_auc", "concordance_index")


def is_mean_of_rows(metric: Metric) -> bool:
    """True if the metric is a mean over rows, whose scores it has."""
    mean = metric._facts.get("form") in ("zero_one", "row_loss")
    return mean and not metric._compiled.size_dependent


def check_rungs(rule: Selection, metric: Metric, method: str, pooling: str) -> None:
    """Refuse what rungs cannot be scored with, and pooling by rung of what has none."""
    if rule.rungs is None:
        raise InvalidValueError(Argument("pooling", pooling), "is of {} only", BY_RUNGS)
    if method != "bbc":
        raise InvalidValueError(
            Argument("method", method), "does not draw rows, as {} does", BY_RUNGS
        )
    if pooling == "fold":
        raise InvalidValueError(
            Argument("pooling", pooling), "is not for {}: rungs are scored together", BY_RUNGS
        )
    if compares_pairs(metric) and pooling != "rung":
        raise InvalidValueError(
            Argument("pooling", pooling),
            f"would have {metric.name!r} compare rows that different configurations scored",
            hint=("give {}, which counts pairs within rungs", Argument("pooling", "rung")),
        )


def check_scores(problem: Problem) -> None:
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


def refuse_fixed_counts(problem: Problem, *, keeps_shares: bool) -> None:
    """Refuse that counts of classes are fixed where draws do not keep their shares."""
    fixed = Argument("class_counts", "fixed")
    if not keeps_shares:
        raise InvalidValueError(
            fixed,
            "has no effect where rows are drawn freely",
            hint=("{} draws within the classes", Argument("stratify_bootstrap", True)),
        )
    if problem.drawn_classes is None:
        raise InvalidValueError(
            fixed, "needs classes, the truth has none", hint="say them by stratified_by"
        )
