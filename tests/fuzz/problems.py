"""Random problems for every metric and plan, with the degenerate columns that break shortcuts."""

from __future__ import annotations

from typing import Any

import numpy as np

import bbc
from fuzz.case import OF_BETA_ONE, OF_ROWS, Array, Case
from fuzz.holes import make_holes, make_unseen
from reference import metrics as oracle
from reference.metrics import Metric as OracleMetric

_NAMES = [name for name in sorted(bbc.metrics.names()) if not bbc.metrics.get(name).censoring]
_QUESTIONS = ("bbc", "bbc-two-level", "bbc-f", "tt", "dominated")
_WITH_PARAMETERS = ("f_beta", "pinball_loss")
_LEVELS = ("portable", "avx2", "avx512")
# A class with one row is never on both sides of a draw, and the oracle draws a thousand times
# before it says so: most cases do without.
_WITHOUT_LONELY_ROWS = 0.95


def draw_case(seed: int, number: int) -> Case:
    """The case of this number: a function of the two numbers alone."""
    rng = np.random.default_rng([seed, number])
    name = _NAMES[number % len(_NAMES)]
    metric, measure = _metric(name, rng)
    question = str(rng.choice(_QUESTIONS, p=(0.45, 0.3, 0.1, 0.05, 0.1)))
    n_rows, n_configurations, n_bootstraps = _shape(rng)
    n_repeats = int(rng.choice((1, 2, 3), p=(0.75, 0.15, 0.1)))
    truth = _truth(metric, rng, n_rows)
    y, n_classes, options = _as_user(truth, metric, rng)
    repeats = [
        _predictions(metric, truth, rng, n_configurations, n_classes) for _ in range(n_repeats)
    ]
    given = {"y": y, "repeats": _labelled(repeats, y, metric, options)}
    case = Case(question, metric, measure, y, given["repeats"], {}, given, options)
    _design(case, rng, n_repeats)
    if question in (*OF_ROWS, "bbc-f") and rng.random() < 0.15:
        make_holes(case, rng)
    if question in OF_ROWS and n_repeats > 1 and rng.random() < 0.3:
        make_unseen(case, rng)
    _draws(case, rng, n_bootstraps)
    if question in OF_ROWS:
        _scored(case, rng)
    case.simd = str(rng.choice(_LEVELS))
    case.block = int(rng.integers(1, n_configurations + 1)) if rng.random() < 0.25 else 0
    if not case.streams:
        case.block = 0
    return case


def _metric(name: str, rng: np.random.Generator) -> tuple[bbc.metrics.Metric, OracleMetric]:
    if name == "f_beta":
        beta = float(rng.choice((0.3, 0.5, 1.0, 2.0)))
        return bbc.metrics.get(name, beta=beta), oracle.f_beta(beta)
    if name == "pinball_loss":
        alpha = float(rng.choice((0.1, 0.37, 0.5, 0.9)))
        return bbc.metrics.get(name, alpha=alpha), oracle.pinball(alpha)
    return bbc.metrics.get(name), oracle.METRICS[OF_BETA_ONE.get(name, name)]


def _shape(rng: np.random.Generator) -> tuple[int, int, int]:
    """Mostly small; sometimes beyond the kernel's blocks of rows, configurations or replicates."""
    long = rng.random()
    if long < 0.001:
        return int(rng.integers(4, 8)), int(rng.integers(2040, 2100)), 4
    if long < 0.02:
        return int(rng.integers(230, 330)), int(rng.integers(1, 4)), 4
    if long < 0.04:
        return int(rng.integers(4, 12)), int(rng.integers(60, 140)), 5
    if long < 0.06:
        return int(rng.integers(4, 10)), int(rng.integers(1, 4)), int(rng.integers(60, 140))
    return int(rng.integers(4, 40)), int(rng.integers(1, 10)), int(rng.integers(4, 12))


def _truth(metric: bbc.metrics.Metric, rng: np.random.Generator, n_rows: int) -> Array:
    """Codes of classes, real numbers, or (event, time); often nearly degenerate."""
    if metric.target in ("binary", "classes"):
        n_classes = 2 if metric.target == "binary" else int(rng.integers(2, min(5, n_rows) + 1))
        shares = rng.dirichlet(np.full(n_classes, float(rng.choice((0.5, 5.0)))))
        codes = rng.choice(n_classes, n_rows, p=shares)
        codes[:n_classes] = np.arange(n_classes)
        if n_rows >= 2 * n_classes and rng.random() < _WITHOUT_LONELY_ROWS:
            codes[n_classes : 2 * n_classes] = np.arange(n_classes)
        return rng.permutation(codes)
    step = float(rng.choice((1.0, 0.25, 0.0)))
    values = 0.25 + 4.0 * rng.random(n_rows)
    values = values if step == 0.0 else np.ceil(values / step) * step
    if rng.random() < 0.1:
        values[:] = values[0]
        values[int(rng.integers(n_rows))] += 1.0
    if metric.target == "real":
        return values
    truth = np.empty(n_rows, dtype=[("event", bool), ("time", float)])
    truth["event"] = rng.random(n_rows) < rng.choice((0.1, 0.6, 1.0))
    truth["time"] = values
    return truth


