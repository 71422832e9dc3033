"""What a page says of a comparison: the facts of its families, sentences and tables."""

from dataclasses import replace
from typing import Any

from .._sentences import say
from .._titles import readers_title
from ..findings import Finding, Kind
from ..results import Comparison
from ..results._estimate import cells, coarsest, grouped
from . import _words


def as_losses(c: Comparison) -> Comparison:
    """A comparison by negated losses as one by the losses; others as they are."""
    return replace(
        c,
        estimates={name: _words.as_loss(e) for name, e in c.estimates.items()},
        secondary={name: as_losses(each) for name, each in c.secondary.items()},
    )


def facts_of(c: Comparison) -> dict[str, Any]:
    """The facts that sentences on all families name."""
    every = list(c.estimates.values())
    titles = [readers_title(each.metric) for each in c._by_metric]
    thresholds = [e.threshold for e in every if e.threshold is not None]
    return {
        **_words.facts_of(every[0]),
        **c._concluded,
        # Whether anything is selected, by any family.
        "n_configurations": max(e.n_configurations for e in every),
        "threshold": thresholds[0] if thresholds else None,
        "derives": bool(thresholds) or any(e.weights is not None for e in every),
        "dynamic_search": any(e.design.dynamic_search for e in every),
        "n_in_all": sum(e.n_configurations for e in every),
        "selected_of_families": "; ".join(selected(c)),
        "n_metrics": len(titles),
        "titles": ", ".join(titles),
        "assumed": "; ".join(c.notes),
    }


def selected(c: Comparison) -> list[str]:
    """What was selected by which metric and rule, with the families of which that is so."""
    found: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for name, e in c.estimates.items():
        facts = _words.facts_of(e)
        same = say("family_selected", facts | {"families": ""})
        found.setdefault(same, (facts, []))[1].append(name)
    return [
        say("family_selected", facts | {"families": ", ".join(names)})
        for facts, names in found.values()
    ]


def conclusions(c: Comparison) -> list[str]:
    """The conclusion by each metric, that which selects first."""
    return [each.conclusion for each in c._by_metric]


def winners(c: Comparison) -> list[tuple[str, ...]]:
    """The winner of each family, of how many, and how often replicates chose it."""
    rows: list[tuple[str, ...]] = [("family", "configurations", "selected", "in replicates")]
    for name, e in c.estimates.items():
        facts = _words.facts_of(e)
        chosen = say("percentage", facts)
        rows.append((name, str(e.n_configurations), e.winner_name, chosen))
    return rows


def performances(c: Comparison, facts: dict[str, Any]) -> list[tuple[str, ...]]:
    """Each family by each metric."""
    rows: list[tuple[str, ...]] = [("metric", "family", "corrected", _interval(facts), "apparent")]
    for each in c._by_metric:
        title, like = readers_title(each.metric), coarsest(each.estimates.values())
        rows += [(title, name, *cells(e, like)) for name, e in each.estimates.items()]
    return _of_metrics(c, rows)


def differences(c: Comparison, facts: dict[str, Any]) -> list[tuple[str, ...]]:
    """Each pair by each metric."""
    head = ("metric", "first", "second", "first better by", _interval(facts), "p")
    rows: list[tuple[str, ...]] = [head]
    for each in c._by_metric:
        title = readers_title(each.metric)
        rows += [(title, d.first, d.second, *each._cells_of(d)) for d in each.differences]
    return _of_metrics(c, rows)


def _of_metrics(c: Comparison, rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """A table without the column of metrics, if there is one metric: the heading names it."""
    return rows if len(c._by_metric) > 1 else [row[1:] for row in rows]


def _interval(facts: dict[str, Any]) -> str:
    """The heading of intervals, all of which have one level."""
    level = facts.get("level")
    return "interval" if level is None else f"{level:g} % interval"


def findings(c: Comparison) -> tuple[Finding, ...]:
    """Each kind of finding once, with the names of the families that have it, unless all do."""
    found: dict[Kind, list[str]] = {}
    for each in c._by_metric:
        for one, names in grouped(each.estimates.items()).items():
            detail = f"{', '.join(names)}: {one.detail}" if names else one.detail
            if detail not in found.setdefault(one.kind, []):
                found[one.kind].append(detail)
    return tuple(Finding(kind, "; ".join(details)) for kind, details in found.items())
