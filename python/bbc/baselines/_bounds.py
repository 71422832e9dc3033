"""Lower confidence bounds for the AUC of a selected configuration."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._design import Design
from .._docstrings import described
from .._validation import ANALYSIS, Options, Problem
from .._warn import warn
from .._winners import run
from ..errors import (
    Argument,
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
    arguments_called,
)
from ..results import Bound, BoundComparison, ConfidenceInterval
from ..results._correction import design_of, to_result

__all__ = ["bound", "compare_bounds"]

_ALL_ROWS = ("bbc", "bbc-two-level", "bbc-f")
BoundMethod = Literal[
    "bbc", "bbc-two-level", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt", "nb"
]
_METHODS = get_args(BoundMethod)
# Table 2 of Paraschakis et al. (2024), in its order.
_COMPARED = (
    ("bbc", None),
    ("bbc-f", None),
    ("delong", "best"),
    ("hanley-mcneil", "best"),
    ("bt", "best"),
    ("delong", "top10%"),
    ("hanley-mcneil", "top10%"),
    ("bt", "top10%"),
    ("mabt", "top10%"),
    ("nb", "best"),
)

_AUC = """
y_true : array-like of shape (n_rows,)
    The truth, two classes.
predictions : array-like or frame of shape (n_rows, n_configurations)
    Out-of-sample scores; higher means positive.
folds : array-like of shape (n_rows,)
    The fold in which each row was held out; optional for method "bbc" only.
variant : {"standard", "published"}, default="standard"
    "published" uses the formulas of published tables: see `bbc.baselines.intervals.tilting` and
    `bbc.baselines.intervals.hanley_mcneil`.
confidence_level : float, default=0.95
    Level of the bound, in (0, 1).
random_state : int, Generator or None, default=None
    Seed of the split and the replicates, 0 to 2**53 - 1. None draws one.
