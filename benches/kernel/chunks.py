"""What the chunks of a Dask array cost, on two worker processes of one thread; chunks.csv.

Each repetition has a seed of its own, so that no replicates are kept from the one before.
"""

import statistics
import time
from pathlib import Path

import dask
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster

import bbc

from .._tables import Line, write_csv

N_CONFIGURATIONS = 200
_REPETITIONS = 5


def run(folder: Path, *, quick: bool) -> None:
    """Time a correction of each chunking, print, and write the table."""
    n_rows = 10_000 if quick else 100_000
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    predictions = rng.integers(0, 2, (n_rows, N_CONFIGURATIONS)).astype(np.int8)
    shapes = [(n_rows, width) for width in (N_CONFIGURATIONS, 10, 1)]
    shapes.append((n_rows // 100, N_CONFIGURATIONS))
    lines: list[Line] = []
    with (
        dask.config.set({"distributed.scheduler.work-stealing": False}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        found = set()
        for rows, width in shapes:
            array = client.persist(da.from_array(predictions, chunks=(rows, width)))
            seconds = []
            for seed in range(_REPETITIONS):
                started = time.perf_counter()
                estimate = bbc.correct(
                    y, array, metric="accuracy", n_threads=1, random_state=len(lines) * 100 + seed
                )
                seconds.append(time.perf_counter() - started)
            found.add(estimate.apparent)
            lines.append(
                {
                    "rows_of_chunk": rows,
                    "configurations_of_chunk": width,
                    "seconds": statistics.median(seconds),
                    "of_one_chunk": statistics.median(seconds) / lines[0]["seconds"]
                    if lines
                    else 1.0,
                }
            )
            print(lines[-1])
    assert len(found) == 1
    write_csv(lines, folder / "chunks.csv")
