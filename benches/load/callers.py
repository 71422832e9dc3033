"""Many callers at once: threads, children by fork, and a machine that others keep busy."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from .._tables import Line, write_csv
from ._work import answers

_FORK = get_context("fork")


def run(folder: Path, *, quick: bool, minutes: float) -> None:
    """Ask in every situation, print and write a line for each."""
    expected = answers(n_threads=1)
    n_calls = 1 if quick else 20
    lines: list[Line] = []
    for situation in (in_threads, in_children, in_a_pool, on_a_busy_machine):
        start = time.perf_counter()
        found = situation(4 if quick else 64, n_calls)
        different = sum(one != expected for one in found)
        lines.append(
            {
                "situation": situation.__name__,
                "callers": 4 if quick else 64,
                "calls": len(found) * len(expected),
                "different": different,
                "seconds": time.perf_counter() - start,
            }
        )
        print(lines[-1], flush=True)
        if different:
            raise AssertionError(f"{situation.__name__}: {different} answers have other bits")
    write_csv(lines, folder / "callers.csv")


def in_threads(n_callers: int, n_calls: int) -> list[list[str]]:
    """Threads that all begin at the same moment; each call takes all cores."""
    gate = threading.Barrier(n_callers)

    def ask(_: int) -> list[list[str]]:
        gate.wait()
        return [answers() for _ in range(n_calls)]

    with ThreadPoolExecutor(n_callers) as pool:
        return [one for many in pool.map(ask, range(n_callers)) for one in many]


def in_children(n_callers: int, n_calls: int) -> list[list[str]]:
    """Children by fork, one after the other, of a parent in the middle of calls on all cores."""
    stop = threading.Event()

    def keep_calling() -> None:
        while not stop.is_set():
            answers()

    other = threading.Thread(target=keep_calling)
    other.start()
    try:
        return [one for _ in range(n_callers) for one in _in_child(lambda: _ask(n_calls))]
    finally:
        stop.set()
        other.join()


def in_a_pool(n_callers: int, n_calls: int) -> list[list[str]]:
    """multiprocessing's pool of forked workers, after the parent has used all cores."""
    answers()
    with _FORK.Pool(4) as pool:
        found = pool.map(_ask, [n_calls] * n_callers)
    return [one for many in found for one in many]


def on_a_busy_machine(n_callers: int, n_calls: int) -> list[list[str]]:
    """Beside processes that take every core for themselves."""
    with _spinning(4 * (os.cpu_count() or 1)):
        return [answers() for _ in range(n_calls)]


def _ask(n_calls: int) -> list[list[str]]:
    return [answers() for _ in range(n_calls)]


def _in_child(work: Callable[[], list[list[str]]]) -> list[list[str]]:
    ours, theirs = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=lambda: theirs.send(work()))
    child.start()
    theirs.close()
    try:
        found: list[list[str]] = ours.recv()
    finally:
        child.kill()
        child.join()
    return found


def _spin() -> None:
    while True:
        pass


@contextmanager
def _spinning(n_processes: int) -> Iterator[None]:
    spinners = [_FORK.Process(target=_spin, daemon=True) for _ in range(n_processes)]
    for one in spinners:
        one.start()
    try:
        yield
    finally:
        for one in spinners:
            one.kill()
            one.join()
