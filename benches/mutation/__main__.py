"""Mutation of Python, C++ and R: do tests notice small changes? mutation/mutants.csv.

Mutants are drawn at random, written into a copy of the checkout, and tested there with the tests
that execute the changed line, cheapest files first, until one fails. Mutants of the kernel are
compiled, and tested with the tests of its numbers, then with its own; those of the R package with
the files of tests that call the changed function. A test that fails, a process that dies and
processor time that runs out kill a mutant. In the end the tests that killed have to pass without a
mutation.

Survivors are explained by hand in the table; a later run keeps explanations.
"""

import argparse
import csv
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pybind11

from .copied import write_copy
from .forked import Seconds, first_failure, limited
from .in_r import PACKAGE, RPackage
from .mutants import Mutant, of_lines, of_python

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Slow tests, and those of other code.
_LEFT_OUT = (
    *("reference*", "*paper*", "*fuzz*", "*store_machine*", "*killed*", "*hang*", "*load*"),
    *("*embedding*", "*r_tables*", "*input_c*", "*interruption*", "*process_ends*", "*memory*"),
)
# What the kernel computes: recorded bits first, which most mutants change.
_OF_NUMBERS = (
    *("method_bits", "clinical_bits", "winner_interval", "rungs_oracle", "survival_calibration"),
    *("possible_winners", "survival_curve", "subgroups", "score_limits", "block_length", "wmc"),
    *("intervals_oracle", "choices_oracle", "oracle_methods", "two_level_oracle", "bounds"),
    *("comparison_oracle", "survival_oracle", "iterations", "model_luck", "several", "tuning_path"),
    *("streaming", "rungs", "rung_stream", "plan_rows", "mistakes", "oracle_agreement"),
)
_SECONDS_OF_NUMBERS = 600
# Imported once, before processes are forked.
_HEAVY = ("scipy.stats", "sklearn.model_selection", "sklearn.ensemble", "pandas", "hypothesis")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.mutation", description=__doc__)
    parser.add_argument("--package", type=int, default=100, help="mutants of python/bbc")
    parser.add_argument("--kernel", type=int, default=60, help="mutants of cpp/src")
    parser.add_argument("--r", type=int, default=60, help="mutants of the R package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60, help="time of tests, per mutant")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mutation")
    parser.add_argument("--output", type=Path, default=HERE / "mutants.csv")
    options = parser.parse_args()
    for module in _HEAVY:
        importlib.import_module(module)
    bench = Bench(options.folder.resolve(), options.seconds)
    explained = _explanations(options.output)
    draw = random.Random(options.seed)
    lines: list[dict[str, Any]] = []
    for files, of_file, number in (
        ("python/bbc/**/*.py", of_python, options.package),
        (f"{PACKAGE}/R/*.R", of_lines, options.r),
        ("cpp/src/**/*.[ch]pp", of_lines, options.kernel),
    ):
        mutants = [m for file in sorted(ROOT.glob(files)) for m in of_file(file, ROOT)]
        draw.shuffle(mutants)
        n_tested = 0
        for mutant in mutants:
            if n_tested == number:
                break
            killed_by = bench.killed_by(mutant)
            if killed_by is None:  # does not compile
                continue
            n_tested += 1
            key = (mutant.file, mutant.mutation)
            lines.append(
                {
                    **dict(zip(("file", "line", "mutation"), mutant, strict=False)),
                    "killed_by": killed_by,
                    "explanation": "" if killed_by else explained.get(key, ""),
                }
            )
            print(*lines[-1].values(), sep="  ", flush=True)
            _write(lines, options.output)
    n_killed = sum(line["killed_by"] != "" for line in lines)
    print(f"{n_killed} of {len(lines)} mutants killed")
    return bench.control({line["killed_by"] for line in lines})


