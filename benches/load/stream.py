"""A million rows and 200 configurations that come as a stream: memory above the data."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bbc

from .._tables import Line, forget_peak, mib_at_most, mib_now, write_csv

N_ROWS, N_CONFIGURATIONS = 1_000_000, 200
_BLOCK = 20
METRICS = ("accuracy", "mean_squared_error", "roc_auc")


def run(folder: Path, *, quick: bool, minutes: float) -> None:
    """Correct one stream per metric, print and write a line for each."""
    n_rows, n_bootstraps = (20_000, 40) if quick else (N_ROWS, 1000)
    lines = [streamed(metric, n_rows, n_bootstraps) for metric in METRICS]
    write_csv(lines, folder / "stream.csv")


def streamed(metric: str, n_rows: int, n_bootstraps: int) -> Line:
    """Correct a stream of blocks; the data are all blocks, of which one is there at a time."""
    rng = np.random.default_rng(0)
    y: Any = rng.normal(size=n_rows) if metric == "mean_squared_error" else np.arange(n_rows) % 2
    block = _block(metric, y, 0)  # what the libraries take at the first call is no data
    bbc.correct(y[:100], block[:100], metric=metric, n_bootstraps=20, confidence_level=0.5)
    n_bytes = block.itemsize * n_rows * N_CONFIGURATIONS
    forget_peak()
    before, started = mib_now(), time.perf_counter()
    found = bbc.correct(
        y, bbc.Blocks(_blocks(metric, y)), metric=metric, n_bootstraps=n_bootstraps, random_state=1
    )
    line = {
        "metric": metric,
        "n_rows": n_rows,
        "n_configurations": N_CONFIGURATIONS,
        "n_bootstraps": n_bootstraps,
        "data_mib": n_bytes / 2**20,
        "mib_above_start": mib_at_most() - before,
        "seconds": time.perf_counter() - started,
        "winner": found.winner,
    }
    print(line, flush=True)
    return line


def _blocks(metric: str, y: Any) -> Iterator[Any]:
    for first in range(0, N_CONFIGURATIONS, _BLOCK):
        yield _block(metric, y, first)


def _block(metric: str, y: Any, first: int) -> Any:
    rng = np.random.default_rng(first)
    shape = (len(y), _BLOCK)
    if metric == "accuracy":
        right = rng.random(shape, dtype=np.float32) < 0.6
        return np.where(right, y[:, None], 1 - y[:, None]).astype(np.int8)
    noise = rng.standard_normal(shape)
    noise += y[:, None]
    return noise
