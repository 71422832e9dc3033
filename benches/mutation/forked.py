"""Tests in a process that is forked from one with the libraries imported."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: Tests, and the time that each takes.
Seconds = dict[str, float]


# Time on the clock for each second of the processor: a test that only waits ends, too.
_PATIENCE = 10


def limited(seconds: float) -> Callable[[], None]:
    """Limits the processor time of the process that calls it, and of each that it starts."""
    limits = (int(seconds) + 1, int(seconds) + 2)
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, limits)


def first_failure(files: dict[str, Seconds], folder: Path, limit: float) -> str:
    """The first test to fail in a copy of the checkout; empty if none does.

    `files` are run in their order, each with the tests that are named, or whole. The limit is in
    seconds of the processor, which other programs do not lengthen.
    """
    answer = folder / "killed_by"
    answer.write_text("crash")
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            limited(limit)()
            answer.write_text(_first_failure(files, folder))
        finally:
            os._exit(0)
    deadline = time.monotonic() + _PATIENCE * limit
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "time"
        time.sleep(0.05)
    if os.WIFSIGNALED(ended[1]) and os.WTERMSIG(ended[1]) == signal.SIGXCPU:
        return "time"
    return answer.read_text()


def _first_failure(files: dict[str, Seconds], folder: Path) -> str:
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    # The copy, not what an editable installation redirects to.
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if "Redirect" not in type(finder).__name__
    ]
    sys.path.insert(0, str(folder / "python"))
    os.environ["PYTHONPATH"] = str(folder / "python")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start many processes
    options = [
        "-x",
        "-o",
        "addopts=--doctest-modules",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
    ]
    for file, chosen in files.items():
        plugin = _Chosen(chosen)
        code = pytest.main([*options, file], plugins=[plugin])
        if code not in (0, 5):
            return plugin.failed or "import"
    return ""


class _Chosen:
    """Runs the tests of a file that are named, cheapest first, and knows the one that failed."""

    failed = ""

    def __init__(self, tests: Seconds) -> None:
        self._tests = tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self._tests:
            chosen = [item for item in items if item.nodeid in self._tests]
            items[:] = sorted(chosen, key=lambda item: self._tests[item.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = report.nodeid
