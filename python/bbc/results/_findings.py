"""Findings from the numbers of a result."""

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..findings import Finding, finding
from ._parts import SINGLE_HOLD_OUT

if TYPE_CHECKING:
    from ._bound import Bound
    from ._estimate import PerformanceEstimate

_STABLE = 0.5
_UNINFORMATIVE = 0.5
_FEW_WEIGHTS = 100
_DRAWN_BY_FOLD = ("bbc-f", "bbc-two-level")
_FEW_FOLDS = 5


def findings(result: "PerformanceEstimate") -> tuple[Finding, ...]:
    """All findings of an estimate, in the order of their codes."""
    return _sorted(result, _derived(result))


def of_bound(bound: "Bound") -> tuple[Finding, ...]:
    """All findings of a bound, in the order of their codes."""
    return _sorted(bound, ())


def _sorted(
    result: "PerformanceEstimate | Bound", derived: Iterable[tuple[str, str]]
) -> tuple[Finding, ...]:
    found = [*result.data_findings, *(finding(code, detail) for code, detail in derived)]
    size = result.effective_sample_size
    if size is not None and size < _FEW_WEIGHTS:
        found.append(finding("BBC012", f"an effective sample size of {size:.3g}"))
    return tuple(sorted(found, key=lambda each: each.code))


def _derived(result: "PerformanceEstimate") -> Iterator[tuple[str, str]]:
    if result.method == "cvt" and result.n_configurations > 1:
        yield "BBC001", f"the best of {result.n_configurations} configurations"
    shares = result.selection_frequency
    single = result.weights is None  # an ensemble may well vary while its predictions do not
    if (
        single
        and shares is not None
        and result.n_configurations > 1
        and shares[result.winner] < _STABLE
    ):
        yield "BBC003", f"chosen in {100 * shares[result.winner]:.3g} % of the replicates"
    if result.model_luck is not None and result.model_luck.untestable == SINGLE_HOLD_OUT:
        yield "BBC011", "a single hold-out cannot show whether they do"
    if result.method in _DRAWN_BY_FOLD and 0 < result.n_folds < _FEW_FOLDS:
        yield "BBC015", f"{result.n_folds} folds"
    lowest, highest = result.metric_range
    if result.method == "tt" and not lowest <= result.estimate <= highest:
        yield "BBC004", f"{result.estimate:.6g} is not within [{lowest:g}, {highest:g}]"
    interval = result.confidence_interval
    if interval is None:
        return
    width = interval.high - interval.low
    if width == 0:
        best = highest if result.greater_is_better else lowest
        perfect = ", at the best possible score" if interval.low == best else ""
        yield "BBC008", f"it has no width{perfect}"
    elif math.isfinite(highest - lowest) and width >= _UNINFORMATIVE * (highest - lowest):
        share = 100 * width / (highest - lowest)
        yield "BBC008", f"it spans {share:.3g} % of the metric's range"
