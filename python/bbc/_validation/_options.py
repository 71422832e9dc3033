"""What a call of an analysis asks for: data as passed, options that need no data, threads."""

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .. import metrics
from .. import selection as _selection
from .._typing import Alternative, CodeArray
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ..metrics._spec import computation_facts
from ..metrics._table import METRICS
from ..selection import BEST, Selection
from ._arguments import ARGUMENTS, IntervalKind, Method, Pooling
from ._design import resamples as checked_resamples
from ._problem import BY_RUNGS, PLAIN, Data, Needs, Problem, problem
from ._scalars import enough_replicates, n_threads, seed


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
    if computation_facts(metric).get("form") not in ("zero_one", "confusion"):
        raise InvalidValueError(
            "selection",
            f"{rule} makes labels of scores, but metric {metric.name!r} takes {metric.predicts}",
            hint="use a metric of labels, such as 'f1'",
        )
    return replace(metric, predicts="score", target="binary", response_method=(), response="")


def compares_pairs(metric: Metric) -> bool:
    """True if the metric compares pairs of rows, which rungs count within themselves."""
    return metric.kernel in ("roc_auc", "concordance_index")


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

    def unit(self, problem: Problem) -> Unit:
        """The unit that a replicate draws (for "bbc-two-level", within folds)."""
        if self.method == "bbc-f":
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
    if type(metric) is not Metric:  # `get` costs more than all else here
        metric = (METRICS.get(metric) if type(metric) is str else None) or metrics.get(metric)
    if rule.derives:
        metric = metric_of(rule, metric, method, interval)
    if rule.rungs is not None or chosen["pooling"] == "rung":
        check_rungs(rule, metric, method, chosen["pooling"])
    chosen |= {
        "metric": metric,
        "selection": rule,
        "seed": seed(chosen["random_state"]),
        "resamples": None,  # `for_problem` checks them
    }
    return Options._make(_OF_OPTIONS(chosen))


class Asked(NamedTuple):
    """A call of a function of analysis: its data, its options, and draws if they were given."""

    data: Data
    options: Options
    resamples: Any
    n_threads: int

    def problem(self, options: Options | None = None) -> Problem:
        """The validated data of the metric, or of another one; only classes have labels."""
        data, options = self.data, options or self.options
        if not (data.pos_label is data.labels is None or options.metric.has_classes):
            data = data._replace(pos_label=None, labels=None)
        return problem(data, options.metric, options.needs)


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
        unknown = next(name for name in given if name not in _PASSED_ON)
        raise InvalidTypeError(function, f"takes no argument {unknown!r}")
    passed = given.get
    data = Data(
        y_true,
        predictions,
        folds=passed("folds"),
        groups=passed("groups"),
        sample_weight=passed("sample_weight"),
        pos_label=passed("pos_label"),
        labels=passed("labels"),
        missing=passed("missing", "raise"),
        names=passed("names"),
        block_length=passed("block_length") or 0,
    )
    settings = checked_options(given)
    if data.pos_label is not None or data.labels is not None:
        _refuse_labels_for_numbers(named or {settings.metric.name: settings.metric}, data)
    return Asked(data, settings, passed("resamples"), n_threads(passed("n_threads")))


def _refuse_labels_for_numbers(named: Mapping[str, Metric], data: Data) -> None:
    """Refuse classes that are named for metrics of which none has classes."""
    if not any(metric.has_classes for metric in named.values()):
        argument = "labels" if data.pos_label is None else "pos_label"
        every = ", ".join(map(repr, named))
        raise InvalidValueError(argument, f"has no meaning for metric {every}")
