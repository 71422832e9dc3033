"""Which form of the bootstrap is honest where fitted models vary?

python -m benches.model_luck.forms [--quick]
"""

import argparse
import time
from pathlib import Path

import numpy as np

from .._tables import write_csv
from ._forms import (
    CROSSED,
    REPEATED,
    SINGLE,
    crossed,
    crossed_weights,
    replicates,
    two_level_weights,
)
from ._tables import lines, predictions
from ._worlds import Floats, Sample, World, partitions, sample

HERE = Path(__file__).resolve().parent
BATCH = 10
"""Samples that share their resamples: rows are exchangeable, so each is as good as alone."""


def luck_variance(drawn: Sample, n_folds: int) -> float:
    """Variance of a fitted model's luck: fold by configuration, less the share of the rows."""
    n_repeats, _, n_columns = drawn.values.shape
    between = within = 0.0
    for values, fold in zip(drawn.values, drawn.folds, strict=True):
        means = np.stack([values[fold == k].mean(axis=0) for k in range(n_folds)])
        means -= means.mean(axis=1, keepdims=True)
        between += float(((means - means.mean(axis=0)) ** 2).sum())
        for k in range(n_folds):
            rows = values[fold == k] - values[fold == k].mean(axis=1, keepdims=True)
            m = len(rows)
            if m > 1:
                within += float(((rows - rows.mean(axis=0)) ** 2).sum()) / ((m - 1) * m)
    per_cell = n_repeats * (n_columns - 1)
    return float(between / (per_cell * (n_folds - 1)) - within / (per_cell * n_folds))


def row_variance(drawn: Sample) -> float:
    """Variance of a configuration's mean over rows, less what configurations share."""
    mean = drawn.values.mean(axis=0)
    mean = mean - mean.mean(axis=1, keepdims=True)
    n = len(mean)
    return float(((mean - mean.mean(axis=0)) ** 2).sum() / ((mean.shape[1] - 1) * (n - 1) * n))


def facts(drawn: Sample, n_folds: int) -> dict[str, float]:
    """What the whole sample says: the choice, its score, and the parts of the variance."""
    apparent = drawn.values.mean(axis=(0, 1), dtype=np.float64)
    winner = int(drawn.values.sum(axis=(0, 1), dtype=np.float64).argmax())
    return {
        "apparent": apparent[winner],
        "mean": apparent.mean(),
        "var_c": apparent.var(ddof=1),
        "skill": drawn.skills[winner],
        "luck2": luck_variance(drawn, n_folds),
        "row_var": row_variance(drawn),
    }


def study(world: World, n_runs: int, seed: int, n: int = 500) -> dict[str, Floats]:
    """Every form on `n_runs` samples of a world: estimates, sds and limits, a row per run."""
    rng = np.random.default_rng(seed)
    singles = SINGLE | (REPEATED if world.n_repeats > 1 else {})
    crosses = CROSSED if world.n_repeats == 1 else CROSSED[:3]
    rows: list[dict[str, float]] = []
    while len(rows) < n_runs:
        folds = partitions(world, rng)
        bags = {name: draw(rng, folds, world.n_folds, n) for name, draw in singles.items()}
        weights = {c: crossed_weights(c, rng, folds, world.n_folds, n) for c in crosses}
        again = two_level_weights(rng, folds[0], world.n_folds, n)
        for _ in range(BATCH):
            drawn = sample(world, folds, rng)
            row = facts(drawn, world.n_folds)
            for name, bag in bags.items():
                scores, winners = replicates(drawn.values, bag)
                summarise(row, name, scores)
                if name == "bbc":
                    carried = drawn.luck.mean(axis=(0, 1))
                    row["bbc/luck"] = carried[winners].mean()
            for name in crosses:
                scores, own = crossed(drawn.values, folds, world.n_folds, *weights[name])
                if name == "crossed":
                    row["crossed/point"] = scores[0]
                    row["crossed/rows"] = own.mean(axis=0).var(ddof=1) / world.n_rows
                    means = [own[0][folds[0] == k].mean() for k in range(world.n_folds)]
                    row["crossed/folds"] = np.var(means, ddof=1) / world.n_folds
                    scores = np.asarray(again @ own[0], dtype=np.float64)
                summarise(row, name, scores)
            rows.append(row)
    return {key: np.array([row[key] for row in rows]) for key in rows[0]}


def summarise(row: dict[str, float], name: str, scores: Floats) -> None:
    """Add the mean, the sd and the limits of replicates."""
    scores = np.sort(scores[np.isfinite(scores)])
    n = len(scores)
    row[f"{name}/mean"], row[f"{name}/sd"] = scores.mean(), scores.std(ddof=1)
    row[f"{name}/low"] = scores[int(np.ceil(0.025 * n)) - 1]
    row[f"{name}/high"] = scores[int(np.ceil(0.975 * n)) - 1]


def one_partition() -> list[World]:
    """Settings with one repeat."""
    lucks = (0.0, 0.02, 0.05)
    worlds = [World(n, luck=v) for n in (20, 50, 200, 500, 1000) for v in lucks]
    worlds += [World(n, luck=v, spread=0.1, rho=0.0) for n in (20, 50, 200, 1000) for v in lucks]
    worlds += [World(n, luck=v, spread=0.0, rho=0.0) for n in (20, 50, 200, 1000) for v in lucks]
    worlds += [World(n, n_folds=10, luck=v) for n in (20, 50, 200, 1000) for v in (0.0, 0.05)]
    worlds += [World(n, luck=v, n_configurations=20) for n in (20, 50, 200) for v in (0.0, 0.05)]
    worlds += [World(n, luck=v, metric="squared") for n in (20, 50, 200, 1000) for v in (0.0, 0.05)]
    worlds += [World(200, n_folds=k, luck=v) for k in (4, 20) for v in (0.0, 0.05)]
    return worlds


def repeats() -> list[World]:
    """Settings with several repeats."""
    return [
        World(n, luck=v, spread=s, n_repeats=r)
        for r in (5, 10)
        for n in (50, 200, 500)
        for v, s in ((0.0, 0.03), (0.05, 0.03), (0.05, 0.0))
    ] + [World(20, luck=v, spread=0.1, rho=0.0, n_repeats=5) for v in (0.0, 0.05)]


def n_runs(world: World) -> int:
    """Fewer runs of what takes longer."""
    return 200 if world.n_rows * world.n_repeats <= 400 else 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one batch of the smallest worlds")
    parser.add_argument("--first-seed", type=int, default=0, help="seeds that certify start higher")
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the results")
    options = parser.parse_args()
    worlds = one_partition() + repeats()
    if options.quick:
        worlds = [world for world in worlds if world.n_rows == 20]
    scores, predicted = [], []
    for seed, world in enumerate(worlds, options.first_seed):
        start = time.perf_counter()
        runs = study(world, BATCH if options.quick else n_runs(world), seed)
        scores += lines(world, runs)
        predicted.append(predictions(world, runs))
        print(world, f"{time.perf_counter() - start:.1f} s", flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    write_csv(scores, options.output / "forms.csv")
    write_csv(predicted, options.output / "predicted_bias.csv")


if __name__ == "__main__":
    main()
