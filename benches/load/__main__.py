"""Keep the kernel busy: for minutes, from many callers, with tiny problems and with huge ones."""

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("steady", "stream", "tiny", "callers")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches.load", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=NAMES, metavar="name", default=NAMES)
    parser.add_argument("--quick", action="store_true", help="small problems, in seconds")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long steady calls go on")
    parser.add_argument("--output", type=Path, help="folder of the results")
    options = parser.parse_args()
    folder = options.output or (HERE.parents[1] / "build" / "load" if options.quick else HERE)
    folder.mkdir(parents=True, exist_ok=True)
    names = options.only or NAMES
    if len(names) == 1:
        module = import_module(f".{names[0]}", __package__)
        module.run(folder, quick=options.quick, minutes=options.minutes)
        return
    # Each in a process of its own, so that its memory is its own.
    arguments = [*(["--quick"] if options.quick else []), "--minutes", str(options.minutes)]
    for name in names:
        command = [sys.executable, "-m", "benches.load", "--only", name, *arguments]
        subprocess.run([*command, "--output", str(folder)], check=True)


if __name__ == "__main__":
    main()
