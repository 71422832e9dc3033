"""The arguments that functions of analysis share: each with its type, default, check and entry.

From these tables come the signatures and docstrings of functions that take ``**options``, what
`asked` checks, the parameters that protocols check, and what tests compare the command line and R
with.
"""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from numpy.typing import ArrayLike

from .._docstrings import described
from .._typing import Alternative
from ..errors import InvalidTypeError
from ..metrics import get as get_metric
from ..selection import get as get_selection
from ._scalars import choice, confidence_level, flag, integer, n_threads

Method: TypeAlias = Literal["bbc", "bbc-two-level", "bbc-f", "tt"]
IntervalKind: TypeAlias = Literal["order-statistics", "calibrated"]
Missing: TypeAlias = Literal["raise", "drop-rows", "drop-configurations", "rungs"]
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


class Sample(TypedDict, total=False):
    """What is known of the rows."""

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
    stratify_bootstrap: Annotated[
        bool,
        Entry(
            False,
            """bool, default=False
            Draw within classes, so that each replicate has the class counts of the truth.""",
            partial(flag, name="stratify_bootstrap"),
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


class Draws(TypedDict, total=False):
    """What replicates draw, how they are scored, and what is made of them."""

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
        int,
        Entry(
            1000,
            """int, default=1000
            Number of replicates.""",
            partial(integer, name="n_bootstraps", lowest=1),
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


class SharedArguments(Sample, Draws, total=False):
    """Arguments that all statistics of a correction take."""

    missing: Annotated[
        Missing,
        Entry(
            "raise",
            """{"raise", "drop-rows", "drop-configurations"}, default="raise"
            How to treat predictions that only some configurations lack.""",
            _word("missing", Missing),
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
    labels: Annotated[
        ArrayLike | None,
        Entry(
            None,
            """array-like, optional
            All classes, in the order of the last axis of class scores; by default those of the
            truth, sorted or, of an ordered pandas categorical, in its order.""",
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
    names: Annotated[
        Any,
        Entry(
            None,
            """sequence of str, optional
            Names of the configurations.""",
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
    name: _entries(Choice, SharedArguments)[name]
    for name in (
        *("y_true", "metric", "method", "folds", "groups", "block_length", "stratify_bootstrap"),
        *("sample_weight",),
        *("pos_label", "labels", "missing", "pooling", "selection", "n_bootstraps", "resamples"),
        *("interval", "confidence_level", "alternative", "on_undefined", "names"),
        *("dynamic_search", "size_correction", "random_state", "n_threads"),
    )
}
#: The same as text, for functions that spell their arguments; each says what its method is.
ANALYSIS = "\n".join(
    f"{name} : " + "\n".join(f"    {line.strip()}" for line in entry.text.splitlines()).lstrip()
    for name, entry in ARGUMENTS.items()
    if name not in ("metric", "method")
)


def analysis(function: _Function) -> _Function:
    """Give a function of analysis what its table of ``**options`` says: signature and docstring.

    Entries that the docstring itself has take precedence. Refuses arguments that are not in the
    table, and names some metrics to a call without one.
    """
    return analysis_of("")(function)


def analysis_of(table: str) -> Callable[[_Function], _Function]:
    """As `analysis`, with entries of a table before those of `ARGUMENTS`."""

    def complete(function: _Function) -> _Function:
        return _completed(function, table)

    return complete


def _completed(function: _Function, entries: str) -> _Function:
    own = dict(inspect.signature(function).parameters)
    table = get_args(own.pop("options").annotation)[0]
    typed = get_type_hints(table)
    for name in typed:
        default = ARGUMENTS[name].default
        own[name] = inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=typed[name]
        )
    places = {name: place for place, name in enumerate(ARGUMENTS)}
    ordered = sorted(own.values(), key=lambda one: _place(one, places))

    @wraps(function)
    def called(*given: Any, **options: Any) -> Any:
        if "metric" not in options:
            get_metric(None)
        if not options.keys() <= own.keys():
            unknown = next(name for name in options if name not in own)
            raise InvalidTypeError(f"bbc.{_called(function)}", f"takes no argument {unknown!r}")
        return function(*given, **options)

    called.__signature__ = inspect.signature(function).replace(parameters=ordered)  # type: ignore[attr-defined]
    made: Any = described(ANALYSIS, entries)(called)
    return made  # type: ignore[no-any-return]


def _called(function: Any) -> str:
    """The name by which users call a function, or the class whose constructor it is."""
    return str(function.__qualname__).removesuffix(".__init__")


def _place(parameter: inspect.Parameter, places: dict[str, int]) -> int:
    """Positional arguments first, then those of one function alone, then those of the tables."""
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY or parameter.name == "metric":
        return -1
    return places.get(parameter.name, -1)
