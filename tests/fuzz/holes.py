"""Predictions that are missing: of rows, of single cells, of rows in a repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

import bbc
from fuzz.case import Array, Case


def make_holes(case: Case, rng: np.random.Generator) -> None:
    """Rows without any prediction, and sometimes single holes with a policy for them."""
    n_rows, n_configurations = case.repeats[0].shape[:2]
    if case.repeats[0].dtype.kind in "US" or n_rows < 8:
        return
    empty = rng.random(n_rows) < 0.15
    holes = np.zeros((len(case.repeats), n_rows, n_configurations), bool)
    policy = str(rng.choice(("raise", "drop-rows", "drop-configurations")))
    if policy != "raise":
        holes = rng.random(holes.shape) < 0.3 / (n_rows if policy != "drop-rows" else 20)
    rows = ~empty
    configurations = np.ones(n_configurations, bool)
    if policy == "drop-rows":
        rows &= ~holes.any(axis=(0, 2))
    else:
        configurations = ~holes[:, rows].any(axis=(0, 1))
    design = _of_rows(case.design, rows)
    few_classes = len(np.unique(case.y[rows])) < len(np.unique(case.y))
    few_folds = "folds" in design and any(len(np.unique(own)) < 2 for own in design["folds"])
    few_groups = "groups" in design and len(np.unique(design["groups"])) < 2
    weightless = "sample_weight" in design and not design["sample_weight"].any()
    if rows.sum() < 4 or not configurations.any() or few_classes or few_folds or few_groups:
        return
    if weightless:
        return
    given = []
    for own, gone in zip(case.repeats, holes, strict=True):
        array = own.astype(np.float64)
        array[empty] = np.nan
        array[gone] = np.nan
        given.append(array)
    # bbc gets the whole problem, the oracle what is left of it.
    case.given |= {"repeats": given, "design": case.design}
    case.options["missing"] = policy
    case.y = case.y[rows]
    case.repeats = [own[rows][:, configurations] for own in case.repeats]
    case.design = design
    case.kept = np.flatnonzero(configurations)
    if isinstance(design.get("selection"), list):
        design["selection"] = np.array(design["selection"])[configurations].tolist()


def make_unseen(case: Case, rng: np.random.Generator) -> None:
    """Rows that some repeats did not predict."""
    if case.kept is not None:
        return
    seen = rng.random((len(case.repeats), case.n_rows)) < rng.choice((0.5, 0.8))
    seen[0] |= ~seen.any(axis=0)
    folds = case.design.get("folds")
    if folds is not None:
        pairs = zip(folds, seen, strict=True)
        if any(len(np.unique(own[there])) < 2 for own, there in pairs):
            return
    kind = "labels" if case.metric.predicts == "labels" else "scores"
    stacked = np.stack(case.repeats)
    mask = np.broadcast_to(seen[:, :, None], stacked.shape[:3])
    given = bbc.results.OutOfSamplePredictions(y=case.given["y"], mask=mask, **{kind: stacked})
    case.given = case.given | {"repeats": given}
    case.design["seen"] = seen


def _of_rows(design: dict[str, Any], rows: Array) -> dict[str, Any]:
    part = dict(design)
    for name in ("groups", "sample_weight"):
        if name in part:
            part[name] = part[name][rows]
    if "folds" in part:
        part["folds"] = part["folds"][:, rows]
    return part
