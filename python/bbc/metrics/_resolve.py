"""Metrics from names, scorers and functions."""

import difflib
import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple, TypeVar, cast, get_args

import numpy as np

from .._docstrings import described
from .._typing import Predicts, Response, Target
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ._spec import METRICS, Metric, Parameter, kernel_facts, negated
from ._survival import AT_TIMES, at_times

_AUC = {
    ("raise", "macro"): "roc_auc",
    ("ovr", "macro"): "roc_auc_ovr",
    ("ovr", "weighted"): "roc_auc_ovr_weighted",
    ("ovo", "macro"): "roc_auc_ovo",
    ("ovo", "weighted"): "roc_auc_ovo_weighted",
}
_KAPPA = {"linear": "linear_weighted_kappa", "quadratic": "quadratic_weighted_kappa"}


_INFINITY = float("inf")
_UNIT = (0.0, 1.0)
#: Ranges of functions of sklearn.metrics, whatever their arguments; of others see `_range_of`.
_RANGES = dict.fromkeys(
    [
        *("precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score"),
        *("average_precision_score", "roc_auc_score", "brier_score_loss", "hamming_loss"),
        *("completeness_score", "homogeneity_score", "v_measure_score", "fowlkes_mallows_score"),
        *("normalized_mutual_info_score", "rand_score", "ndcg_score"),
    ],
    _UNIT,
) | {
    "cohen_kappa_score": (-1.0, 1.0),
    "matthews_corrcoef": (-1.0, 1.0),
    "adjusted_rand_score": (-0.5, 1.0),
    "r2_score": (-_INFINITY, 1.0),
    "explained_variance_score": (-_INFINITY, 1.0),
    "adjusted_mutual_info_score": (-_INFINITY, 1.0),
    "dcg_score": (0.0, _INFINITY),
    "mutual_info_score": (0.0, _INFINITY),
}


def is_scorer(candidate: object) -> bool:
    """Whether the object is what sklearn.metrics.make_scorer returns."""
    return all(hasattr(candidate, name) for name in ("_score_func", "_sign", "_kwargs"))


def is_sklearn_function(function: Callable[..., Any]) -> bool:
    """Whether the function is one of sklearn.metrics."""
    import sklearn.metrics

    name = getattr(function, "__name__", "")
    return getattr(sklearn.metrics, name, None) is function


def fast_metric(function: Callable[..., Any], options: Mapping[str, Any]) -> Metric | None:
    """The named metric that a function of sklearn.metrics computes, or None."""
    if isinstance(function, functools.partial):
        if function.args:
            return None
        return fast_metric(function.func, function.keywords | dict(options))
    if not is_sklearn_function(function):
        return None
    rest = _that_matter(function, options)
    called = function.__name__
    pos_label = rest.pop("pos_label", None)
    name = _fast_name(called, rest)
    if name is None:
        return None
    metric = METRICS[name]
    for parameter in ("beta", "alpha"):
        if parameter in rest and parameter in inspect.signature(function).parameters:
            metric = metric.with_parameters(**{parameter: float(rest.pop(parameter))})
    if rest:
        return None
    names_class = pos_label is not None and metric.target == "binary"
    return replace(metric, pos_label=pos_label) if names_class else metric


