"""Coverage by method and metric, a point for each setting."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from ._study import INTERVALS, LEVEL, SETS


def draw(lines: list[dict[str, Any]], path: Path) -> None:
    """Sets on the left, intervals of the winner on the right; colours are numbers of rows."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    metrics = list(dict.fromkeys(line["metric"] for line in lines))
    rows = sorted({line["n_rows"] for line in lines})
    titles = ("the set contains the best", "the interval contains the winner's performance")
    for ax, methods, title in zip(axes, (SETS, INTERVALS), titles, strict=True):
        groups = [(method, metric) for method in methods for metric in metrics]
        for place, (method, metric) in enumerate(groups):
            for k, n_rows in enumerate(rows):
                found = [
                    line["coverage"]
                    for line in lines
                    if (line["method"], line["metric"], line["n_rows"]) == (method, metric, n_rows)
                    and line["coverage"] != ""
                ]
                x = place + 0.22 * (k - (len(rows) - 1) / 2)
                ax.plot(np.full(len(found), x), found, "o", ms=3, color=f"C{k}", alpha=0.7)
        ax.axhline(LEVEL, color="black", lw=0.8)
        names = [f"{method}\n{metric.replace('_', ' ')}" for method, metric in groups]
        ax.set_xticks(range(len(groups)), names, rotation=90, fontsize=7)
        ax.set_title(title, fontsize=10)
    axes[0].set_ylabel("coverage at a level of 95 %")
    for k, n_rows in enumerate(rows):
        axes[0].plot([], [], "o", ms=3, color=f"C{k}", label=f"{n_rows} rows")
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=120)
    plt.close(figure)
