"""The caller's floating-point environment changes no bit, and is the caller's again afterwards.

A library that was linked with -ffast-math makes the thread that loads it flush subnormal numbers to
zero; programs may round in another direction.
"""

import contextlib
import ctypes
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import bbc
from golden.bits import generate, methods, reading
from nightly import covering, nightly

LIBM = ctypes.CDLL("libm.so.6")
TO_NEAREST = 0
# Rounding directions of x86, and MXCSR with "flush to zero" and "subnormals are zero", which glibc
# keeps in the last word of its environment.
DIRECTIONS = {"down": 0x400, "up": 0x800, "toward zero": 0xC00}
FLUSH_TO_ZERO = 0x8040
ENVIRONMENTS = (*DIRECTIONS, "flush to zero")
DATA = reading.columns("data.csv")
SCORES = reading.columns("scores.csv")
CASES = [reading.case_of(generate.Case, line) for line in reading.lines("cases.csv")]
METHODS = [reading.case_of(methods.Case, line) for line in reading.lines("methods.csv")]


def control_word() -> int:
    """MXCSR."""
    words = (ctypes.c_uint32 * 8)()
    LIBM.fegetenv(words)
    return words[7]


@contextlib.contextmanager
def environment(name: str) -> Iterator[None]:
    """Another arithmetic for the calling thread; it must be the same at the end."""
    before = (ctypes.c_uint32 * 8)()
    LIBM.fegetenv(before)
    changed = (ctypes.c_uint32 * 8)(*before)
    if name in DIRECTIONS:
        LIBM.fesetround(DIRECTIONS[name])
    else:
        changed[7] |= FLUSH_TO_ZERO
        LIBM.fesetenv(changed)
    flags = 0x3F  # which exceptions there were: any computation may raise more of them
    expected = control_word() & ~flags
    try:
        yield
        assert control_word() & ~flags == expected
    finally:
        LIBM.fesetenv(before)


RNG = np.random.default_rng(3)
# Their losses are subnormal; of enough rows and replicates that threads start.
TINY, TINY_PREDICTIONS = 1e-160 * RNG.normal(size=400), 1e-160 * RNG.normal(size=(400, 60))


def of_losses(n_threads: int) -> Any:
    """A correction of the tiny ones."""
    metric = "mean_squared_error"
    return bbc.correct(TINY, TINY_PREDICTIONS, metric=metric, random_state=1, n_threads=n_threads)


PATTERN = np.random.default_rng(2).random(40)
FLAGS = np.arange(40) % 2
SHARES = PATTERN.reshape(40, 1) / np.arange(1, 6)
MORE: dict[str, Callable[[], Any]] = {
    "subnormal losses": lambda: of_losses(1),
    "subnormal losses, threads": lambda: of_losses(3),
    "two-level": lambda: bbc.correct(
        FLAGS,
        SHARES,
        metric="brier_score",
        method="bbc-two-level",
        interval="calibrated",
        folds=np.arange(40) // 8,
        random_state=1,
    ),
    "delong": lambda: bbc.baselines.intervals.delong(FLAGS, PATTERN),
    "delong_test": lambda: bbc.baselines.intervals.delong_test(FLAGS, PATTERN, PATTERN[::-1]),
    "hanley_mcneil": lambda: bbc.baselines.intervals.hanley_mcneil(FLAGS, PATTERN),
    "wilson": lambda: bbc.baselines.intervals.wilson(FLAGS, FLAGS[::-1] | (PATTERN > 0.7)),
    "clopper_pearson": lambda: bbc.baselines.intervals.clopper_pearson(
        FLAGS, (PATTERN > 0.3).astype(int)
    ),
    "tilting": lambda: bbc.baselines.intervals.tilting(FLAGS, PATTERN + FLAGS / 2, random_state=1),
    "mabt": lambda: bbc.baselines.intervals.tilting(
        FLAGS, np.c_[PATTERN, PATTERN[::-1]] + FLAGS[:, None] / 2, random_state=1
    ),
    "bca": lambda: bbc.baselines.intervals.naive_bootstrap(
        FLAGS, PATTERN, metric="roc_auc", kind="bca", random_state=1
    ),
    "studentized": lambda: bbc.baselines.intervals.naive_bootstrap(
        FLAGS, PATTERN, metric="roc_auc", kind="studentized", random_state=1
    ),
    "corrected_resampled_t": lambda: bbc.baselines.intervals.corrected_resampled_t(
        PATTERN, n_train=80, n_test=20
    ),
    "conservative_z": lambda: bbc.baselines.intervals.conservative_z(
        0.4, PATTERN[:20], PATTERN[20:], n_rows=100
    ),
    "nested_cv": lambda: bbc.baselines.intervals.nested_cv(
        PATTERN.reshape(4, 10), [PATTERN[:30], PATTERN[10:]] * 2, n_rows=40, n_folds=4
    ),
    "wald": lambda: bbc.baselines.intervals.wald(PATTERN),
}


def bits(answer: Any) -> list[str]:
    """All numbers of an answer."""
    if isinstance(answer, bbc.baselines.intervals.DelongTest):
        numbers = [answer.first, answer.second, answer.difference, answer.z, answer.p_value]
    else:
        replicates = () if answer.replicates is None else answer.replicates
        numbers = [answer.estimate, *replicates]
    return [float(number).hex() for number in (*numbers, *answer.confidence_interval)]


@pytest.mark.parametrize(
    ("name", "other"), covering(list(product(MORE, ENVIRONMENTS)), every=len(ENVIRONMENTS))
)
def test_no_environment_changes_an_interval(name, other):
    expected = bits(MORE[name]())
    with environment(other):
        answer = MORE[name]()
    assert bits(answer) == expected


# Of the cases each environment has every fourth now, and all every night.
TURNS = [(other, slice(k, None, len(ENVIRONMENTS))) for k, other in enumerate(ENVIRONMENTS)]
TURNS += nightly(*((other, slice(None)) for other in ENVIRONMENTS))


@pytest.mark.parametrize(("other", "turn"), TURNS)
def test_no_environment_changes_a_correction_of_any_metric(other, turn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        for case in CASES[turn]:
            expected = generate.correct(DATA, case)
            with environment(other):
                found = generate.correct(DATA, case)
            assert found == expected, case


@pytest.mark.parametrize(("other", "turn"), TURNS)
def test_no_environment_changes_another_method(other, turn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        for case in METHODS[turn]:
            expected = methods.line_of(methods.compute(DATA, SCORES, case))
            with environment(other):
                found = methods.line_of(methods.compute(DATA, SCORES, case))
            assert found == expected, case


@pytest.mark.parametrize("other", ENVIRONMENTS)
def test_an_error_gives_the_environment_back(other):
    y, predictions = np.arange(20) % 2, np.full((20, 3), np.inf)
    with environment(other), pytest.raises(ValueError, match="predictions"):
        bbc.correct(y, predictions, metric="roc_auc")
