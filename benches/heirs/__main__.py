"""A metric is one entry of metrics.inc: `make heirs` adds two to a copy of the tree and uses them.

One is a loss per row, with its vector form, and one a ratio of the confusion matrix. Nothing else
of the copy is changed. It is compiled, and the metrics are used from Python, C and R and listed for
the page in the browser. Half an entry must not compile.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = """
BBC_VALUE_LOSS(fourth_power, vector, any, any, "",
               (truth - value) * (truth - value) * (truth - value) * (truth - value))
BBC_METRIC(mean_fourth_power_error, loss(fourth_power),
           (of_values({.negated = "neg_mean_fourth_power_error", .title = "M4E",
                       .others = "fourth"})))

BBC_RATIO(negative, negative, always, of({0.0, 0.0, 0.0, 0.0, 1.0}, {-1.0, 1.0, 0.0, 1.0}))
BBC_METRIC(negative_jaccard, confusion(negative),
           (of_one_class({.yardstick = "jac_neg", .others = "jac_neg"})))
"""
HALF = {
    "a formula of the confusion matrix that is nowhere": (
        "BBC_CONFUSION(markedness, both, always, -1.0, 1.0, higher)",
        "markedness",
    ),
    "a loss without its formula": ('BBC_VALUE_LOSS(cubic, vector, any, any, "")', "cubic"),
    "a metric of a loss that is not there": (
        "BBC_METRIC(mean_cubic_error, loss(cubic), (of_values({})))",
        "cubic",
    ),
}
OF_HALVES = ("metric.cpp", "detail/metrics/row_loss.cpp", "detail/fast/rough_confusion.cpp")
AFTER = "// Moments and ranks.\n"


def main() -> None:
    """Make the copy, build it and use it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--folder", type=Path, default=ROOT / "build" / "heirs")
    arguments.add_argument("--without-r", action="store_true")
    given = arguments.parse_args()
    tree = copied(given.folder / "tree")
    table = tree / "cpp/include/bbc/metrics.inc"
    plain = table.read_text(encoding="utf-8")
    for what, (half, culprit) in HALF.items():
        table.write_text(plain.replace(AFTER, f"{half}\n\n{AFTER}"), encoding="utf-8")
        say(f"{what} does not compile", refused(tree, culprit))
    table.write_text(plain.replace(AFTER, f"{ENTRIES}\n{AFTER}"), encoding="utf-8")
    say("two entries were added", f"{len(ENTRIES.strip().splitlines())} lines of {table.name}")
    build = built(tree, given.folder / "build")
    module = next(build.glob("cpp/bindings/_core*.so"))
    shutil.copy2(module, tree / "python/bbc")
    values = {}
    for level in ("portable", "avx2", "avx512"):
        text = run(sys.executable, tree / "benches/heirs/use.py", tree, env={"BBC_SIMD": level})
        values[level] = text.split()[-2:]
    assert len({tuple(each) for each in values.values()}) == 1, values
    say("Python", "the same bits as the definitions, for each instruction set")
    use_c = given.folder / "use_c"
    words = [os.environ.get("CC", "cc"), "-std=c11", f"-I{tree / 'cpp/include'}", "-o", use_c]
    words += [tree / "benches/heirs/use.c", build / "cpp/libbbc.a", "-lstdc++", "-lm", "-lpthread"]
    run(*words)
    assert run(use_c).split() == values["portable"], (run(use_c), values)
    say("C", "the same bits as Python")
    if given.without_r:
        return
    library = given.folder / "r"
    library.mkdir(exist_ok=True)
    package = tree / "r-bridge/bbcr"
    # The kernel is compiled already: without its sources the package takes a tenth of the time.
    (package / "configure").write_text("#!/bin/sh\n", encoding="utf-8")
    flags = f"PKG_LIBS = {build / 'cpp/libbbc.a'} -lpthread -ldl\n"
    make = (package / "src/Makevars").read_text(encoding="utf-8")
    make = re.sub("PKG_LIBS.*\n", lambda _: flags, make)
    (package / "src/Makevars").write_text(make, encoding="utf-8")
    install = ["R", "CMD", "INSTALL", "--no-docs", f"--library={library}", package]
    run(*install, env={"MAKEFLAGS": "-j2"})
    found = run("Rscript", tree / "benches/heirs/use.R", env={"R_LIBS": str(library)}).split()
    assert found == values["portable"], (found, values)
    say("R", "the same bits as Python")


def copied(tree: Path) -> Path:
    """The files that git knows or would, as they are."""
    shutil.rmtree(tree, ignore_errors=True)
    listed = run("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    for name in listed.split("\0"):
        source = ROOT / name
        if not name or not source.exists():
            continue
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, tree / name, follow_symlinks=False)
    return tree


def refused(tree: Path, culprit: str) -> str:
    """What a compiler says of the first source that does not compile."""
    flags = ["-std=c++20", "-Wall", "-Werror=switch", f"-I{tree / 'cpp/include'}"]
    for source in OF_HALVES:
        command = [os.environ.get("CXX", "g++"), *flags, f"-I{tree / 'cpp/src'}", "-fsyntax-only"]
        done = subprocess.run(
            [*command, str(tree / "cpp/src" / source)], capture_output=True, text=True, check=False
        )
        errors = re.findall(r"error: (.*)", done.stderr)
        if done.returncode != 0 and culprit in done.stderr:
            return f"{source}: {errors[0]}"
    raise AssertionError(f"{culprit} compiled")


def built(tree: Path, build: Path) -> Path:
    """The library and the Python module of the copy."""
    tools = Path(sys.executable).parent
    options = ["-DBBC_BUILD_PYTHON=ON", "-DBBC_BUILD_TESTS=OFF", "-DBBC_INSTALL=OFF"]
    pybind = run(sys.executable, "-m", "pybind11", "--cmakedir").strip()
    options += [f"-Dpybind11_DIR={pybind}", f"-DPython_EXECUTABLE={sys.executable}"]
    options += ["-DBBC_WARNINGS_AS_ERRORS=ON", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"]
    start = time.monotonic()
    run(tools / "cmake", "-S", tree, "-B", build, "-G", "Ninja", *options)
    run(tools / "cmake", "--build", build, "--parallel", "2")
    say("the copy is compiled", f"{time.monotonic() - start:.0f} s")
    return build


def run(*command: object, env: dict[str, str] | None = None) -> str:
    """What a command prints; its errors end the run."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=os.environ | (env or {})
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def say(what: str, how: str) -> None:
    """One line of the report."""
    print(f"{what}: {how}", flush=True)


if __name__ == "__main__":
    main()