class Bench:
    """A copy of the checkout in which one file at a time is changed, and the tests recorded."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._copy = folder / "copy"
        self._seconds = seconds
        write_copy(ROOT, self._copy)
        self._r = RPackage(folder, self._copy)
        self._recordings = folder / "recordings"
        self._tests: Seconds = {}
        self._lines: dict[str, dict[int, set[str]]] = {}

    def _read_recordings(self) -> None:
        if not any(self._recordings.glob("*.json")):
            _record(self._recordings)
        for recording in self._recordings.glob("*.json"):
            found = json.loads(recording.read_text(encoding="utf-8"))
            self._tests |= found["tests"]
            for file, tests_of in found["lines"].items():
                lines = self._lines.setdefault(file, {})
                for line, tests in tests_of.items():
                    lines.setdefault(int(line), set()).update(tests)

    def killed_by(self, mutant: Mutant) -> str | None:
        """The test that fails, or "import", "time", "crash"; empty if none, None if no program."""
        source = (ROOT / mutant.file).read_bytes()
        (self._copy / mutant.file).write_bytes(mutant.applied(source))
        try:
            if mutant.file.startswith("python"):
                return self._first_failure(self._cheapest(self._tests_of(mutant)))
            if mutant.file.startswith("r-bridge"):
                return self._r.first_failure(mutant, self._seconds)
            if not self._built("_core"):
                return None
            return first_failure(self._of_numbers(), self._copy, _SECONDS_OF_NUMBERS) or (
                self._failed_program()
            )
        finally:
            (self._copy / mutant.file).write_bytes(source)
            if mutant.file.startswith("python"):  # bytecode goes by times, as does ninja
                shutil.copystat(ROOT / mutant.file, self._copy / mutant.file)

    def control(self, killers: set[str]) -> int:
        """The number of tests that fail without a mutation, though they killed one."""
        if (self._copy / "build").exists():
            self._built("_core")
        failed = [test for test in killers if "::" in test and self._fails(test)]
        print(*failed, sep="\n")
        return len(failed)

    def _fails(self, test: str) -> str:
        file = Path(test.split("::")[0])
        if file.suffix == ".R":
            return self._r.fails(file.name)
        return self._first_failure({test: self._seconds})

    def _first_failure(self, tests: Seconds) -> str:
        files: dict[str, Seconds] = {}
        for test, seconds in tests.items():
            files.setdefault(test.split("::")[0], {})[test] = seconds
        ordered = dict(sorted(files.items(), key=lambda item: sum(item[1].values())))
        return first_failure(ordered, self._copy, 30 + 3 * sum(tests.values()))

    def _of_numbers(self) -> dict[str, Seconds]:
        if not self._tests:
            self._read_recordings()
        files = {f"tests/contract/test_{name}.py": Seconds() for name in _OF_NUMBERS}
        for test, seconds in self._tests.items():
            if (file := test.split("::")[0]) in files:
                files[file][test] = seconds
        return files

    def _tests_of(self, mutant: Mutant) -> set[str]:
        if not self._tests:
            self._read_recordings()
        lines = self._lines.get(mutant.file, {})
        tests = lines.get(mutant.line, set())
        if tests:
            return tests
        # A line that is executed on import concerns all tests of the file, and the interface.
        public = {test for test in self._tests if "test_public_api" in test}
        return public.union(*lines.values())

    def _cheapest(self, tests: set[str]) -> Seconds:
        chosen, spent = {}, 0.0
        for test in sorted(tests, key=lambda test: (self._tests[test], test)):
            spent += self._tests[test]
            if spent > self._seconds:
                break
            chosen[test] = self._tests[test]
        return chosen

    def _failed_program(self) -> str:
        """The first of the kernel's own tests to fail, or that does not compile."""
        if not self._built("all"):
            return "compiler"
        command = ["ctest", "--test-dir", self._copy / "build", "--stop-on-failure"]
        found = subprocess.run(
            [*command, "--timeout", "1200"],
            preexec_fn=limited(120),
            capture_output=True,
            text=True,
        ).stdout
        failed = re.findall(r"- (\w+) \(", found)
        return f"tests/cpp/{failed[0]}.cpp" if failed else ""

    def _built(self, target: str) -> bool:
        build = self._copy / "build"
        if not (build / "build.ninja").exists():
            options = {
                "BBC_BUILD_PYTHON": "ON",
                "CMAKE_INTERPROCEDURAL_OPTIMIZATION": "OFF",
                "Python_EXECUTABLE": sys.executable,
                "pybind11_DIR": pybind11.get_cmake_dir(),
            }
            given = [f"-D{name}={value}" for name, value in options.items()]
            subprocess.run(["cmake", "-GNinja", "-B", build, "-S", self._copy, *given], check=True)
        made = subprocess.run(
            ["cmake", "--build", build, "-j2", "--target", target], capture_output=True
        )
        for module in build.glob("cpp/bindings/_core*.so"):
            (self._copy / "python/bbc" / module.name).write_bytes(module.read_bytes())
        return made.returncode == 0


def _record(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start many processes
    for tests in ("python/bbc", "tests/unit", "tests/properties", "tests/contract", "tests/forks"):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "benches.mutation.recording"]
        command += [
            "-o",
            "addopts=--doctest-modules",
            *(f"--ignore-glob=*test_{name}" for name in _LEFT_OUT),
        ]
        environment["BBC_RECORDING"] = str(folder / f"{Path(tests).name}.json")
        subprocess.run([*command, tests], cwd=ROOT, env=environment)
    if not any(folder.glob("*.json")):  # pytest says why: without coverage, for example
        raise SystemExit("no test was recorded")


def _write(lines: list[dict[str, Any]], table: Path) -> None:
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(lines, key=lambda line: (line["file"], line["line"])))


def _explanations(table: Path) -> dict[tuple[str, str], str]:
    if not table.exists():
        return {}
    with table.open(encoding="utf-8") as file:
        return {
            (line["file"], line["mutation"]): line["explanation"] for line in csv.DictReader(file)
        }


if __name__ == "__main__":
    sys.exit(main())
