"""The command line ``bbc``."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ._demo import run_demo

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bbc", description="Honest performance of tuned models.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="tune 100 configurations on real data and show how honest the result is",
        description="Tunes three kinds of learners on 100 rows of the breast-cancer data, corrects "
        "the winner's score, and checks it against the 469 rows that were held out.",
    )
    demo.add_argument(
        "--plot",
        type=Path,
        default=Path("bbc-demo.png"),
        metavar="FILE",
        help="where the picture goes (default: %(default)s)",
    )
    demo.set_defaults(run=lambda arguments: run_demo(arguments.plot))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``bbc``; those of the process by default.

    Returns
    -------
    int
        Exit code: 0 if all went well.

    Examples
    --------
    >>> from bbc.cli import main
    >>> main(["demo", "--plot", "/tmp/bbc-demo.png"])  # doctest: +SKIP
    0
    """
    parsed = _parser().parse_args(arguments)
    return int(parsed.run(parsed))
