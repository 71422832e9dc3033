"""Run the papers' tables and figures: ``python -m benches.paper [--only name] [--quick]``."""

import argparse
import math
import os
import time
from importlib import import_module
from pathlib import Path

from ._headlines import draw_headlines
from ._results import conclude, write_results
from ._run import run_study
from ._study import Study, View

HERE = Path(__file__).resolve().parent
NAMES = (
    "selection_optimism",
    "bias_grid",
    "coverage",
    "kriging_loo",
    "spo_ranks",
    "weighted_mean",
    "other_metrics",
    "groups",
    "nested",
    "pooling",
    "dynamic_search",
    "rungs_signal",
    "epochs",
    "parzen_search",
    "inclusion",
    "inclusion_variants",
    "run_time",
    "real_data",
    "bias_real",
    "dropping",
    "repeats",
    "coverage_real",
    "stratification",
    "feature_selection",
    "selection_tables",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.paper", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=NAMES, metavar="name", default=NAMES)
    parser.add_argument("--quick", action="store_true", help="a subsample, in seconds")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no setting later")
    parser.add_argument("--output", type=Path, help="folder of the results")
    options = parser.parse_args()
    folder = options.output or (HERE.parents[1] / "build" / "paper" if options.quick else HERE)
    folder.mkdir(parents=True, exist_ok=True)
    deadline = time.perf_counter() + 60 * options.minutes
    studies = {name: load(name) for name in NAMES}
    for name in options.only or NAMES:
        study = studies[name]
        if isinstance(study, Study):
            run_study(study, folder, quick=options.quick, n_jobs=options.jobs, deadline=deadline)
        conclude(study, folder)
        write_results(list(studies.values()), folder, quick=options.quick)
    draw_headlines(studies, folder)


def load(name: str) -> Study | View:
    """The study or view that a module of this folder defines."""
    study: Study | View = import_module(f".{name}", __package__).STUDY
    return study


if __name__ == "__main__":
    main()
