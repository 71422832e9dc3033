"""The specification of a metric: its computation, direction and requirements."""

import math
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np

from .. import _core
from .._typing import AnyArray, Predicts, Range, Response, Target
from ..errors import InvalidTypeError, InvalidValueError


@dataclass(frozen=True, eq=False)
class GivenCensoring:
    """Probabilities of being uncensored for the rows of one truth, as the user gave them.

    `own` are those just before each row's time, `later` those at the times of the metric, if it
    needs them. They are validated with the truth.
    """

    own: Any
    later: Any = None

    def __post_init__(self) -> None:
        for name in ("own", "later"):
            object.__setattr__(self, name, copy(getattr(self, name)))

    @property
    def by_argument(self) -> dict[str, Any]:
        """The arrays that were given, by argument."""
        return {"censoring_survival": self.own, "censoring_survival_at": self.later}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenCensoring) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    @property
    def _bytes(self) -> tuple[tuple[tuple[int, ...], bytes], ...]:
        given = [[] if value is None else value for value in (self.own, self.later)]
        arrays: list[AnyArray] = [np.asarray(value) for value in given]
        return tuple((array.shape, array.tobytes()) for array in arrays)


Family: TypeAlias = Literal["additive", "ranking", "callable"]
Censoring: TypeAlias = Literal["", "uno", "dynamic_auc", "brier"]
Parameter: TypeAlias = float | str | tuple[float, ...]

_PROBABILITY_METHODS = ("predict_proba",)
_RESPONSES: dict[Predicts, tuple[str, ...]] = {
    "labels": ("predict",),
    "value": ("predict",),
    "risk": ("predict",),
    "any": ("predict",),
    # The order of scikit-learn's scorers of roc_auc and average_precision, and of roc_auc_ovr.
    "score": ("decision_function", "predict_proba"),
    "class_scores": ("predict_proba", "decision_function"),
    "survival": ("predict_survival_function",),
    "probability": _PROBABILITY_METHODS,
    "class_probabilities": _PROBABILITY_METHODS,
}

_OUTPUTS: dict[Predicts, Response] = {
    "labels": "labels",
    "value": "predict",
    "risk": "predict",
    "any": "",
    "score": "scores",
    "class_scores": "scores",
    "survival": "survival",
    "probability": "probabilities",
    "class_probabilities": "probabilities",
}
_METHODS: dict[Response, tuple[str, ...]] = {
    "scores": _RESPONSES["score"],
    "probabilities": _PROBABILITY_METHODS,
}


@cache
def kernel_facts() -> dict[str, dict[str, Any]]:
    """What the kernel knows of metrics, by name."""
    return {facts["name"]: facts for facts in _core.metric_table()}


@cache
def _facts_of_kernel() -> dict[tuple[str, object], dict[str, Any]]:
    """The same by computation and average; without one by computation alone."""
    found: dict[tuple[str, object], dict[str, Any]] = {}
    for facts in kernel_facts().values():
        for average in (facts["average"], None):
            found.setdefault((facts["kernel"], average), facts)
    return found


