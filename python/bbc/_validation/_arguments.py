"""The arguments that functions of analysis share: each with its type, default, check and entry.

From these tables come the signatures and docstrings of functions that take ``**options``, what
`asked` (`_asked.py`) makes of a call, the parameters that protocols check, and what tests compare
the command line and R with.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import partial, wraps
from operator import itemgetter
from textwrap import fill
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

from numpy.typing import ArrayLike

from .. import metrics
from .. import selection as _selection
from .._counts import replicates_by_default
from .._design import Design
from .._docstrings import described
from .._typing import Alternative, AnyArray, CodeArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..metrics import get as get_metric
from ..selection import BEST, Selection
from ..selection import get as get_selection
from ._design import resamples as checked_resamples
from ._problem import PLAIN, Needs, Problem
from ._rules import check_rungs, check_scores, metric_of, refuse_fixed_counts
from ._values import (
    choice,
    confidence_level,
    enough_replicates,
    flag,
    n_bootstraps,
    n_threads,
    refuse_argument,
    seed,
)

Method: TypeAlias = Literal["bbc", "bbc-two-level", "bbc-f", "tt"]
IntervalKind: TypeAlias = Literal["order-statistics", "calibrated"]
Missing: TypeAlias = Literal["raise", "drop-rows", "drop-configurations", "rungs"]
ClassCounts: TypeAlias = Literal["sampled", "fixed"]
Pooling: TypeAlias = Literal["pooled", "fold", "rung"]
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Entry(NamedTuple):
    """What is said of an argument once: its default, its entry in docstrings, its check.

    The first line of the entry is the type. Without a `check`, the data that it belongs to are
    needed to check it.
    """

    default: Any
    text: str
    check: Callable[[Any], Any] | None = None


def _word(name: str, words: Any) -> Callable[[Any], str]:
    return partial(choice, name=name, allowed=get_args(words))


class Rows(TypedDict, total=False):
    """What is known of the rows and their predictions: the arguments of `bbc.Predictions`."""

    folds: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like of shape (n_rows,) or (n_repeats, n_rows), optional
            The fold in which each row was held out.""",
        ),
    ]
    groups: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like of shape (n_rows,), optional
            Rows of a group are drawn together.""",
        ),
    ]
    stratified_by: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like of shape (n_rows,), optional
            The labels within which folds were drawn, where these are not the classes of the truth:
            the bins of a regression's target, say. Limits read them where folds are drawn, and
            `stratify_bootstrap` draws rows within them.""",
        ),
    ]
    sample_weight: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like of shape (n_rows,), optional
            Weights of the rows.""",
        ),
    ]
    pos_label: Annotated[
        Any,
        Entry(
            None,
            """label, optional
            The positive class of a binary metric. By default that of scikit-learn's scorer: label
            1 for F1, precision, recall, Jaccard, specificity and average precision, the larger
            label for the AUC. Text has no default, unless the class of the scores is known.""",
        ),
    ]
    labels: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like, optional
            All classes, in the order of the last axis of class scores; by default those of the
            truth, sorted or, of an ordered pandas categorical, in its order.""",
        ),
    ]
    names: Annotated[
        Any,
        Entry(
            None,
            """sequence of str, optional
            Names of the configurations.""",
        ),
    ]
    times: Annotated[
        Sequence[float] | None,
        Entry(
            None,
            """sequence of float, optional
            The ascending times of which predictions are probabilities of survival: the last axis of
            predictions, which may be missing for a single one.""",
        ),
    ]
    design: Annotated[
        Design | None,
        Entry(
            None,
            """bbc.results.Design, optional
            What is known of the training and the search, such as the splitter or that each row was
            predicted by models of earlier rows only. What rows and options tell is set anew.""",
        ),
    ]


