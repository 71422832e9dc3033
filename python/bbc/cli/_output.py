"""Where a result goes: text or JSON to standard output, a report to a file."""

import argparse
import sys

from ..results import PerformanceEstimate


def write(estimate: PerformanceEstimate, arguments: argparse.Namespace) -> None:
    """Write one result as the options say."""
    print(estimate.to_json(indent=2) if arguments.json else estimate.summary())
    if arguments.html is not None:
        from ..reporting import report

        report(estimate, arguments.html)
        print(f"bbc: report in {arguments.html}", file=sys.stderr)
