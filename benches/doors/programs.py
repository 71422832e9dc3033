"""Random programs at the doors, with scikit-learn as their oracle: benches/doors/programs.csv.

A program is a search drawn at random (tests/programs.py): its learner, scoring, splitter, refit,
error_score, weights and kind. `bbc.correct_search` and `bbc.keep_predictions` have to give
scikit-learn's scores, winner, best score and predictions, or to refuse. Nonsense is what
scikit-learn itself does not run.
"""

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))


def outcome(seed: int) -> str:
    """What came of a program; disagreements are shown."""
    from programs import drawn, verdict

    program = drawn(np.random.default_rng(seed))
    try:
        program.fitted()
    except Exception:
        return "nonsense"
    try:
        return verdict(program)
    except Exception as error:
        print(f"program {seed}, {program.search}: {error}", flush=True)
        return "disagreement"


def main() -> None:
    """Try programs and write how many gave a number, a refusal or a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m benches.doors.programs", description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--output", type=Path, default=HERE / "programs.csv")
    options = parser.parse_args()
    found = Counter(map(outcome, range(options.programs)))
    with options.output.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["outcome", "programs"])
        for name in ("number", "refused", "disagreement", "nonsense"):
            lines.writerow([name, found[name]])


if __name__ == "__main__":
    main()
