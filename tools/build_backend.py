"""How pip builds bbc: by scikit-build-core, once a compiler is known to work.

Without this check the compiler is first missed after numpy and scipy have been downloaded, in a
long message of CMake.
"""

import os
import shlex
import subprocess
import sys
import sysconfig

from scikit_build_core.build import *  # noqa: F403  the hooks of PEP 517 and 660
from scikit_build_core.build import (
    get_requires_for_build_editable as _for_editable,
)
from scikit_build_core.build import get_requires_for_build_wheel as _for_wheel

_TRIAL = """
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#error an old compiler
#endif
#include <concepts>
#include <Python.h>
"""
_NEEDED = "bbc is compiled here, and needs g++ 12 or newer and the headers of Python"
# Where these are set, CMake may use another compiler: it does the checking then.
_CROSS = ("CMAKE_ARGS", "CMAKE_TOOLCHAIN_FILE", "SKBUILD_CMAKE_ARGS")


def get_requires_for_build_wheel(settings=None):
    """What a wheel needs, if it can be compiled."""
    _compile_or_exit()
    return _for_wheel(settings)


def get_requires_for_build_editable(settings=None):
    """What an installation from the checkout needs, if it can be compiled."""
    _compile_or_exit()
    return _for_editable(settings)


def _compile_or_exit():
    """End with one line if no program with Python's headers can be compiled."""
    if sys.platform != "linux" or any(os.environ.get(name) for name in _CROSS):
        return
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    headers = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, "-std=c++20", "-fsyntax-only", headers, "-x", "c++", "-"]
    try:
        done = subprocess.run(command, input=_TRIAL, capture_output=True, text=True, check=False)
    except OSError:
        sys.exit(f"{_NEEDED}: there is no {compiler[0]} (Debian: apt-get install g++ python3-dev)")
    if "Python.h" in done.stderr:
        sys.exit(f"{_NEEDED}: Python.h is missing (Debian: apt-get install python3-dev)")
    if done.returncode != 0:
        sys.exit(f"{_NEEDED}: {compiler[0]} is too old, or does not work: {done.stderr[-400:]}")
