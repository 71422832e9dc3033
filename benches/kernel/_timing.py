"""Times of functions that take turns in one run, because a machine's speed drifts."""

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

# What a fast function is given at least in each turn, so that its median is of many runs.
_TURN_SECONDS = 0.02
_MOST_RUNS_PER_TURN = 10

#: Runs something once and returns its seconds and its result.
Timed = Callable[[], tuple[float, float]]


def timed(function: Callable[[], float]) -> tuple[float, float]:
    """Seconds of one call, and its result."""
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def take_turns(functions: list[Timed], seconds: float) -> list[list[float]]:
    """Times of each function; every one has at least two turns after a first run that is warm-up.

    The budget may be overrun by slow functions.
    """
    end = time.monotonic() + seconds
    times: list[list[float]] = [[] for _ in functions]
    turns = 0
    while turns < 2 or time.monotonic() < end:
        for function, own in zip(functions, times, strict=True):
            spent = 0.0
            for _ in range(_MOST_RUNS_PER_TURN):
                own.append(function()[0])
                spent += own[-1]
                if spent >= _TURN_SECONDS:
                    break
        turns += 1
    return times


@cache
def worker(environment: tuple[tuple[str, str], ...]) -> ProcessPoolExecutor:
    """A process of its own that has these variables set before it imports anything."""
    return _started(dict(environment))


def _started(environment: Mapping[str, str]) -> ProcessPoolExecutor:
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        pool.submit(os.getpid).result()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    return pool
