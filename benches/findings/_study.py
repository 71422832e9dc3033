"""What the simulations of findings share: repetitions, coverage, and a small table."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import bbc

Line = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """A simulation that shows what a finding warns of.

    `run` yields the lines of its table, from at most so many repetitions of each setting.
    """

    finding: str
    run: Callable[[int], Iterable[Line]]


def covers(estimate: bbc.PerformanceEstimate, truth: float) -> bool:
    """Whether the interval holds the truth."""
    low, high = ends(estimate)
    return low <= truth <= high


def ends(estimate: bbc.PerformanceEstimate) -> tuple[float, float]:
    """The interval."""
    assert estimate.confidence_interval is not None
    return estimate.confidence_interval.low, estimate.confidence_interval.high


def of_draws(estimate: bbc.PerformanceEstimate) -> tuple[float, float]:
    """The order statistics of the replicates."""
    assert estimate.replicates is not None
    low, high = np.quantile(estimate.replicates, (0.025, 0.975), method="inverted_cdf")
    return float(low), float(high)


def has(result: bbc.PerformanceEstimate | bbc.results.Bound, code: str) -> bool:
    """Whether a result carries a finding."""
    return any(one.code == code for one in result.findings)


def mean_and_error(values: Iterable[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    array = np.fromiter(values, dtype=float)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(array.size))


def share(found: Iterable[bool]) -> float | str:
    """Share of what is true; empty if there is nothing."""
    listed = list(found)
    return float(np.mean(listed)) if listed else ""


def write(path: Path, lines: Iterable[Line]) -> None:
    """Write a table; three digits say all that so few repetitions know."""
    rounded = [
        {name: f"{value:.3f}" if isinstance(value, float) else value for name, value in one.items()}
        for one in lines
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rounded[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rounded)
