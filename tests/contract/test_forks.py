"""Tests that fork run in processes of their own, which have one thread.

A child of a process with threads may wait forever for a lock that one of them held, and a worker of
the test run has threads of whatever it ran before: a run of all tests once hung in that way.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from nightly import nightly

FORKS = Path(__file__).parents[1] / "forks"
# Many times what they take, and less than a test of this run may: what hangs is to say where.
LIMIT_OF_A_TEST = 600


def files():
    """Each file, with what pytest selects there."""
    for path in sorted(FORKS.glob("test_*.py")):
        yield path.name, "not nightly"
        if "nightly" in path.read_text(encoding="utf-8"):
            yield from nightly((path.name, "nightly"))


@pytest.mark.parametrize(("name", "selected"), list(files()))
def test_all_pass_in_a_process_of_their_own(name, selected, tmp_path):
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += ["-o", f"faulthandler_timeout={LIMIT_OF_A_TEST}", "-m", selected, str(FORKS / name)]
    # Not a pipe, which a child that hangs would keep open.
    with (tmp_path / "output").open("w+", encoding="utf-8") as output:
        tests = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code = tests.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(tests.pid, signal.SIGKILL)
        output.seek(0)
        assert code == 0, output.read()[-20_000:]
