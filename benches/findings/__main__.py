"""What the findings warn of, simulated; findings/*.csv."""

import argparse
import importlib
import time
import warnings
from pathlib import Path

import bbc

from ._study import write

HERE = Path(__file__).resolve().parent
STUDIES = (
    *("uneven_weights", "outliers", "rare_class", "few_folds", "few_events", "scores_of_folds"),
    *("hard_labels", "leaked_truth", "time_order", "overtuned", "wrong_way", "few_replicates"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.findings", description=__doc__)
    parser.add_argument("study", nargs="*", help=f"some of {', '.join(STUDIES)}; default: all")
    parser.add_argument("--repetitions", type=int, default=400, help="of each setting")
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the tables")
    options = parser.parse_args()
    warnings.simplefilter("ignore", bbc.errors.BBCWarning)
    for name in options.study or STUDIES:
        start = time.perf_counter()
        study = importlib.import_module(f"{__package__}.{name}").STUDY
        write(options.output / f"{name}.csv", study.run(options.repetitions))
        print(f"{study.finding} {name}: {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
