"""Wheels of one source distribution, for several Pythons and Linux systems; portable/wheels.csv.

    python -m benches.portable.wheels build/package/bbc_cv-*.tar.gz --pythons python3.11 python3.13

Each interpreter builds its wheel for this system with g++, or for the --targets with zig, and
auditwheel finds on which systems it runs. A wheel that this interpreter can install is tested by
the unit and property tests, in an environment of its own. For other processors and versions of
Debian, run it there: a wheel that is in build/wheels is not built anew.
"""

import argparse
import csv
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent
Line = dict[str, str]
BUILD = ROOT / "build" / "wheels"
TARGETS = (
    "x86_64-linux-gnu.2.28",
    "aarch64-linux-gnu.2.28",
    "x86_64-linux-musl",
    "aarch64-linux-musl",
)
NEEDED = ("scikit-build-core>=0.11", "pybind11>=3", "cmake>=3.25", "ninja")
# What an interpreter says about itself.
_ASKED = """
import json, platform, sys, sysconfig
print(json.dumps({
    "python": platform.python_version(),
    "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
    "tag": f"cp3{sys.version_info[1]}" + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python that builds and tests wheels, each in an environment in `BUILD`."""

    command: str

    @cached_property
    def facts(self) -> dict[str, str]:
        done = subprocess.run(
            [self.command, "-c", _ASKED], capture_output=True, text=True, check=True
        )
        return dict(json.loads(done.stdout))

    @property
    def tags(self) -> str:
        """The tags of its wheels, as in cp313-cp313t."""
        return f"{self.facts['tag'].rstrip('t')}-{self.facts['tag']}"

    def environment(self, name: str) -> Path:
        """A new environment's folder of programs."""
        folder = BUILD / f"{name}-{self.facts['tag']}"
        run([self.command, "-m", "venv", "--clear", folder])
        return folder / BIN.name


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.portable.wheels", description=__doc__)
    parser.add_argument("source", type=Path, help="the source distribution")
    parser.add_argument("--pythons", nargs="+", default=[sys.executable], metavar="PYTHON")
    parser.add_argument("--targets", nargs="+", default=[], choices=TARGETS, help="of zig")
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the result")
    options = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    failed = False
    for python in map(Interpreter, options.pythons):
        for target in options.targets or [""]:
            line = line_of(python, target, options.source)
            print("  ".join(f"{value!s:<18}" for value in line.values()), flush=True)
            failed |= line["tests"].startswith("failed")
            record(line, options.output / "wheels.csv")
    return int(failed)


def record(line: Line, table: Path) -> None:
    """Put the line in place of what the table says of the same wheel on the same system.

    Whether a wheel was built is said only until it has been tested somewhere.
    """
    former = []
    if table.exists():
        with table.open(encoding="utf-8") as file:
            former = list(csv.DictReader(file))
    same = [row for row in former if all(row[k] == line[k] for k in ("wheel", "platform"))]
    known = [row for row in same if row["tests"] != "not run" and row["system"] != line["system"]]
    new = [] if known and line["tests"] == "not run" else [line]
    lines = [*(row for row in former if row not in same), *known, *new]
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(line), lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(lines, key=lambda row: [row[k] for k in ("wheel", "platform")]))


def line_of(python: Interpreter, target: str, source: Path) -> Line:
    """Builds, unless it is there, and tests one wheel."""
    wheel = find(python, target) or built(python, target, source)
    tags = wheel.stem.split("-")[-1].split(".")
    return {
        "wheel": python.facts["tag"],
        "platform": next(tag for tag in tags if "linux20" not in tag),
        "mb": f"{wheel.stat().st_size / 1e6:.2f}",
        "python": python.facts["python"],
        "system": f"{system()}, {platform.machine()}",
        "tests": tested(python, wheel) if fits(wheel, "") else "not run",
    }


def system() -> str:
    """This system's name."""
    if sys.platform == "linux":
        return platform.freedesktop_os_release()["PRETTY_NAME"].split(" (")[0]
    return f"{platform.system()} {platform.release()}"


def fits(wheel: Path, target: str) -> bool:
    """Whether the wheel is for the target, or if there is none, for this system."""
    machine = (target or platform.machine()).split("-")[0].lower()
    here = sys.platform == "linux" and platform.libc_ver()[0] != "glibc"
    musl = target.endswith("-musl") if target else here
    return machine in wheel.name and musl == ("musllinux" in wheel.name)


