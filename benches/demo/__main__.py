"""The ten splits of `bbc demo`, for README: splits.csv, and the picture docs/images/demo.png."""

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer

from bbc.cli._demo import SEEDS, average, draw, tuned

HERE = Path(__file__).resolve().parent
PICTURE = HERE.parents[1] / "docs" / "images" / "demo.png"
COLUMNS = ("seed", "apparent", "corrected", "truth")

if __name__ == "__main__":
    splits = [tuned(*load_breast_cancer(return_X_y=True), seed) for seed in SEEDS]
    with (HERE / "splits.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for split in splits:
            scores = (split.apparent, split.corrected, split.truth)
            writer.writerow([split.name, *(f"{score:.6f}" for score in scores)])
    draw([*splits, average(splits)], PICTURE)
