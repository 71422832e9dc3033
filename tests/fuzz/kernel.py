"""The kernel against the oracle on random problems, until a number of cases or seconds is reached.

    make fuzz CASES=1000000 SEED=1
    make fuzz CASE=4711 SEED=1        one case again, with all that it is made of

A case is a function of (seed, number). Redraws, and winners wherever the oracle compares exactly,
must be equal; elsewhere another winner must be tied to within rounding. Every score must be the
oracle's to within 1e-12, and what one refuses the other must refuse.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import bbc
from bbc import _core
from fuzz.case import Array, Case
from fuzz.choices import compare, draw_choice, selection_of
from fuzz.comparison import Comparison, DisagreementError
from fuzz.problems import draw_case
from reference.bbc import Corrected
from reference.bbc import bbc as oracle_bbc
from reference.bbc import bbc_f as oracle_bbc_f
from reference.dominated import dominated as oracle_dominated
from reference.metrics import Metric
from reference.problem import Problem, make_problem
from reference.selection import OneStandardError
from reference.several import on_winners
from reference.tt import tt as oracle_tt
from reference.two_level import bbc_two_level as oracle_two_level

_SHARE_OF_CHOICES = 0.25


def check(case: Case) -> None:
    """Ask both; raise `DisagreementError` if the answers differ."""
    _core.limit_simd(case.simd)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        ours, theirs = _answer(_ours, case), _answer(_theirs, case)
        if isinstance(ours, ValueError) or isinstance(theirs, ValueError):
            if not (isinstance(ours, ValueError) and isinstance(theirs, ValueError)):
                raise DisagreementError(f"bbc: {ours!r}; oracle: {theirs!r}")
            return
        comparison = Comparison(case, _problem(case))
        if case.question == "dominated":
            comparison.dominance(ours, theirs)
        elif comparison.estimate(ours, theirs) and case.other is not None:
            _check_other(case, ours, theirs)
        if case.block:
            _check_blocks(case, ours)
    _check_choice(case)


def _check_choice(case: Case) -> None:
    """Some cases again, with a rule that chooses a cut-off or an ensemble."""
    rng = np.random.default_rng([case.options.get("random_state", 0), case.n_rows, 7])
    drawn = draw_choice(case, rng) if rng.random() < _SHARE_OF_CHOICES else None
    if drawn is None:
        return
    case, rule = drawn
    y, repeats, options = _arguments(case)
    labels = np.unique(y)
    if labels.dtype.kind == "U" and len(labels) == 2 and "labels" not in options:
        # A cut-off reads the scores of one class.
        options.setdefault("pos_label", labels[1].item())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        ours = _answer(
            lambda _: bbc.correct(
                y, repeats, metric=case.metric, selection=selection_of(rule), **options
            ),
            case,
        )
    design = {**case.design, "selection": lambda scores, counts: 0}
    theirs = _answer(_theirs, replace(case, design=design))
    if isinstance(ours, ValueError) or isinstance(theirs, ValueError):
        if not (isinstance(ours, ValueError) and isinstance(theirs, ValueError)):
            raise DisagreementError(f"{rule}: bbc: {ours!r}; oracle: {theirs!r}")
        return
    compare(case, rule, _problem(case), ours, theirs)


def _answer(ask: Callable[[Case], Any], case: Case) -> Any:
    try:
        return ask(case)
    except ValueError as error:
        return error


def _arguments(case: Case) -> tuple[Array, list[Array], dict[str, Any]]:
    """Truth, predictions and options as bbc takes them."""
    design = dict(case.given.get("design", case.design))
    if design.pop("stratify", False):
        design["stratify_bootstrap"] = True
    design.pop("seen", None)  # the predictions have holes there
    if isinstance(design.get("selection"), list):
        design["selection"] = bbc.one_standard_error(design["selection"])
    if "resamples" in case.design:
        design["resamples"] = case.design["resamples"]
    if case.question in ("bbc-two-level", "bbc-f"):
        design["method"] = case.question
    return case.given["y"], case.given["repeats"], {**design, **case.options}


def _ours(case: Case) -> Any:
    y, repeats, options = _arguments(case)
    tt = partial(bbc.correct, method="tt")
    ask = {"tt": tt, "dominated": bbc.baselines.dominated}.get(case.question, bbc.correct)
    metric = _function(case) if case.by_function else case.metric
    if _is_published(case):
        options["size_correction"] = False
    return ask(y, repeats, metric=metric, **options)


def _is_published(case: Case) -> bool:
    """Whether nothing is corrected but the choice, as of a function that needs no more.

    Of functions it is not known that they do not depend on the number of rows.
    """
    by_function = case.by_function and not case.metric._compiled.size_dependent
    return by_function and case.question in ("bbc", "bbc-two-level")


def _function(case: Case) -> bbc.metrics.Metric:
    """The oracle's metric as a Python function; NaN where it is undefined."""
    measure, truth = case.measure, _problem(case).truth

    def function(y: Array, prediction: Array) -> float:
        rows, once = replace(truth, y=y, class_list=truth.classes), np.ones(len(y), np.int64)
        return measure.value(rows, prediction, once) if measure.defined(rows, once) else math.nan

    low, high = measure.bounds(truth)
    return bbc.metrics.from_callable(
        function,
        measure.greater_is_better,
        name=measure.name,
        lowest=low,
        highest=high,
        target=case.metric.target,
        predicts=case.metric.predicts,
    )


