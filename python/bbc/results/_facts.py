"""What an estimate says of itself in lines of facts, and the range in which its numbers are."""

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import metrics
from .._page import limits, number
from .._sentences import counted, say
from .._typing import FloatArray
from ..findings import FINDINGS

if TYPE_CHECKING:
    from ._estimate import PerformanceEstimate

_MOST_CHOSEN = 5
# Methods whose estimate may leave the metric's range: they subtract a bias.
_BEYOND = frozenset({"tt", "nested-cv", "cv"})
_ROUNDING = 1e-9


def facts(result: "PerformanceEstimate") -> list[tuple[str, str]]:
    """Pairs of label and text, shared by the text and the HTML."""
    rows = [("estimate", number(result.estimate))]
    interval = result.confidence_interval
    if interval is not None:
        side = "" if interval.alternative == "two-sided" else f", {interval.alternative}"
        level = f"{100 * interval.confidence_level:g} %{side}"
        rows.append(("interval", f"{limits(interval, number)} ({level})"))
    if result.apparent is not None and result.optimism is not None:
        rows.append(("apparent", f"{number(result.apparent)} (optimism {number(result.optimism)})"))
    if result.size_bias is not None:
        rows.append(("size bias", f"{number(result.size_bias)} (taken from the replicates)"))
    rows.extend(_choice(result))
    if result.decided_by:
        rows.append(("decided by", result.decided_by))
    rows.extend(_most_chosen(result))
    if result.n_bootstraps:
        rows.append(("replicates", _replicates(result)))
    if result.n_undefined:
        rows.append(("undefined", f"{counted(result.n_undefined, 'replicate')} more, left out"))
    if result.undefined_fold_share:
        share = f"{100 * result.undefined_fold_share:.3g} % of the replicates' folds"
        rows.append(("undefined", share))
    if result.effective_sample_size is not None:
        rows.append(("effective size", number(result.effective_sample_size)))
    rows.append(("data", data_of(result)))
    for left_out, word in (
        (result.left_out_rows, "row"),
        (result.left_out_configurations, "configuration"),
    ):
        if left_out.size:
            rows.append(("left out", counted(left_out.size, word)))
    if result.pos_label is not None:
        rows.append(("positive class", repr(result.pos_label)))
    if result.seed is not None:
        version = f" (bbc {result.version})" if result.version else ""
        rows.append(("seed", f"{result.seed}{version}"))
    return rows


def _choice(result: "PerformanceEstimate") -> list[tuple[str, str]]:
    """What was chosen on all rows."""
    if result.weights is not None:
        n_members = int(np.count_nonzero(result.weights))
        weight = number(float(result.weights[result.winner]))
        return [
            ("ensemble", f"{n_members} of {counted(result.n_configurations, 'configuration')}"),
            ("largest weight", f"{weight}, {_winner(result)}"),
        ]
    rows = [("winner", _winner(result))]
    if result.threshold is not None:
        text = number(result.threshold)
        if result.replicate_thresholds is not None:
            low, high = np.quantile(
                result.replicate_thresholds, (0.05, 0.95), method="inverted_cdf"
            )
            text += f" (90 % of the replicates: {number(low)} to {number(high)})"
        rows.append(("threshold", text))
    return rows


def _winner(result: "PerformanceEstimate") -> str:
    plain = f"configuration {result.winner}"
    return plain if result.winner_name == plain else f"{plain}: {result.winner_name}"


def _most_chosen(result: "PerformanceEstimate") -> list[tuple[str, str]]:
    shares = result.selection_frequency
    if shares is None or result.n_configurations == 1:
        return []
    chosen = most_chosen_first(shares)
    rows = []
    for place, index in enumerate(chosen[:_MOST_CHOSEN]):
        name = f" {result.names[index]}" if result.names else ""
        label = "" if place else "chosen" if result.weights is None else "taking part"
        rows.append((label, f"{100 * shares[index]:5.1f} %  {index}{name}"))
    if len(chosen) > _MOST_CHOSEN:
        others = chosen[_MOST_CHOSEN:]
        rest = 100 * float(shares[others].sum() if result.weights is None else shares[others[0]])
        at_most = "" if result.weights is None else ", each at most"
        rows.append(("", f"{rest:5.1f} %  {counted(len(others), 'other')}{at_most}"))
    return rows