def _as_user(
    truth: Array, metric: bbc.metrics.Metric, rng: np.random.Generator
) -> tuple[Array, int, dict[str, Any]]:
    """The truth as a user writes it, the number of classes, and the options that this takes."""
    if metric.target not in ("binary", "classes"):
        return truth, 0, {}
    n_classes = int(truth.max()) + 1
    options: dict[str, Any] = {}
    style = rng.choice(("codes", "numbers", "strings"))
    if metric.orders_classes and style == "strings":
        style = "numbers"  # text has no order
    names = {
        "codes": np.arange(n_classes),
        "numbers": np.arange(n_classes) * 2 - 1,
        "strings": np.array(["ash", "birch", "cedar", "deal", "elm", "fir"])[:n_classes],
    }[str(style)]
    if metric.target == "binary" and (rng.random() < 0.3 or style == "strings"):
        options["pos_label"] = names[int(rng.integers(2))].item()
    if metric.target == "classes" and rng.random() < 0.1:
        # A class that no row has; labels are sorted, as scores per class are.
        more = "zelkova" if style == "strings" else 99
        options["labels"] = [*names.tolist(), more]
        n_classes += 1
    return names[truth], n_classes, options


def _noise(rng: np.random.Generator, n: int) -> Array:
    return rng.uniform(0.1, 1.0, n)


def _predictions(
    metric: bbc.metrics.Metric,
    truth: Array,
    rng: np.random.Generator,
    n_configurations: int,
    n_classes: int,
) -> Array:
    """Codes or numbers of shape (row, configuration[, class])."""
    n_rows = len(truth)
    shape = (n_rows, n_configurations)
    if metric.predicts == "labels":
        wrong = rng.random(shape) < _noise(rng, n_configurations) / 1.5
        called = np.where(wrong, rng.integers(0, n_classes, shape), truth[:, None])
        return _degenerate(called, rng)
    if metric.predicts in ("class_scores", "class_probabilities"):
        raw = rng.integers(1, 5, (*shape, n_classes)) + 3.0 * rng.random() * (
            truth[:, None, None] == np.arange(n_classes)
        )
        raw = _degenerate(raw if rng.random() < 0.3 else np.round(raw), rng)
        return np.asarray(raw / raw.sum(axis=2, keepdims=True))
    signal = -truth["time"] if metric.target == "survival" else truth
    signal = (signal - signal.min()) / max(np.ptp(signal), 1e-9)
    noise = _noise(rng, n_configurations)
    blurred = (1 - noise) * signal[:, None] + noise * rng.random(shape)
    steps = float(rng.choice((2.0, 8.0, 0.0)))
    scores = _degenerate(blurred if steps == 0.0 else np.round(steps * blurred) / steps, rng)
    if metric.predicts in ("score", "risk"):
        return _apart(_extreme(scores - 0.5, rng))
    return _apart(scores if metric.predicts == "probability" else 0.25 + 4.0 * scores)


def _apart(columns: Array) -> Array:
    """Two columns that sum to one, which would be refused as one model's classes, halved."""
    return columns / 2 if columns.shape[1] == 2 and np.allclose(columns.sum(axis=1), 1) else columns


def _degenerate(columns: Array, rng: np.random.Generator) -> Array:
    """Some columns constant, or copies of others."""
    n_configurations = columns.shape[1]
    for j in range(n_configurations):
        kind = rng.random()
        if kind < 0.08:
            columns[:, j] = columns[0, j]
        elif kind < 0.2:
            columns[:, j] = columns[:, int(rng.integers(n_configurations))]
    return columns


def _extreme(scores: Array, rng: np.random.Generator) -> Array:
    """Scores that only their order tells apart: signed zeros, subnormal, huge, nearly equal."""
    kind = rng.random()
    if kind < 0.06:
        return np.where(scores > 0.2, scores, np.where(rng.random(scores.shape) < 0.5, 0.0, -0.0))
    if kind < 0.12:
        return scores * 2.0**-1060
    if kind < 0.18:
        return scores * 1e308
    return np.round(scores * 50.0) * 1e-13 + 1.0 if kind < 0.24 else scores


def _labelled(
    repeats: list[Array], y: Array, metric: bbc.metrics.Metric, options: dict[str, Any]
) -> list[Array]:
    """Predicted codes as the user's labels."""
    if metric.predicts != "labels":
        return repeats
    names = np.array(options["labels"]) if "labels" in options else np.unique(y)
    return [names[codes] for codes in repeats]


