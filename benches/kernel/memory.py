"""Peak memory of a correction that reads a memory-mapped file of 4 GB; memory.csv.

The concordance index prepares more than its data, so it is measured beside data in memory.
"""

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
_CONCORDANCE = (100_000, 125, 64)  # rows, configurations, replicates
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
            lines.append(_line(metric, n_configurations, size / 2**20, found))
    if not quick:
        lines.append(_concordance())
    write_csv(lines, folder / "memory.csv")


def _concordance() -> Line:
    n_rows, n_configurations, n_bootstraps = _CONCORDANCE
    found = measure(
        metric="concordance_index",
        n_rows=n_rows,
        n_configurations=n_configurations,
        n_bootstraps=n_bootstraps,
        n_threads=1,
    )
    line = _line("concordance_index", n_configurations, 0.0, found)
    line["data_mib"] = n_rows * n_configurations * 8 / 2**20
    line["mib_beyond_start"] += line["data_mib"]
    return line | {"n_rows": n_rows, "n_bootstraps": n_bootstraps}


def _line(metric: str, n_configurations: int, data_mib: float, found: dict[str, float]) -> Line:
    line: Line = {
        "metric": metric,
        "n_rows": N_ROWS,
        "n_configurations": n_configurations,
        "n_bootstraps": N_BOOTSTRAPS,
        "data_mib": data_mib,
        "mib_beyond_start": found["more_mib"],
        "mib_beyond_data": found["more_mib"] - data_mib,
        "seconds": found["seconds"],
    }
    print(
        f"{metric:20s} peak {line['mib_beyond_start']:8.0f} MiB beyond the start,"
        f" {line['mib_beyond_data']:6.0f} MiB beyond the data,"
        f" {found['seconds']:6.1f} s",
        flush=True,
    )
    return line


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
