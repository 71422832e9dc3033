"""Random programs at the doors, each with an oracle: benches/doors/programs.csv.

Searches (tests/programs.py): a learner, scoring, splitter, refit, error_score, weights and kind.
`bbc.correct` and `bbc.keep_predictions` have to give scikit-learn's scores, winner, best
score and predictions, or to refuse. Nonsense is what scikit-learn itself does not run. Tables
(tests/dialects.py) are written from known predictions in any dialect, and read as a file and as a
frame; studies have known scores, and a value that follows from them by some rule.
"""

import argparse
import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))


def of_search(rng: np.random.Generator) -> str:
    """What came of a search."""
    from programs import drawn, verdict

    program = drawn(rng)
    try:
        program.fitted()
    except Exception:
        return "nonsense"
    return verdict(program)


def of_table(rng: np.random.Generator) -> str:
    """What came of a table."""
    from dialects import verdict_of_table, written

    with tempfile.TemporaryDirectory() as folder:
        return verdict_of_table(written(rng, Path(folder)))


def of_study(rng: np.random.Generator) -> str:
    """What came of a study."""
    from dialects import studied, verdict_of_study

    return verdict_of_study(studied(rng))


DOORS: dict[str, Callable[[Any], str]] = {
    "search": of_search,
    "table": of_table,
    "study": of_study,
}


def outcome(door: str, seed: int) -> str:
    """What came of a program; disagreements are shown."""
    try:
        return DOORS[door](np.random.default_rng(seed))
    except Exception as error:
        print(f"{door} {seed}: {type(error).__name__}: {error}", flush=True)
        return "disagreement"


def main() -> None:
    """Try programs and write how many gave a number, a refusal or a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m benches.doors.programs", description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--output", type=Path, default=HERE / "programs.csv")
    options = parser.parse_args()
    with options.output.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["door", "outcome", "programs"])
        for door in DOORS:
            found = Counter(outcome(door, seed) for seed in range(options.programs))
            for name in ("number", "refused", "disagreement", "nonsense"):
                lines.writerow([door, name, found[name]])


if __name__ == "__main__":
    main()
