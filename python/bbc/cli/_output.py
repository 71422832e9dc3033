"""Where a result goes: text or JSON to standard output."""

import argparse

from ..results import PerformanceEstimate


def write(estimate: PerformanceEstimate, arguments: argparse.Namespace) -> None:
    """Write one result as the options say."""
    print(estimate.to_json(indent=2) if arguments.json else estimate.summary())
