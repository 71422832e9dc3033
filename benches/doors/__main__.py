"""Scorers x classes x doors, counted: benches/doors/scorers.csv, with every case that is not equal.

A case is a scorer of scikit-learn on some classes, of which GridSearchCV gives a number. Every door
has to give that number (with ``pooling="fold"``) or refuse before it trains; 90 % of the cases have
to give it.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

from .scorers import CASES, DOORS, Case, expected, outcome

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run all cases and write the counts and what is not equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only every n-th case")
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = {door: Counter() for door in DOORS}
    lines: list[tuple[str, str, str, str, str]] = []
    for case in CASES[:: arguments.every]:
        wanted = expected(case)
        if wanted is None:
            continue
        for door in DOORS:
            found = outcome(case, door, wanted)
            counts[door][found.kind] += 1
            if found.kind != "equal":
                lines.append((*Case(*case), door, found.kind, found.detail[:160]))
    total = sum(counts.values(), Counter())
    with (HERE / "scorers.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scorer", "classes", "door", "outcome", "detail"])
        for door, by_kind in [*counts.items(), ("all", total)]:
            for kind, count in by_kind.most_common():
                writer.writerow(["", "", door, kind, count])
        writer.writerows(lines)
    print(total, f"{total['equal'] / total.total():.3f} give the search's number")


if __name__ == "__main__":
    main()
