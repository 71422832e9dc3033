"""``python -m bbc_r script.R arguments``: an R script, with bbcr and its protocols at hand."""

import sys
from pathlib import Path

USAGE = """\
usage: python -m bbc_r script.R [arguments]

Runs an R script as Rscript does, with the package bbcr loaded, whose bbc_tune(engine = "python")
then uses this Python. commandArgs(TRUE) gives the arguments."""


def main() -> None:
    """Run the script that the command line names."""
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(USAGE)
        return
    if len(sys.argv) < 2:
        sys.exit(USAGE)
    path = sys.argv[1]
    if not Path(path).is_file():
        sys.exit(f"bbc_r: there is no file {path}")
    from ._runner import run

    run(path, sys.argv[2:])


if __name__ == "__main__":
    main()