def find(python: Interpreter, target: str) -> Path | None:
    """The wheel, if it has been built."""
    known = BUILD.glob(f"bbc_cv-*-{python.tags}-*.whl")
    return next((wheel for wheel in known if fits(wheel, target)), None)


def built(python: Interpreter, target: str, source: Path) -> Path:
    """The wheel, on Linux with the tags of the oldest systems on which it runs."""
    raw = BUILD / f"raw-{python.facts['tag']}{target}"
    shutil.rmtree(raw, ignore_errors=True)
    compiled = next(source.parent.glob(f"bbc_cv-*-{python.tags}-*.whl"), None)  # `make package`'s
    if target or compiled is None:
        compiled = compile_one(python, target, source, raw)
    if sys.platform == "linux":
        repair = [BIN / "auditwheel", "repair", "--wheel-dir", BUILD, compiled]
        run(repair, PATH=os.pathsep.join([str(BIN), os.environ["PATH"]]))
    else:
        shutil.copy(compiled, BUILD)
    found = find(python, target)
    assert found is not None, f"there is no wheel for {target or 'this system'} in {BUILD}"
    return found


def compile_one(python: Interpreter, target: str, source: Path, folder: Path) -> Path:
    """The wheel, as the compiler leaves it in the folder."""
    programs = python.environment(f"build{target}")
    run([programs / "python", "-m", "pip", "install", "--quiet", "wheel", *NEEDED])
    stub = source.parent / "source" / "python" / "bbc" / "_core.pyi"  # `make package`'s
    environment = zig(target, folder, python.facts["suffix"], stub) if target else {}
    environment["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])
    build = [programs / "python", "-m", "pip", "wheel", "--quiet", "--no-deps"]
    run([*build, "--no-build-isolation", "--wheel-dir", folder, source], **environment)
    (wheel,) = folder.glob("*.whl")
    if target:
        tags = [programs / "python", "-m", "wheel", "tags", "--remove", "--platform-tag"]
        run([*tags, f"linux_{target.split('-')[0]}", wheel])
        (wheel,) = folder.glob("*.whl")
    return wheel


def zig(target: str, folder: Path, suffix: str, stub: Path) -> dict[str, str]:
    """Variables with which CMake compiles for a target."""
    folder.mkdir(parents=True, exist_ok=True)
    commands = {"c++": ["c++", "-target", target], "ar": ["ar"], "ranlib": ["ranlib"]}
    for name, words in commands.items():
        call = shlex.join([sys.executable, "-m", "ziglang", *words])
        (folder / name).write_text(f'#!/bin/sh\nexec {call} "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)
    options = {
        "BBC_STUB": stub,  # the module cannot be loaded here to write it
        "CMAKE_AR": folder / "ar",
        "CMAKE_RANLIB": folder / "ranlib",
        "CMAKE_STRIP": "true",
        "PYTHON_MODULE_DEBUG_POSTFIX": "",  # with it, pybind11 takes the next from here
        "PYTHON_MODULE_EXTENSION": re.sub(r"[^-]+-linux-gnu", target.split(".")[0], suffix),
    }
    return {
        "CXX": str(folder / "c++"),
        "LDFLAGS": "-s",
        "CMAKE_ARGS": " ".join(f"-D{name}={value}" for name, value in options.items()),
    }


def tested(python: Interpreter, wheel: Path) -> str:
    """How many tests passed, in an environment of their own."""
    programs = python.environment("test")
    run([programs / "python", "-m", "pip", "install", "--quiet", f"{wheel}[test]"])
    start = time.monotonic()
    pytest = [programs / "python", "-m", "pytest", "-q", "-o", "addopts="]
    workers = ["--numprocesses=auto", "--dist=loadfile"]
    done = subprocess.run(
        [*pytest, *workers, "tests/unit", "tests/properties"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    (BUILD / f"test-{python.facts['tag']}.log").write_text(done.stdout, encoding="utf-8")
    counts = done.stdout.rstrip().rsplit("\n", 1)[-1].strip("= ")
    counts = re.sub(r"(, \d+ warnings?)? in .*", "", counts)
    print(f"{wheel.name}: {counts}, {time.monotonic() - start:.0f} s", flush=True)
    return counts if done.returncode == 0 else f"failed: {counts}"


def run(command: list[object], **variables: str) -> None:
    subprocess.run([str(word) for word in command], check=True, env=os.environ | variables)


if __name__ == "__main__":
    sys.exit(main())