@dataclass(frozen=True)
class Metric:
    """A metric: how predictions are scored, and whether higher or lower is better.

    Metrics are made by :func:`bbc.metrics.get` (from a name), :func:`bbc.metrics.row_loss`,
    :func:`bbc.metrics.from_callable` and :func:`bbc.metrics.from_scorer`.

    Attributes
    ----------
    name : str
        The name that results show.
    kernel : str
        The kernel's name of the computation; empty for a Python callable.
    family : {"additive", "ranking", "callable"}
        Additive metrics are functions of weighted sums over rows, ranking metrics of the order
        of the scores; callables are evaluated in Python, once per replicate and configuration.
    greater_is_better : bool
        Direction of the reported value.
    target : {"binary", "classes", "real", "survival", "any"}
        Kind of truth.
    predicts : str
        Kind of predictions: labels, score, probability, class_scores,
        class_probabilities, value, risk, survival (probabilities of surviving) or any.
    sign : {1, -1}
        The reported value is `sign` times the kernel's (or the callable's) value.
    parameters : tuple of (str, value) pairs
        The kernel's parameters, such as ``("beta", 2.0)``; ``dict(metric.parameters)``.
    lowest, highest : float
        Smallest and largest value that the metric can report for two classes; see `limits`. Only
        of one's own functions they are given; the kernel knows those of its metrics.
    target_range, prediction_range : str
        The numbers that a real-valued truth or prediction may take, as an interval.
    response_method : tuple of str
        The estimator methods that give such predictions, in the order in which scikit-learn's
        scorer prefers them. Where folds are pooled, probabilities come first.
    response : str
        The output of a model that the metric reads: labels, scores, probabilities, values,
        survival, or "predict", what the method of that name gives (labels of classifiers, values
        of regressors). Empty for a function that takes what there is.
    pos_label : label or None
        The positive class that the arguments of a scorer name.
    function : callable or None
        ``function(y, prediction)``: the losses per row of a `row_loss`, or a callable's value.
    censoring : {"", "uno", "dynamic_auc", "brier"}
        How rows are weighted for censoring, which the kernel does before it computes.
    censoring_survival : GivenCensoring or None
        The probabilities of being uncensored that were given; None if they are estimated.
    odds : float or None
        Of a net benefit: what a false positive costs, in true positives.

    Examples
    --------
    >>> import bbc
    >>> metric = bbc.metrics.get("neg_mean_squared_error")
    >>> metric.kernel, metric.sign, metric.greater_is_better
    ('mean_squared_error', -1, True)
    """

    name: str
    kernel: str
    family: Family
    greater_is_better: bool
    target: Target
    predicts: Predicts
    sign: int = 1
    parameters: tuple[tuple[str, Parameter], ...] = ()
    lowest: float = float("-inf")
    highest: float = float("inf")
    target_range: Range = "(-inf, inf)"
    prediction_range: Range = "(-inf, inf)"
    response_method: tuple[str, ...] = ()
    response: Response = ""
    pos_label: Any = None
    function: Callable[..., Any] | None = None
    censoring: Censoring = ""
    censoring_survival: GivenCensoring | None = None
    odds: float | None = None

    def __post_init__(self) -> None:
        if not self.response:
            object.__setattr__(self, "response", _OUTPUTS[self.predicts])
        if not self.response_method:
            methods = _RESPONSES[self.predicts]
            if self.predicts == "any":
                methods = _METHODS.get(self.response, methods)
            object.__setattr__(self, "response_method", methods)
        for name, limit in zip(("lowest", "highest"), self.limits(), strict=True):
            object.__setattr__(self, name, limit)

    @property
    def times(self) -> tuple[float, ...]:
        """The times at which a survival metric looks."""
        given = dict(self.parameters)
        for name in ("tau", "time", "times"):
            if name in given:
                found = given[name]
                assert not isinstance(found, str)
                return found if isinstance(found, tuple) else (found,)
        return ()

    @cached_property
    def _facts(self) -> Mapping[str, Any]:
        """What the kernel knows of the computation; nothing of a callable's."""
        known = _facts_of_kernel()
        own = known.get((self.kernel, dict(self.parameters).get("average")))
        return own or known.get((self.kernel, None), {})

    @cached_property
    def _compiled(self) -> _core.Metric:
        """The kernel's metric; for a callable, one that any draw with an out-of-bag row defines."""
        # The times of survival metrics are in the truth and the losses.
        parameters: dict[str, Any] = {} if self.censoring else dict(self.parameters)
        kernel, within = self.kernel, (self.lowest, self.highest)
        if self.family == "callable":
            kernel = "row_score" if self.greater_is_better else "row_loss"
        if self.sign < 0:
            within = (0.0 - self.highest, 0.0 - self.lowest)
        return _core.Metric(kernel, sign=float(self.sign), within=within, **parameters)

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: the kernel's metric is made anew."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def has_classes(self) -> bool:
        """Whether the truth consists of classes."""
        return self.target in ("binary", "classes")

    def reads_decisions(self, *, by_fold: bool) -> bool:
        """Whether scikit-learn's scorer reads decision values of models that have probabilities.

        Parameters
        ----------
        by_fold : bool
            Whether scores are ranked within folds, as by a scorer; pooled folds are ranked by
            probabilities, where there is a choice.

        Returns
        -------
        bool
            True for decision values.

        Examples
        --------
        >>> import bbc
        >>> bbc.metrics.get("roc_auc").reads_decisions(by_fold=True)
        True
        """
        if "predict_proba" not in self.response_method:
            return self.response_method == ("decision_function",)
        return by_fold and self.response_method[0] == "decision_function"

    @property
    def orders_classes(self) -> bool:
        """Whether the metric counts how far apart classes are, in the order of their labels."""
        return bool(self._facts.get("orders_classes"))

    @cached_property
    def needs_classes(self) -> str:
        """The classes without which the metric is undefined.

        "positive", "negative", "two" (any two), "all", or empty if the metric is always defined or
        undefined only for some predictions (then it has scikit-learn's zero_division value).
        """
        return str(self._facts.get("needs_classes", ""))

    @property
    def multiclass_names(self) -> tuple[str, ...]:
        """Metrics for more than two classes, to suggest in place of this binary one."""
        named = kernel_facts().get(self.name.partition("(")[0], self._facts)
        return tuple(named.get("multiclass", "balanced_accuracy").split())

    @cached_property
    def range(self) -> tuple[float, float] | None:
        """The limits for any number of classes; None of a function for which none were given."""
        limits = self.limits(math.inf)
        return None if limits == (-math.inf, math.inf) else limits

    def limits(self, n_classes: float = 2) -> tuple[float, float]:
        """Return the smallest and the largest value that the metric can report.

        Parameters
        ----------
        n_classes : int, default=2
            Number of classes in the truth, on which the limits of two metrics depend; ``math.inf``
            gives limits that hold for any number.

        Returns
        -------
        tuple of float
            The limits, infinite where the metric is unbounded.

        Examples
        --------
        >>> import bbc
        >>> bbc.metrics.get("accuracy").limits()
        (0.0, 1.0)
        >>> bbc.metrics.get("ordinal_mean_absolute_error").limits(n_classes=5)
        (0.0, 4.0)
        """
        return self._compiled.limits(n_classes)

    def with_parameters(self, **parameters: Parameter) -> "Metric":
        """Return the metric with other values of its parameters.

        Parameters
        ----------
        **parameters : float or str
            New values by name.

        Returns
        -------
        Metric
            The changed metric; its name shows the values.

        Examples
        --------
        >>> import bbc
        >>> bbc.metrics.get("pinball_loss").with_parameters(alpha=0.9).name
        'pinball_loss(alpha=0.9)'
        """
        values = dict(self.parameters)
        unknown = sorted(set(parameters) - set(values))
        if unknown:
            has = ", ".join(values) or "none"
            raise ValueError(f"metric {self.name!r} has no parameter {unknown[0]!r} (it has {has})")
        if self.censoring:
            parameters = {key: positive(value, key) for key, value in parameters.items()}
        for key, value in parameters.items():
            kind, called = (str, "text") if isinstance(values[key], str) else (Real, "a number")
            if not isinstance(value, kind) or isinstance(value, bool):
                raise TypeError(f"{key} must be {called}, got {type(value).__name__}")
            # NumPy's numbers would show their type in the name.
            values[key] = value.item() if isinstance(value, np.generic) else value
        shown = ", ".join(f"{key}={values[key]!r}" for key in parameters)
        return replace(self, name=f"{self.name}({shown})", parameters=tuple(values.items()))


