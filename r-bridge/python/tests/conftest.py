"""R scripts in processes of their own, as users run them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HOSTS = {"python -m bbc_r": [sys.executable, "-m", "bbc_r"], "Rscript": ["Rscript"]}
# What runs behind ignores it, and so would what it starts.
_MINDING_CTRL_C = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
FOLDER = Path(__file__).parent
# As it was before R, in the process of a test, said where libraries are.
ENVIRONMENT = dict(os.environ)


def environment(**variables):
    given = ENVIRONMENT | {"BBC_PYTHON": sys.executable, "RPY2_CFFI_MODE": "ABI"} | variables
    given.pop("R_HOME", None)  # R's own script sets it
    return given


@pytest.fixture
def run_r(tmp_path):
    """Return a function that runs R code, or a file of this folder, and gives what it printed."""

    def run(host, code, *arguments, **variables):
        script = FOLDER / code
        if "\n" in code or not script.exists():
            script = tmp_path / "analysis.R"
            script.write_text(code, encoding="utf-8")
        return subprocess.run(
            [*HOSTS[host], script.name, *arguments],
            cwd=script.parent,
            env=environment(**variables),
            capture_output=True,
            encoding="utf-8",
        )

    return run


@pytest.fixture
def interrupt_r(tmp_path):
    """Return a function that presses Ctrl-C in what a script goes on with after printing "now".

    Of several rounds each but the last one prints "caught" in answer.
    """

    def run(host, code, rounds=1):
        script = tmp_path / "analysis.R"
        script.write_text(code, encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-c", _MINDING_CTRL_C, *HOSTS[host], script.name],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            for i in range(rounds):
                if i:
                    assert process.stdout.readline() == "caught \n", process.stderr.read()
                assert process.stdout.readline() == "now\n", process.stderr.read()
                time.sleep(0.0013 * i)  # at another place each time
                process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        finally:
            process.kill()
        return process.returncode, out, err

    return run
