"""R's own main program inside Python: a script runs as under Rscript, with the protocols at hand.

R is started as its own main program does, so printing, warnings, graphics devices, quit() and
Ctrl-C are R's; Python only hands it the lines of the script, to know where an error happened.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import _host, _session
from .errors import RError

_ReadConsole = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int
)

_FIRST_LINE = b"bbcr:::python_state$watch()\n"


class _Script:
    """The lines of a script, and how far R has read."""

    def __init__(self, path: str) -> None:
        self.path = path
        text = Path(path).read_bytes().replace(b"\r\n", b"\n")  # R's own reader does so
        self._left = _FIRST_LINE + (text if text.endswith(b"\n") else text + b"\n")
        self._line = -1
        self._starts: list[int] = []  # first lines of the expressions at top level

    def parse(self) -> None:
        """Refuse what is not R before anything runs."""
        starts = _session.call(_session.helper("first_lines"), self.path)
        self._starts = _session.to_numpy(starts).tolist()

    def read(self, prompt: bytes, buffer: int, size: int, history: int) -> int:
        """Give R the next line, or as much of it as R has room for."""
        end = min(self._left.find(b"\n") + 1, size - 1)
        chunk, self._left = self._left[:end], self._left[end:]
        self._line += chunk.endswith(b"\n")
        ctypes.memmove(buffer, chunk + b"\0", len(chunk) + 1)
        return int(bool(chunk))

    def locate(self) -> Any:
        """Say on stderr which expression failed; R's message follows."""
        begun = [start for start in self._starts if start <= self._line]
        print(f"{self.path}:{begun[-1] if begun else self._line}:", file=sys.stderr, flush=True)
        return _session.as_r(True)


def run(path: str, arguments: Sequence[str]) -> NoReturn:
    """Run a script; the process ends with R's exit status."""
    script = _Script(path)
    library = _start(path, arguments)
    try:
        _session.evaluate("library(bbcr)")
        _host.attach()
        script.parse()
    except RError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)
    read = _ReadConsole(script.read)
    ctypes.c_void_p.in_dll(library, "ptr_R_ReadConsole").value = ctypes.cast(
        read, ctypes.c_void_p
    ).value
    locate = _session.rinterface().rternalize(script.locate)
    _session.helper("watch_script")(locate)
    library.run_Rmainloop()  # ends the process
    raise AssertionError("R's main loop returned")


def _start(path: str, arguments: Sequence[str]) -> ctypes.CDLL:
    home = _session.find_r()
    library = ctypes.CDLL(f"{home}/lib/libR.so", mode=ctypes.RTLD_GLOBAL)
    words = ["R", "--no-echo", "--no-restore", f"--file={path}"]
    if arguments:
        words += ["--args", *arguments]
    argv = (ctypes.c_char_p * len(words))(*(os.fsencode(word) for word in words))
    with _session.utf8():
        library.Rf_initialize_R(len(words), argv)
        library.setup_Rmainloop()
    os.environ["R_SESSION_INITIALIZED"] = f"PID={os.getpid()}:NAME=bbc_r"
    return library
