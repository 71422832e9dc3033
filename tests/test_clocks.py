"""No test passes or fails by the clock: a machine may be busy, or stop for a while.

What waits, waits for an event: a pipe, a process that ends, processor time that was used. A test
for which it never comes is ended by pytest, which says where it was.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = [
    path for folder in ("tests", "r-bridge/python/tests") for path in (ROOT / folder).rglob("*.py")
]
R = sorted((ROOT / "r-bridge/bbcr/tests").rglob("*.R"))
OF_TIME = "sleep|(?:time|monotonic|perf_counter|process_time|thread_time)(?:_ns)?"
# Programs in strings, and R.
WORDS = re.compile(
    rf"\btime\.(?:{OF_TIME})\b|\btimeout=|\bsleep [\d.]+"
    r"|\bSys\.(?:sleep|time)\b|\b(?:proc|system)\.time\b|\bsetTimeLimit\b"
)
NAMES = re.compile(
    rf"time\.(?:{OF_TIME})|asyncio\.(?:sleep|wait_for|timeout\w*)|signal\.(?:alarm|ITIMER_REAL|"
    r"sigtimedwait)|(?:datetime|date)\.(?:now|utcnow|today)"
)
WAITING = {"wait", "join", "poll", "result", "acquire"}

PROCESSOR = "processor time, of which no other program takes any, with room"
TOOL = "how long a search by hand goes on; tests give a number of cases"
PACE = "how often a page is asked, not how often at most"
#: What is allowed where, and why.
EXCEPTIONS = {
    ("tests/browser/chromium.py", "time.sleep"): PACE,
    ("tests/contract/test_bad_input.py", "time.process_time"): PROCESSOR,
    ("tests/contract/test_dask.py", "asyncio.sleep"): "of 0: others' turn until a key is gone",
    ("tests/contract/test_impossible_targets.py", "time.process_time"): PROCESSOR,
    ("tests/contract/test_interruption.py", "time.process_time"): PROCESSOR,
    ("tests/contract/test_learners_that_hang_or_crash.py", "fit_timeout="): "what is tested: the "
    "clock is the test's own, or the time is never over",
    ("tests/contract/test_learners_that_hang_or_crash.py", "time.sleep"): "joblib's, who waits by "
    "the test's own clock",
    ("tests/forks/test_killed_runs.py", "time.time"): "a clock that is set back is what is tested",
    ("tests/fuzz/kernel.py", "time.monotonic"): TOOL,
    ("tests/fuzz/memory.py", "time.monotonic"): "how long a search by hand took, for its reader",
    ("tests/fuzz/memory.py", "time.sleep"): "how often memory is rewritten; any moment will do",
    ("tests/fuzz/readers.py", "time.monotonic"): TOOL,
    ("tests/unit/test_bar.py", "time.monotonic"): "the line's clock is the test's own",
    ("tests/unit/test_store.py", "time.monotonic"): "the store's clock is the test's own",
    ("r-bridge/bbcr/tests/testthat/test-interrupt.R", "proc.time"): PROCESSOR,
    ("r-bridge/bbcr/tests/testthat/test-interrupt.R", "sleep 0.5"): "any moment will do",
    ("r-bridge/python/tests/conftest.py", "time.sleep"): "any moment will do",
}


def clocks(source):
    """What a program of Python asks of a clock, or waits for no longer than some time."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute():
                yield from NAMES.findall(re.sub(r".*?(\w+\.\w+)$", r"\1", ast.unparse(node)))
            case ast.ImportFrom(module="time", names=names):
                yield from (f"time.{name.name}" for name in names)
            case ast.keyword(arg=str(name)) if re.search(r"(^|_)timeout$", name):
                yield f"{name}="
            case ast.Call(
                func=ast.Attribute(attr=name), args=[ast.Constant(value=int() | float())]
            ):
                if name in WAITING:
                    yield f"{name}()"
            case ast.Constant(value=str(text)):
                yield from WORDS.findall(text)


def places():
    """Where which clock is asked."""
    for path in PYTHON:
        if path != Path(__file__):
            for found in clocks(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix(), found
    for path in R:
        code = re.sub("#.*", "", path.read_text(encoding="utf-8"))
        for found in WORDS.findall(code):
            yield path.relative_to(ROOT).as_posix(), found


def test_no_test_depends_on_the_clock():
    assert len(PYTHON) > 200
    assert len(R) > 50
    assert set(places()) == EXCEPTIONS.keys()


@pytest.mark.parametrize(
    ("source", "clock"),
    [
        ("import time\ntime.sleep(1)", "time.sleep"),
        ("started = time.perf_counter_ns()", "time.perf_counter_ns"),
        ("from time import monotonic", "time.monotonic"),
        ("joblib.parallel.time.sleep", "time.sleep"),
        ("subprocess.run(command, timeout=60)", "timeout="),
        ("search.fit(X, fit_timeout=2)", "fit_timeout="),
        ("process.wait(20)", "wait()"),
        ("signal.setitimer(signal.ITIMER_REAL, 0.2)", "signal.ITIMER_REAL"),
        ("async def f():\n    await asyncio.wait_for(g())", "asyncio.wait_for"),
        ("datetime.datetime.now()", "datetime.now"),
        ("SCRIPT = 'import time; time.sleep(1)'", "time.sleep"),
        ("CODE = 'Sys.sleep(5)'", "Sys.sleep"),
    ],
)
def test_a_clock_is_found(source, clock):
    assert set(clocks(source)) == {clock}


@pytest.mark.parametrize(
    "source",
    ["', '.join(names)", "process.wait()", "found.get(0)", "os.times()", "'fit_timeout=2'"],
)
def test_what_asks_no_clock_is_not(source):
    assert not set(clocks(source))
