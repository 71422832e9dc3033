"""What is made of the arguments of a call: its data, its checked options, and what they read."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from operator import itemgetter
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Unpack,
    get_args,
    get_type_hints,
)

from .. import metrics
from .. import selection as _selection
from .._counts import replicates_by_default
from .._docstrings import described
from .._rows import name_place
from .._typing import Alternative, AnyArray, CodeArray
from ..errors import Argument, ArgumentError, InvalidValueError
from ..metrics import Metric
from ..metrics import get as get_metric
from ..predictions import OF_ROWS
from ..selection import BEST, Selection
from ._arguments import ANALYSIS, ARGUMENTS, ClassCounts, IntervalKind, Method, Pooling, Rows
from ._design import resamples as checked_resamples
from ._problem import PLAIN, Data, Needs, Problem, problem
from ._rules import check_rungs, check_scores, metric_of, refuse_fixed_counts
from ._values import (
    enough_replicates,
    n_threads,
    refuse_argument,
    seed,
)

_Function = TypeVar("_Function", bound=Callable[..., Any])


def analysis(function: _Function) -> _Function:
    """Give a function of analysis what its table of ``**options`` says: signature and docstring.

    Entries that the docstring itself has take precedence. What `bbc.Predictions` takes of the rows
    is one argument of the signature, ``**rows``. Refuses arguments that are not in the table, and
    names some metrics to a call without one.
    """
    own = dict(inspect.signature(function).parameters)
    table = get_args(own.pop("options").annotation)[0]
    typed = get_type_hints(table)
    known = own.keys() | typed.keys()
    for name in typed.keys() - Rows.__annotations__.keys():
        default = ARGUMENTS[name].default
        own[name] = inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=typed[name]
        )
    places = {name: place for place, name in enumerate(ARGUMENTS)}
    ordered = sorted(own.values(), key=lambda one: _place(one, places))
    if known > Rows.__annotations__.keys():
        rest = inspect.Parameter.VAR_KEYWORD
        ordered.append(inspect.Parameter("rows", rest, annotation=Unpack[Rows]))

    @wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        if "metric" not in options and own["metric"].default is inspect.Parameter.empty:
            get_metric(None)
        if not options.keys() <= known:
            unknown = next(name for name in options if name not in known)
            refuse_argument(f"bbc.{function.__qualname__}", unknown)
        return function(*given, **options)

    called.__signature__ = inspect.signature(function).replace(parameters=ordered)  # type: ignore[attr-defined]
    made: Any = described(ANALYSIS)(called)
    return made  # type: ignore[no-any-return]


def _place(parameter: inspect.Parameter, places: dict[str, int]) -> int:
    """Positional arguments first, then those of one function alone, then those of the tables."""
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY or parameter.name == "metric":
        return -1
    return places.get(parameter.name, -1)


Unit: TypeAlias = Literal["row", "group", "fold"]


class Options(NamedTuple):
    """The options of a correction; `options` checks them.

    `stream` is 0 for a correction, t for the t-th dropping test. `resamples`, if given, are draws
    of a problem's units, which need no seed.
    """

    metric: Metric
    method: Method
    pooling: Pooling
    selection: Selection
    n_bootstraps: int
    interval: IntervalKind
    confidence_level: float
    alternative: Alternative
    on_undefined: Literal["redraw", "raise"]
    seed: int | None
    stratify_bootstrap: bool
    dynamic_search: bool
    stream: int = 0
    resamples: CodeArray | None = None
    size_correction: bool = True
    class_counts: ClassCounts = "sampled"

    @property
    def needs(self) -> Needs:
        """What the method requires of the data."""
        needed_by: str | Argument = ""
        if self.selection.rungs is not None:
            return Needs(stratify=self.stratify_bootstrap, rungs=self.selection.rungs)
        if self.method != "bbc":
            needed_by = Argument("method", self.method)
        elif self.pooling == "fold":
            needed_by = Argument("pooling", "fold")
        elif self.selection.complexity is not None:
            needed_by = "selection=one_standard_error(...)"
        elif not self.stratify_bootstrap:
            return PLAIN
        by_folds = self.method in ("bbc-f", "tt")
        return Needs(
            folds_needed_by=needed_by,
            every_fold_scored=by_folds,
            by_fold=self.pooling == "fold" or by_folds,
            stratify=self.stratify_bootstrap,
        )

    def choose(self, scores: AnyArray, counts: AnyArray, *, margin: float = 0.0) -> int:
        """The winner by the rule; `margin` is the standard error that one of them reads."""
        return self.selection.choose(
            scores, counts, greater_is_better=self.metric.greater_is_better, margin=margin
        )

    def unit(self, problem: Problem) -> Unit:
        """The unit that a replicate draws (for "bbc-two-level", within folds)."""
        if self.method == "bbc-f" or problem.of_folds:
            return "fold"
        return "row" if problem.groups is None else "group"

    def drawn_folds(self, problem: Problem) -> CodeArray | None:
        """The folds that replicates of "bbc-two-level" draw, else None."""
        return problem.folds if self.method == "bbc-two-level" else None

    def parts(self, problem: Problem) -> CodeArray | None:
        """The parts of each repeat over which the metric is a mean; None for all rows together."""
        return None if self.method == "bbc-f" else problem.parts(self.pooling)

    def for_problem(
        self,
        problem: Problem,
        resamples: Any = None,
        *,
        out_of_bag: bool = True,
        needs_interval: bool = True,
    ) -> "Options":
        """The options with given draws of a problem's units and the rule for what stays of it.

        `out_of_bag` says that each replicate must leave a unit out, `needs_interval` that there
        must be enough replicates for one.
        """
        found = self
        if resamples is not None:
            found = self._replaying(problem, resamples, out_of_bag)
        if self.stratify_bootstrap and self.method == "bbc-f":
            raise InvalidValueError(
                Argument("stratify_bootstrap", True), "draws rows or groups, not folds"
            )
        if self.class_counts == "fixed":
            refuse_fixed_counts(problem, keeps_shares=found.keeps_shares())
        if self.selection.complexity is not None:
            self.selection.check(problem.n_configurations_given)
            found = found._replace(selection=self.selection.of_kept(problem.kept_configurations))
        if self.selection.derives:
            self.selection.check(problem.n_configurations)
            if self.selection.rule == "best_threshold":
                check_scores(problem)
        if needs_interval:
            enough_replicates(found.confidence_level, found.alternative, found.n_bootstraps)
        return found

    def keeps_shares(self) -> bool:
        """Whether draws may keep the shares of classes, so that limits add how these vary."""
        return self.method != "bbc" or (self.stratify_bootstrap and self.resamples is None)

    def _replaying(self, problem: Problem, resamples: Any, out_of_bag: bool) -> "Options":
        if self.method == "bbc-two-level":
            raise InvalidValueError(
                "resamples",
                "are one draw of units per replicate, but {} draws folds, and units within them",
                Argument("method", self.method),
            )
        unit = self.unit(problem)
        codes = {"fold": problem.folds, "group": problem.groups, "row": None}[unit]
        n_units = problem.n_rows if codes is None else int(codes.max()) + 1
        drawn = checked_resamples(resamples, n_units, unit, out_of_bag=out_of_bag)
        if self.stratify_bootstrap:
            raise InvalidValueError(
                "resamples", "are given: {} has no effect", Argument("stratify_bootstrap", True)
            )
        return self._replace(resamples=drawn, n_bootstraps=len(drawn), seed=None)


_DEFAULTS = {name: entry.default for name, entry in ARGUMENTS.items()} | {"stream": 0}
#: The data's own arguments are checked with the data, `metric` and `selection` by what they name.
_CHECKS = {
    name: entry.check
    for name, entry in ARGUMENTS.items()
    if entry.check is not None and name in Options._fields
}
_PASSED_ON = ARGUMENTS.keys() - {"y_true", "n_threads"}
_OF_OPTIONS = itemgetter(*Options._fields)
#: What a call may say of its data.
_OF_DATA = tuple(name for name in Data._fields[2:] if name in ARGUMENTS)


def default_n_bootstraps(metric: Metric, rule: Selection) -> int:
    """How many replicates there are unless it is said."""
    return replicates_by_default(rule.rule, metric.family == "callable")


def options(**given: Any) -> Options:
    """Check each argument that was given; errors name it. Others have the defaults of the table."""
    return checked_options(given)


def checked_options(given: dict[str, Any]) -> Options:
    """The options among arguments; those of data are left alone."""
    chosen = _DEFAULTS | given
    for name, value in given.items():
        check = _CHECKS.get(name)
        if check is not None:
            chosen[name] = check(value)
    method, interval, metric = chosen["method"], chosen["interval"], chosen["metric"]
    if interval == "calibrated" and method != "bbc-two-level":
        raise InvalidValueError(
            Argument("interval", interval), "is one of {} only", Argument("method", "bbc-two-level")
        )
    rule = chosen["selection"]
    rule = BEST if type(rule) is str and rule == "best" else _selection.get(rule)
    if type(metric) is not Metric:
        metric = metrics.get(metric)
    if rule.derives:
        metric = metric_of(rule, metric, method, interval)
    if rule.rungs is not None or chosen["pooling"] == "rung":
        check_rungs(rule, metric, method, chosen["pooling"])
    if chosen["n_bootstraps"] is None:
        chosen["n_bootstraps"] = replicates_by_default(rule.rule, metric.family == "callable")
    chosen |= {
        "metric": metric,
        "selection": rule,
        "seed": seed(chosen["random_state"]),
        "resamples": None,  # `for_problem` checks them
    }
    return Options._make(_OF_OPTIONS(chosen))


class Readings(NamedTuple):
    """What metrics read of data, each validated once; of other data it is not asked."""

    own: Data
    problems: dict[Any, Problem]

    def are_of(self, data: Data) -> bool:
        """Whether these are the same arrays."""
        return all(getattr(self.own, name) is getattr(data, name) for name in _ARRAYS)


_ARRAYS = ("y_true", "predictions", *OF_ROWS, "labels", "names", "mask")


class Asked(NamedTuple):
    """A call of a function of analysis: its data, its options, and draws if they were given.

    `readings` are those of the same data that were validated before.
    """

    data: Data
    options: Options
    resamples: Any
    n_threads: int
    readings: Readings | None = None

    def problem(self, options: Options | None = None) -> Problem:
        """The validated data of the metric, or of another one; only classes have labels.

        What is a problem already, as scores of folds are, stands in the place of predictions.
        """
        data, options = self.data, options or self.options
        needs, readings = options.needs, self.readings
        if isinstance(data.predictions, Problem):
            needs.check(data.predictions.folds)
            return data.predictions
        same = readings is not None and (readings.own is data or readings.are_of(data))
        known = readings.problems if readings is not None and same else {}
        key = (options.metric, needs, data.missing, data.block_length, repr(data.pos_label))
        found = known.get(key)
        if found is None:
            if not (data.pos_label is data.labels is None or options.metric.has_classes):
                data = data._replace(pos_label=None, labels=None)
            try:
                found = known[key] = problem(data, options.metric, needs, self.n_threads)
            except ArgumentError as error:
                name_place(error, data.names, data.predictions, data.y_true)
                raise
        return found


def asked(
    y_true: Any,
    predictions: Any,
    given: dict[str, Any],
    *,
    named: Mapping[str, Metric] | None = None,
    function: str = "",
) -> Asked:
    """Check the arguments of a call but for its data.

    `named` are all metrics, if there are several; `function` says where other arguments are
    unknown.
    """
    if function and not given.keys() <= _PASSED_ON:
        refuse_argument(function, next(name for name in given if name not in _PASSED_ON))
    return asked_of(Data(y_true, predictions), given, named=named)


def asked_of(
    data: Data,
    given: dict[str, Any],
    *,
    named: Mapping[str, Metric] | None = None,
    readings: Readings | None = None,
) -> Asked:
    """Check the arguments of a call about data, of which None says nothing that they do not say."""
    said = {name: given[name] for name in _OF_DATA if given.get(name) is not None}
    if "missing" in given:  # which must be one of its words
        said["missing"] = given["missing"]
    if said:
        data = data._replace(**said)
    settings = checked_options(given)
    if data.pos_label is not None or data.labels is not None:
        _refuse_labels_for_numbers(named or {settings.metric.name: settings.metric}, data)
    threads = n_threads(given.get("n_threads"))
    return Asked(data, settings, given.get("resamples"), threads, readings)


def _refuse_labels_for_numbers(named: Mapping[str, Metric], data: Data) -> None:
    """Refuse classes that are named for metrics of which none has classes."""
    if not any(metric.has_classes for metric in named.values()):
        argument = "labels" if data.pos_label is None else "pos_label"
        every = ", ".join(map(repr, named))
        raise InvalidValueError(argument, f"has no meaning for metric {every}")
