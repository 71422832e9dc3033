"""``bbc protocols`` and ``bbc metrics``: what there is."""

import argparse
import json
from typing import NamedTuple

from .. import metrics


class ProtocolInfo(NamedTuple):
    """Cost and purpose of a protocol: C configurations, K folds, R repeats."""

    name: str
    models: str
    interval: bool
    what: str


PROTOCOLS = (
    ProtocolInfo("CVT", "R K C + 1", False, "the winner's own score: optimistic"),
    ProtocolInfo("TT", "R K C + 1", False, "corrected by the best of each fold; can overcorrect"),
    ProtocolInfo("CVMCV", "R K (C + 1) + 1", False, "the winner again, on a new partition"),
    ProtocolInfo("NCV", "R K C (K + 1) / 2 + 1", False, "nested: tunes anew in every fold"),
    ProtocolInfo("BBC", "R K C + 1", True, "bootstraps the choice: the default"),
    ProtocolInfo("BBCD", "at most R K C + 1", True, "BBC with early dropping of unlikely winners"),
)


def run_protocols(arguments: argparse.Namespace) -> None:
    """Print the table of protocols."""
    print(f"{'protocol':<10}{'models trained':<24}{'interval':<10}")
    for protocol in PROTOCOLS:
        name, models, interval, what = protocol
        print(f"{name:<10}{models:<24}{'yes' if interval else 'no':<10}{what}")
    print("\nC configurations, K folds, R repeats")


def run_metrics(arguments: argparse.Namespace) -> None:
    """Print the table of metrics."""
    known = metrics.names()
    if arguments.json:
        print(json.dumps([info._asdict() for info in known.values()], indent=2))
        return
    print(f"{'metric':<34}{'direction':<19}{'truth':<10}predictions")
    for info in known.values():
        print(f"{info.name:<34}{info.direction:<19}{info.target:<10}{info.predicts}")
