"""False alarms, power and coverage of `bbc.compare`.

    python -m benches.comparison.size [--runs 2000] [--quick] [--draw]

Two families whose expected performance is equal, or of which the first is better by a known
advantage. `size.csv`: how often p <= .05, overall and in favour of the first, how often the
interval holds the expected difference, and the mean standard error beside the standard deviation
of the estimates. False alarms above .05 plus two standard errors are marked in `size.png`.
"""

import argparse
import csv
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np

import bbc
from bbc.errors import BBCWarning

from .._tables import Line, write_csv
from ._worlds import World

HERE = Path(__file__).resolve().parent
LEVEL, N_BOOTSTRAPS = 0.05, 400
SIZES = ((1, 1), (20, 20), (100, 1))

NULL = (
    *(World(n, sizes, luck) for n, sizes, luck in product((50, 200, 500), SIZES, (0.0, 0.05))),
    *(World(200, sizes, 0.05, n_folds=10) for sizes in SIZES),
    World(50, rho=0.95),
    World(200, (100, 1), rho=0.3),
    World(200, (100, 1), spread=0.05),
    World(500, (100, 1), spread=0.05, rho=0.5),
    World(500, (100, 1), spread=0.05, rho=0.5, n_folds=10),
    World(200, luck=0.05, n_repeats=5),
    World(200, (100, 1), luck=0.05, n_repeats=5),
    World(200, metric="roc_auc"),
    World(200, (100, 1), 0.05, metric="roc_auc"),
)
POWER = tuple(
    World(n, sizes, luck, advantage=advantage, n_folds=10)
    for n, advantage in ((200, 0.1), (500, 0.05), (500, 0.1))
    for sizes, luck in product(SIZES, (0.0, 0.05))
)
METHODS: tuple[Literal["bbc", "bbc-two-level"], ...] = ("bbc", "bbc-two-level")


def study(world: World, runs: int) -> list[Line]:
    """Lines of both methods."""
    warnings.simplefilter("ignore", BBCWarning)
    gain = world.gain()
    rng = np.random.default_rng([world.n_rows, *world.sizes, world.n_folds])
    found: dict[str, list[Any]] = {method: [] for method in METHODS}
    for run in range(runs):
        y, predictions, folds, (first, second) = world.draw(gain, rng)
        families = {
            "first": list(predictions[:, :, : world.sizes[0]]),
            "second": list(predictions[:, :, world.sizes[0] :]),
        }
        for method in METHODS:
            comparison = bbc.compare(
                y,
                families,
                metric=world.metric,
                method=method,
                folds=None if method == "bbc" else folds,
                n_bootstraps=N_BOOTSTRAPS,
                random_state=run,
                n_threads=1,
            )
            pair = comparison.differences[0]
            winners = [each.winner for each in comparison.estimates.values()]
            true = first[winners[0]] - second[winners[1]]
            assert pair.confidence_interval is not None
            low, high = pair.confidence_interval
            found[method].append(
                (pair.p_value, pair.estimate, low, high, pair.standard_error, true)
            )
    return [_line(world, method, np.array(rows)) for method, rows in found.items()]


def _line(world: World, method: str, rows: Any) -> Line:
    p_values, estimates, low, high, errors, true = rows.T
    expected = world.advantage if world.spread == 0 else float(true.mean())
    if world.spread > 0 and world.advantage == 0:
        expected = 0.0
    rejected = p_values <= LEVEL
    return {
        "metric": world.metric,
        "n_rows": world.n_rows,
        "first": world.sizes[0],
        "second": world.sizes[1],
        "n_folds": world.n_folds,
        "n_repeats": world.n_repeats,
        "luck": world.luck,
        "spread": world.spread,
        "rho": world.rho,
        "advantage": world.advantage,
        "method": method,
        "runs": len(rows),
        "rejected": float(rejected.mean()),
        "for_first": float((rejected & (estimates > 0)).mean()),
        "covered": float(((low <= expected) & (expected <= high)).mean()),
        "bias": float(estimates.mean() - expected),
        "sd": float(estimates.std(ddof=1)),
        "standard_error": float(errors.mean()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="20 runs, nothing is written")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true", help="only the picture, from the table")
    arguments = parser.parse_args()
    if arguments.draw:
        draw(read(HERE / "size.csv"), HERE / "size.png")
        return
    runs = 20 if arguments.quick else arguments.runs
    worlds = [*NULL, *POWER]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        lines = [
            line for found in pool.map(study, worlds, [runs] * len(worlds)) for line in _told(found)
        ]
    if not arguments.quick:
        write_csv(lines, HERE / "size.csv")
        draw(lines, HERE / "size.png")


def read(path: Path) -> list[Line]:
    """The lines of a table, with numbers for numbers."""
    with path.open(encoding="utf-8") as file:
        found: list[Line] = [dict(line) for line in csv.DictReader(file)]
    texts = {"metric", "method", "cpu"}
    whole = {"n_rows", "first", "second", "n_folds", "n_repeats", "runs"}
    return [
        {
            name: value if name in texts else int(value) if name in whole else float(value)
            for name, value in line.items()
        }
        for line in found
    ]


def _told(lines: list[Line]) -> list[Line]:
    for line in lines:
        print({name: value for name, value in line.items() if name != "cpu"}, flush=True)
    return lines


def draw(lines: list[Line], path: Path) -> None:
    """False alarms by method; power below."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 6.5), layout="constrained")
    for ax, powered in zip(axes, (False, True), strict=True):
        kept = [line for line in lines if (line["advantage"] > 0) == powered]
        labels = list(dict.fromkeys(map(_label, kept)))
        for method, marker, colour in (("bbc", "x", "#c2491d"), ("bbc-two-level", "o", "#1b5e8a")):
            own = [line for line in kept if line["method"] == method]
            places = [labels.index(_label(line)) for line in own]
            ax.plot([line["rejected"] for line in own], places, marker, color=colour, label=method)
        ax.set_yticks(range(len(labels)), labels, fontsize=7)
        ax.invert_yaxis()
        ax.grid(axis="x", alpha=0.2)
        ax.set_xlabel("share of runs with p <= .05")
        ax.set_title("equal families" if not powered else "the first is better", fontsize=10)
        ax.spines[["top", "right"]].set_visible(False)
    limit = LEVEL + 2 * np.sqrt(LEVEL * (1 - LEVEL) / lines[0]["runs"])
    axes[0].axvline(LEVEL, color="#3c464d", linewidth=0.8)
    axes[0].axvline(limit, color="#3c464d", linewidth=0.8, linestyle=":")
    axes[0].set_xscale("symlog", linthresh=0.1)
    axes[0].set_xticks([0, 0.05, 0.1, 0.2, 0.5], ["0", ".05", ".1", ".2", ".5"])
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, frameon=False, ncols=2, loc="outside upper center")
    figure.savefig(path, dpi=110)


def _label(line: Line) -> str:
    parts = [f"{line['first']} v {line['second']}", f"{line['n_rows']} rows"]
    parts += [f"K = {line['n_folds']}"] if line["n_folds"] != 5 else []
    parts += [f"{line['n_repeats']} repeats"] if line["n_repeats"] > 1 else []
    for name, usual in (("luck", 0.0), ("spread", 0.0), ("rho", 0.8), ("advantage", 0.0)):
        parts += [f"{name} {line[name]:g}"] if line[name] != usual else []
    return ", ".join(parts + (["AUC"] if line["metric"] == "roc_auc" else []))


if __name__ == "__main__":
    main()
