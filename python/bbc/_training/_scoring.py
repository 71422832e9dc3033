"""From `scoring` and `refit` to metrics, and to the predictions that they require."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier, is_regressor

from .. import _validation, metrics
from .._typing import AnyArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ._check import scorer_of
from ._responses import Responses


@dataclass(frozen=True)
class Scoring:
    """The metrics of a run by name, and the name of the selection metric.

    `asked` is what each came from.
    """

    metrics: dict[str, Metric]
    decides: str
    asked: dict[str, Any] = field(default_factory=dict)

    def scorers(self, estimators: Mapping[str, Any], pos_label: Any) -> dict[str, Any]:
        """Return the scorers of scikit-learn that metrics came from."""
        found = {
            name: scorer_of(asked, estimators, pos_label) for name, asked in self.asked.items()
        }
        return {name: scorer for name, scorer in found.items() if scorer is not None}

    @property
    def metric(self) -> Metric:
        """The selection metric."""
        return self.metrics[self.decides]

    def label(self, name: str) -> str:
        """Return the ending of a metric's columns in ``cv_results_``."""
        return name if len(self.metrics) > 1 else "score"


def make_scoring(scoring: Any, refit: Any, estimators: Mapping[str, Any]) -> Scoring:
    """Return the metrics that `scoring` stands for."""
    if scoring is None:
        scoring = _default_metric(estimators)
    if isinstance(scoring, Mapping):
        named = {str(name): metrics.get(metric) for name, metric in scoring.items()}
        asked = {str(name): metric for name, metric in scoring.items()}
    elif isinstance(scoring, list | tuple | set | frozenset):
        ordered = sorted(scoring) if isinstance(scoring, set | frozenset) else scoring
        found = [metrics.get(metric) for metric in ordered]
        named = {metric.name: metric for metric in found}
        asked = dict(zip(named, ordered, strict=False))
        if len(named) < len(found):
            raise InvalidValueError(
                "scoring", ": two metrics have the same name; give a dict with two names"
            )
    else:
        metric = metrics.get(scoring)
        named, asked = {metric.name: metric}, {metric.name: scoring}
    if not named:
        raise InvalidValueError("scoring", ": there is no metric")
    if isinstance(refit, str):
        if refit not in named:
            raise InvalidValueError(
                Argument("refit", refit),
                f"names none of the metrics of scoring ({', '.join(named)})",
            )
        return Scoring(named, refit, asked)
    if refit and len(named) > 1:
        raise ValueError(
            f"with several metrics, refit must name the selection metric ({', '.join(named)}) "
            f"or be False, which takes the first; got {refit!r}"
        )
    return Scoring(named, next(iter(named)), asked)


def make_responses(
    scoring: Scoring,
    pooling: str,
    *,
    classifier: bool,
    y: AnyArray,
    pos_label: Any,
    cut: bool = False,
) -> Responses:
    """Return what models must predict so that all metrics can be computed.

    `cut` says that scores are required besides labels, because a cut-off is chosen.
    """
    wanted = {
        name: _methods(metric, pooling)
        for name, metric in scoring.metrics.items()
        if reads(metric, classifier) == "scores"
    }
    decisions = any(
        scoring.metrics[name].reads_decisions(by_fold=pooling == "fold") for name in wanted
    )
    if cut and classifier:
        wanted["selection"] = ("predict_proba", "decision_function")
    methods = _common(wanted)
    decisions = decisions and methods == ("predict_proba",)
    labels = any(reads(metric, classifier) == "labels" for metric in scoring.metrics.values())
    if classifier and labels and methods:
        _refuse_unsaid(scoring, cut)
    if not classifier:
        return Responses(labels=False, methods=methods, times=_times(scoring))
    classes = np.unique(y)
    probabilities = any(metric.response == "probabilities" for metric in scoring.metrics.values())
    named = {
        _positive(classes, pos_label if metric.pos_label is None else metric.pos_label, metric)
        for metric in scoring.metrics.values()
        if metric.pos_label is not None or reads(metric, classifier) == "scores"
    }
    # Metrics of one class and of the other: the scores of both are kept.
    positive = None if len(named) > 1 else next(iter(named), _positive(classes, pos_label))
    said = pos_label is not None
    return Responses(
        labels, methods, classes, positive, probabilities, said=said, decisions=decisions
    )


