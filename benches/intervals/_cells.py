"""Studies of many cells, each of which is kept as soon as it is measured."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from .._tables import Line, lines_of, write_csv

T = TypeVar("T")


class Table:
    """The table of a study, to go on with, and what its command line asks for."""

    def __init__(self, path: Path, chosen: argparse.Namespace) -> None:
        self.lines: list[Line] = [] if chosen.quick else lines_of(path)
        if chosen.again:
            self.lines = [line for line in self.lines if chosen.only not in line["cell"]]
        self._path, self._chosen = path, chosen

    def measure(self, cells: Iterable[T], study: Callable[[T, int], list[Line]]) -> None:
        """Add the cells that are asked for and not yet there; a quick look writes nothing."""
        chosen, known = self._chosen, {line["cell"] for line in self.lines}
        for cell in cells:
            if chosen.only not in str(cell) or str(cell) in known:
                continue
            self.lines += study(cell, 3 if chosen.quick else chosen.runs)
            if not chosen.quick:
                write_csv(self.lines, self._path)


def command_line(what: str | None) -> argparse.ArgumentParser:
    """What every study can be asked for."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", default="", help="cells whose name has this text")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--quick", action="store_true", help="3 runs, nothing is written")
    return parser
