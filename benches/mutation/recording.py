"""A pytest plugin that records which lines of the package each passed test executes, and its time.

`BBC_RECORDING=FILE pytest -p benches.mutation.recording ...`. Of a file whose tests have taken
`_SECONDS`, the others are left out: mutants are tested with quick tests.
"""

import json
import os
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import coverage
import pytest

_SECONDS = 30
_tracer = coverage.Coverage(source=["python/bbc"], data_file=None, config_file=False)
_tracer.start()
_seconds: dict[str, float] = {}
_of_file: dict[Path, float] = defaultdict(float)
_failed: set[str] = set()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """In each file any tests are first, not those of the first parameters."""
    places = defaultdict(list)
    for place, item in enumerate(items):
        places[item.path].append(place)
    for own in places.values():
        mixed = random.Random(0).sample([items[place] for place in own], len(own))
        for place, item in zip(own, mixed, strict=True):
            items[place] = item


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: Any) -> None:
    """What is executed from here on is this test's, if its file has time left."""
    if _of_file[item.path] > _SECONDS:
        pytest.skip("not quick")
    _tracer.switch_context(item.nodeid)
    _seconds[item.nodeid] = -_processor_time()


def pytest_runtest_teardown(item: Any) -> None:
    """Its time is that of the processor, which other programs do not lengthen."""
    if item.nodeid in _seconds:
        _seconds[item.nodeid] += _processor_time()
        _of_file[item.path] += _seconds[item.nodeid]


def pytest_runtest_logreport(report: Any) -> None:
    """Leave out what does not pass."""
    if not report.passed:
        _failed.add(report.nodeid)


def _processor_time() -> float:
    return sum(os.times()[:4])


def pytest_unconfigure() -> None:
    """Write the times of tests, and the tests of lines."""
    _tracer.stop()
    data = _tracer.get_data()
    tests = {test: seconds for test, seconds in _seconds.items() if test not in _failed}
    lines = {
        os.path.relpath(file): {
            line: sorted(tests.keys() & set(contexts))
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    Path(os.environ["BBC_RECORDING"]).write_text(json.dumps({"tests": tests, "lines": lines}))
