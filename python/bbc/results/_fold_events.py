"""Metrics of single folds that few events or calls bias, and with them their mean over folds."""

from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import Problem
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric


def fold_event_findings(
    problem: Problem, metric: Metric, winner: int | None
) -> tuple[Finding, ...]:
    """What the folds show whose own scores are averaged; without a winner its calls are unknown."""
    folds, codes = problem.folds, problem.truth.codes
    if folds is None or codes is None or problem.truth.n_classes != 2:
        return ()
    facts: dict[str, Any] = dict.fromkeys(
        ("events_per_fold", "silent_share", "n_silent_folds", "n_tested_folds")
    )
    facts["metric"] = metric.name
    if metric._facts.get("kernel") == "average_precision":
        facts["events_per_fold"] = float(np.mean(_of_folds(folds, [codes == 1] * len(folds))))
    elif _counts_calls(metric) and winner is not None:
        # Text comes as codes.
        positive = 1 if problem.label_values is None else problem.label_values[1]
        calls = _of_folds(folds, [each[:, winner] == positive for each in problem.predictions])
        n_silent = int(np.count_nonzero(calls == 0))
        facts |= {"n_silent_folds": n_silent, "n_tested_folds": len(calls)}
        facts["silent_share"] = n_silent / len(calls)
    return shown_by("fold_events", facts)


def _counts_calls(metric: Metric) -> bool:
    """Whether a fold counts 0 if no row is called positive, though it has rows of both classes.

    Metrics that are defined without a class of the truth are those that count 0 instead.
    """
    facts = metric._facts
    of_two = facts.get("form") == "confusion" and facts["average"] in ("", "binary")
    if not of_two or facts["kernel"] == "negative_predictive_value":  # which counts other calls
        return False
    return facts["needs_classes"] in ("", "two")


def _of_folds(folds: AnyArray, counted: list[AnyArray]) -> AnyArray:
    """The rows of each fold of each repeat that are counted."""
    found = [
        np.bincount(own[own >= 0], rows[own >= 0], minlength=int(own.max()) + 1)
        for own, rows in zip(folds, counted, strict=True)
    ]
    return np.concatenate(found)
