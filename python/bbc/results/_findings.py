"""Findings from the numbers of a result."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..findings import Finding, found

if TYPE_CHECKING:
    from ._bound import Bound
    from ._estimate import PerformanceEstimate


def findings(result: "PerformanceEstimate") -> tuple[Finding, ...]:
    """All findings of an estimate, in the order of their codes."""
    return _sorted(result.data_findings, found("result", _facts(result)))


def of_bound(bound: "Bound") -> tuple[Finding, ...]:
    """All findings of a bound, in the order of their codes."""
    shown = found("bound", {"effective_sample_size": bound.effective_sample_size})
    return _sorted(bound.data_findings, shown)


def _sorted(known: Iterable[Finding], derived: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted((*known, *derived), key=lambda each: each.code))


def _facts(e: "PerformanceEstimate") -> dict[str, Any]:
    """What the conditions of findings name."""
    shares, luck, interval = e.selection_frequency, e.model_luck, e.confidence_interval
    lowest, highest = e.metric_range
    # An ensemble may well vary while its predictions do not, so its winner has no share.
    single = e.weights is None
    width = None if interval is None else interval.high - interval.low
    return {
        "method": e.method,
        "n_configurations": e.n_configurations,
        "winner_share": None if shares is None or not single else float(shares[e.winner]),
        # Of folds one sees whether models differ, unless there is one.
        "single_hold_out": luck is not None
        and luck.p_value is None
        and e.n_folds == 1
        and single
        and e.threshold is None,
        "n_folds": e.n_folds,
        "estimate": e.estimate,
        "lowest": lowest,
        "highest": highest,
        "effective_sample_size": e.effective_sample_size,
        "width": width,
        "width_share": None if width is None else width / (highest - lowest),
        "at_best": interval is not None
        and interval.low == (highest if e.greater_is_better else lowest),
    }
