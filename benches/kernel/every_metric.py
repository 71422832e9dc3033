"""Every named metric under every plan: picoseconds a cell, beside our own mean squared error, AUC
or accuracy, and beside numpy on one thread in the same run (OMP_NUM_THREADS=1, as make sets it).

Ours are whole calls: findings, and by folds the test of models' luck, are of ours alone.
"""

import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import bbc
from bbc.metrics._spec import METRICS

from .._tables import Line, write_csv
from . import _numpy_ways

N_BOOTSTRAPS = 1000
MOST = 5000  # the default, timed of pooled metrics
N_CLASSES = 3
N_REPEATS = 3
#: What the metrics of a family are compared with, pooled and without weights.
REFERENCES = ("mean_squared_error", "roc_auc", "accuracy", "concordance_index")
_IN_SIGHT = 0.4  # seconds, beyond which one run says enough


@cache
def _rng_problem(target: str, predicts: str, n_rows: int, n_columns: int) -> tuple[Any, Any]:
    """Truth, and predictions of configurations that differ in how good they are."""
    rng = np.random.default_rng(0)
    shape = (n_rows, n_columns)
    noise = rng.uniform(0.5, 1.5, n_columns)
    if target == "survival":
        survival = np.empty(n_rows, dtype=[("event", bool), ("time", float)])
        survival["event"] = rng.random(n_rows) < 0.6
        survival["time"] = rng.exponential(size=n_rows)
        return survival, noise * rng.normal(size=shape) - np.log(survival["time"])[:, None]
    if target == "real":
        truth = rng.lognormal(0.0, 0.5, size=n_rows)
        return truth, truth[:, None] * np.exp(0.5 * noise * rng.normal(size=shape))
    n_classes = 2 if target == "binary" else N_CLASSES
    y = rng.integers(0, n_classes, n_rows)
    y[:n_classes] = np.arange(n_classes)
    if predicts == "labels":
        other = (y[:, None] + rng.integers(1, n_classes, shape)) % n_classes
        right = rng.random(shape) < rng.uniform(0.55, 0.65, n_columns)
        return y, np.where(right, y[:, None], other).astype(np.int8)
    scores = rng.normal(size=(*shape, n_classes)) * noise[:, None]
    scores += 1.0 * (y[:, None, None] == np.arange(n_classes))
    if predicts == "score":
        return y, np.ascontiguousarray(scores[:, :, 1] - scores[:, :, 0])
    odds = np.exp(scores)
    probabilities = odds / odds.sum(axis=2, keepdims=True)
    return y, np.ascontiguousarray(probabilities[:, :, 1] if n_classes == 2 else probabilities)


def _problem(metric: bbc.metrics.Metric, n_rows: int, n_columns: int) -> tuple[Any, Any]:
    # Label metrics that take any number of classes are timed with two: the look-up of most users.
    target = "binary" if metric.name in ("accuracy", "zero_one_loss") else metric.target
    if metric.name in ("log_loss", "brier_score"):
        target = "binary"
    return _rng_problem(target, metric.predicts, n_rows, n_columns)


