"""The check of a metric: what its scorer gives to a fitted model, and what bbc makes of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from typing import Any, Literal, TypeAlias
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn import config_context
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.utils import get_tags

from .. import _engine, _validation
from .._typing import AnyArray, FloatArray
from .._warn import warn
from ..errors import BBCWarning, InvalidValueError
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric
from ..metrics._resolve import is_scorer, own_score
from ..predictions import OutOfSamplePredictions
from ._configurations import Configuration
from ._splits import Partition

CheckScores: TypeAlias = Literal["raise", "warn"]
CODE = "BBC022"
_METHODS = ("predict", "predict_proba", "decision_function")
_OWN = ("_model", "_inputs", "_arrays", "_facts", "_tags", "_hidden")
_EVERY = 20
_TOLERANCE = 1e-9
_SINGLE = 1e-5
# What scikit-learn's functions return where a metric is undefined here: on rows that lack a class,
# or do not vary.
_CONVENTIONS: dict[str, tuple[float, ...]] = {
    "average_precision": (0.0,),
    "recall": (0.0,),
    "f_beta": (0.0,),
    "precision": (0.0,),
    "jaccard": (0.0,),
    "mcc": (0.0,),
    "kappa": (0.0, 1.0),
    "linear_weighted_kappa": (0.0, 1.0),
    "quadratic_weighted_kappa": (0.0, 1.0),
    "r2": (0.0, 1.0),
    "explained_variance": (0.0, 1.0),
}


class Predicted:
    """A fitted model whose predictions for the rows of a fold are computed once, and kept.

    Those of other inputs than `X` are computed as asked. Without the model, in another process, it
    has its predictions, classes and tags only.
    """

    def __init__(self, model: Any, X: Any = None) -> None:
        self._model, self._inputs = model, X
        self._arrays: dict[str, Any] = {}
        self._facts = {"classes_": getattr(model, "classes_", None)}
        self._tags = get_tags(model)
        self._hidden: tuple[str, ...] = ()

    @property
    def __class__(self) -> Any:
        return type(self) if self._model is None else self._model.__class__

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise AttributeError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in _OWN or name in self._hidden:
            raise AttributeError(name)
        if self._model is None:
            if name in self._arrays:
                return self._method(name, None)
            if self._facts.get(name) is not None:
                return self._facts[name]
            raise AttributeError(name)
        found = getattr(self._model, name)
        return self._method(name, found) if name in _METHODS else found

    def _method(self, name: str, found: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
        def predict(X: Any) -> Any:
            if found is not None and X is not None and X is not self._inputs:
                return found(X)
            if found is not None and name not in self._arrays:
                self._arrays[name] = found(X)
            return self._arrays[name]

        predict.__name__ = name  # scikit-learn asks for it
        return predict

    @property
    def model(self) -> Any:
        """The model itself."""
        return self._model

    def __getitem__(self, step: Any) -> Any:
        return self._model[step]

    def __sklearn_tags__(self) -> Any:
        return self._tags

    def alone(self) -> "Predicted":
        """Return it without the model."""
        found = copy(self)
        found._model = found._inputs = None
        return found

    def of_rows(self, rows: slice) -> "Predicted":
        """Return it without the model, with the predictions of some rows."""
        found = self.alone()
        found._arrays = {name: array[rows] for name, array in self._arrays.items()}
        return found

    def read_by(self, scorer: Any, method: str) -> "Predicted":
        """Return what a scorer reads: of several responses that it takes, the one that is kept."""
        taken = getattr(scorer, "_response_method", "predict")
        found = copy(self)
        if not isinstance(taken, str) and method in taken:
            found._hidden = tuple(name for name in taken if name != method)
        return found

    @property
    def has_decisions(self) -> bool:
        """True if there are decision values."""
        return "decision_function" in self._arrays

    @property
    def is_single(self) -> bool:
        """True if some predictions are of single precision."""
        return any(getattr(each, "dtype", None) == np.float32 for each in self._arrays.values())


def scorer_of(asked: Any, estimators: Mapping[str, Any], pos_label: Any) -> Any:
    """Return the scorer of scikit-learn that a metric came from, or None."""
    if asked is None:
        found = [own_score(estimator) for estimator in estimators.values()]
        asked = found[0] if all(each == found[0] for each in found) else None
    if isinstance(asked, str) and asked in get_scorer_names():
        asked = get_scorer(asked)
    if not is_scorer(asked) or isinstance(asked, str):
        return None
    takes_class = "pos_label" in _parameters(asked._score_func)
    if pos_label is not None and takes_class and "pos_label" not in asked._kwargs:
        asked = copy(asked)
        asked._kwargs = {**asked._kwargs, "pos_label": pos_label}
    return asked


def sample(indices: Sequence[int], configurations: Sequence[Configuration]) -> frozenset[int]:
    """Return the first configuration of every learner, and every twentieth."""
    first: dict[str, int] = {}
    for index in indices:
        first.setdefault(configurations[index].estimator_name, index)
    return frozenset([*first.values(), *indices[::_EVERY]])


@dataclass
class Checks:
    """The metrics of a run that have a scorer of scikit-learn, and what checking them found.

    `on_difference` says whether a difference is an error, or goes on with a finding.
    """

    scorers: Mapping[str, Any]
    metrics: Mapping[str, Metric]
    on_difference: CheckScores = "raise"
    n_agreed: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)
    differences: dict[str, str] = field(default_factory=dict)
    by_response: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    undefined: dict[str, int] = field(default_factory=dict)

    def compare(
        self,
        place: str,
        predicted: Predicted,
        read: Callable[[str], str],
        y: AnyArray,
        weight: AnyArray | None,
        score: Callable[[str], float],
    ) -> None:
        """Compare the scores of a fitted model.

        `read` gives the method whose predictions a metric reads, `score` bbc's value.
        """
        for name, scorer in self.scorers.items():
            if name in self.unchecked or name in self.differences:
                continue
            model = predicted.read_by(scorer, read(name))
            try:
                theirs = called(scorer, model, y, weight)
            except Exception as error:
                if len(np.unique(y)) > 1:  # a scorer may need more
                    first = "".join(str(error).splitlines()[:1])
                    told = f"the scorer fails alone: {type(error).__name__}: {first}"
                    self.unchecked[name] = told
                continue
            self.check(
                name,
                place,
                theirs,
                score(name),
                is_single=predicted.is_single,
                again=partial(called, scorer, model, y, weight),
                unweighted=partial(called, scorer, model, y, None),
            )

    def check(
        self,
        name: str,
        place: str,
        theirs: float,
        ours: float,
        *,
        is_single: bool = False,
        again: Callable[[], float] | None = None,
        unweighted: Callable[[], float] | None = None,
    ) -> None:
        """Compare two scores of the same model on the same rows; raise where they differ."""
        metric = self.metrics[name]
        if agrees(metric, theirs, ours, is_single):
            self.n_agreed[name] = self.n_agreed.get(name, 0) + 1
            return
        if is_single and metric.kernel == "log_loss":
            return  # scikit-learn clips single precision at its own limit
        if again is not None and not _same(again(), theirs, _TOLERANCE):
            self.unchecked[name] = "a second call of the scorer differs"
            return
        cause = _cause(metric, theirs, ours, unweighted)
        told = f"metric {name!r} of {place} is {ours:.10g}, its scorer gives {theirs:.10g}: {cause}"
        if self.on_difference == "raise":
            raise InvalidValueError(
                "scoring",
                f": {told}",
                hint='check_scores="warn" goes on, with finding ' + CODE,
                code="other_score",
            )
        self.differences[name] = told
        for each in self.findings(name):
            warn(BBCWarning(str(each)))

    def findings(self, name: str) -> tuple[Finding, ...]:
        """Return the finding of a metric whose scores differ."""
        return shown_by("scorers", {"score_difference": self.differences.get(name)})

    def summary(self, n_loaded: int = 0) -> dict[str, str]:
        """Return what was checked, by metric; `n_loaded` fits came from a store, without models."""
        told = dict.fromkeys(self.metrics, "not checked: no scorer of scikit-learn")
        told |= dict.fromkeys(self.scorers, "not checked: no model was scored")
        told |= {name: f"agrees for {count} models" for name, count in self.n_agreed.items()}
        for name, count in self.lost.items():
            some = f"{told[name]}, lost for {count}"
            told[name] = some if name in self.n_agreed else "not checked: every score was lost"
        if n_loaded:
            of_store = f"; {n_loaded} fits of the store are as they were stored"
            told |= {name: told[name] + of_store for name in self.scorers}
        for name, count in self.by_response.items():
            told[name] += (
                f"; the scorer ranks decision values where probabilities are kept, which differ "
                f"for {count}"
            )
        told |= {name: f"not checked: {why}" for name, why in self.unchecked.items()}
        return told | {name: f"differs: {why}" for name, why in self.differences.items()}


def compared(
    metrics: Mapping[str, Metric],
    by_fold: Mapping[str, FloatArray],
    predictions: OutOfSamplePredictions,
    partitions: Sequence[Partition],
    *,
    weighted: Collection[str] = (),
    on_difference: CheckScores = "raise",
) -> Checks:
    """Compare a tool's scores, an array (split, configuration) each, with its predictions'.

    NaN stands for a score that was lost. Weights of rows are in the scores that are `weighted`.
    """
    checks = Checks({}, metrics, on_difference)
    for name in (name for name in metrics if name in by_fold):
        own = predictions if name in weighted else replace(predictions, sample_weight=None)
        try:
            ours = pooled = _by_split(own, metrics[name], partitions)
            if own.decisions is not None and metrics[name].reads_decisions(by_fold=True):
                with suppress(TypeError, ValueError):  # of a metric of decision values alone
                    pooled = _by_split(replace(own, decisions=None), metrics[name], partitions)
        except (TypeError, ValueError) as error:
            checks.unchecked[name] = str(error)
            continue
        _compare_table(checks, name, by_fold[name], (ours, pooled), own, partitions)
    return checks


def _by_split(
    predictions: OutOfSamplePredictions, metric: Metric, partitions: Sequence[Partition]
) -> dict[tuple[int, int], float]:
    """Our scores by split and configuration, of those that predicted all folds."""
    data = _validation.Data(predictions.y, predictions, missing="drop-configurations")
    problem = _validation.problem(data, metric, _validation.Needs(by_fold=True))
    table = _engine.fold_scores(problem, metric, every_fold=False, n_threads=1)
    kept, labels = problem.kept_configurations, problem.fold_labels
    places = range(table.shape[2]) if kept is None else kept.tolist()
    assert labels is not None
    first = np.cumsum([0, *(len(partition.folds) for partition in partitions)])
    return {
        (int(first[repeat]) + fold, place): float(table[repeat, code, column])
        for repeat, fold_ids in enumerate(labels)
        for code, fold in enumerate(fold_ids.tolist())
        for column, place in enumerate(places)
    }


def _compare_table(
    checks: Checks,
    name: str,
    theirs: FloatArray,
    values: tuple[Mapping[tuple[int, int], float], Mapping[tuple[int, int], float]],
    predictions: OutOfSamplePredictions,
    partitions: Sequence[Partition],
) -> None:
    """Compare one table; `values` are ours as by fold and as pooled."""
    metric, (ours, pooled) = checks.metrics[name], values
    rows = [(repeat, fold.test) for repeat, each in enumerate(partitions) for fold in each.folds]
    n_lost = n_others = 0
    for (split, place), value in ours.items():
        given = float(theirs[split, place])
        if np.isnan(given) and not np.isnan(value):
            n_lost += 1
            continue
        if np.isnan(value) and not np.isnan(given) and agrees(metric, given, value):
            checks.undefined[name] = checks.undefined.get(name, 0) + 1
        scores, is_single = predictions.scores, False
        if scores is not None and not agrees(metric, given, value):
            read = scores[(*rows[split], place)]
            with np.errstate(over="ignore"):
                is_single = bool((read == read.astype(np.float32)).all())
        label = place if predictions.names is None else repr(predictions.names[place])
        where = f"configuration {label}, split {split}"
        checks.check(name, where, given, value, is_single=is_single)
        if name in checks.differences:
            return
        n_others += not agrees(metric, given, pooled[split, place])
    if n_lost:
        checks.lost[name] = n_lost
    if n_others and pooled is not ours:
        checks.by_response[name] = n_others


def called(scorer: Any, model: Any, y: AnyArray, weight: AnyArray | None) -> float:
    """Return what a scorer gives; it needs no X, because all predictions are there."""
    # What was predicted is finite, and the search's arguments are the scorer's.
    with config_context(assume_finite=True, skip_parameter_validation=True), catch_warnings():
        simplefilter("ignore")
        if weight is None:
            return float(scorer(model, None, y))
        return float(scorer(model, None, y, sample_weight=weight))


def agrees(metric: Metric, theirs: float, ours: float, is_single: bool = False) -> bool:
    """True if two scores are equal up to rounding and to conventions."""
    if np.isnan(ours) and not np.isnan(theirs):
        # Functions of scikit-learn average over the classes that there are.
        averages = metric.kernel == "balanced_accuracy" or metric._facts.get("average") == "macro"
        known = _CONVENTIONS.get(metric.kernel, ())
        return averages or any(_same(metric.sign * theirs, each, _TOLERANCE) for each in known)
    if np.isnan(theirs):
        # Functions of scikit-learn need two rows or two classes more often.
        return bool(np.isnan(ours)) or metric.kernel in _CONVENTIONS
    return _same(theirs, ours, _SINGLE if is_single else _TOLERANCE)


def _same(one: float, other: float, tolerance: float) -> bool:
    if np.isnan(one) or np.isnan(other):
        return bool(np.isnan(one) and np.isnan(other))
    return bool(abs(one - other) <= tolerance * max(1.0, abs(one), abs(other)))


def _cause(
    metric: Metric, theirs: float, ours: float, unweighted: Callable[[], float] | None
) -> str:
    """The likely cause of a difference."""
    if np.isnan(theirs) != np.isnan(ours):
        return "one of them is undefined on these rows"
    turned = metric.family == "ranking" and _same(theirs + ours, 1.0, 1e-6)
    if turned and metric.target == "survival":
        return "the predictions are times, not risks (a learner whose predict gives -time)"
    if turned:
        return "the scores are of the other class (classes, pos_label)"
    if unweighted is not None:
        try:
            if _same(unweighted(), ours, _TOLERANCE):
                return "the weights of the scorer are others (sample_weight, metadata routing)"
        except Exception:
            pass
    if metric.target == "binary":
        return "another class may be the positive one (pos_label), or rows are in another order"
    return "the scorer reads another response of the model, or rows are in another order"


def _parameters(function: Any) -> Collection[str]:
    try:
        return signature(function).parameters
    except (TypeError, ValueError):  # some builtins have no signature
        return ()
