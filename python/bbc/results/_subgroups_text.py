"""Subgroups as text, as rows of a table and as HTML."""

from typing import TYPE_CHECKING, Any

from ._comparison_text import (
    aligned,
    differences_table,
    four,
    limits_shown,
    short,
    tables_html,
)
from ._text import cut, wrapped

if TYPE_CHECKING:
    from ._estimate import PerformanceEstimate
    from ._subgroups import Subgroups

_MOST_CLASSES = 4


def summary(result: "Subgroups") -> str:
    """Head, subgroups, differences and remarks, in at most 80 columns."""
    lines = [cut(head(result))]
    for table in tables(result):
        lines.extend(map(cut, aligned(table)))
    for label, text in remarks(result):
        lines.extend(wrapped(label, text))
    return "\n".join(lines)


def head(result: "Subgroups") -> str:
    """What is shown, in one line."""
    overall = result.overall
    direction = "higher" if overall.greater_is_better else "lower"
    pooling = "mean of folds" if overall.pooling == "fold" else overall.pooling
    return (
        f"{overall.metric} of one winner in {len(result.groups)} subgroups ({direction} is "
        f"better), method {overall.method}, {pooling}"
    )


def tables(result: "Subgroups") -> list[list[tuple[str, ...]]]:
    """All rows and subgroups, then the differences, each with a line of titles."""
    every = {name: sum(g.counts.get(name, 0) for g in result.groups) for name in _classes(result)}
    n_rows = sum(g.n_rows for g in result.groups)
    lines: list[tuple[str, int, dict[str, int], PerformanceEstimate | None]] = [
        ("all rows", n_rows, every, result.overall)
    ]
    lines += [(g.name, g.n_rows, dict(g.counts), g.estimate) for g in result.groups]
    shown: list[tuple[str, ...]] = [("subgroup", "rows", *_titles(result), "estimate", "interval")]
    for name, n_rows, counts, estimate in lines:
        numbers = ("too small", "-")
        if estimate is not None:
            numbers = (four(estimate.estimate), limits_shown(estimate.confidence_interval))
        of_classes = (str(counts.get(title, 0)) for title in _shown_classes(result))
        shown.append((short(name), str(n_rows), *of_classes, *numbers))
    return [shown, *([differences_table(result.differences)] if result.differences else [])]


def remarks(result: "Subgroups") -> list[tuple[str, str]]:
    """What has no number and why, undefined replicates, findings, and notes."""
    lines = [("too small", f"{g.name}: {g.too_small}") for g in result.groups if g.too_small]
    for name, each in result.estimates.items():
        if each.n_undefined:
            lines.append(("left out", f"{name}: {each.n_undefined} replicates without a score"))
        if each.infeasible:
            lines.append(("no interval", f"{name}: {each.infeasible}"))
    known = set(map(str, result.overall.findings))
    found: dict[str, list[str]] = {str(one): [] for one in result.overall.findings}
    for name, each in result.estimates.items():
        for text in map(str, each.findings):
            if text not in known:
                found.setdefault(text, []).append(name)
    lines += [
        (text[:6], f"{', '.join(names)}: {text[7:]}" if names else text[7:])
        for text, names in found.items()
    ]
    return [*lines, *(("note", text) for text in result.notes)]


def rows(result: "Subgroups") -> list[dict[str, Any]]:
    """A dict per subgroup."""
    found = []
    for each in result.groups:
        estimate = each.estimate
        low, high = (estimate and estimate.confidence_interval) or (None, None)
        found.append(
            {
                "subgroup": each.name,
                "n_rows": each.n_rows,
                **{f"n_{name}": each.counts.get(name, 0) for name in _classes(result)},
                "estimate": None if estimate is None else estimate.estimate,
                "low": low,
                "high": high,
                "apparent": None if estimate is None else estimate.apparent,
                "n_undefined": None if estimate is None else estimate.n_undefined,
                "too_small": each.too_small,
            }
        )
    return found


def html_table(result: "Subgroups") -> str:
    """Both tables and the remarks; every text is escaped."""
    return tables_html(head(result), tables(result), remarks(result))


def _classes(result: "Subgroups") -> list[str]:
    return list(dict.fromkeys(name for g in result.groups for name in g.counts))


def _shown_classes(result: "Subgroups") -> list[str]:
    """The classes whose counts fit beside the estimates."""
    names = _classes(result)
    return names if len(names) <= _MOST_CLASSES else []


def _titles(result: "Subgroups") -> list[str]:
    names = _shown_classes(result)
    return names if names == ["events", "censored"] else [f"of {short(name)}" for name in names]
