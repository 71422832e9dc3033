"""The arguments that functions of analysis share: each with its type, default, check and entry.

From these tables come the signatures and docstrings of functions that take ``**options``, what
`asked` (`_asked.py`) makes of a call, the parameters that protocols check, and what tests compare
the command line and R with.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from textwrap import fill
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    get_args,
    get_origin,
    get_type_hints,
)

from numpy.typing import ArrayLike

from .._design import Design
from .._typing import Alternative
from ..selection import get as get_selection
from ._values import (
    choice,
    confidence_level,
    flag,
    n_bootstraps,
    n_threads,
)

Method: TypeAlias = Literal["bbc", "bbc-two-level", "bbc-f", "tt"]
IntervalKind: TypeAlias = Literal["order-statistics", "calibrated"]
Missing: TypeAlias = Literal["raise", "drop-rows", "drop-configurations", "rungs"]
ClassCounts: TypeAlias = Literal["sampled", "fixed"]
Pooling: TypeAlias = Literal["pooled", "fold", "rung"]


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
