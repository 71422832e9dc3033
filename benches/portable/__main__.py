"""The kernel on other processors, compilers and systems; portable/platforms.csv.

The library and its C++ tests are built for each platform, and run: natively, under an emulator, or
not at all. test_golden_bits compares every case of tests/golden/bits. As root on Debian, compilers
and emulators that are not there are installed.
"""

import argparse
import csv
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from .._tables import Line, write_csv
from .platforms import PLATFORMS, Platform

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BIN = Path(sys.executable).parent
BUILD = ROOT / "build" / "portable"
COLUMNS = ("platform", "compiler", "tests", "same_bits", "seconds")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.portable", description=__doc__)
    names = [platform.name for platform in PLATFORMS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="PLATFORM")
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the result")
    options = parser.parse_args()
    lines = []
    for platform in PLATFORMS:
        if platform.name in options.only:
            lines.append(line_of(platform))
            print("  ".join(f"{lines[-1][column]!s:<28}" for column in COLUMNS), flush=True)
    write_csv([*lines, *others(options)], options.output / "platforms.csv")
    wrong = [line for line in lines if line["tests"][:6] == "failed" or line["same_bits"] == "no"]
    return int(bool(wrong))


def others(options: argparse.Namespace) -> list[Line]:
    """What the table says of platforms that were not asked for."""
    table = options.output / "platforms.csv"
    if not table.exists():
        return []
    with table.open(encoding="utf-8") as file:
        former = [line for line in csv.DictReader(file) if line["platform"] not in options.only]
    return [{name: line[name] for name in line if name != "cpu"} for line in former]


def line_of(platform: Platform) -> Line:
    """Builds and tests one platform."""
    install(platform)
    start = time.monotonic()
    folder = BUILD / platform.name
    tests, bits = tested(platform, folder) if built(platform, folder) else ("failed to build", "no")
    return {
        "platform": platform.name,
        "compiler": version(platform),
        "tests": tests,
        "same_bits": bits,
        "seconds": round(time.monotonic() - start),
        "note": platform.note,
    }


def install(platform: Platform) -> None:
    """Debian's packages."""
    known = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Abbrev}\n", *platform.packages],
        capture_output=True,
        text=True,
        check=False,
    )
    if platform.packages and known.stdout.count("ii") < len(platform.packages):
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends")
        subprocess.run([*install, *platform.packages], check=True, stdout=subprocess.DEVNULL)


def version(platform: Platform) -> str:
    """The compiler's name and version."""
    said = subprocess.run(
        [*platform.compiler, "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"\s(\d+(?:\.\d+)*)", said.split("\n")[0])
    assert found is not None, said
    name = "zig, clang" if "ziglang" in platform.compiler else platform.compiler[0]
    return f"{name} {found[1]}"


def built(platform: Platform, folder: Path) -> bool:
    """Whether everything compiles and links."""
    if platform.script:
        return ran([HERE / platform.script, folder, *platform.compiler], folder)
    wanted = [f"test_{name}" for name in platform.tests] or ["all"]
    configure = [BIN / "cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    configure += [f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}", "-DCMAKE_BUILD_TYPE=Release"]
    configure += [*tools(platform, folder), *platform.options]
    build = [BIN / "cmake", "--build", folder, "--parallel", os.cpu_count(), "--target", *wanted]
    return ran(configure, folder) and ran(build, folder)


def tools(platform: Platform, folder: Path) -> list[str]:
    """Compilers that are commands with arguments become programs."""
    if len(platform.compiler) == 1:
        return [f"-DCMAKE_CXX_COMPILER={platform.compiler[0]}"]
    folder.mkdir(parents=True, exist_ok=True)
    zig = platform.compiler[:3]
    programs = {"c++": platform.compiler, "ar": (*zig, "ar"), "ranlib": (*zig, "ranlib")}
    for name, command in programs.items():
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        (folder / name).chmod(0o755)
    kinds = {"CXX_COMPILER": "c++", "AR": "ar", "RANLIB": "ranlib"}
    return [f"-DCMAKE_{kind}={folder / name}" for kind, name in kinds.items()]


def tested(platform: Platform, folder: Path) -> tuple[str, str]:
    """How many tests passed, and whether the bits are the recorded ones."""
    if not platform.runs:
        return "not run", "not run"
    chosen = "|".join(f"^test_{name}$" for name in platform.tests)
    command = [BIN / "ctest", "--test-dir", folder, "-j", os.cpu_count(), "-R", chosen]
    ran(command, folder)
    text = (folder / "log.txt").read_text(encoding="utf-8")
    counts = re.search(r"tests passed(?:, (\d+) tests? failed)? out of (\d+)", text)
    if counts is None:
        return "failed to run", "no"
    n_failed, n_tests = (int(count or 0) for count in counts.groups())
    passed = f"{n_tests - n_failed} of {n_tests}"
    same = re.search(r"test_golden_bits \.+ +Passed", text) is not None
    return ("failed: " if n_failed else "") + passed, "yes" if same else "no"


def ran(command: list[object], folder: Path) -> bool:
    """Whether a command succeeds; what it says is in the folder's log.txt."""
    folder.mkdir(parents=True, exist_ok=True)
    wine = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    with (folder / "log.txt").open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
            env=os.environ | wine,
        )
    if done.returncode != 0:
        print(f"{shlex.join(map(str, command))} failed: {folder / 'log.txt'}", file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
