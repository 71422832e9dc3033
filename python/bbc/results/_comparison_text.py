"""A comparison of families as text, as rows of a table and as HTML."""

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .._names import printable
from ._text import cut, number, wrapped

if TYPE_CHECKING:
    from ._comparison import Comparison, Difference
    from ._interval import ConfidenceInterval

_LONGEST_NAME = 24


def one_line(result: "Comparison") -> str:
    """The repr: metric, families and method."""
    names = ", ".join(result.estimates)
    return f"Comparison({result.metric}, families=[{names}], method={result.method!r})"


def summary(result: "Comparison") -> str:
    """Head, families, differences and remarks, in at most 80 columns."""
    families, differences = tables(result)
    lines = [cut(head(result))]
    for title, table in (("family", families), ("difference", differences)):
        lines.extend(map(cut, aligned([(title, *table[0][1:]), *table[1:]])))
    for label, text in remarks(result):
        lines.extend(wrapped(label, text))
    return "\n".join(lines)


def head(result: "Comparison") -> str:
    """What is compared, in one line."""
    direction = "higher" if result.greater_is_better else "lower"
    first = next(iter(result.estimates.values()))
    pooling = "mean of folds" if first.pooling == "fold" else first.pooling
    return (
        f"{result.metric} of {len(result.estimates)} families ({direction} is better), "
        f"method {result.method}, {pooling}"
    )


def tables(result: "Comparison") -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Families and differences, each with a line of titles."""
    families: list[tuple[str, ...]] = [("family", "estimate", "interval", "apparent", "of")]
    for name, each in result.estimates.items():
        apparent = "-" if each.apparent is None else four(each.apparent)
        limits = limits_shown(each.confidence_interval)
        families.append(
            (short(name), four(each.estimate), limits, apparent, str(each.n_configurations))
        )
    return families, differences_table(result.differences)


def differences_table(pairs: Sequence["Difference"]) -> list[tuple[str, ...]]:
    """A line per difference below a line of titles."""
    table: list[tuple[str, ...]] = [("difference", "estimate", "interval", "p", "better")]
    for pair in pairs:
        shares = f"{100 * pair.first_better:.0f} % : {100 * pair.second_better:.0f} %"
        table.append(
            (
                _pair(pair),
                f"{pair.estimate:+.4f}",
                limits_shown(pair.confidence_interval),
                _p_value(pair.p_value),
                shares,
            )
        )
    return table


def remarks(result: "Comparison") -> list[tuple[str, str]]:
    """Why there are no intervals, findings of the families, and notes."""
    reasons = dict.fromkeys(each.infeasible for each in result.differences if each.infeasible)
    found: dict[str, list[str]] = {}
    for name, each in result.estimates.items():
        for one in each.findings:
            found.setdefault(str(one), []).append(name)
    lines = [("no interval", reason) for reason in reasons]
    for text, names in found.items():
        whose = "" if len(names) == len(result.estimates) else f"{', '.join(names)}: "
        lines.append((text[:6], whose + text[7:]))
    return [*lines, *(("note", text) for text in result.notes)]


def rows(result: "Comparison") -> list[dict[str, Any]]:
    """A dict per difference."""
    found = []
    for pair in result.differences:
        low, high = pair.confidence_interval or (None, None)
        found.append(
            {
                "first": pair.first,
                "second": pair.second,
                "estimate": pair.estimate,
                "low": low,
                "high": high,
                "standard_error": pair.standard_error,
                "degrees_of_freedom": pair.degrees_of_freedom,
                "p_value": pair.p_value,
                "first_better": pair.first_better,
                "second_better": pair.second_better,
                "first_estimate": result.estimates[pair.first].estimate,
                "second_estimate": result.estimates[pair.second].estimate,
                "infeasible": pair.infeasible,
            }
        )
    return found


def html_table(result: "Comparison") -> str:
    """Both tables and the remarks; every text is escaped."""
    return tables_html(head(result), tables(result), remarks(result))


def tables_html(
    caption: str, tables: Iterable[list[tuple[str, ...]]], remarks: Iterable[tuple[str, str]]
) -> str:
    """Tables with a line of titles each, and remarks below them."""
    parts = []
    for table in tables:
        titles, *lines = table
        body = "".join(f"<tr>{_cells(line, 'td')}</tr>" for line in lines)
        parts.append(f"<thead><tr>{_cells(titles, 'th')}</tr></thead><tbody>{body}</tbody>")
    notes = "".join(
        f"<tr><th style='text-align:left'>{_escaped(label)}</th>"
        f"<td colspan='4' style='text-align:left'>{_escaped(text)}</td></tr>"
        for label, text in remarks
    )
    body = f"{''.join(parts)}<tbody>{notes}</tbody>"
    return f"<table><caption>{_escaped(caption)}</caption>{body}</table>"


def _cells(texts: tuple[str, ...], kind: str) -> str:
    return "".join(f"<{kind} style='text-align:left'>{_escaped(text)}</{kind}>" for text in texts)


def _escaped(text: str) -> str:
    return html.escape(printable(text))


def aligned(table: list[tuple[str, ...]]) -> list[str]:
    """Lines whose columns are aligned."""
    widths = [max(len(line[place]) for line in table) for place in range(len(table[0]))]
    return [
        "  "
        + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]


def _pair(pair: "Difference") -> str:
    return f"{short(pair.first)} - {short(pair.second)}"


def short(name: str) -> str:
    """A name that fits into a table."""
    name = printable(name)
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."


def four(value: float) -> str:
    """Four decimal places, or six digits of a large number."""
    return f"{value:.4f}" if abs(value) < 1000 else number(value)


def limits_shown(interval: "ConfidenceInterval | None") -> str:
    """Both limits, or a dash."""
    return "-" if interval is None else f"[{four(interval.low)}, {four(interval.high)}]"


def _p_value(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"
