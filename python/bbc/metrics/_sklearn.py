"""scikit-learn's scorers and metric functions, and the named metrics that they equal."""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .._typing import Predicts, Response, Target
from ._spec import METRICS, Metric, kernel_facts, negated

_AUC = {
    ("raise", "macro"): "roc_auc",
    ("ovr", "macro"): "roc_auc_ovr",
    ("ovr", "weighted"): "roc_auc_ovr_weighted",
    ("ovo", "macro"): "roc_auc_ovo",
    ("ovo", "weighted"): "roc_auc_ovo_weighted",
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
        return fast_metric(function.func, {**function.keywords, **options})
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
    # scikit-learn's own errors and losses are never negative.
    bounded = is_sklearn_function(function) and called.endswith(("_error", "_loss"))
    best = 0.0 if bounded else float("inf")
    return Metric(
        name=name or ("neg_" if sign < 0 else "") + called,
        kernel="",
        family="callable",
        greater_is_better=True,
        target=target,
        predicts=predicts,
        sign=sign,
        highest=best if sign < 0 else float("inf"),
        lowest=best if bounded and sign > 0 else float("-inf"),
        response_method=responses,
        response=response,
        pos_label=None if response == "predict" else _positive(function, options),
        function=functools.partial(function, **options) if options else function,
    )


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
