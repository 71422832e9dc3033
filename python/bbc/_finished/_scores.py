"""Scores of folds: one score of a source, its metric, and what is known of its search."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .. import metrics
from .._design import UNKNOWN, Design
from .._typing import BoolArray, FloatArray, IndexArray
from .._validation import shown
from ..errors import Argument, InvalidValueError
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric

#: Facts that only a search that saw scores has.
DYNAMIC = ("n_trials", "n_last_halving", "n_searched", "n_stopped")
#: What other packages call metrics of bbc.
_OTHER_NAMES = {
    "Accuracy": "accuracy",
    "Kappa": "kappa",
    "ROC": "roc_auc",
    "AUC": "roc_auc",
    "logLoss": "log_loss",
    "RMSE": "root_mean_squared_error",
    "MAE": "mean_absolute_error",
    "Rsquared": "squared_pearson",
    "Sens": "recall",
    "Spec": "specificity",
    "Precision": "precision",
    "Recall": "recall",
    "F": "f1",
    "acc": "accuracy",
    "auc": "roc_auc",
    "bacc": "balanced_accuracy",
    "bbrier": "brier_score",
    "ce": "zero_one_loss",
    "logloss": "log_loss",
    "mae": "mean_absolute_error",
    "mcc": "matthews_corrcoef",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
    "rsq": "squared_pearson",
    "regr.rsq": "r2",
    "cindex": "concordance_index",
    "mn_log_loss": "log_loss",
    "bal_accuracy": "balanced_accuracy",
}
#: What mlr3 puts before its names.
_TASKS = ("classif.", "regr.", "surv.")
#: As many folds are likely to be those of several partitions.
_MANY_FOLDS = 20
#: What is known of a search beside that configurations stopped on the way.
_OF_STOPPED: dict[str, Any] = {
    **dict.fromkeys(("dynamic_search", "time_ordered", "block_draws"), False),
    **dict.fromkeys(("first_mixed", "n_mixed", "n_more_mixed")),
}


class Record(NamedTuple):
    """What a source keeps, before one of its scores is picked.

    Attributes
    ----------
    names : tuple of str
        Names of all configurations.
    scores : dict of str to ndarray of shape (n_splits, n_configurations)
        By the names that the source gives them; NaN where there is none.
    n_repeats : int
        Number of partitions; the splits of one partition follow each other.
    source : str
        What the source is, for messages.
    labels : dict of str to str
        The metric of a score, where it has another name.
    decides : str
        The score that the search selected by; "" if it is not known.
    rises : {"always", "by convention", ""}
        Whether larger scores are better, as they are for scikit-learn's searches, and as tables in
        their form promise.
    directions : dict of str to bool
        Whether larger scores are better, where the source says so.
    told : dict
        Facts of the search that findings name.
    alive : ndarray of bool of shape (n_configurations,), or None
        Configurations that the search could select; all by default.
    design : Design
        What is known of the folds.
    n_classes : float
        Number of classes; infinity where it is not known.
    splits : str
        Which folds they were, where the source tells, so that two searches can be compared.
    """

    names: tuple[str, ...]
    scores: Mapping[str, FloatArray]
    n_repeats: int = 1
    source: str = "table"
    labels: Mapping[str, str] = {}
    decides: str = ""
    rises: str = ""
    directions: Mapping[str, bool] = {}
    told: Mapping[str, Any] = {}
    alive: BoolArray | None = None
    design: Design = UNKNOWN
    n_classes: float = np.inf
    splits: str = ""


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of folds, which a finished search kept in the place of predictions.

    Attributes
    ----------
    metric : Metric
        What was scored: its name, direction and range. It is never called.
    values : ndarray of shape (n_repeats, n_folds, n_configurations)
        Scores of the configurations that have one in every fold.
    configurations : ndarray of int
        Their places among all configurations of the search.
    names : tuple of str
        Names of all configurations.
    told : dict
        Facts of the search that findings name.
    design : Design
        What is known of the folds.
    n_classes : float
        Number of classes; infinity where it is not known.
    splits : str
        Which folds they were, where the source tells, so that two searches can be compared.
    notes : tuple of str
        Remarks.

    Examples
    --------
    >>> import bbc
    >>> table = {"model": ["a", "b"], "fold1": [0.7, 0.8], "fold2": [0.6, 0.9]}
    >>> scores = bbc.adapters.from_scores(table, metric="accuracy")
    >>> scores.values.shape, scores.names, scores.metric.greater_is_better
    ((1, 2, 2), ('a', 'b'), True)
    """

    metric: Metric
    values: FloatArray
    configurations: IndexArray
    names: tuple[str, ...]
    told: Mapping[str, Any] = field(default_factory=dict, repr=False)
    design: Design = field(default=UNKNOWN, repr=False)
    n_classes: float = field(default=np.inf, repr=False)
    splits: str = field(default="", repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def n_folds(self) -> int:
        """Folds of each partition."""
        return int(self.values.shape[1])

    def __repr__(self) -> str:
        repeats, folds, configurations = self.values.shape
        return (
            f"FoldScores({self.metric.name!r}, n_repeats={repeats}, n_folds={folds}, "
            f"n_configurations={configurations})"
        )


def findings_of(scores: FoldScores) -> tuple[Finding, ...]:
    """What the facts of the search show."""
    facts = dict.fromkeys((*DYNAMIC, "time_ordered_folds")) | dict(scores.told)
    n_stopped = facts.pop("n_stopped")
    found = shown_by("search", facts)
    if n_stopped and facts["n_trials"] is None:
        found += shown_by("origin", _OF_STOPPED | {"n_stopped": n_stopped})
    return found


def never_called(y: Any, prediction: Any) -> float:
    """The function of a metric whose scores are computed already."""
    raise AssertionError("scores of folds are computed already")


def picked(
    record: Record,
    metric: Any = None,
    *,
    greater_is_better: bool | None = None,
    n_repeats: int | None = None,
) -> FoldScores:
    """One score of a source, with its metric; scores that miss a fold are left out."""
    key, label = _key(record, metric)
    scores = record.scores[key]
    found = _metric(record, key, label, metric, greater_is_better)
    complete: BoolArray = np.all(np.isfinite(scores), axis=0)
    best = np.inf if found.greater_is_better else -np.inf
    infinite = np.argwhere(scores == best)
    if infinite.size:
        fold, place = infinite[0].tolist()
        raise InvalidValueError(
            "search",
            f": split{fold}_test_{key} of configuration {place} is infinite, the best score there "
            "is; BBC-F averages scores of folds and requires finite ones",
        )
    if record.alive is not None:
        complete &= record.alive
    if not complete.any():
        raise InvalidValueError("search", ": no configuration has a score in every fold")
    said = n_repeats is not None or record.rises == "always" or record.n_repeats > 1
    n_repeats = record.n_repeats if n_repeats is None else n_repeats
    if len(scores) % n_repeats:
        raise InvalidValueError(
            Argument("n_repeats", n_repeats), f"does not divide the {len(scores)} splits"
        )
    if len(scores) < 2 * n_repeats:
        raise InvalidValueError(
            "search", ": BBC-F draws folds and requires two or more per repeat; the search has one"
        )
    configurations = np.flatnonzero(complete)
    values = np.ascontiguousarray(scores[:, configurations])
    told = dict(record.told)
    n_stopped = _n_stopped(scores)
    if n_stopped and not any(told.get(name) for name in DYNAMIC):
        told["n_stopped"] = n_stopped
    notes = []
    if not (said or len(scores) < _MANY_FOLDS):
        notes.append(f"the {len(scores)} splits are taken for folds of one partition (n_repeats)")
    n_left_out = scores.shape[1] - len(configurations)
    if n_left_out and record.rises != "always" and record.alive is None and not n_stopped:
        notes.append(f"{n_left_out} configurations without a score in every fold are left out")
    return FoldScores(
        found,
        values.reshape(n_repeats, -1, len(configurations)),
        configurations,
        record.names,
        told,
        record.design,
        record.n_classes,
        record.splits,
        tuple(notes),
    )


def _n_stopped(scores: FloatArray) -> int:
    """Configurations that have scores of the first folds only, as a pruner leaves them."""
    there = np.isfinite(scores)
    counts = there.sum(axis=0)
    first = np.arange(len(scores))[:, None] < counts
    stopped = (there == first).all(axis=0) & (counts > 0) & (counts < len(scores))
    return int(stopped.sum())


def _key(record: Record, metric: Any) -> tuple[str, str]:
    """The source's name of the score that a metric asks for, and the metric's."""
    keys, labels = list(record.scores), record.labels
    named = {key: labels.get(key, key) for key in keys}
    if metric is None:
        key = record.decides or (keys[0] if len(keys) == 1 else "")
        if not key:
            raise InvalidValueError(
                "metric", f"must name one of the scores of the {record.source}: {shown(keys)}"
            )
        return key, named[key]
    asked = metric if isinstance(metric, str) else metrics.get(metric).name
    for key, label in named.items():
        if asked in (key, label) or _plain(asked) == _plain(label):
            return key, label
    if len(keys) == 1 and keys[0] not in labels and known_metric(keys[0]) is None:
        return keys[0], asked  # "score", of which only the caller knows what it is
    plain = _plain(asked)
    mirrored = {f"neg_{plain}", plain.removeprefix("neg_")} - {plain}
    negative = [label for label in named.values() if _plain(label) in mirrored]
    raise InvalidValueError(
        Argument("metric", asked),
        f"is none of the scores of the {record.source}: {shown(list(named.values()))}",
        hint=f"{negative[0]!r} is the same with the other sign" if negative else "",
    )


def _plain(name: str) -> str:
    """bbc's name of a metric, whatever the package calls it."""
    plain = name
    for task in _TASKS:
        plain = plain.removeprefix(task)
    return _OTHER_NAMES.get(name) or _OTHER_NAMES.get(plain, plain)


def known_metric(name: str) -> Metric | None:
    """The metric of a name; None of others."""
    try:
        return metrics.get(_plain(name))
    except ValueError:
        return None


def _metric(
    record: Record, key: str, label: str, given: Any, greater_is_better: bool | None
) -> Metric:
    """The metric of a score, with its direction."""
    known = given if isinstance(given, Metric) else known_metric(label)
    values = record.scores[key][np.isfinite(record.scores[key])]
    if record.rises == "always":
        if greater_is_better is False:
            raise InvalidValueError(
                Argument("greater_is_better", False),
                f"contradicts the {record.source}: scikit-learn's searches negate losses, and "
                "select the largest score",
            )
        rises = True
    elif greater_is_better is not None:
        rises = greater_is_better
    elif record.rises:
        rises = True
        if known is not None and not known.greater_is_better and (values > 0).any():
            raise _contradicts(label, "is a loss, but has values above 0 in a table", "negates")
    elif key in record.directions:
        rises = record.directions[key]
    elif known is None:
        raise InvalidValueError(
            "greater_is_better",
            f"must say whether larger values of {label!r} are better: bbc does not know it",
        )
    else:
        rises = known.greater_is_better
        if (values < 0).any() and known.range == (0.0, np.inf):
            raise _contradicts(label, "is a loss, but has values below 0", "does not negate")
    if known is not None and known.greater_is_better == rises:
        _refuse_outside(known, label, values)
        return known if known.name == label or given is known else _renamed(known, label)
    low, high = (-np.inf, np.inf)
    if known is not None and (values <= 0).all():  # a loss, negated
        low, high = -known.range[1], -known.range[0]
    return metrics.from_callable(
        never_called, greater_is_better=rises, name=label, lowest=low, highest=high
    )


def _refuse_outside(known: Metric, label: str, values: FloatArray) -> None:
    """Refuse scores that the metric cannot have, such as per cent, or a loss called a score."""
    low, high = known.range
    outside = values[(values < low - 1e-9) | (values > high + 1e-9)]
    if outside.size:
        raise InvalidValueError(
            "search",
            f": a score of {label!r} is {outside[0]:.6g}, outside [{low:g}, {high:g}]: is it "
            "another metric, or in per cent?",
        )


def _renamed(known: Metric, label: str) -> Metric:
    """A metric of bbc under the name that another package gives it."""
    low, high = known.range
    return metrics.from_callable(
        never_called,
        greater_is_better=known.greater_is_better,
        name=label,
        lowest=low,
        highest=high,
    )


def _contradicts(label: str, what: str, does: str) -> InvalidValueError:
    return InvalidValueError(
        "greater_is_better",
        f"must say whether larger values are better: {label!r} {what} whose form {does} losses",
    )
