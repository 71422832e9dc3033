"""A hundred thousand tiny problems, one by one."""

import time
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import Line, mib_now, write_csv
from ._work import digest

N_PROBLEMS = 100_000
_BATCH = 10_000


def run(folder: Path, *, quick: bool, minutes: float) -> None:
    """Correct all of them, print and write a line per batch."""
    n_problems, batch = (200, 100) if quick else (N_PROBLEMS, _BATCH)
    lines: list[Line] = []
    for first in range(0, n_problems, batch):
        lines.append(one_by_one(first, batch))
        print(lines[-1], flush=True)
    write_csv(lines, folder / "tiny.csv")


def one_by_one(first: int, n_problems: int) -> Line:
    """Correct problems twice; the bits must be the same."""
    rng = np.random.default_rng(first)
    problems = [_problem(rng) for _ in range(n_problems)]
    options: dict[str, Any] = {"metric": "accuracy", "n_bootstraps": 40, "random_state": 1}
    start = time.perf_counter()
    found = [digest(bbc.correct(*one, **options)) for one in problems]
    end = time.perf_counter()
    again = [digest(bbc.correct(*one, **options)) for one in problems]
    different = sum(one != other for one, other in zip(found, again, strict=True))
    if different:
        raise AssertionError(f"{different} problems have other bits the second time")
    return {
        "problems": first + n_problems,
        "correct_us_each": 1e6 * (end - start) / n_problems,
        "mib": mib_now(),
    }


def _problem(rng: np.random.Generator) -> tuple[Any, Any]:
    n_rows, n_configurations = rng.integers(4, 12), rng.integers(1, 5)
    y = np.arange(n_rows) % 2
    return y, rng.integers(0, 2, (n_rows, n_configurations))
