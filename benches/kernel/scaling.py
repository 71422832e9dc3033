"""How time and memory grow with rows, configurations, replicates; scaling.csv and .png.

The exponent of a line is that of time against the axis, fitted where the work is large enough that
calling costs nothing: 1 is linear. Times are of the processor on one thread, the least of a few
runs, so that other work on the machine does not bend the lines.
"""

from pathlib import Path
from typing import Any

import numpy as np

from .._tables import Line, write_csv
from ._child import measure

METRICS = ("accuracy", "mean_squared_error", "roc_auc")
#: What stays fixed while one of the three grows: (rows, configurations, replicates).
AXES: dict[str, tuple[tuple[int, int, int], tuple[int, ...]]] = {
    "rows": ((0, 100, 1000), (50, 200, 1000, 5000, 20_000, 100_000)),
    "configurations": ((1000, 0, 1000), (10, 100, 1000, 10_000)),
    "replicates": ((1000, 1000, 0), (100, 1000, 10_000)),
    "many rows": ((0, 2, 100), (1000, 100_000, 1_000_000, 10_000_000)),
    "largest": ((100_000, 1000, 1000), (1000,)),
}
_LEAST_SECONDS = 0.004  # of the times that an exponent is fitted to


def run(folder: Path, *, quick: bool) -> None:
    """Measure on one thread, print, write the table and the picture."""
    print("\nHow cost grows, one thread")
    lines: list[Line] = []
    for metric in METRICS:
        for axis, (fixed, sizes) in AXES.items():
            if quick and axis in ("many rows", "largest"):
                continue
            own = [_line(metric, axis, fixed, size) for size in (sizes[:3] if quick else sizes)]
            exponent = _exponent(own)
            for line in own:
                line["exponent"] = exponent
            lines += own
    write_csv(lines, folder / "scaling.csv")
    _draw(lines, folder / "scaling.png")


def _line(metric: str, axis: str, fixed: tuple[int, int, int], size: int) -> Line:
    n_rows, n_configurations, n_bootstraps = (value or size for value in fixed)
    found = measure(
        metric=metric,
        n_rows=n_rows,
        n_configurations=n_configurations,
        n_bootstraps=n_bootstraps,
        n_runs={"largest": 1, "many rows": 2}.get(axis, 4),
    )
    line: Line = {
        "metric": metric,
        "axis": axis,
        "n_rows": n_rows,
        "n_configurations": n_configurations,
        "n_bootstraps": n_bootstraps,
        "ms": 1e3 * found["cpu_seconds"],
        "picoseconds_per_cell": 1e12
        * found["cpu_seconds"]
        / (float(n_rows) * n_configurations * n_bootstraps),
        "mib_beyond_data": found["more_mib"],
    }
    print(
        f"{metric:20s}{n_rows:8d} x {n_configurations:6d} x {n_bootstraps:6d}"
        f"{line['ms']:12.3f} ms{line['picoseconds_per_cell']:10.3f} ps/cell"
        f"{line['mib_beyond_data']:10.1f} MiB beyond the data",
        flush=True,
    )
    return line


def _exponent(lines: list[Line]) -> Any:
    """Slope of log time against log size; empty with fewer than two large enough."""
    large = [line for line in lines if line["ms"] >= 1e3 * _LEAST_SECONDS]
    if len(large) < 2:
        return ""
    cells = [line["n_rows"] * line["n_configurations"] * line["n_bootstraps"] for line in large]
    return float(np.polyfit(np.log(cells), np.log([line["ms"] for line in large]), 1)[0])


def _draw(lines: list[Line], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
    names = {"rows": "n_rows", "configurations": "n_configurations", "replicates": "n_bootstraps"}
    for ax, (axis, name) in zip(axes, names.items(), strict=True):
        for metric in METRICS:
            own = [line for line in lines if line["metric"] == metric and line["axis"] == axis]
            ax.loglog([o[name] for o in own], [o["ms"] for o in own], "o-", ms=3, label=metric)
        fixed = AXES[axis][0]
        others = [n for n, value in zip(names, fixed, strict=True) if value]
        sizes = [str(value) for value in fixed if value]
        ax.set_xlabel(axis)
        ax.set_title(", ".join(f"{s} {o}" for s, o in zip(sizes, others, strict=True)), fontsize=8)
    axes[0].set_ylabel("ms, one thread")
    axes[0].legend(fontsize=7)
    figure.savefig(path, dpi=100)
    plt.close(figure)
