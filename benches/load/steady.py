"""Calls of 10^9 cells (rows x configurations x replicates), one after the other: flat memory."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import bbc

from .._tables import Line, mib_now, write_csv
from ._work import METRICS, answer, digest, problem

# Rows x configurations x replicates of a call.
CELLS = (1000, 1000, 1000)
_QUICK_CELLS = (200, 100, 200)


def run(folder: Path, *, quick: bool, minutes: float) -> None:
    """Call for some minutes, print and write a line per minute."""
    cells = _QUICK_CELLS if quick else CELLS
    lines = steady(0.1 if quick else 60 * minutes, cells, interval=0.02 if quick else 60.0)
    write_csv(lines, folder / "steady.csv")


def steady(seconds: float, cells: tuple[int, int, int], interval: float) -> list[Line]:
    """A line per interval, in which all kinds of calls are made in turns."""
    memory = memory_after_calls(cells)
    started = time.monotonic()
    lines: list[Line] = []
    end = started
    while end < started + seconds:
        end += interval
        line: Line = {"calls": 0, "cells": 0, "mib_low": np.inf, "mib_high": 0.0}
        while time.monotonic() < end or line["calls"] < len(METRICS):
            mib = next(memory)
            line["calls"] += 1
            line["cells"] += int(np.prod(cells))
            line["mib_low"] = min(line["mib_low"], mib)
            line["mib_high"] = max(line["mib_high"], mib)
        lines.append({"seconds": time.monotonic() - started, **line})
        print(lines[-1], flush=True)
    return lines


def memory_after_calls(cells: tuple[int, int, int]) -> Iterator[float]:
    """Make all kinds of calls in turns, with the bits of each checked; MiB in use after each.

    Data are copied for each call, so that what a call keeps of them would show.
    """
    n_rows, n_configurations, n_bootstraps = cells
    sizes = {"n_rows": n_rows, "n_configurations": n_configurations, "n_bootstraps": n_bootstraps}
    expected = {metric: answer(metric, **sizes) for metric in METRICS}
    for metric in itertools.cycle(METRICS):
        y, predictions = (array.copy() for array in problem(metric, n_rows, n_configurations))
        found = bbc.correct(
            y, predictions, metric=metric, n_bootstraps=n_bootstraps, random_state=1
        )
        if digest(found) != expected[metric]:
            raise AssertionError(f"{metric}: other bits than in the first call")
        yield mib_now()
