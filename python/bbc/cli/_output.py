"""Where a result goes: text or JSON to standard output, a report to a file."""

import argparse
import errno
import os
import sys
from pathlib import Path

from ..results import PerformanceEstimate


def refuse_place(path: Path | None) -> None:
    """Refuse, before any work, a file that cannot be written."""
    if path is None:
        return
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))


def write(estimate: PerformanceEstimate, arguments: argparse.Namespace) -> None:
    """Write one result as the options say."""
    if arguments.html is not None:
        from ..reporting import report

        report(estimate, arguments.html)
    print(estimate.to_json(indent=2) if arguments.json else estimate.summary())
    if arguments.html is not None:
        print(f"bbc: report in {arguments.html}", file=sys.stderr)
