"""Which way through the kernel each metric takes."""

from typing import Any

import numpy as np

from bbc import _core
from bbc.metrics._spec import METRICS, Metric

#: Folds large enough for the look-up, which leaves smaller ones to others.
_N_ROWS, _N_CONFIGURATIONS, _N_CLASSES = 72, 5, 3


def table() -> dict[str, dict[str, str]]:
    """For each metric the road under "pooled", "fold", "weights", "few weights" and "repeats".

    Roads are a "look-up" of sums in tables, sums on a "grid", "pairs" counted for 64 replicates at
    a time, or a "filter" of rough scores that leaves few configurations to be compared exactly. All
    give the same bits.
    """
    return {name: _roads(metric) for name, metric in sorted(METRICS.items())}


def _roads(metric: Metric) -> dict[str, str]:
    target, predictions = _problem(metric)
    kernel = metric._compiled
    folds = np.arange(_N_ROWS, dtype=np.int32) // (_N_ROWS // 2)
    weights = np.sqrt(np.arange(1.0, _N_ROWS + 1.0) / 2.0)
    return {
        "pooled": _core.road(kernel, target, [predictions], None, None),
        "fold": _core.road(kernel, target, [predictions], folds, None),
        "weights": _core.road(kernel, target, [predictions], None, weights),
        "few weights": _core.road(kernel, target, [predictions], None, np.floor(weights)),
        "repeats": _core.road(kernel, target, [predictions, predictions], None, None),
    }


def _problem(metric: Metric) -> tuple[_core.Target, Any]:
    """A small truth of the metric's kind, and predictions in its domain."""
    rows = np.arange(_N_ROWS)
    times = np.arange(1.0, _N_ROWS + 1.0, dtype=np.float64)
    values = 1.0 + (rows[:, None] * np.arange(1, _N_CONFIGURATIONS + 1)) % 7
    if metric.target == "real":
        return _core.Target.real(times), values
    if metric.target == "survival":
        events = (rows % 3 > 0).astype(np.uint8)
        if metric.censoring:
            return _core.uno_target(events, times, 1.0 / times, np.inf), values
        return _core.Target.survival(events, times), values
    two = metric.target == "binary" or metric.kernel == "zero_one_loss"
    n_classes = 2 if two else _N_CLASSES
    codes = (rows % n_classes).astype(np.int32)
    target = _core.Target.labels(codes, n_classes, np.arange(n_classes, dtype=np.int64), [])
    if metric.predicts == "labels":
        return target, (values % n_classes).astype(np.int64)
    if metric.predicts in ("score", "probability"):
        return target, values / 8.0
    shares = values[:, :, None] + np.arange(n_classes)
    return target, np.ascontiguousarray(shares / shares.sum(axis=2, keepdims=True))
