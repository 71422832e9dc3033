"""Options: the arguments that do not depend on data, checked."""

import math
import numbers
import os
import secrets
from collections.abc import Iterable, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from .. import metrics
from .. import selection as _selection
from .._typing import Alternative, CodeArray
from ..errors import Argument, InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ..metrics._table import METRICS
from ..selection import BEST, Selection
from ._choices import check_scores, metric_of
from ._design import resamples as checked_resamples

if TYPE_CHECKING:
    from ._problem import Problem

Method: TypeAlias = Literal["bbc", "bbc-two-level", "bbc-f", "tt"]
IntervalKind: TypeAlias = Literal["order-statistics", "calibrated"]
Unit: TypeAlias = Literal["row", "group", "fold"]
METHODS: tuple[Method, ...] = get_args(Method)
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
MAX_SEED = 2**53 - 1  # the largest that R's doubles hold with all smaller ones
_CHOICES: dict[str, tuple[str, ...]] = {
    "method": METHODS,
    "pooling": ("pooled", "fold"),
    "interval": get_args(IntervalKind),
    "on_undefined": ("redraw", "raise"),
    "alternative": ALTERNATIVES,
}


class Options(NamedTuple):
    """The options of a correction; `options` checks them.

    `stream` is 0 for a correction, t for the t-th dropping test. `resamples`, if given, are draws
    of a problem's units, which need no seed.
    """

    metric: Metric
    method: Method
    pooling: Literal["pooled", "fold"]
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
    def required_design(self) -> dict[str, Any]:
        """What the method requires of the data, as arguments of `problem`."""
        needed_by: str | Argument = ""
        if self.method != "bbc":
            needed_by = Argument("method", self.method)
        elif self.pooling == "fold":
            needed_by = Argument("pooling", "fold")
        elif self.selection.complexity is not None:
            needed_by = "selection=one_standard_error(...)"
        return {
            "folds_needed_by": needed_by,
            "every_fold_scored": self.method in ("bbc-f", "tt"),
            "by_fold": self.pooling == "fold" or self.method in ("bbc-f", "tt"),
            "stratify": self.stratify_bootstrap,
        }

    def unit(self, problem: "Problem") -> Unit:
        """What a replicate draws (for "bbc-two-level", within folds)."""
        if self.method == "bbc-f":
            return "fold"
        return "row" if problem.groups is None else "group"

    def drawn_folds(self, problem: "Problem") -> CodeArray | None:
        """The folds that replicates of "bbc-two-level" draw, else None."""
        return problem.folds if self.method == "bbc-two-level" else None

    def parts(self, problem: "Problem") -> CodeArray | None:
        """The parts of each repeat over which the metric is a mean; None for all rows together."""
        return None if self.method == "bbc-f" else problem.parts(self.pooling)

    def for_problem(
        self,
        problem: "Problem",
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

    def _replaying(self, problem: "Problem", resamples: Any, out_of_bag: bool) -> "Options":
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


def options(
    *,
    metric: Any,
    method: Any = "bbc",
    pooling: Any = "pooled",
    selection: Any = "best",
    n_bootstraps: Any = 1000,
    interval: Any = "order-statistics",
    confidence_level: Any = 0.95,
    alternative: Any = "two-sided",
    on_undefined: Any = "redraw",
    random_state: Any = None,
    stratify_bootstrap: Any = False,
    dynamic_search: Any = False,
    size_correction: Any = True,
    stream: int = 0,
) -> Options:
    """Check each argument; errors name it."""
    given = (method, pooling, interval, on_undefined, alternative)
    for value, (name, allowed) in zip(given, _CHOICES.items(), strict=True):
        if type(value) is not str or value not in allowed:  # seldom: a call costs more than this
            choice(value, name, allowed)
    if interval == "calibrated" and method != "bbc-two-level":
        raise InvalidValueError(
            Argument("interval", interval), "is one of {} only", Argument("method", "bbc-two-level")
        )
    number = integer(n_bootstraps, "n_bootstraps", lowest=1)
    level = _level(confidence_level)
    rule = BEST if type(selection) is str and selection == "best" else _selection.get(selection)
    if type(dynamic_search) is not bool:
        dynamic_search = flag(dynamic_search, "dynamic_search")
    if type(size_correction) is not bool:
        size_correction = flag(size_correction, "size_correction")
    resolved = (METRICS.get(metric) if type(metric) is str else None) or metrics.get(metric)
    if rule.derives:
        resolved = metric_of(rule, resolved, method, interval)
    return Options(
        metric=resolved,
        method=method,
        pooling=pooling,
        selection=rule,
        n_bootstraps=number,
        interval=interval,
        confidence_level=level,
        alternative=alternative,
        on_undefined=on_undefined,
        seed=seed(random_state),
        stratify_bootstrap=stratify_bootstrap,  # `problem` checks it
        dynamic_search=dynamic_search,
        stream=stream,
        size_correction=size_correction,
    )


_NAMES = frozenset(signature(options).parameters) - {"stream"}
_DESIGN_NAMES = frozenset(
    ("folds", "groups", "sample_weight", "pos_label", "labels", "missing", "names")
)


def split_arguments(
    given: Mapping[str, Any], function: str
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Arguments of `correct` that were passed on: those of `options`, of `problem`, resamples."""
    unknown = sorted(set(given) - _NAMES - _DESIGN_NAMES - {"resamples"})
    if unknown:
        raise InvalidTypeError(function, f"takes no argument {unknown[0]!r}")
    return (
        {name: value for name, value in given.items() if name in _NAMES},
        {name: value for name, value in given.items() if name in _DESIGN_NAMES},
        given.get("resamples"),
    )


def integer(value: Any, name: str, *, lowest: int) -> int:
    """An int of at least `lowest`."""
    # The plain type first: asking numbers.Integral takes longer than all else here.
    if type(value) is not int and (
        isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral)
    ):
        raise InvalidTypeError(name, f"must be an integer, got {type(value).__name__} {value!r}")
    number = int(value)
    if number < lowest:
        raise InvalidValueError(name, f"must be at least {lowest}, got {number}")
    return number


def n_bootstraps(value: Any) -> int:
    """Number of replicates."""
    return integer(value, "n_bootstraps", lowest=1)


def choice(value: Any, name: str, allowed: Iterable[str]) -> str:
    """One of the words that the argument takes."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        shown = " or ".join(repr(word) for word in words)
        raise InvalidValueError(name, f"must be {shown}, got {value!r}")
    return value


def flag(value: Any, name: str) -> bool:
    """A bool, so that strings do not count as True."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidTypeError(name, f"must be True or False, got {type(value).__name__} {value!r}")
    return bool(value)


def confidence_level(value: Any) -> float:
    """A level strictly between 0 and 1."""
    level = value if type(value) is float else _number(value, "confidence_level")
    if not 0 < level < 1:
        raise InvalidValueError(
            "confidence_level",
            f"must be between 0 and 1, got {level:g}",
            hint=f"write {level:g} % as {level / 100:g}" if 1 < level < 100 else "",
        )
    return level


def share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    number = _number(value, name)
    if not 0 <= number <= 1:
        raise InvalidValueError(name, f"must be between 0 and 1, got {number:g}")
    return number


def positive(value: Any, name: str) -> float:
    """A finite number above 0."""
    number = _number(value, name)
    if not 0 < number < math.inf:
        raise InvalidValueError(name, f"must be above 0 and finite, got {number:g}")
    return number


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidTypeError(name, f"must be a number, got {type(value).__name__}")
    return float(value)


def enough_replicates(level: float, alternative: str, n_bootstraps: int) -> None:
    """Refuse a level whose tail holds less than one replicate."""
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # Rounded as the ranks of the interval are: 1 - 0.95 is not exactly 0.05.
    if round(tail * n_bootstraps, 9) < 1:
        needed = math.ceil((1 - 5e-10) / tail)
        raise InvalidValueError(
            Argument("confidence_level", level),
            "is too high for {}",
            Argument("n_bootstraps", n_bootstraps),
            hint=("use at least {}", Argument("n_bootstraps", needed)),
        )


def seed(random_state: Any) -> int:
    """The seed of all replicates, 0 to 2^53 - 1; drawn if `random_state` is None."""
    if type(random_state) is int and 0 <= random_state <= MAX_SEED:
        return random_state
    if random_state is None:
        return secrets.randbelow(MAX_SEED + 1)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, MAX_SEED, endpoint=True))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, MAX_SEED + 1, dtype=np.int64))
    if isinstance(random_state, bool) or not isinstance(random_state, numbers.Integral):
        raise InvalidTypeError(
            "random_state",
            f"must be None, an integer or a numpy Generator, got {type(random_state).__name__}",
        )
    given = int(random_state)
    if not 0 <= given <= MAX_SEED:
        raise InvalidValueError("random_state", f"must be between 0 and 2**53 - 1, got {given}")
    return given


def n_threads(value: Any) -> int:
    """Number of threads; None means the processors that this process may use."""
    if value is None:
        return len(os.sched_getaffinity(0))
    return integer(value, "n_threads", lowest=1)


def names(value: Any, n_configurations: int) -> tuple[str, ...] | None:
    """Names of the configurations."""
    if value is None:
        return None
    if isinstance(value, str) or not hasattr(value, "__len__"):
        raise InvalidTypeError("names", f"must be a sequence of names, got {type(value).__name__}")
    if len(value) != n_configurations:
        raise InvalidValueError(
            "names", f"has {len(value)} entries for {n_configurations} configurations"
        )
    return tuple(str(name) for name in value)


_level = confidence_level  # `options` has an argument of that name
