"""What the number of rows does to every metric, with one configuration and with 50.

`python -m benches.size` writes bias.csv. All configurations of a world have the same
performance, so that of a sample of this size, `expected`, is the mean score of the first one: an
unbiased estimate has this mean. `published` is Algorithm 5 as it was published, `corrected` keeps
the effect of the rows apart (`size_correction=True`); the standard error is that of the mean error
of the latter. A metric is size dependent where one configuration shows a bias of `published`.
About two minutes of one core.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benches._tables import write_csv
from numpy.typing import NDArray

import bbc

_HERE = Path(__file__).parent
_N_BOOTSTRAPS = 100
_SIZES = (20, 50, 150)
_REPETITIONS = {1: 30, 50: 20}
_SHARED = 0.5  # correlation of a row's noise between configurations

Floats = NDArray[np.float64]


def _noise(rng: np.random.Generator, n_rows: int, size: int) -> Floats:
    shared = np.sqrt(_SHARED) * rng.standard_normal((n_rows, 1))
    return shared + np.sqrt(1 - _SHARED) * rng.standard_normal((n_rows, size))


def _two_classes(rng: np.random.Generator, n_rows: int, size: int) -> tuple[Any, Floats]:
    while True:
        y = (rng.random(n_rows) < 0.3).astype(int)
        if 3 <= y.sum() <= n_rows - 3:
            return y, 0.9 * (y[:, None] - 0.5) + _noise(rng, n_rows, size)


def _three_classes(rng: np.random.Generator, n_rows: int, size: int) -> tuple[Any, Floats]:
    while True:
        y = rng.choice(3, n_rows, p=(0.25, 0.35, 0.4))
        if np.bincount(y, minlength=3).min() >= 3:
            noise = np.stack([_noise(rng, n_rows, size) for _ in range(3)], axis=2)
            raw = np.exp(noise + 0.8 * np.eye(3)[y][:, None])
            return y, raw / raw.sum(axis=2, keepdims=True)


def _numbers(rng: np.random.Generator, n_rows: int, size: int) -> tuple[Any, Floats]:
    found = rng.standard_normal((n_rows, 1))
    y = 5 + 0.55 * found[:, 0] + 0.84 * rng.standard_normal(n_rows)
    return y.clip(0.5), (5 + 0.55 * found + 0.3 * _noise(rng, n_rows, size)).clip(0.5)


def _times(rng: np.random.Generator, n_rows: int, size: int) -> tuple[Any, Floats]:
    found = rng.standard_normal(n_rows)
    time, end = rng.exponential(np.exp(-found)), rng.exponential(1.5, n_rows)
    y = np.array(
        list(zip(time <= end, np.minimum(time, end), strict=True)),
        dtype=[("event", bool), ("time", float)],
    )
    return y, found[:, None] + _noise(rng, n_rows, size)


def data_of(metric: str, rng: np.random.Generator, n_rows: int, size: int) -> tuple[Any, Any]:
    """Truth and predictions that the metric reads."""
    info = bbc.metrics.names()[metric]
    draw: Callable[..., tuple[Any, Floats]] = {
        "binary": _two_classes,
        "classes": _three_classes,
        "real": _numbers,
        "survival": _times,
    }[info.target]
    y, values = draw(rng, n_rows, size)
    if info.predicts == "labels":
        values = values.argmax(axis=2) if values.ndim == 3 else (values > 0.2).astype(int)
    if info.predicts == "probability":
        values = 1 / (1 + np.exp(-values))
    return y, values


def one(metric: str, n_rows: int, size: int, seed: int) -> list[float]:
    """Score of the first configuration, apparent score, published and corrected estimate, cover."""
    y, values = data_of(metric, np.random.default_rng((seed, n_rows, size)), n_rows, size)
    first = values[:, :1] if size > 1 else values
    alone = bbc.correct(y, first, metric=metric, n_bootstraps=40, random_state=0, n_threads=1)
    found = []
    for size_correction in (False, True):
        found.append(
            bbc.correct(
                y,
                values,
                metric=metric,
                n_bootstraps=_N_BOOTSTRAPS,
                random_state=seed,
                size_correction=size_correction,
                n_threads=1,
            )
        )
    ends = [limit for each in found for limit in each.confidence_interval]
    return [alone.apparent, found[1].apparent, *(each.estimate for each in found), *ends]


def line(metric: str, n_rows: int, size: int) -> dict[str, Any]:
    """Means over the repetitions; errors are against the expectation at this size."""
    n = _REPETITIONS[size]
    runs = np.array([one(metric, n_rows, size, seed) for seed in range(n)])
    expected = runs[:, 0].mean()
    covered = [(runs[:, i] <= expected) & (expected <= runs[:, i + 1]) for i in (4, 6)]
    # With one configuration errors are paired: the apparent score is unbiased.
    against = runs[:, 0] if size == 1 else expected
    return {
        "metric": metric,
        "n_rows": n_rows,
        "n_configurations": size,
        "repetitions": n,
        "expected": float(expected),
        "apparent_bias": float((runs[:, 1] - against).mean()),
        "published_bias": float((runs[:, 2] - against).mean()),
        "published_se": float((runs[:, 2] - against).std(ddof=1) / np.sqrt(n)),
        "corrected_bias": float((runs[:, 3] - against).mean()),
        "corrected_se": float((runs[:, 3] - against).std(ddof=1) / np.sqrt(n)),
        "published_coverage": float(covered[0].mean()),
        "corrected_coverage": float(covered[1].mean()),
    }


def names() -> list[str]:
    """Metrics by name but those that negate another one."""
    found = bbc.metrics.names()
    return [
        name
        for name in found
        if not name.startswith("neg_") and not bbc.metrics.get(name).censoring
    ]


def shown(metric: str) -> bool:
    """Whether 50 configurations are run, too: where the two estimates differ."""
    y, values = data_of(metric, np.random.default_rng(0), 40, 2)
    found = bbc.correct(y, values, metric=metric, n_bootstraps=40, random_state=0)
    return found.size_bias is not None or metric in ("r2", "roc_auc", "accuracy")


def main() -> None:
    """Every metric, size and number of configurations."""
    warnings.simplefilter("ignore")
    lines = [line(name, n, 1) for name in names() for n in _SIZES]
    lines += [line(name, n, 50) for name in names() if shown(name) for n in _SIZES]
    write_csv(lines, _HERE / "bias.csv")


if __name__ == "__main__":
    main()
