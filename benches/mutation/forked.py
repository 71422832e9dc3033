"""Tests in a process that is forked from one with the libraries imported."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

#: Tests, and the time that each takes.
Seconds = dict[str, float]


def first_failure(tests: Seconds, folder: Path) -> str:
    """The first test to fail in a copy of the checkout, cheapest file first; empty if none does."""
    answer = folder / "killed_by"
    answer.write_text("crash")
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            answer.write_text(_first_failure(tests, folder))
        finally:
            os._exit(0)
    deadline = time.monotonic() + 60 + 10 * sum(tests.values())
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "time"
        time.sleep(0.05)
    return answer.read_text()


def _first_failure(tests: Seconds, folder: Path) -> str:
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    # The copy, not what an editable installation redirects to.
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if "Redirect" not in type(finder).__name__
    ]
    sys.path.insert(0, str(folder / "python"))
    os.environ["PYTHONPATH"] = str(folder / "python")
    of_files: dict[str, Seconds] = {}
    for test, seconds in tests.items():
        of_files.setdefault(test.split("::")[0], {})[test] = seconds
    options = [
        "-x",
        "-o",
        "addopts=--doctest-modules",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
    ]
    for file, chosen in sorted(of_files.items(), key=lambda item: sum(item[1].values())):
        plugin = _Chosen(chosen)
        code = pytest.main([*options, file], plugins=[plugin])
        if code not in (0, 5):
            return plugin.failed or "import"
    return ""


class _Chosen:
    """Runs some of a file's tests, cheapest first, and knows the one that failed."""

    failed = ""

    def __init__(self, tests: Seconds) -> None:
        self._tests = tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        chosen = [item for item in items if item.nodeid in self._tests]
        items[:] = sorted(chosen, key=lambda item: self._tests[item.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = report.nodeid
