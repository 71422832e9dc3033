"""Tests that fork run in processes of their own, which have one thread and a limit of time.

A child of a process with threads may wait forever for a lock that one of them held, and a worker of
the test run has threads of whatever it ran before: a run of all tests once hung in that way.
"""

import subprocess
import sys
from pathlib import Path

import pytest

FORKS = Path(__file__).parents[1] / "forks"
# Many times what they take, and less than a test of this run may: what hangs is to say where.
LIMIT_SECONDS = 600
LIMIT_OF_A_TEST = 240


@pytest.mark.parametrize("name", sorted(path.name for path in FORKS.glob("test_*.py")))
def test_all_pass_in_a_process_of_their_own(name):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += ["-o", f"faulthandler_timeout={LIMIT_OF_A_TEST}", str(FORKS / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-10_000:]
