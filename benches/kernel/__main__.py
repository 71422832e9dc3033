"""Measure the kernel beside its peers, how its cost grows, and the memory that it takes."""

import argparse
from importlib import import_module
from pathlib import Path

from threadpoolctl import threadpool_limits

from bbc import _core

HERE = Path(__file__).resolve().parent
NAMES = (
    *("speed", "small", "scaling", "threads", "memory", "survival", "every_metric", "chunks"),
    "tables",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.kernel", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=NAMES, metavar="name", default=NAMES)
    parser.add_argument("--quick", action="store_true", help="small problems, in seconds")
    parser.add_argument("--output", type=Path, help="folder of the results")
    options = parser.parse_args()
    folder = options.output or (HERE.parents[1] / "build" / "kernel" if options.quick else HERE)
    folder.mkdir(parents=True, exist_ok=True)
    modules = [import_module(f".{name}", __package__) for name in options.only or NAMES]
    _core.set_draw_memory(0)  # each repetition draws anew
    # One thread for everybody's linear algebra; bbc is told its own number.
    with threadpool_limits(1):
        for module in modules:
            module.run(folder, quick=options.quick)


if __name__ == "__main__":
    main()
