"""Kill runs that keep a store, many times; faults/kills.csv."""

import argparse
import sys
import tempfile
import warnings
from pathlib import Path

import bbc

from .._tables import write_csv
from .kills import Kills

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.faults", description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the result")
    options = parser.parse_args()
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)  # dropping begins early here
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(Path(folder), options.seed)
        for number in range(options.trials):
            lines.append(kills.trial(number))
            print(lines[-1], flush=True)
    write_csv(lines, options.output / "kills.csv")
    wrong = sum(not line["same_bits"] or line["lost"] + line["trained_again"] > 0 for line in lines)
    print(f"{sum(line['kills'] for line in lines)} kills, {wrong} of {len(lines)} trials wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
