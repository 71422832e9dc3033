"""Run the tests of what changed, and those of lists that a change forgets: make quick [BASE=commit]

Changed are the files that differ from where the branch left main, those not yet committed among
them. They concern a test file that is one of them, or that has a word of them: a name that a module
defines, the module's own, or that of the file. The rarer the words, the earlier it runs, until the
time is over; how long tests take is known from build/tests.xml, which `make test` leaves. The rest
is said, and left to `make test`.
"""

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 150.0  # of all processors together, beyond the lists
UNKNOWN = 5.0  # of a file whose time nobody knows
LISTS = (
    *("tests/test_architecture.py", "tests/test_clocks.py", "tests/test_documentation.py"),
    "tests/test_house.py",
    *("tests/test_includes.py", "tests/test_prose.py", "tests/test_release.py"),
    *("tests/test_supply.py", "tests/contract/test_arguments.py"),
    *("tests/contract/test_bad_input_published.py", "tests/contract/test_public_api.py"),
)


def git(*words: str) -> list[str]:
    """The lines that git prints; none if it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def changed(base: str) -> list[str]:
    """The files that differ from a commit, or are new."""
    bases = [base] if base else [*git("merge-base", "HEAD", "origin/main")]
    bases = bases or git("merge-base", "HEAD", "main") or ["HEAD"]
    new = git("ls-files", "--others", "--exclude-standard")
    return sorted({*git("diff", "--name-only", bases[0]), *new})


def words_of(file: str) -> set[str]:
    """What a test says that is about a file."""
    path = ROOT / file
    found = {path.stem, path.name} if path.suffix == ".py" else {path.name}
    if path.suffix in {".cpp", ".hpp"}:
        found.add(path.stem)
    if path.suffix == ".py" and path.exists():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        kinds = ast.FunctionDef | ast.ClassDef
        found |= {node.name for node in tree.body if isinstance(node, kinds)}
        found |= {path.parent.name} - {"bbc", "tests", "contract", "unit"}
    return {word for word in found if len(word) > 3 and word not in {"__init__", "__init__.py"}}


def concerned(files: list[str]) -> list[str]:
    """The test files that a change concerns, the nearest first."""
    tests = {
        path.relative_to(ROOT).as_posix(): set(
            re.findall(r"[\w.]*\w", text) + re.findall(r"\w+", text)
        )
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for text in [path.read_text(encoding="utf-8")]
    }
    weight: dict[str, float] = defaultdict(float)
    for file in files:
        if file in tests:
            weight[file] += 10.0
        for word in words_of(file):
            having = [test for test, said in tests.items() if word in said]
            for test in having:
                weight[test] += 1 / len(having)
    return sorted(weight, key=lambda test: -weight[test])


def seconds() -> dict[str, float]:
    """How long each test file took in the last whole run."""
    report, found = ROOT / "build" / "tests.xml", dict[str, float]()
    for case in ET.parse(report).iter("testcase") if report.exists() else ():
        parts = case.get("classname", "").split(".")
        while parts and not (ROOT / f"{'/'.join(parts)}.py").exists():
            parts.pop()  # the class of a test
        file = f"{'/'.join(parts)}.py"
        found[file] = found.get(file, 0.0) + float(case.get("time", 0))
    return found


def main(base: str) -> int:
    """Choose and run; returns pytest's exit code."""
    files, taken, left = changed(base), seconds(), SECONDS
    chosen: list[str] = []
    others: list[str] = []
    for test in concerned(files):
        cost = taken.get(test, UNKNOWN)
        (chosen if cost <= left else others).append(test)
        left -= cost if cost <= left else 0.0
    print(f"{len(files)} files changed; {len(chosen)} test files run for them, besides the lists.")
    if others:
        print("Left to make test:", *others)
    for folder, target in (
        ("cpp/", "test-cpp"),
        ("tests/cpp/", "test-cpp"),
        ("r-bridge/", "test-r"),
    ):
        if any(file.startswith(folder) for file in files):
            print(f"{folder} changed: make {target}, too")
    pytest = [sys.executable, "-m", "pytest", "-q"]
    forks = [test for test in chosen if test.startswith("tests/forks/")]
    others = [test for test in dict.fromkeys([*LISTS, *chosen]) if test not in forks]
    runs = [[*pytest, "--numprocesses=2", "--dist=loadfile", *others]]
    runs += [[*pytest, test] for test in forks]  # each in a process that has one thread
    return max(subprocess.run(run, cwd=ROOT, check=False).returncode for run in runs)


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
