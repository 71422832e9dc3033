"""Scorers x classes x doors, counted: benches/doors/scorers.csv, with every case that is not equal.

A case is a scorer of scikit-learn on some classes, of which GridSearchCV gives a number. Every door
has to give that number (with ``pooling="fold"``) or refuse before it trains; 90 % of the cases have
to give it. After a search that kept another response nothing but a refusal is right.

The negative control fits every case several times and draws 100 pairings for chance: it runs on
every fourth case, all others on all of them. Cases come in a random order that is always the same:
what --seconds or --every leaves is a random sample of them, and the table has the counts.
"""

import argparse
import csv
import time
from collections import Counter
from pathlib import Path

import numpy as np

from .scorers import AFTER, CASES, DOORS, Case, expected, outcome

HERE = Path(__file__).resolve().parent
EVERY = {"negative control": 4}


def main() -> None:
    """Run all cases and write the counts and what is not equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only every n-th case")
    parser.add_argument("--seconds", type=float, default=np.inf, help="start no case after these")
    parser.add_argument("--doors", nargs="*", default=[*DOORS, AFTER], help="only these")
    parser.add_argument("--out", type=Path, default=HERE / "scorers.csv")
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = {door: Counter() for door in arguments.doors}
    lines: list[tuple[str, str, str, str, str]] = []
    accepted = 0
    shuffled = np.random.default_rng(0).permutation(len(CASES))[:: arguments.every]
    started = time.monotonic()
    for case in (CASES[place] for place in shuffled):
        if time.monotonic() - started > arguments.seconds:
            break
        wanted = expected(case)
        if wanted is None:
            continue
        accepted += 1
        for door in arguments.doors:
            if accepted % EVERY.get(door, 1):
                continue
            found = outcome(case, door, wanted)
            counts[door][found.kind] += 1
            if found.kind != "equal" and (door != AFTER or found.kind != "refused"):
                lines.append((*Case(*case), door, found.kind, found.detail[:160]))
    total = sum((each for door, each in counts.items() if door != AFTER), Counter())
    with arguments.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scorer", "classes", "door", "outcome", "detail"])
        for door, by_kind in [*counts.items(), (f"all but {AFTER}", total)]:
            for kind, count in by_kind.most_common():
                writer.writerow(["", "", door, kind, count])
        writer.writerows(sorted(lines))
    given = total["equal"] / max(1, total.total())
    print(f"{accepted} cases", dict(counts), f"{given:.3f} give the search's number", sep="\n")


if __name__ == "__main__":
    main()
