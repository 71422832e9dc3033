"""A hundred thousand tiny problems: in calls of `correct_many`, and one by one."""

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
    """Correct all of them both ways, print and write a line per batch."""
    n_problems, batch = (200, 100) if quick else (N_PROBLEMS, _BATCH)
    lines: list[Line] = []
    for first in range(0, n_problems, batch):
        lines.append(both_ways(first, batch))
        print(lines[-1], flush=True)
    write_csv(lines, folder / "tiny.csv")


def both_ways(first: int, n_problems: int) -> Line:
    """Correct problems in one call and one by one; the bits must be the same."""
    rng = np.random.default_rng(first)
    problems = [_problem(rng) for _ in range(n_problems)]
    options: dict[str, Any] = {"metric": "accuracy", "n_bootstraps": 40, "random_state": 1}
    start = time.perf_counter()
    together = [digest(one) for one in bbc.simulate.correct_many(problems, **options)]
    between = time.perf_counter()
    alone = [digest(bbc.correct(*one, **options)) for one in problems]
    end = time.perf_counter()
    different = sum(one != other for one, other in zip(together, alone, strict=True))
    if different:
        raise AssertionError(f"{different} problems have other bits in correct_many")
    return {
        "problems": first + n_problems,
        "correct_many_us_each": 1e6 * (between - start) / n_problems,
        "correct_us_each": 1e6 * (end - between) / n_problems,
        "mib": mib_now(),
    }


def _problem(rng: np.random.Generator) -> tuple[Any, Any]:
    n_rows, n_configurations = rng.integers(4, 12), rng.integers(1, 5)
    y = np.arange(n_rows) % 2
    return y, rng.integers(0, 2, (n_rows, n_configurations))
