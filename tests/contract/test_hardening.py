"""What the linker and the compiler have to defend, read from the binaries that are shipped."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bbc import _core


def read(binary, *what):
    """What readelf says of a binary."""
    command = [shutil.which("readelf"), "--wide", *what, str(binary)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


pytestmark = pytest.mark.parametrize("installed", ["ON"], indirect=True)


@pytest.fixture(params=["module", "library"])
def binary(request, installed):
    """The compiled module of the wheel, and the library of those who embed it."""
    return Path(_core.__file__) if request.param == "module" else next(installed.rglob("libbbc.so"))


def test_no_table_of_functions_can_be_written(binary):
    dynamic = read(binary, "--dynamic")
    assert "BIND_NOW" in dynamic
    assert "Flags: NOW" in dynamic
    assert "GNU_RELRO" in read(binary, "--program-headers")
    assert "TEXTREL" not in dynamic


def test_no_memory_is_writable_and_executable(binary):
    segments = [line.split() for line in read(binary, "--program-headers").splitlines()]
    flags = {words[0]: words[6:-1] for words in segments if words and words[0].startswith("GNU_ST")}
    assert flags["GNU_STACK"] == ["RW"]
    loads = [" ".join(words[6:-1]) for words in segments if words and words[0] == "LOAD"]
    assert loads
    assert not any("W" in one and "E" in one for one in loads)


def test_stacks_and_buffers_are_checked(binary):
    symbols = read(binary, "--dyn-syms")
    assert "__stack_chk_fail" in symbols
    assert "_chk@" in symbols.replace("__stack_chk_fail", "")