def _that_matter(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a function of sklearn.metrics without those that repeat a default.

    A positive class stays: which one is meant by default depends on the labels.
    """
    defaults = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    defaults["pos_label"] = None
    if "zero_division" in defaults and options.get("zero_division") in (0, "warn"):
        options = {name: value for name, value in options.items() if name != "zero_division"}
    return {
        name: value
        for name, value in options.items()
        if name not in defaults or repr(value) != repr(defaults[name])
    }


def _fast_name(called: str, options: dict[str, Any]) -> str | None:
    """Name in the table; removes the options that the name expresses."""
    if called == "cohen_kappa_score" and "weights" in options:
        return _KAPPA.get(options.pop("weights"))
    for name, facts in kernel_facts().items():
        if facts["sklearn"] != called:
            continue
        if "average" not in dict(facts["parameters"]):
            return name
        average = options.pop("average", "binary")
        own = name if average == "binary" else f"{name}_{average}"
        return own if own in METRICS else None
    if called == "roc_auc_score":
        return _AUC.get((options.pop("multi_class", "raise"), options.pop("average", "macro")))
    return None


def scorer_metric(scorer: Any, name: str | None = None) -> Metric:
    """The metric of a scorer: a named one if they are equivalent, else a callable."""
    function, sign, options = scorer._score_func, int(scorer._sign), dict(scorer._kwargs)
    responses = _responses(scorer)
    fast = fast_metric(function, options)
    # A scorer that reverses a metric's direction has no fast counterpart.
    if fast is not None and (sign > 0) == fast.greater_is_better:
        return _with_responses(fast if sign > 0 else _scorer_of_loss(fast), responses)
    called = getattr(function, "__name__", type(function).__name__)
    predicts, target, response = _predicts_and_target(responses)
    low, high = _range_of(function, options)
    return Metric(
        name=name or ("neg_" if sign < 0 else "") + called,
        kernel="",
        family="callable",
        greater_is_better=True,
        target=target,
        predicts=predicts,
        sign=sign,
        lowest=low if sign > 0 else -high,
        highest=high if sign > 0 else -low,
        response_method=responses,
        response=response,
        pos_label=None if response == "predict" else _positive(function, options),
        function=functools.partial(function, **options) if options else function,
    )


def _range_of(function: Callable[..., Any], options: Mapping[str, Any]) -> tuple[float, float]:
    """The values that a function can have: of scikit-learn's as documented, of others all."""
    if isinstance(function, functools.partial):
        return _range_of(function.func, function.keywords | dict(options))
    if not is_sklearn_function(function):
        return -_INFINITY, _INFINITY
    called = function.__name__
    if called in ("accuracy_score", "zero_one_loss", "top_k_accuracy_score"):
        return _UNIT if options.get("normalize", True) else (0.0, _INFINITY)
    if called == "balanced_accuracy_score":
        return (-1.0, 1.0) if options.get("adjusted") else _UNIT
    if called == "brier_score_loss" and options.get("scale_by_half", "auto") is not True:
        return 0.0, 2.0  # of several classes
    if called.startswith("d2_"):
        return -_INFINITY, 1.0
    if called.endswith(("_error", "_loss", "_deviance")):
        return _RANGES.get(called, (0.0, _INFINITY))
    return _RANGES.get(called, (-_INFINITY, _INFINITY))


def own_score(estimator: Any) -> Any:
    """What the `score` of an estimator computes: "accuracy", "r2", a scoring, or None.

    None stands for a method of its own, such as the D2 of `PoissonRegressor`: it has no name here.
    """
    from sklearn.base import ClassifierMixin, RegressorMixin
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.feature_selection import RFE
    from sklearn.neighbors import KNeighborsClassifier, RadiusNeighborsClassifier
    from sklearn.pipeline import Pipeline
    from sklearn.semi_supervised import SelfTrainingClassifier

    if "score" in getattr(estimator, "__dict__", ()):
        return None
    if isinstance(estimator, Pipeline):
        return own_score(estimator.steps[-1][1])
    if isinstance(estimator, RFE | SelfTrainingClassifier):
        return own_score(estimator.estimator)
    if hasattr(estimator, "scoring") and hasattr(estimator, "estimator"):  # a search
        return own_score(estimator.estimator) if estimator.scoring is None else estimator.scoring
    # Some classes define the method of their mixin anew, to take X=None.
    classifiers = ClassifierMixin, KNeighborsClassifier, RadiusNeighborsClassifier, DummyClassifier
    computed = getattr(type(estimator), "score", None)
    if computed is None and hasattr(estimator, "estimator"):  # which it asks, as FrozenEstimator
        return own_score(estimator.estimator)
    if any(computed is kind.score for kind in classifiers):
        return "accuracy"
    if any(computed is kind.score for kind in (RegressorMixin, DummyRegressor)):
        return "r2"
    return None


def _scorer_of_loss(loss: Metric) -> Metric:
    """The negative of a loss, under scikit-learn's name if there is one."""
    negative = negated(f"neg_{loss.name}", loss)
    known = (
        metric for metric in METRICS.values() if replace(metric, name=negative.name) == negative
    )
    return next(known, negative)


def _responses(scorer: Any) -> tuple[str, ...]:
    method = getattr(scorer, "_response_method", "predict")
    return (method,) if isinstance(method, str) else tuple(method)


def _with_responses(metric: Metric, responses: tuple[str, ...]) -> Metric:
    """The metric with the scorer's response methods, unless it has them already."""
    if responses == metric.response_method:
        return metric
    return replace(metric, response_method=responses, response=_predicts_and_target(responses)[2])


def _positive(function: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """The class whose scores scikit-learn gives to a function: its argument or default."""
    if "pos_label" in options:
        return options["pos_label"]
    try:
        parameter = inspect.signature(function).parameters.get("pos_label")
    except (TypeError, ValueError):  # some builtins have no signature
        return None
    return None if parameter is None or parameter.default is parameter.empty else parameter.default


def _predicts_and_target(responses: tuple[str, ...]) -> tuple[Predicts, Target, Response]:
    if responses == ("predict",):
        return "any", "any", "predict"
    if responses == ("predict_proba",):
        return "class_probabilities", "classes", "probabilities"
    return "class_scores", "classes", "scores"


_CUSTOM = """
response : {"labels", "scores", "probabilities", "values"}, optional
    The output of a model that the function takes: labels or values are what `predict` gives,
    scores are probabilities or decision values. It must be said where predictions of a classifier
    are kept as labels and as scores; elsewhere the function gets the predictions as they are.
name : str, optional
    Name in results; that of the function by default.
lowest, highest : float, optional
    Smallest and largest possible value, which limits never pass: the open end of one-sided
    intervals. Where neither is given the range is not known: the open end is then the last
    replicate, and replicates keep their size bias, which could carry them anywhere if it were taken
    from them.
"""
_MISSING = (
    'is missing: name what is estimated, such as "accuracy" or "roc_auc" for classes, "r2" or '
    '"mean_absolute_error" for numbers ({} lists all)'
)
_LOWER_IS_BETTER = ("_error", "_loss", "_deviance", "_distance")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class MetricInfo(NamedTuple):
    """An entry of the table that `names` returns.

    Attributes
    ----------
    name : str
        The metric's name.
    family : {"additive", "ranking"}
        Whether it is a function of sums over rows, or of the ranks of the scores.
    direction : {"higher is better", "lower is better"}
        Direction of the metric.
    target, predicts : str
        Kind of truth and predictions; see `Metric`.

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.names()["roc_auc"].direction
    'higher is better'
    """

    name: str
    family: str
    direction: str
    target: str
    predicts: str


def names() -> dict[str, MetricInfo]:
    """List the metrics that have a name.

    Names of scikit-learn's other scorers are accepted, too; those are evaluated in Python, once
    per replicate and configuration.

    Returns
    -------
    dict of str to MetricInfo
        Family, direction, and kinds of truth and predictions of each metric.

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.names()["neg_log_loss"].predicts
    'class_probabilities'
    """
    return {
        name: MetricInfo(name, metric.family, _direction(metric), metric.target, metric.predicts)
        for name, metric in sorted(METRICS.items())
    }


def get(metric: object, **parameters: Parameter) -> Metric:
    """Return a metric by its name, or from a scorer or function.

    Parameters
    ----------
    metric : str, Metric, scorer or callable
        A name of `bbc.metrics.names()` or of a scikit-learn scorer; a metric; what
        `sklearn.metrics.make_scorer` returns; a function of `sklearn.metrics`, with its direction;
        or ``function(y, prediction) -> float`` where higher is better.
    **parameters : float or str
        Values for the metric's parameters, such as ``beta`` or ``alpha``.

    Returns
    -------
    Metric
        The frozen specification.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests similar ones), or the direction of a function
        is ambiguous.
    TypeError
        If `metric` is none of these.

    Examples
    --------
    >>> import bbc
    >>> bbc.metrics.get("f_beta", beta=2.0).name
    'f_beta(beta=2.0)'
    """
    if isinstance(metric, str):
        found = METRICS.get(metric) or at_times(metric, parameters) or _from_name(metric)
        if metric in AT_TIMES:
            return found
    else:
        found = _resolve(metric)
    return found.with_parameters(**parameters) if parameters else found


@described(_CUSTOM)
def row_loss(
    function: Callable[..., Any],
    greater_is_better: bool = False,
    *,
    response: Response = "",
    name: str | None = None,
    lowest: float = float("-inf"),
    highest: float = float("inf"),
) -> Metric:
    """Make a metric from a function that returns a loss per row; as fast as named metrics.

    The metric is the mean of the losses, which are computed once per configuration.

    Parameters
    ----------
    function : callable
        ``function(y, prediction)`` returning an array with one finite number per row, for the
        predictions of one configuration.
    greater_is_better : bool, default=False
        True if the numbers are scores rather than losses.

    Returns
    -------
    Metric
        The metric.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> huber = bbc.metrics.row_loss(lambda y, p: np.minimum((y - p) ** 2, 1.0), name="capped")
    >>> huber.name, huber.family
    ('capped', 'additive')
    """
    _check_function(function)
    return Metric(
        name=name or _called(function),
        kernel="row_score" if greater_is_better else "row_loss",
        family="additive",
        greater_is_better=_flag(greater_is_better),
        target="any",
        predicts="any",
        response=_response(response),
        lowest=_limit(lowest, "lowest"),
        highest=_limit(highest, "highest"),
        function=function,
    )


@described(_CUSTOM)
def from_callable(
    function: Callable[..., Any],
    greater_is_better: bool = True,
    *,
    response: Response = "",
    name: str | None = None,
    target: Target = "any",
    predicts: Predicts = "any",
    lowest: float = float("-inf"),
    highest: float = float("inf"),
) -> Metric:
    """Make a metric from any function: slow, but on the same replicates as other metrics.

    Parameters
    ----------
    function : callable
        ``function(y, prediction) -> float`` for the predictions of one configuration; rows drawn
        several times are repeated.
    greater_is_better : bool, default=True
        Direction of the value.
    target, predicts : str, default="any"
        Kind of truth and predictions that the function takes, which are validated first.

    Returns
    -------
    Metric
        The metric.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> def largest_error(y, prediction):
    ...     return np.abs(y - prediction).max()
    >>> bbc.metrics.from_callable(largest_error, greater_is_better=False).family
    'callable'
    """
    _check_function(function)
    for argument, word, words in (
        ("target", target, get_args(Target)),
        ("predicts", predicts, get_args(Predicts)),
    ):
        if word not in words:
            raise InvalidValueError(
                argument, f"must be {' or '.join(map(repr, words))}, got {word!r}"
            )
    if response and predicts != "any":
        raise InvalidValueError(
            Argument("response", response), f": predicts={predicts!r} says what is read already"
        )
    return Metric(
        name=name or _called(function),
        kernel="",
        family="callable",
        greater_is_better=_flag(greater_is_better),
        target=target,
        predicts=predicts,
        response=_response(response),
        lowest=_limit(lowest, "lowest"),
        highest=_limit(highest, "highest"),
        function=function,
    )


def _flag(greater_is_better: Any) -> bool:
    if not isinstance(greater_is_better, bool | np.bool_):
        raise InvalidTypeError(
            "greater_is_better", f"must be True or False, got {greater_is_better!r}"
        )
    return bool(greater_is_better)


def _limit(value: Any, name: str) -> float:
    """An end of a metric's range, which may be infinite."""
    if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
        raise InvalidValueError(name, f"must be a number, got {value!r}")
    return float(value)


def metric_required(function: _Function) -> _Function:
    """Name some metrics to a call without one, of which Python would only name the argument."""

    @functools.wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        if "metric" not in options:
            get(None)
        return function(*arguments, **options)

    return cast(_Function, checked)


def from_scorer(scorer: object) -> Metric:
    """Make a metric from what `sklearn.metrics.make_scorer` or `get_scorer` returns.

    Scorers of known functions become the equivalent named metric; others keep their function,
    sign and arguments, and are evaluated in Python.

    Parameters
    ----------
    scorer : scorer or str
        The scorer, or a name that `get` takes.

    Returns
    -------
    Metric
        The metric, of which higher values are better.

    Examples
    --------
    >>> from sklearn.metrics import fbeta_score, make_scorer
    >>> import bbc
    >>> bbc.metrics.from_scorer(make_scorer(fbeta_score, beta=2)).kernel
    'f_beta'
    """
    if isinstance(scorer, str):
        with arguments_called(metric="scorer"):
            return get(scorer)
    if not is_scorer(scorer):
        raise InvalidTypeError(
            "scorer",
            f"must be what sklearn.metrics.make_scorer returns, got {type(scorer).__name__}",
        )
    return scorer_metric(scorer)


def _resolve(metric: object) -> Metric:
    if isinstance(metric, Metric):
        return metric
    if is_scorer(metric):
        return scorer_metric(metric)
    if metric is None:
        raise InvalidTypeError("metric", _MISSING, Argument("bbc.metrics.names()"))
    if not callable(metric):
        raise InvalidTypeError(
            "metric",
            "must be a name, a bbc metric, a scikit-learn scorer or a callable "
            f"(y, prediction) -> float, got {type(metric).__name__}",
        )
    fast = fast_metric(metric, {})
    if fast is not None:
        return fast
    called = _called(metric)
    if called.endswith(_LOWER_IS_BETTER) and not called.startswith("neg"):
        raise InvalidValueError(
            "metric",
            f": the direction of {called!r} is ambiguous; use "
            "bbc.metrics.from_callable(function, greater_is_better=...)",
        )
    return from_callable(metric)


def _from_name(name: str) -> Metric:
    from sklearn.metrics import get_scorer, get_scorer_names

    if name.endswith("_samples") and name in get_scorer_names():
        raise InvalidValueError(
            "metric",
            f": {name!r} is for several labels of a row, which are not supported",
            hint="correct each label in a call of its own, or the mean loss of each row over the "
            "labels, with bbc.metrics.row_loss",
        )
    others = [other for other in get_scorer_names() if not other.endswith("_samples")]
    if name in others:
        return scorer_metric(get_scorer(name), name)
    plain = re.sub(r"[- ]+", "_", re.sub(r"^(classif|regr|surv)[.]", "", name.lower()))
    # Functions of scikit-learn and of papers: cohen_kappa_score, C-index.
    written = (plain, plain.removesuffix("_score"))
    close: Sequence[str] = next(filter(None, map(_other_names().get, written)), ())
    if not close:
        known = dict.fromkeys([*METRICS, *others])
        close = [plain] if plain in known else difflib.get_close_matches(plain, known, 3, 0.5)
    offer = f"; did you mean {' or '.join(repr(match) for match in close)}?" if close else ""
    every = Argument("bbc.metrics.names()")
    raise InvalidValueError("metric", ": unknown name {!r}{} ({} lists all)", name, offer, every)


@functools.cache
def _other_names() -> dict[str, tuple[str, ...]]:
    """What yardstick, caret, mlr3 and others call metrics, with the names here."""
    found: dict[str, tuple[str, ...]] = {}
    for name, facts in kernel_facts().items():
        for other in facts["others"].split():
            found[other] = (*found.get(other, ()), name)
    return found


def _direction(metric: Metric) -> str:
    return "higher is better" if metric.greater_is_better else "lower is better"


def _called(function: Callable[..., Any]) -> str:
    inner = getattr(function, "func", function)  # of a functools.partial
    return str(getattr(inner, "__name__", type(inner).__name__))


def _response(given: Any) -> Response:
    """A response that a caller names, or none."""
    words = ("labels", "scores", "probabilities", "values")
    if given not in ("", *words):
        raise InvalidValueError(
            Argument("response", given), f"must be {' or '.join(map(repr, words))}"
        )
    return cast(Response, given)


def _check_function(function: Callable[..., Any]) -> None:
    if not callable(function):
        raise InvalidTypeError("function", f"must be callable, got {type(function).__name__}")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some builtins have no signature
        return
    required = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    if len(required) > 2:
        raise InvalidTypeError(
            "metric",
            f": a callable takes (y, prediction), but {_called(function)!r} needs "
            f"({', '.join(required)})",
            hint="write it as one of (y, prediction); bbc.correct corrects a GridSearchCV "
            "whose scoring is a function of (estimator, X, y)"
            if len(required) == 3
            else "",
        )
