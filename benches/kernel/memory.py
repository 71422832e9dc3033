"""Peak memory of a correction that reads a memory-mapped file of 4 GB; memory.csv."""

import tempfile
from pathlib import Path

import numpy as np

from .._tables import Line, write_csv
from ._child import measure

GIB = 2**30
# The counts of a block of replicates take 128 bytes per row and thread.
N_ROWS = 2**17
N_BOOTSTRAPS = 100
_BYTES = {"accuracy": 1, "mean_squared_error": 8, "roc_auc": 8}
_CHUNK = 64 * 2**20


def run(folder: Path, *, quick: bool) -> None:
    """Write the file, measure, print, and write the table."""
    size = GIB // 8 if quick else 4 * GIB
    print(f"\nMemory-mapped predictions of {size / GIB:g} GiB")
    lines: list[Line] = []
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for metric, width in _BYTES.items():
            path = Path(scratch) / "predictions"
            _write(path, size, labels=metric == "accuracy")
            n_configurations = size // width // N_ROWS
            found = measure(
                metric=metric,
                n_rows=N_ROWS,
                n_configurations=n_configurations,
                n_bootstraps=N_BOOTSTRAPS,
                n_threads=2,
                path=str(path),
            )
            lines.append(
                {
                    "metric": metric,
                    "n_rows": N_ROWS,
                    "n_configurations": n_configurations,
                    "n_bootstraps": N_BOOTSTRAPS,
                    "data_mib": size / 2**20,
                    "mib_beyond_start": found["more_mib"],
                    "mib_beyond_data": found["more_mib"] - size / 2**20,
                    "seconds": found["seconds"],
                }
            )
            print(
                f"{metric:20s} peak {lines[-1]['mib_beyond_start']:8.0f} MiB beyond the start,"
                f" {lines[-1]['mib_beyond_data']:6.0f} MiB beyond the data,"
                f" {found['seconds']:6.1f} s",
                flush=True,
            )
    write_csv(lines, folder / "memory.csv")


def _write(path: Path, size: int, *, labels: bool) -> None:
    """A file of random predictions, one random chunk again and again."""
    rng = np.random.default_rng(0)
    if labels:
        chunk = rng.integers(0, 2, _CHUNK, dtype=np.int8).tobytes()
    else:
        chunk = rng.random(_CHUNK // 8).tobytes()
    with path.open("wb") as file:
        for _ in range(size // _CHUNK):
            file.write(chunk)