def positive(value: object, name: str) -> float:
    """A time as a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidTypeError(name, f"must be a number, got {type(value).__name__}")
    if not float(value) > 0:
        raise InvalidValueError(name, f"must be a time above 0, got {float(value):g}")
    return float(value)


class _Table(Mapping[str, Metric]):
    """The metrics of the kernel's table, which is read when one is asked for."""

    @cached_property
    def by_name(self) -> dict[str, Metric]:
        """All of them, for what every call asks: a dictionary is faster than a mapping."""
        return {
            name: named_metric(name)
            for name, facts in kernel_facts().items()
            # Losses that are computed already have no name here, nor has what needs its times.
            if facts["predicts"] != "losses" and None not in dict(facts["parameters"]).values()
        }

    def __getitem__(self, name: str) -> Metric:
        return self.by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)


METRICS = _Table()


def named_metric(name: str, /, **changes: Any) -> Metric:
    """The metric of this name in the kernel's table, but for the changes."""
    facts = kernel_facts()[name]
    same = ["kernel", "family", "greater_is_better", "target", "predicts", "sign", "parameters"]
    same += ["target_range", "prediction_range", "censoring"]
    lowest, highest = facts["limits"]
    own = {"name": name, "lowest": lowest, "highest": highest} | {key: facts[key] for key in same}
    return Metric(**own | changes)


def negated(name: str, plain: Metric) -> Metric:
    """The metric whose value is the negative of another's."""
    return replace(
        plain,
        name=name,
        greater_is_better=not plain.greater_is_better,
        sign=-plain.sign,
        lowest=0.0 - plain.highest,
        highest=0.0 - plain.lowest,
    )
