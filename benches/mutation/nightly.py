"""Does `make test` notice what nightly tests do? python -m benches.mutation.nightly

Mutants of the store, of training, of searches and of calls of the kernel are drawn at random. A
test notices a mutant only if it executes the line, which is recorded first. So a mutant can escape
`make test` only if a nightly test executes it: those are tested with the other tests that do, the
cheapest first, and, if none fails, with the nightly ones. mutation/nightly.csv lists them; what no
test notices has an empty `noticed_by`, and what only nightly tests notice has escaped.
"""

import argparse
import csv
import importlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .copied import write_copy
from .forked import Seconds, first_failure
from .mutants import of_python

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_CHANGED = ("_store/*.py", "_training/*.py", "search/*.py", "_engine/*.py")
# The files with nightly tests, and others that execute the same lines.
_TESTS = (
    *("forks/test_killed_runs", "forks/test_without_memory_or_disk", "contract/test_dask"),
    *("contract/test_learners_that_hang_or_crash", "contract/test_hostile_stores"),
    *("contract/test_damaged_files", "contract/test_process_ends", "contract/test_interruption"),
    *("forks/test_stored_runs", "unit/test_store", "unit/test_threads", "contract/test_protocols"),
    *("contract/test_one_search", "contract/test_halving", "contract/test_growing_grids"),
)
_HEAVY = ("scipy.stats", "sklearn.model_selection", "sklearn.ensemble", "pandas", "hypothesis")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.mutation.nightly", description=__doc__)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="test none after that")
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), help="every n-th from k on")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/mutation/nightly")
    parser.add_argument("--output", type=Path, default=HERE / "nightly.csv")
    options = parser.parse_args()
    began, (first, step) = time.monotonic(), options.part
    for module in _HEAVY:
        importlib.import_module(module)
    copy = options.folder.resolve() / "copy"
    write_copy(ROOT, copy)
    seconds, tests_of, nightly = _recorded(options.folder / "recordings")
    files = [file for names in _CHANGED for file in sorted((ROOT / "python/bbc").glob(names))]
    mutants = [mutant for file in files for mutant in of_python(file, ROOT)]
    random.Random(options.seed).shuffle(mutants)
    counts = dict.fromkeys(("no nightly test", "make test", "a nightly test", "no test"), 0)
    with options.output.open("w", newline="", encoding="utf-8") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["file", "line", "mutation", "noticed_by", "is_nightly"])
        for mutant in mutants[first : options.mutants : step]:
            if time.monotonic() - began > 60 * options.minutes:
                break
            tests = tests_of.get(mutant.file, {}).get(str(mutant.line), set())
            if not nightly & tests:
                counts["no nightly test"] += 1
                continue
            source = (ROOT / mutant.file).read_bytes()
            (copy / mutant.file).write_bytes(mutant.applied(source))
            found, is_nightly = _first_failure(tests - nightly, seconds, copy), False
            if not found:
                found = _first_failure(tests & nightly, seconds, copy)
                is_nightly = bool(found)
            (copy / mutant.file).write_bytes(source)
            shutil.copystat(ROOT / mutant.file, copy / mutant.file)
            counts[("a nightly test" if is_nightly else "make test") if found else "no test"] += 1
            row = [*mutant[:3], found, "yes" if is_nightly else ""]
            writer.writerow(row)
            table.flush()
            print(*row, sep="  ", flush=True)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))


def _recorded(folder: Path) -> tuple[Seconds, dict[str, dict[str, set[str]]], set[str]]:
    """The time of each test, the tests of each line of each file, and the nightly tests."""
    folder.mkdir(parents=True, exist_ok=True)
    pytest = [sys.executable, "-m", "pytest", "-q", "-o", "addopts="]
    paths = {name: f"tests/{name}.py" for name in _TESTS}
    recordings = {name: folder.resolve() / f"{Path(name).name}.json" for name in _TESTS}

    def record(name: str) -> None:
        if not recordings[name].exists():
            command = [*pytest, "-p", "benches.mutation.recording", paths[name]]
            environment = os.environ | {"BBC_RECORDING": str(recordings[name])}
            subprocess.run(command, cwd=ROOT, env=environment, check=False)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(record, _TESTS))
    seconds: Seconds = {}
    tests_of: dict[str, dict[str, set[str]]] = {}
    for recording in recordings.values():
        found = json.loads(recording.read_text(encoding="utf-8"))
        seconds |= found["tests"]
        for file, lines in found["lines"].items():
            for line, tests in lines.items():
                tests_of.setdefault(file, {}).setdefault(line, set()).update(tests)
    command = [*pytest, "--collect-only", "-m", "nightly", *paths.values()]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return seconds, tests_of, {one for one in listed.splitlines() if "::" in one}


def _first_failure(tests: set[str], seconds: Seconds, copy: Path) -> str:
    files: dict[str, Seconds] = {}
    for test in sorted(tests, key=lambda test: seconds[test]):
        files.setdefault(test.split("::")[0], {})[test] = seconds[test]
    return first_failure(files, copy, 60 + 3 * sum(seconds[test] for test in tests))


if __name__ == "__main__":
    main()