def _plans(n_rows: int) -> dict[str, dict[str, Any]]:
    rng = np.random.default_rng(1)
    return {
        "pooled": {},
        "fold-5": {"pooling": "fold", "folds": rng.permutation(n_rows) % 5},
        "fold-10": {"pooling": "fold", "folds": rng.permutation(n_rows) % 10},
        "weights": {"sample_weight": rng.uniform(0.5, 2.0, n_rows)},
        "groups": {"groups": np.arange(n_rows) // 5},
        "two-level": {"method": "bbc-two-level", "folds": rng.permutation(n_rows) % 10},
        "repeats": {},
    }


def _extra_metrics() -> dict[str, Any]:
    return {
        "cumulative_dynamic_auc": bbc.metrics.cumulative_dynamic_auc(0.7),
        "survival_brier_score": bbc.metrics.survival_brier_score(0.7),
        "integrated_brier_score": bbc.metrics.integrated_brier_score([0.4, 0.7, 1.0]),
    }


def _numpy_ms(metric: Any, y: Any, predictions: Any, options: Any) -> float | None:
    """The same work by numpy; of a walk, ten times that of a tenth of the replicates."""
    if metric.name not in _numpy_ways.WAYS:
        return None
    repeats = predictions if isinstance(predictions, list) else [predictions]
    job, _ = _numpy_ways.job(metric.name, metric.greater_is_better, y, repeats, **options)
    share = 10 if metric.family == "ranking" else 1
    return share * _cpu_ms(partial(job, N_BOOTSTRAPS // share))


def _cpu_ms(run: Callable[[], object]) -> float:
    """Least processor time of a few runs, of which slow ones have but one."""
    return _cpu_in_turn([run])[0]


def _cpu_in_turn(runs: list[Callable[[], object]]) -> list[float]:
    """The same of several that take turns, because a machine's speed drifts."""
    least = [float("inf")] * len(runs)
    end = time.monotonic() + _IN_SIGHT
    for _ in range(7):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            least[i] = min(least[i], 1e3 * (time.process_time() - start))
        if time.monotonic() > end:
            break
    return least


def _distinct(only: str | None = None) -> dict[str, tuple[Any, list[str]]]:
    """Metrics that compute something else, each with all of its names."""
    found: dict[tuple[Any, ...], tuple[Any, list[str]]] = {}
    for name, metric in METRICS.items():
        if only and only not in name:
            continue
        key = (metric.kernel, metric.parameters, metric.censoring, metric.target)
        found.setdefault(key, (metric, []))[1].append(name)
    metrics = {metric.name: (metric, names) for metric, names in found.values()}
    metrics |= {n: (m, [n]) for n, m in _extra_metrics().items() if not only or only in n}
    return metrics


def measure(
    n_rows: int, n_columns: int, plans: list[str] | None = None, only: str | None = None
) -> list[Line]:
    """One line per name and plan."""
    lines: list[Line] = []
    chosen = {k: v for k, v in _plans(n_rows).items() if plans is None or k in plans}
    cells = float(N_BOOTSTRAPS) * n_rows * n_columns
    for name, (metric, names) in _distinct(only).items():
        y, predictions = _problem(metric, n_rows, n_columns)
        if name.endswith("brier_score") and metric.target == "survival":
            times = 3 if name.startswith("integrated") else 1
            survival = np.exp(-np.exp(predictions / 2))
            predictions = np.stack([survival ** (i + 1) for i in range(times)], axis=2)
            predictions = predictions if times > 1 else survival
        for plan, options in chosen.items():
            given = predictions
            if plan == "repeats":
                given = [np.roll(predictions, i, axis=1) for i in range(N_REPEATS)]
            n_values = cells * (N_REPEATS if plan == "repeats" else 1)

            run = partial(
                bbc.correct,
                y,
                given,
                metric=metric,
                n_bootstraps=N_BOOTSTRAPS,
                random_state=1,
                n_threads=1,
                **options,
            )
            of_most = [partial(run, n_bootstraps=MOST)] if plan == "pooled" else []
            ms, *more = _cpu_in_turn([run, *of_most])
            ms_of_most = more[0] if more else None
            numpy_ms = _numpy_ms(metric, y, given, options) if n_rows < 1000 else None
            lines += [
                {
                    "metric": each,
                    "plan": plan,
                    "n_rows": n_rows,
                    "n_configurations": n_columns,
                    "ms": ms,
                    "picoseconds_per_cell": 1e9 * ms / n_values,
                    "ms_of_5000": ms_of_most or "",
                    "times_of_1000": ms_of_most / ms if ms_of_most else "",
                    "numpy_ms": numpy_ms or "",
                    "numpy_times": numpy_ms / ms if numpy_ms else "",
                }
                for each in names
            ]
            print(f"{name:34s}{plan:12s}{ms:10.2f} ms{1e9 * ms / n_values:10.1f} ps", flush=True)
    return lines


def _with_ratios(lines: list[Line]) -> list[Line]:
    """Each line beside the same metric pooled, and beside the reference metrics."""
    pooled = {(x["metric"], x["n_rows"]): x["ms"] for x in lines if x["plan"] == "pooled"}
    for line in lines:
        line["times_pooled"] = line["ms"] / pooled.get((line["metric"], line["n_rows"]), np.nan)
        for name in REFERENCES:
            own = pooled.get((name, line["n_rows"]), np.nan)
            line[f"times_{name}"] = line["ms"] / own
    return lines


def run(folder: Path, *, quick: bool) -> None:
    """Write every_metric.csv."""
    lines = measure(100, 20) if quick else measure(500, 200)
    if not quick:
        lines += measure(2000, 500, ["pooled"])
    lines = _with_ratios(lines)
    write_csv(lines, folder / "every_metric.csv")
