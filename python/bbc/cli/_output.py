"""Output: text or JSON to standard output, a report to a file."""

import argparse
import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .._names import printable

if TYPE_CHECKING:
    from ..results import PerformanceEstimate


def say(text: str = "", *, aside: bool = False) -> None:
    """Print text, aside to standard error; what it quotes of files commands no terminal."""
    lines = map(printable, text.split("\n"))
    print("\n".join(lines), file=sys.stderr if aside else sys.stdout)


def remark(message: str) -> None:
    """Print a message, in one line whatever it quotes."""
    say(printable(f"bbc: {message}"), aside=True)


def refuse_place(path: Path | None) -> None:
    """Refuse a file that cannot be written, before any work."""
    if path is None:
        return
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))


def write(estimate: "PerformanceEstimate", arguments: argparse.Namespace) -> None:
    """Write one result as the options say."""
    if arguments.html is not None:
        from ..reporting import report

        report(estimate, arguments.html)
    say(estimate.to_json(indent=2) if arguments.json else estimate.summary())
    if arguments.html is not None:
        remark(f"report in {arguments.html}")
