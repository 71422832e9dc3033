"""A test that hangs is named, with the stacks of its process, and ends the run."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HANGS = """
import threading

import pytest


@pytest.mark.parametrize("kind", ["never"])
def test_waits(kind):
    threading.Event().wait()
"""


def test_a_test_that_hangs_is_named(tmp_path):
    """As `make test` runs pytest, but for the limit."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert options["faulthandler_exit_on_timeout"]
    (tmp_path / "test_it.py").write_text(HANGS)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", tmp_path]
    command += ["--numprocesses=2", "--max-worker-restart=0", "-p", "no:cacheprovider"]
    command += ["-o", "faulthandler_timeout=2", "test_it.py"]
    done = subprocess.run(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode != 0
    assert "crashed while running 'test_it.py::test_waits[never]'" in done.stdout
    assert "in test_waits\n" in done.stdout