def _design(case: Case, rng: np.random.Generator, n_repeats: int) -> None:
    """Folds, groups, strata, weights and the selection rule."""
    n_rows, classes = case.n_rows, case.metric.target in ("binary", "classes")
    design = case.design
    one_standard_error = case.question in OF_ROWS and rng.random() < 0.1
    if case.question in OF_ROWS and rng.random() < 0.3:
        design["pooling"] = "fold"
    if design.get("pooling") or one_standard_error or case.question not in ("bbc", "dominated"):
        design["folds"] = _folds(case, rng, n_repeats)
    if case.question in OF_ROWS and not one_standard_error and rng.random() < 0.1:
        design["selection"] = _RULES[int(rng.integers(len(_RULES)))]
    if one_standard_error:
        n_configurations = case.repeats[0].shape[1]
        design["selection"] = rng.integers(0, 4, n_configurations).tolist()
    if rng.random() < 0.25:
        design["sample_weight"] = _weights(rng, n_rows)
    if case.question not in (*OF_ROWS, "dominated"):
        return
    if classes and rng.random() < 0.25:
        design["stratify"] = True
    if rng.random() < 0.25:
        # Groups lie within classes if classes are strata.
        codes = rng.integers(0, max(2, n_rows // 2), n_rows)
        within = np.unique(case.y, return_inverse=True)[1] if design.get("stratify") else 0
        groups = codes * 10 + within
        groups[0] = -1
        design["groups"] = groups
    if case.question == "dominated":
        design.pop("sample_weight", None)


def _folds(case: Case, rng: np.random.Generator, n_repeats: int) -> Array:
    """Folds of every repeat; those of two levels often differ in number and size."""
    most = max(3, min(6, case.n_rows // 2))
    n_folds = int(rng.integers(2, most))
    folds = []
    for _ in range(n_repeats):
        labels = np.arange(case.n_rows) % n_folds
        if case.question == "bbc-two-level" and rng.random() < 0.5:
            own = int(rng.integers(2, most + 1))
            labels = np.concatenate([np.arange(own), rng.integers(0, own, case.n_rows - own)])
        folds.append(rng.permutation(labels))
    return np.stack(folds)


def _in_the_middle(scores: Array, counts: Array) -> int:
    return int(np.argsort(scores, kind="stable")[len(scores) // 2])


def _by_counts(scores: Array, counts: Array) -> int:
    return int(counts @ np.arange(len(counts))) % len(scores)


_RULES = (_in_the_middle, _by_counts)


def _weights(rng: np.random.Generator, n_rows: int) -> Array:
    kind = rng.integers(4)
    if kind == 0:
        return np.ones(n_rows)
    if kind == 1:
        return rng.integers(1, 9, n_rows) / 8
    if kind == 2:
        weights = rng.integers(0, 3, n_rows).astype(float)
        weights[int(rng.integers(n_rows))] = 1.0
        return weights
    return rng.random(n_rows) + 0.1


def _scored(case: Case, rng: np.random.Generator) -> None:
    """Another metric of the same truth and predictions; the metric as a Python function."""
    metric = case.metric
    alike = [bbc.metrics.get(name) for name in _NAMES if name not in _WITH_PARAMETERS]
    alike = [m for m in alike if (m.target, m.predicts) == (metric.target, metric.predicts)]
    if case.y.dtype.kind == "U":
        alike = [m for m in alike if not m.orders_classes]  # text has no order
    if alike and rng.random() < 0.2:
        case.other = alike[int(rng.integers(len(alike)))]
    plain = case.other is None and "sample_weight" not in case.design
    takes_function = plain and case.metric.kernel != "r2"  # whose denominator is that of all rows
    case.by_function = takes_function and rng.random() < 0.1


def _draws(case: Case, rng: np.random.Generator, n_bootstraps: int) -> None:
    """How many replicates, or which."""
    design = case.design
    if case.question != "tt":
        case.options["random_state"] = int(rng.integers(2**53))
        case.options["n_bootstraps"] = n_bootstraps
    if case.question == "dominated":
        case.options["stream"] = int(rng.integers(3))
        case.options["dropping_level"] = float(rng.choice((0.5, 0.8, 0.99)))
    elif case.question != "tt":
        case.options["confidence_level"] = float(
            rng.choice((0.5, 0.5 if n_bootstraps < 10 else 0.8))
        )
        case.options["alternative"] = str(rng.choice(("two-sided", "greater", "less")))
    explicit = case.question in ("bbc", "dominated") and rng.random() < 0.1
    if explicit and not design.get("stratify"):
        n_units = len(np.unique(design["groups"])) if "groups" in design else case.n_rows
        drawn = rng.integers(0, n_units, (n_bootstraps, n_units))
        # Whatever is asked, bbc refuses draws that leave nothing out of bag.
        drawn[:, 0] = drawn[:, 1]
        design["resamples"] = drawn