def _common(wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The methods that give the scores of all metrics.

    Metrics of probabilities and of decision values alone go together: both are kept.
    """
    methods: tuple[str, ...] = ()
    for position, (name, offered) in enumerate(wanted.items()):
        if position and {*methods, *offered} == {"predict_proba", "decision_function"}:
            both = tuple(method for method in methods if method in offered)
            methods = both or ("predict_proba",)
            continue
        methods = offered if not position else tuple(m for m in methods if m in offered)
        if not methods:
            raise InvalidValueError(
                "scoring",
                f": {name!r} reads {' or '.join(offered)}, which the metrics before it do "
                "not; make two runs of it",
            )
    return methods


def _refuse_unsaid(scoring: Scoring, cut: bool) -> None:
    """Refuse a plain function beside metrics of another response: it may mean either."""
    for name, metric in scoring.metrics.items():
        if not metric.response and not cut:
            raise InvalidValueError(
                "scoring",
                f": {name!r} is a plain function, and the metrics read labels and scores: say "
                "which it takes",
                hint='bbc.metrics.row_loss and bbc.metrics.from_callable take response="labels", '
                '"scores" or "probabilities"; sklearn.metrics.make_scorer says it, too',
            )


def reads(metric: Metric, classifier: bool) -> Literal["labels", "scores"]:
    """Return which predictions a metric reads: what `predict` gives are labels for a classifier."""
    return "labels" if classifier and metric.response_method == ("predict",) else "scores"


def kind_of(estimators: Mapping[str, Any]) -> bool:
    """Return whether the estimators are classifiers; a mixture is refused."""
    kinds = {name: bool(is_classifier(learner)) for name, learner in estimators.items()}
    if len(set(kinds.values())) > 1:
        first = next(name for name, kind in kinds.items() if kind)
        other = next(name for name, kind in kinds.items() if not kind)
        raise InvalidValueError("estimator", f": {first!r} is a classifier, {other!r} is not")
    return any(kinds.values())


def _default_metric(estimators: Mapping[str, Any]) -> str:
    if kind_of(estimators):
        return "accuracy"
    if all(is_regressor(learner) for learner in estimators.values()):
        return "r2"
    raise InvalidValueError(
        "scoring", "must be given for estimators that are neither classifiers nor regressors"
    )


def _methods(metric: Metric, pooling: str) -> tuple[str, ...]:
    """The methods that give a metric's scores, in order of preference.

    Scores of different folds' models are ranked together when they are pooled, and decision values
    of theirs need not be comparable, so probabilities come first; within a fold the order is
    scikit-learn's own.
    """
    methods = metric.response_method
    if pooling != "fold" and set(methods) == {"decision_function", "predict_proba"}:
        return ("predict_proba", "decision_function")
    return methods


def _times(scoring: Scoring) -> tuple[float, ...]:
    """The times at which survival probabilities are predicted."""
    wanted = {
        name: metric.times
        for name, metric in scoring.metrics.items()
        if metric.predicts == "survival"
    }
    for name, times in wanted.items():
        first, own = next(iter(wanted.items()))
        if times != own:
            raise InvalidValueError(
                "scoring",
                f": {name!r} reads survival at other times than {first!r}; make two runs of it, "
                "or correct one of them with bbc.correct",
            )
    return next(iter(wanted.values()), ())


def _positive(classes: AnyArray, pos_label: Any, metric: Metric | None = None) -> int:
    """Code of the class whose scores are taken: that which the metric calls positive."""
    if pos_label is None:
        # Its absence is refused with the other checks of the data.
        one = _validation.place_of_one(classes)
        takes_one = metric is not None and _validation.takes_one(metric)
        return one if takes_one and one is not None else len(classes) - 1
    found = np.flatnonzero(classes == pos_label)
    if not found.size:
        raise InvalidValueError(
            Argument("pos_label", pos_label),
            f"is not a class of y ({', '.join(map(str, classes))})",
        )
    return int(found[0])