def most_chosen_first(shares: FloatArray) -> list[int]:
    """The configurations that won a replicate, by share and then by index."""
    return [int(index) for index in np.argsort(-shares, kind="stable") if shares[index] > 0]


def _replicates(result: "PerformanceEstimate") -> str:
    text = f"{result.n_bootstraps} of {drawn(result)}, {result.n_redrawn} redrawn"
    if result.replicate_sd is not None:
        text += f", sd {number(result.replicate_sd)} (not a standard error)"
    return text


def drawn(result: "PerformanceEstimate") -> str:
    """What a replicate draws."""
    design = result.design
    return say(
        "drawn",
        {
            "method": result.method,
            "unit": result.unit,
            "block_draws": design.block_draws,
            "time_ordered": design.time_ordered,
            "stratified_draws": design.stratified_draws,
        },
    )


def size(result: Any) -> str:
    """Numbers of rows, if known, and of configurations."""
    rows = f"{counted(result.n_rows, 'row')}, " if result.n_rows else ""
    return rows + counted(result.n_configurations, "configuration")


def data_of(result: Any) -> str:
    """Numbers of groups, rows, configurations, folds and repeats, as far as they are known."""
    design = result.design
    n_scored = design.n_rows_scored
    return say(
        "data",
        {
            "n_groups": design.n_groups,
            "n_rows": result.n_rows,
            "n_scored": n_scored,
            "n_others": None if n_scored is None else result.n_rows - n_scored,
            "n_configurations": result.n_configurations,
            "n_dropped": len(design.dropped_after or ()),
            "n_folds": getattr(result, "n_folds", 0),
            "n_repeats": getattr(result, "n_repeats", 1),
        },
    )


def of_schema_1(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a document of schema 1, which had findings among the notes."""
    notes = values.get("notes", [])
    found = [text for text in notes if str(text)[:6] in FINDINGS]
    with suppress(TypeError, ValueError):  # a metric without a name
        values["metric_range"] = list(metrics.get(values.get("metric")).range)
    return values | {
        "notes": [text for text in notes if text not in found],
        "data_findings": [_from_text(text) for text in found],
    }


def _from_text(text: str) -> dict[str, str]:
    kind = FINDINGS[text[:6]]
    return {"code": kind.code, "detail": text.partition(": ")[2].removesuffix(f"; {kind.advice}")}


def check_range(result: "PerformanceEstimate") -> None:
    """Refuse values outside the metric's range."""
    lowest, highest = result.metric_range
    if not lowest < highest:
        raise ValueError(f"metric_range is {result.metric_range}")
    values: dict[str, Any] = {"apparent": result.apparent}
    if result.method not in _BEYOND:
        values["estimate"] = result.estimate
    if result.size_bias is None:  # a replicate that lost the shift of its winner may pass it
        values["replicates"] = result.replicates
    interval = result.confidence_interval
    for side in () if interval is None else ("low", "high"):
        if math.isfinite(getattr(interval, side)):
            values[side] = getattr(interval, side)
    slack = _ROUNDING * max(1.0, abs(lowest), abs(highest))
    slack = slack if math.isfinite(slack) else _ROUNDING
    for name, value in values.items():
        numbers = np.atleast_1d(np.asarray([] if value is None else value, np.float64))
        within = (numbers >= lowest - slack) & (numbers <= highest + slack)
        if not within.all():
            raise ValueError(
                f"{name} has {numbers[~within][0]:g}, but {result.metric} is within "
                f"[{lowest:g}, {highest:g}]"
            )
