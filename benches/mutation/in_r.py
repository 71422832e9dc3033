"""Mutants of the R package: installed without compiling, tested by the files that call them."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from .forked import limited
from .mutants import Mutant

PACKAGE = Path("r-bridge/bbcr")
_SCRIPT = Path(__file__).with_name("test_files.R")
_NO_COMPILER = ("--no-libs", "--no-test-load", "--no-docs", "--no-byte-compile")


class RPackage:
    """The R package of a copy of the checkout, in a library of its own."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._copy = copy
        self._library = folder / "library"
        self._compiled = folder / "bbcr.so"
        self._recording = folder / "recordings" / "r.tsv"
        self._seconds: dict[str, float] = {}
        self._files: dict[str, set[str]] = {}

    def first_failure(self, mutant: Mutant, seconds: float) -> str | None:
        """The test that fails, or "import", "time", "crash"; empty if none, None if no program."""
        if not self._seconds:
            self._read_recording()
        caller = _function_at(self._copy / mutant.file, mutant.line)
        files = self._files.get(caller, set(self._seconds))
        chosen, spent = [], 0.0
        for file in sorted(files, key=lambda file: (self._seconds[file], file)):
            spent += self._seconds[file]
            if chosen and spent > seconds:
                break
            chosen.append(file)
        return self._run("test", chosen, 30 + 3 * spent) if self._installed() else None

    def fails(self, file: str) -> str:
        """The test of a file that fails without a mutation."""
        return self._run("test", [file], 600) if self._installed() else "import"

    def _read_recording(self) -> None:
        if not self._recording.exists():
            self._record()
        for line in self._recording.read_text(encoding="utf-8").splitlines():
            file, seconds, functions = line.split("\t")
            self._seconds[file] = float(seconds)
            for function in functions.split():
                self._files.setdefault(function, set()).add(file)

    def _record(self) -> None:
        """Which functions each file of tests calls, from a package whose functions say so."""
        self._library.mkdir(parents=True, exist_ok=True)
        if not self._compiled.exists():
            self._install("--no-docs", "--no-byte-compile")
            shutil.copy(self._library / "bbcr/libs/bbcr.so", self._compiled)
        says = self._copy / PACKAGE / "R/zzz_recording.R"
        shutil.copy(_SCRIPT.with_name("recording.R"), says)
        try:
            self._installed()
        finally:
            says.unlink()
        files = sorted(file.name for file in self._tests().glob("test-*.R"))
        self._run("record", files, 3600)

    def _installed(self) -> bool:
        found = self._install(*_NO_COMPILER)
        if found.returncode == 0:
            (self._library / "bbcr/libs").mkdir(exist_ok=True)
            shutil.copy(self._compiled, self._library / "bbcr/libs")
        return found.returncode == 0

    def _install(self, *options: str) -> subprocess.CompletedProcess[bytes]:
        command = ["R", "CMD", "INSTALL", *options, f"--library={self._library}"]
        return subprocess.run([*command, self._copy / PACKAGE], capture_output=True)

    def _run(self, what: str, files: list[str], seconds: float) -> str:
        answer = self._recording.with_name("killed_by")
        answer.write_text("crash")
        out = self._recording if what == "record" else answer
        environment = os.environ | {"R_LIBS": str(self._library), "NOT_CRAN": "true", "TZ": "UTC"}
        code = subprocess.run(
            ["Rscript", _SCRIPT, what, out, *files],
            cwd=self._tests(),
            env=environment,
            preexec_fn=limited(seconds),
            capture_output=True,
        ).returncode
        return "time" if code == -signal.SIGXCPU else answer.read_text().strip()

    def _tests(self) -> Path:
        return self._copy / PACKAGE / "tests/testthat"


def _function_at(file: Path, line: int) -> str:
    lines = file.read_text(encoding="utf-8").split("\n")[:line]
    names = (re.match(r"`?([^` ]+)`? <- function", text) for text in reversed(lines))
    ended = next((i for i, text in enumerate(reversed(lines[:-1])) if text == "}"), len(lines))
    return next((name[1] for i, name in enumerate(names) if name and i <= ended), "")