"""


@described(ANALYSIS, _AUC)
def bound(
    y_true: ArrayLike,
    predictions: Any,
    folds: ArrayLike | None = None,
    *,
    method: BoundMethod = "bbc",
    rule: Literal["best", "top10%"] | None = None,
    variant: Literal["standard", "published"] = "standard",
    n_bootstraps: int | None = None,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> Bound:
    """Compute a lower confidence bound for the AUC of the selected configuration.

    "bbc", "bbc-two-level" and "bbc-f" use all rows, and "bbc" needs no folds. "delong",
    "hanley-mcneil", "bt" and "mabt" split the rows at random into three quarters to select on, by
    mean fold AUC, and one quarter to evaluate the selected configuration on; the split is redrawn
    until every part has both classes. "nb" resamples the winner's fold scores and ignores its
    selection: a baseline without coverage.

    Parameters
    ----------
    method : {"bbc", "bbc-two-level", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt", "nb"}, \
default="bbc"
        How the bound is computed.
    rule : {"best", "top10%"}, optional
        "best" selects the best configuration on the learn rows; "top10%" the best on the
        evaluation rows among those at or above the 90 % quantile on the learn rows, and corrects
        "delong" and "bt" for that by Šidák's formula. By default "top10%" for "mabt" and "best"
        for the others.
    n_bootstraps : int, optional
        Number of replicates; by default 2000 for "bt" and "mabt", otherwise 5000.

    Returns
    -------
    Bound
        The bound, with the point estimate and the selected configuration; `infeasible` gives the
        reason if there is none.

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    >>> predictions = y[:, None] + rng.normal(size=(200, 30))
    >>> bound = bbc.baselines.bound(y, predictions, random_state=1)
    >>> bound.method, bound.low < bound.estimate
    ('bbc', True)
    >>> bound = bbc.baselines.bound(y, predictions, folds, method="mabt", random_state=1)
    >>> len(bound.candidates), len(bound.evaluation_rows)
    (3, 50)
    """
    _validation.choice(method, "method", _METHODS)
    _validation.choice(variant, "variant", ("standard", "published"))
    level = _validation.confidence_level(confidence_level)
    rule_name = _rule(method, rule)
    seed = _validation.seed(random_state)
    if n_bootstraps is not None:
        n_bootstraps = _validation.integer(n_bootstraps, "n_bootstraps", lowest=1)
        _validation.enough_replicates(level, "greater", n_bootstraps)
    problem = _problem(y_true, predictions, folds, method, pos_label, names)
    threads = _validation.n_threads(n_threads)
    if method in _ALL_ROWS:
        options = _validation.options(
            metric="roc_auc",
            method=method,
            n_bootstraps=n_bootstraps,
            confidence_level=level,
            alternative="greater",
            random_state=seed,
        )
        return _on_all_rows(problem, options, predictions, threads)
    assert problem.truth.codes is not None
    assert problem.folds is not None
    assert problem.fold_labels is not None
    raw = _engine.kernel.bound(
        problem.truth.codes.astype(np.uint8),
        problem.predictions[0],
        problem.folds[0],
        fold_names=[str(label) for label in problem.fold_labels[0]],
        method=method,
        top_decile=rule_name == "top10%",
        published=variant == "published",
        confidence_level=level,
        n_bootstraps=n_bootstraps or 0,
        seed=seed,
        n_threads=threads,
    )
    if raw["warning"]:
        warn(f"{method}: {raw['warning']}")
    blank = _blank(problem, method, rule_name, seed, design_of(problem, predictions))
    return _on_part(raw, problem, level, blank)


@described(ANALYSIS, _AUC)
def compare_bounds(
    y_true: ArrayLike,
    predictions: Any,
    folds: ArrayLike,
    *,
    methods: Sequence[str | tuple[str, str]] | None = None,
    variant: Literal["standard", "published"] = "standard",
    confidence_level: float = 0.95,
    pos_label: Any = None,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> BoundComparison:
    """Compute the bounds of several methods on the same predictions.

    All methods share one seed, so those that split the rows share the split.

    Parameters
    ----------
    methods : sequence of str or (str, str), optional
        Methods of `bbc.baselines.bound`, or pairs of method and rule; by default the ten of the
        paper.

    Returns
    -------
    BoundComparison
        Estimate and bound of each method, or why there is none; prints as a table.

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in the
       context of AutoML", AutoML (2024), Table 2.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    >>> predictions = y[:, None] + rng.normal(size=(200, 30))
    >>> comparison = bbc.baselines.compare_bounds(
    ...     y, predictions, folds, methods=["delong", ("bt", "top10%"), "nb"], random_state=1)
    >>> [bound.feasible for bound in comparison]
    [True, True, True]
    """
    if isinstance(methods, str):
        raise InvalidTypeError("methods", f"must be a sequence of methods, such as [{methods!r}]")
    pairs = [_pair(entry) for entry in (_COMPARED if methods is None else methods)]
    seed = _validation.seed(random_state)
    with arguments_called(method="methods"):
        bounds = [
            bound(
                y_true,
                predictions,
                folds,
                method=method,
                rule=rule,
                variant=variant,
                confidence_level=confidence_level,
                pos_label=pos_label,
                names=names,
                random_state=seed,
                n_threads=n_threads,
            )
            for method, rule in pairs
        ]
    return BoundComparison(tuple(bounds))


def _pair(entry: Any) -> tuple[Any, Any]:
    """A method and its rule; `bound` checks both."""
    if isinstance(entry, str):
        return entry, None
    if not isinstance(entry, tuple | list) or len(entry) != 2:
        raise InvalidValueError(
            "methods", f": {entry!r} is neither a method nor a pair of method and rule"
        )
    return entry[0], entry[1]


def _rule(method: str, rule: Any) -> str:
    allowed = ("best",) if method == "nb" else ("best", "top10%")
    if method in _ALL_ROWS:
        if rule is not None:
            raise InvalidValueError(
                "rule", f": method {method!r} selects on all rows, so it takes no rule"
            )
        return "all rows"
    if rule is None:
        return "top10%" if method == "mabt" else "best"
    return _validation.choice(rule, "rule", allowed)


def _problem(
    y_true: Any, predictions: Any, folds: Any, method: str, pos_label: Any, names: Any
) -> Problem:
    data = _validation.Data(y_true, predictions, folds, pos_label=pos_label, names=names)
    needs = _validation.Needs("" if method == "bbc" else Argument("method", method))
    problem = _validation.problem(data, metrics.get("roc_auc"), needs)
    if problem.n_repeats != 1:
        raise InvalidValueError(
            "predictions", f"has {problem.n_repeats} repeats; a bound takes one"
        )
    return problem


def _blank(problem: Problem, method: str, rule: str, seed: int | None, design: Design) -> Bound:
    """What every bound says: its method and data."""
    return Bound(
        method,
        rule,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        seed=seed,
        version=_engine.kernel_version(),
        design=design,
    )


def _on_part(raw: dict[str, Any], problem: Problem, level: float, blank: Bound) -> Bound:
    """A bound from the rows that were not used to select."""
    rows = raw["evaluation_rows"]
    if problem.left_out_rows.size:
        kept = np.setdiff1d(np.arange(problem.n_rows_given), problem.left_out_rows)
        rows = kept[rows]
    selected, feasible = raw["selected"], raw["feasible"]
    winner = int(raw["winner"]) if selected else None
    return replace(
        blank,
        estimate=raw["estimate"] if selected else None,
        confidence_interval=(
            ConfidenceInterval(raw["low"], raw["high"], level, "greater") if feasible else None
        ),
        infeasible=None if feasible else raw["reason"],
        winner=winner,
        winner_name=_name(problem, winner),
        candidates=tuple(raw["candidates"].tolist()),
        evaluation_rows=tuple(rows.tolist()),
        n_splits=raw["n_splits"],
        n_bootstraps=raw["n_bootstraps"],
        effective_sample_size=raw["effective_sample_size"] or None,
        notes=(raw["warning"],) if raw["warning"] else (),
    )


def _name(problem: Problem, winner: int | None) -> str:
    if winner is None:
        return ""
    return problem.names[winner] if problem.names else f"configuration {winner}"


def _on_all_rows(problem: Problem, options: Options, predictions: Any, n_threads: int) -> Bound:
    """A correction as a bound, infeasible if its metric is undefined."""
    design = design_of(problem, predictions, options)
    blank = _blank(problem, options.method, "all rows", options.seed, design)
    options = options.for_problem(problem)
    try:
        if options.method == "bbc-f":
            assert problem.folds is not None
            assert problem.fold_labels is not None
            folds = problem.folds, problem.fold_labels
            _validation.check_fold_classes(*folds, problem.truth, options.metric)
        raw = run(problem, options, n_threads=n_threads)
    except UndefinedMetricError as error:
        return replace(blank, infeasible=str(error))
    estimate = to_result(raw, problem, options)
    return replace(
        blank,
        estimate=estimate.estimate,
        confidence_interval=estimate.confidence_interval,
        infeasible=estimate.infeasible,
        winner=estimate.winner,
        winner_name=estimate.winner_name,
        n_bootstraps=options.n_bootstraps,
        notes=estimate.notes,
        data_findings=estimate.data_findings,
    )
