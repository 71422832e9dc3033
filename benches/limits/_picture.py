"""Coverage by quantity, before and after: a point for each setting."""

from pathlib import Path
from typing import Any

import matplotlib as mpl


def draw(lines: list[dict[str, Any]], path: Path) -> None:
    """Replicates alone beside the hull."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
    quantities = list(dict.fromkeys(line["quantity"] for line in lines))
    for k, (kind, marker) in enumerate((("replicates", "x"), ("hull", "o"))):
        points = [
            (quantities.index(line["quantity"]) + 0.25 * k - 0.12, line["coverage"])
            for line in lines
            if line["limits"] == kind
        ]
        ax.plot(*zip(*points, strict=True), marker, ms=4, alpha=0.6, label=kind, color=f"C{k}")
    ax.axhline(0.95, color="black", lw=0.8)
    ax.set_xticks(range(len(quantities)), quantities, rotation=30, ha="right")
    ax.set_ylabel("coverage at a level of 95 %")
    ax.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)
