"""The sentences of a report: those of `_sentences`, said of a result and its `Design`.

What the design does not know is not said. A verdict ("too extreme", "differs") is given only where
its interval carries it.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .._digits import decimals_by_width
from .._sentences import say as say
from .._sentences import table
from .._titles import metric_title, readers_title
from ..findings import Finding, Kind
from ..results import NegativeControl, PerformanceEstimate, Subgroups
from ..results._estimate import deployed_facts, share_of_winner
from ..results._parts import Deployed

_SENTENCE = re.compile(r"(?<=\.) ")
#: Names with an underscore or a dot in them, calls and arguments, and this package.
_NAMES_CODE = re.compile(r"\w_\w|\b[A-Za-z]\w*\.[a-z]|\w=|\(\)|\bbbc\b|\b[A-Z][a-z]+[A-Z]")


def facts_of(e: PerformanceEstimate) -> dict[str, Any]:
    """The facts of an estimate that sentences name.

    Readers are told of a loss, see `as_loss`.
    """
    e = as_loss(e)
    design, interval = e.design, e.confidence_interval
    dropped, n_failed = design.dropped_after or (), design.n_failed or 0
    n_scored = design.n_rows_scored
    facts: dict[str, Any] = {
        "package": "bbc",
        "version": e.version,
        "title": readers_title(e.metric),
        "selecting_title": readers_title(e.decided_by or e.metric),
        "decided_by": e.decided_by,
        "estimate": e.estimate,
        "apparent": e.apparent,
        "optimism": e.optimism,
        "optimism_size": None if e.optimism is None else abs(e.optimism),
        "infeasible": e.infeasible,
        "method": e.method,
        "method_capitals": e.method.upper(),
        "naive_bootstrap": e.method.startswith("naive-bootstrap"),
        "pooling": e.pooling,
        "unit": e.unit,
        "seed": e.seed,
        "n_bootstraps": e.n_bootstraps,
        "threshold": e.threshold,
        "n_members": 0 if e.weights is None else int(np.count_nonzero(e.weights)),
        "winner_name": e.winner_name,
        "winner_share": share_of_winner(e),
        "n_configurations": e.n_configurations,
        "n_rows": e.n_rows,
        "n_scored": n_scored,
        "n_others": None if n_scored is None else e.n_rows - n_scored,
        "n_left_out_rows": e.left_out_rows.size,
        "n_folds": e.n_folds,
        "n_repeats": e.n_repeats,
        "n_dropped": len(dropped),
        "dropped_first": min(dropped, default=0),
        "dropped_last": max(dropped, default=0),
        "n_incomplete": e.left_out_configurations.size - len(dropped) - n_failed,
        "class_counts": ", ".join(
            say("of_class", {"n_of_class": count, "label": label})
            for label, count in design.class_counts
        ),
        "rule": design.selection,
        "interval_by": design.interval,
        "codes": ", ".join(each.code for each in e.findings if each._is_told),
        **deployed_facts(e),  # with the number of decimals
        **{name: getattr(design, name) for name in _OF_DESIGN},
    }
    if interval is not None:
        facts |= {
            "level": 100 * interval.confidence_level,
            "low": interval.low,
            "high": interval.high,
            "alternative": interval.alternative,
        }
    return facts


_OF_DESIGN = (
    *("training", "stratified", "grouped", "time_ordered", "dynamic_search", "n_failed"),
    *("n_groups", "n_groups_with_event", "n_events"),
    *("stratified_draws", "weighted", "block_draws", "block_length"),
)


def as_loss(e: PerformanceEstimate) -> PerformanceEstimate:
    """An estimate by a scorer that negates a loss, as one of the loss; others as they are."""
    if not e.metric.startswith("neg_"):
        return e
    interval = e.confidence_interval
    return replace(
        e,
        metric=e.metric.removeprefix("neg_"),
        greater_is_better=not e.greater_is_better,
        estimate=-e.estimate,
        apparent=None if e.apparent is None else -e.apparent,
        size_bias=None if e.size_bias is None else -e.size_bias,
        confidence_interval=None if interval is None else interval._negated(),
        metric_range=e.metric_range and (-e.metric_range[1], -e.metric_range[0]),
        replicates=None if e.replicates is None else -e.replicates,
        deployed=_as_loss(e.deployed),
    )


def _as_loss(deployed: Deployed | None) -> Deployed | None:
    if deployed is None or deployed.score is None:
        return deployed
    return replace(deployed, score=-deployed.score)


def headline(e: PerformanceEstimate) -> str:
    """The estimate, in a sentence."""
    return say("headline", facts_of(e))


def uncorrected(e: PerformanceEstimate) -> str:
    """The optimism of the apparent score, in a sentence."""
    return say("uncorrected", facts_of(e))


def citation(e: PerformanceEstimate) -> str:
    """The paper to cite for the method; empty if there is none."""
    return say("citation", {"method": e.method})


def methods(e: PerformanceEstimate) -> str:
    """A paragraph to paste into a paper."""
    return say("methods", facts_of(e))


def in_readers_words(found: Iterable[Finding]) -> list[Finding]:
    """Findings without the sentences that are for those who call this package."""

    def told(kind: Kind) -> Kind:
        why = [text for text in _SENTENCE.split(kind.why) if not _NAMES_CODE.search(text)]
        advice = "" if _NAMES_CODE.search(kind.advice) else kind.advice
        return replace(kind, why=" ".join(why), advice=advice)

    return [replace(each, kind=told(each.kind)) for each in found]


def training(e: PerformanceEstimate) -> str:
    """True if rows were predicted by models that did not train on them, as far as it is known."""
    return say("training_seen", facts_of(e))


def checklist(e: PerformanceEstimate) -> list[tuple[str, str]]:
    """Items of reporting guidelines (TRIPOD+AI, REFORMS) on the evaluation, with answers."""
    return table("checklist", facts_of(e))


def slope_facts(
    estimate: float | None, limits: tuple[float, float] | None, level: float, n_replicates: int
) -> dict[str, Any]:
    """The facts that the sentence of the slope names, with the decimals of its table."""
    low, high = (None, None) if limits is None else limits
    own = {"slope": estimate, "slope_low": low, "slope_high": high, "level": 100 * level}
    return own | {"slope_decimals": decimals_by_width([limits], n_replicates)}


def subgroup_facts(found: Subgroups) -> dict[str, Any]:
    """Sentences on the differences between subgroups that the data show, at the result's level."""
    tested = [(each, each.p_value) for each in found.differences if each.p_value is not None]
    interval = found.overall.confidence_interval
    alpha = round(1 - (0.95 if interval is None else interval.confidence_level), 12)
    return {
        "n_compared": len(tested),
        "alpha": alpha,
        "differing_pairs": "; ".join(
            say("differing_pair", {"first": each.first, "second": each.second, "p_value": p_value})
            for each, p_value in tested
            if p_value < alpha / len(tested)
        ),
        "n_subgroups": len(found.groups),
        "title": metric_title(found.overall.metric),
    }


def subgroups(found: Subgroups) -> str:
    """The paragraph about subgroups."""
    return say("subgroups_text", subgroup_facts(found))


def negative_control(control: NegativeControl) -> str:
    """The paragraph about a negative control."""
    facts = {
        "n_permuted": len(control.estimates),
        "verdict": control.verdict,
        "n_covering": control.n_covering,
    }
    return say("control_text", facts)
