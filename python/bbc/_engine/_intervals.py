"""Intervals of one fixed configuration or learner, and lower bounds of a selected one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._typing import Alternative, AnyArray, CodeArray, FloatArray
from .._validation import Options, Problem
from ._kernel import kernel_options, kernel_predictions, kernel_target

Raw = dict[str, Any]

_NO_CLASSES = np.empty(0, np.uint8)


def is_positive(codes: CodeArray) -> AnyArray:
    """Codes of two classes as the kernel's flags."""
    return np.ascontiguousarray(codes, dtype=np.uint8)


def _scores(values: AnyArray) -> FloatArray:
    return np.ascontiguousarray(values, dtype=np.float64)


def delong(codes: CodeArray, scores: AnyArray, level: float, alternative: Alternative) -> Raw:
    """DeLong's interval of one AUC."""
    raw: Raw = _core.delong(is_positive(codes), _scores(scores), level, alternative)
    return raw


def delong_test(
    codes: CodeArray, first: AnyArray, second: AnyArray, level: float, alternative: Alternative
) -> Raw:
    """DeLong's test of two AUCs of the same rows."""
    raw: Raw = _core.delong_test(
        is_positive(codes), _scores(first), _scores(second), level, alternative
    )
    return raw


def hanley_mcneil(
    codes: CodeArray, scores: AnyArray, level: float, alternative: Alternative
) -> Raw:
    """Hanley and McNeil's interval of one AUC."""
    raw: Raw = _core.hanley_mcneil(is_positive(codes), _scores(scores), level, alternative)
    return raw


def hanley_mcneil_paraschakis2024(
    codes: CodeArray, scores: AnyArray, level: float, alternative: Alternative
) -> Raw:
    """The formula behind a published table; calls are scores above zero."""
    n_correct = int(np.count_nonzero((scores > 0) == (codes == 1)))
    raw: Raw = _core.hanley_mcneil_paraschakis2024(
        is_positive(codes), _scores(scores), n_correct, len(codes) - n_correct, level, alternative
    )
    return raw


def wilson(n_successes: int, n_trials: int, level: float, alternative: Alternative) -> Raw:
    """Wilson's interval of a proportion."""
    raw: Raw = _core.wilson(n_successes, n_trials, level, alternative)
    return raw


def clopper_pearson(n_successes: int, n_trials: int, level: float, alternative: Alternative) -> Raw:
    """Clopper and Pearson's interval of a proportion."""
    raw: Raw = _core.clopper_pearson(n_successes, n_trials, level, alternative)
    return raw


def naive_bootstrap(problem: Problem, options: Options, kind: str, *, n_threads: int) -> Raw:
    """Bootstrap interval of one fixed configuration."""
    metric = options.metric
    lowest, highest = metric.limits(problem.truth.n_classes)
    raw: Raw = _core.naive_bootstrap(
        kernel_target(problem, metric),
        kernel_predictions(problem, metric)[0],
        kernel_options(problem, options),
        kind,
        lowest,
        highest,
        n_threads,
    )
    return raw


def tilting(
    method: str,
    codes: CodeArray | None,
    columns: FloatArray,
    *,
    selected: int,
    published: bool,
    n_bootstraps: int | None,
    seed: int,
    resamples: CodeArray | None,
    level: float,
    alternative: Alternative,
    n_threads: int,
) -> Raw:
    """BT or MABT of columns (configuration, row): scores, or right calls if there are no codes."""
    run = {"bt": _core.tilting, "mabt": _core.mabt}[method]
    raw: Raw = run(
        _NO_CLASSES if codes is None else is_positive(codes),
        np.ascontiguousarray(columns, dtype=np.float64),
        selected,
        published,
        n_bootstraps or 0,
        seed,
        resamples,
        level,
        alternative,
        n_threads,
    )
    return raw


def bound(
    codes: CodeArray,
    predictions: FloatArray,
    folds: CodeArray,
    *,
    fold_names: Sequence[str],
    method: str,
    top_decile: bool,
    published: bool,
    level: float,
    n_bootstraps: int | None,
    seed: int,
    n_threads: int,
) -> Raw:
    """Lower bound of a configuration that is selected on learn rows, or by its fold scores."""
    raw: Raw = _core.bound(
        is_positive(codes),
        predictions,
        np.ascontiguousarray(folds, dtype=np.int32),
        list(fold_names),
        method,
        top_decile,
        published,
        level,
        n_bootstraps or 0,
        seed,
        n_threads,
    )
    return raw


def corrected_resampled_t(
    scores: FloatArray,
    n_train: float,
    n_test: float,
    level: float,
    alternative: Alternative,
    limits: tuple[float, float],
) -> Raw:
    """Nadeau and Bengio's corrected t interval."""
    raw: Raw = _core.corrected_resampled_t(scores, n_train, n_test, level, alternative, *limits)
    return raw


def conservative_z(
    estimate: float,
    first: FloatArray,
    second: FloatArray,
    level: float,
    alternative: Alternative,
    limits: tuple[float, float],
) -> Raw:
    """Nadeau and Bengio's conservative z interval."""
    raw: Raw = _core.conservative_z(estimate, first, second, level, alternative, *limits)
    return raw


def wald(
    losses: FloatArray, level: float, alternative: Alternative, limits: tuple[float, float]
) -> Raw:
    """Mean loss with its naive standard error."""
    raw: Raw = _core.wald(losses, level, alternative, *limits)
    return raw


def nested_cv(
    outer: Sequence[FloatArray],
    inner: Sequence[FloatArray],
    n_rows: int,
    n_folds: int,
    cv_loss: float | None,
    level: float,
    alternative: Alternative,
    limits: tuple[float, float],
) -> Raw:
    """Nested cross-validation interval of Bates, Hastie and Tibshirani."""
    raw: Raw = _core.nested_cv(
        list(outer), list(inner), n_rows, n_folds, cv_loss, level, alternative, *limits
    )
    return raw