class Draws(TypedDict, total=False):
    """What replicates draw, how they are scored, and what is made of them."""

    missing: Annotated[
        Missing,
        Entry(
            "raise",
            """{"raise", "drop-rows", "drop-configurations"}, default="raise"
            How to treat predictions that only some configurations lack.""",
            _word("missing", Missing),
        ),
    ]
    pooling: Annotated[
        Pooling,
        Entry(
            "pooled",
            """{"pooled", "fold"}, default="pooled"
            The metric on all rows together, or its unweighted mean over folds.""",
            _word("pooling", Pooling),
        ),
    ]
    n_bootstraps: Annotated[
        int | None,
        Entry(
            None,
            """int, optional
            Number of replicates. By default 5000, whose limits vary between seeds by about one per
            cent of the interval's width, and 1000 of metrics that are Python functions and of
            ensembles, which take longer.""",
            n_bootstraps,
        ),
    ]
    resamples: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like of int of shape (n_bootstraps, n_units), optional
            Explicit draws of units instead of random ones, to reproduce an analysis.""",
        ),
    ]
    confidence_level: Annotated[
        float,
        Entry(
            0.95,
            """float, default=0.95
            Level of the interval, in (0, 1).""",
            confidence_level,
        ),
    ]
    on_undefined: Annotated[
        Literal["redraw", "raise"],
        Entry(
            "redraw",
            """{"redraw", "raise"}, default="redraw"
            How to treat a replicate for which the metric is undefined.""",
            _word("on_undefined", Literal["redraw", "raise"]),
        ),
    ]
    stratify_bootstrap: Annotated[
        bool,
        Entry(
            False,
            """bool, default=False
            Draw within the classes of the truth or, if given, the labels of `stratified_by`, so
            that each replicate has as many rows of each.""",
            partial(flag, name="stratify_bootstrap"),
        ),
    ]
    class_counts: Annotated[
        ClassCounts,
        Entry(
            "sampled",
            """{"sampled", "fixed"}, default="sampled"
            Where draws of folds or within classes keep the shares of the classes: whether these are
            a sample's, so that limits hold how they vary between samples, or were fixed by the
            design, as in a case-control study.""",
            _word("class_counts", ClassCounts),
        ),
    ]
    dynamic_search: Annotated[
        bool,
        Entry(
            False,
            """bool, default=False
            Whether configurations were chosen depending on the scores of others (finding
            BBC007).""",
            partial(flag, name="dynamic_search"),
        ),
    ]
    size_correction: Annotated[
        bool,
        Entry(
            True,
            """bool, default=True
            Keep what the number of rows does to a metric apart from selection. The rows out of
            bag are 37 % of all. Means over rows and AUC are the same on fewer rows in expectation;
            other metrics are not. R2 is therefore divided by the variance of the truth over all
            rows, and replicates of other such metrics lose the mean difference between their
            winner's scores out of bag and on all rows (`PerformanceEstimate.size_bias`): with one
            configuration, the estimate is the apparent score. False is Algorithm 5 as it was
            published, which counts the difference as optimism.""",
            partial(flag, name="size_correction"),
        ),
    ]
    random_state: Annotated[
        Any,
        Entry(
            None,
            """int, Generator or None, default=None
            Seed of the replicates, 0 to 2**53 - 1; None draws one, which the result reports.""",
        ),
    ]
    n_threads: Annotated[
        int | None,
        Entry(
            None,
            """int, optional
            Worker threads; all cores by default. The result does not depend on it.""",
            n_threads,
        ),
    ]


class Choice(TypedDict, total=False):
    """Arguments that some functions take, which spell them."""

    y_true: Annotated[
        ArrayLike,
        Entry(
            inspect.Parameter.empty,
            """array-like of shape (n_rows,)
            The truth.""",
        ),
    ]
    metric: Annotated[
        Any,
        Entry(
            inspect.Parameter.empty,
            """str, Metric, scorer or callable
            What is estimated, as in `bbc.correct`.""",
        ),
    ]
    secondary: Annotated[Any, Entry(None, "list or dict of metrics, optional\nOf the winners.")]
    rungs: Annotated[Any, Entry(None, "array-like of int or Rungs, optional\nThe rung of a row.")]
    method: Annotated[
        Method,
        Entry(
            "bbc",
            """{"bbc", "bbc-two-level", "bbc-f", "tt"}, default="bbc"
            What a replicate draws, as in `bbc.correct`.""",
            _word("method", Method),
        ),
    ]
    block_length: Annotated[
        int | Literal["auto"] | None,
        Entry(
            None,
            """int or "auto", optional
            For rows in order of time: draw blocks of so many neighbouring rows, as in
            `bbc.correct`. Not beside `groups`.""",
        ),
    ]
    selection: Annotated[
        Any,
        Entry(
            "best",
            """"best", Selection or callable, default="best"
            How the winner is selected, as in `bbc.correct`.""",
            get_selection,
        ),
    ]
    interval: Annotated[
        IntervalKind,
        Entry(
            "order-statistics",
            """{"order-statistics", "calibrated"}, default="order-statistics"
            Kind of the interval, as in `bbc.correct`.""",
            _word("interval", IntervalKind),
        ),
    ]
    alternative: Annotated[
        Alternative,
        Entry(
            "two-sided",
            """{"two-sided", "greater", "less"}, default="two-sided"
            "greater" gives a lower bound only, "less" an upper bound only.""",
            _word("alternative", Alternative),
        ),
    ]


def _entries(*tables: Any) -> dict[str, Entry]:
    """The entries of tables, by argument."""
    return {
        name: get_args(hint)[1]
        for table in tables
        for name, hint in get_type_hints(table, include_extras=True).items()
        if get_origin(hint) is Annotated
    }


#: The entries by argument, in the order in which functions take them.
ARGUMENTS: dict[str, Entry] = {
    name: _entries(Choice, Rows, Draws)[name]
    for name in (
        *("y_true", "metric", "secondary", "method", "times", "folds", "groups", "stratified_by"),
        *("block_length", "stratify_bootstrap", "class_counts", "sample_weight"),
        *("pos_label", "labels", "missing", "rungs", "pooling", "selection", "n_bootstraps"),
        *("resamples", "interval", "confidence_level", "alternative", "on_undefined", "names"),
        "design",
        *("dynamic_search", "size_correction", "random_state", "n_threads"),
    )
}
#: The same as text, for functions that spell their arguments; each says what its method is.
ANALYSIS = "\n".join(
    f"{name} : " + "\n".join(f"    {line.strip()}" for line in entry.text.splitlines()).lstrip()
    for name, entry in ARGUMENTS.items()
    if name not in ("metric", "method")
)
_ROWS = (
    "Beside a bare truth, what is known of its rows, as `bbc.Predictions` takes it: "
    + ", ".join(f"`{name}`" for name in Rows.__annotations__)
)
ANALYSIS += "\n**rows\n" + fill(_ROWS + ".", 96, initial_indent="    ", subsequent_indent="    ")


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
_OF_OPTIONS = itemgetter(*Options._fields)


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
