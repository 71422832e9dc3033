"""Reading a CSV file of numbers, with pyarrow and without, beside pandas; tables.csv.

Each reader is a process of its own: processor time over all threads, and the peak of memory.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from .._tables import Line, write_csv

_REPETITIONS = 5
_START = """
import sys, time
import numpy as np, pandas as pd, pyarrow.compute, pyarrow.csv
from benches._tables import mib_at_most
from bbc import _tables, Predictions
path, before = sys.argv[1], mib_at_most()
started, cpu = time.perf_counter(), time.process_time()
"""
_READERS = {
    "from_wide": "Predictions.from_wide(path, truth='truth')",
    "from_wide without pyarrow": (
        "_tables._split = lambda *_: []\nPredictions.from_wide(path, truth='truth')"
    ),
    "pandas.read_csv": "pd.read_csv(path)",
}
_END = """
print(time.perf_counter() - started, time.process_time() - cpu, mib_at_most() - before)
"""


def run(folder: Path, *, quick: bool) -> None:
    """Write the file, measure, print, and write the table."""
    n_rows, n_configurations = (2000 if quick else 20_000), 200
    rng = np.random.default_rng(0)
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "predictions.csv"
        names = ",".join(["truth", *(f"model {place}" for place in range(n_configurations))])
        rows = rng.random((n_rows, n_configurations))
        truth = rng.integers(0, 2, (n_rows, 1))
        formats = ["%d"] + ["%.17g"] * n_configurations
        np.savetxt(path, np.hstack([truth, rows]), formats, ",", header=names, comments="")
        megabytes = path.stat().st_size / 1e6
        for reader, code in _READERS.items():
            command = [sys.executable, "-c", _START + code + _END, str(path)]
            runs = [
                subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
                for _ in range(_REPETITIONS)
            ]
            seconds, cpu_seconds, more_mib = (
                min(map(float, one)) for one in zip(*runs, strict=True)
            )
            lines.append(
                {
                    "reader": reader,
                    "megabytes": megabytes,
                    "seconds": seconds,
                    "cpu_seconds": cpu_seconds,
                    "megabytes_per_second": megabytes / seconds,
                    "megabytes_per_cpu_second": megabytes / cpu_seconds,
                    "memory_of_file": more_mib * 2**20 / 1e6 / megabytes,
                }
            )
            print(lines[-1])
    write_csv(lines, folder / "tables.csv")