def _problem(case: Case, measure: Metric | None = None) -> Problem:
    names = ("pooling", "folds", "sample_weight", "seen")
    return make_problem(
        case.y,
        np.stack(case.repeats),
        measure or case.measure,
        classes=tuple(case.options["labels"]) if "labels" in case.options else None,
        pos_label=case.options.get("pos_label"),
        n_repeats=len(case.repeats),
        **{name: case.design[name] for name in names if name in case.design},
    )


def _theirs(case: Case) -> Any:
    options = {
        name: value
        for name, value in case.options.items()
        if name not in ("random_state", "missing", "labels")
    }
    options["n_repeats"] = len(case.repeats)
    if "random_state" in case.options:
        options["seed"] = case.options["random_state"]
    if "labels" in case.options:
        options["classes"] = tuple(case.options["labels"])
    design = dict(case.design)
    if case.question == "bbc-f":
        scores = _problem(case).fold_scores()
        names = ("seed", "n_bootstraps", "confidence_level", "alternative")
        chosen = {name: options[name] for name in names}
        bounds = case.measure.bounds(_problem(case).truth)
        return oracle_bbc_f(scores, case.measure, bounds=bounds, **chosen)
    stacked = np.stack(case.repeats)
    if case.question == "tt":
        return oracle_tt(case.y, stacked, case.measure, **design, **options)
    if case.question == "dominated":
        if design.pop("stratify", False):
            design["strata"] = case.y.tolist()
        return oracle_dominated(case.y, stacked, case.measure, **design, **options)
    if isinstance(design.get("selection"), list):
        design["selection"] = OneStandardError(design["selection"])
    if _is_published(case):
        options["size_correction"] = False
    ask = oracle_two_level if case.question == "bbc-two-level" else oracle_bbc
    return ask(case.y, stacked, case.measure, **design, **options)


def _check_other(case: Case, ours: Any, decided: Corrected) -> None:
    """Another metric is scored on the winners and replicates of the one that decides."""
    assert case.other is not None
    y, repeats, options = _arguments(case)
    metric = _function(case) if case.by_function else case.metric
    problem = _problem(case, case.oracle_of(case.other))
    theirs = None
    if problem.defined(np.ones(case.n_rows, dtype=np.int64)):
        theirs = on_winners(problem, decided, two_level=case.question == "bbc-two-level")
    try:
        c = bbc.correct(y, repeats, metric=metric, secondary={"other": case.other}, **options)
    except ValueError as error:
        if theirs is not None and not np.isnan(theirs.replicates).all():
            raise DisagreementError(f"other {case.other.name}: {error}") from error
        return
    if replace(c.record, secondary={}) != ours:
        raise DisagreementError("another metric changes the one that decides")
    found = c.secondary.get("other", c.record)  # the metric that selects is not told twice
    if theirs is None:
        raise DisagreementError(f"other {case.other.name}: {found!r}, oracle: undefined")
    Comparison(case, problem).other(found, theirs)


def _without_luck(estimate: bbc.PerformanceEstimate) -> bbc.PerformanceEstimate:
    """All but the test of model luck, which needs all configurations at once."""
    estimate = getattr(estimate, "record", estimate)
    others = tuple(each for each in estimate.data_findings if each.code != "BBC011")
    return replace(estimate, model_luck=None, data_findings=others)


def _check_blocks(case: Case, expected: bbc.PerformanceEstimate) -> None:
    """Blocks of configurations give the same bits as all at once."""
    y, repeats, options = _arguments(case)
    n_configurations = repeats[0].shape[1]
    blocks = [
        [own[:, first : first + case.block] for own in repeats]
        for first in range(0, n_configurations, case.block)
    ]
    streamed = bbc.correct(y, bbc.Blocks(blocks), metric=case.metric, n_threads=2, **options)
    if _without_luck(streamed) != _without_luck(expected):
        raise DisagreementError(f"blocks of {case.block} configurations give other bits")


def run(seed: int, *, first: int = 0, cases: int, seconds: float) -> int:
    """Check cases from `first` on; returns how many passed before time or cases ran out."""
    end = time.monotonic() + seconds
    for number in range(first, first + cases):
        if time.monotonic() > end:
            return number - first
        try:
            check(draw_case(seed, number))
        except Exception as error:
            again = f"make fuzz SEED={seed} CASE={number}"
            raise DisagreementError(f"case {number} of seed {seed} ({again}): {error}") from error
    return cases


def main() -> int:
    """Command line: 0 if all cases passed."""
    parser = argparse.ArgumentParser(prog="fuzz.kernel", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="only this case, with all that it is made of")
    parser.add_argument("--most-failures", type=int, default=1)
    given = parser.parse_args()
    if given.case is not None:
        print(draw_case(given.seed, given.case))
        given.first, given.cases = given.case, 1
    start, first, failures, passed = time.monotonic(), given.first, 0, 0
    last = first + given.cases
    while first < last and failures < given.most_failures:
        left = given.seconds - (time.monotonic() - start)
        if left <= 0:
            break
        try:
            done = run(given.seed, first=first, cases=min(1000, last - first), seconds=left)
            first, passed = first + done, passed + done
            print(f"{passed} cases passed, {time.monotonic() - start:.0f} s", flush=True)
        except DisagreementError as error:
            traceback.print_exception(error)
            failures += 1
            number = int(str(error).split()[1])
            passed, first = passed + number - first, number + 1
    print(f"{passed} cases passed, {failures} failed (seed {given.seed})")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
