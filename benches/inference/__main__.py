"""Coverage of possible winners and of the winner's interval: python -m benches.inference.

Writes coverage.csv and coverage.png; --missing adds the settings that the table lacks, --quick runs
a setting of each metric 20 times. About twenty minutes of one core.
"""

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bbc.errors import BBCWarning

from .._tables import lines_of, write_csv
from ._picture import draw
from ._study import Setting, run
from ._worlds import SHAPES, WORLDS

HERE = Path(__file__).parent
SIZES = ((50, 5), (50, 20), (50, 100), (200, 5), (200, 20), (200, 100), (500, 5), (500, 20))


def settings(quick: bool) -> list[Setting]:
    """All settings; large ones last."""
    if quick:
        return [Setting(metric, "equal", 50, 5) for metric in WORLDS]
    sizes = sorted(SIZES, key=lambda size: size[0] * size[1])
    return [Setting(m, s, *size) for size in sizes for m in WORLDS for s in SHAPES]


def repetitions(setting: Setting) -> int:
    """Fewer where each takes longer."""
    return 120 if setting.n_rows * setting.n_configurations < 4000 else 60


def one(task: tuple[Setting, int]) -> list[dict[str, Any]]:
    """A setting in a process of its own."""
    warnings.simplefilter("ignore", BBCWarning)
    return run(*task)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    lines = lines_of(chosen.out / "coverage.csv") if chosen.missing else []
    known = {
        (line["metric"], line["shape"], line["n_rows"], line["n_configurations"]) for line in lines
    }
    tasks = [
        (setting, 20 if chosen.quick else repetitions(setting))
        for setting in settings(chosen.quick)
        if tuple(setting) not in known
    ]
    with ProcessPoolExecutor(chosen.processes) as pool:
        for (setting, _), found in zip(tasks, pool.map(one, tasks), strict=True):
            lines += found
            print(*setting, *(f"{each['method']} {each['coverage']}" for each in found), flush=True)
            write_csv(lines, chosen.out / "coverage.csv")
    draw(lines, chosen.out / "coverage.png")


if __name__ == "__main__":
    main()
