"""A page: what a result says, as text for terminals and as HTML for notebooks and reports."""

import html
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ._digits import number
from ._names import printable

_WIDTH = 80
_LABEL = 15
_LONGEST_NAME = 24
_LEFT = " style='text-align:left'"

#: Labels with their texts.
Lines: TypeAlias = Sequence[tuple[str, str]]
#: Rows of cells below a row of titles.
Table: TypeAlias = Sequence[tuple[str, ...]]


class Page(NamedTuple):
    """A head, a line for each fact, tables, and remarks of any length; `lead` comes first."""

    head: str
    facts: Lines = ()
    tables: Sequence[Table] = ()
    remarks: Lines = ()
    lead: str = ""

    def text(self) -> str:
        """At most 80 columns; only remarks are wrapped, everything else is cut."""
        lines = [self.head, *(f"  {label:<{_LABEL - 1}} {text}" for label, text in self.facts)]
        for table in self.tables:
            lines += _aligned(table)
        return "\n".join(
            [
                *textwrap.wrap(printable(self.lead), _WIDTH),
                *map(_cut, lines),
                *(line for each in self.remarks for line in _wrapped(*each)),
            ]
        )

    def html(self) -> str:
        """One table, in which every text is escaped."""
        rest = max([2, *(len(table[0]) for table in self.tables)]) - 1
        span = f" colspan='{rest}'" if rest > 1 else ""
        parts = [_labelled(self.facts, span)]
        for titles, *rows in self.tables:  # a table may have one thead only, and before all else
            body = "".join(_row(row, "td") for row in rows)
            head = _row(titles, "th scope='col'")
            parts.append(f"<tbody>{head}{body}</tbody>")
        parts.append(_labelled(self.remarks, span))
        caption = f"{self.lead} {self.head}" if self.lead else self.head
        return f"<table><caption>{_escaped(caption)}</caption>{''.join(parts)}</table>"


def remarks(
    findings: Iterable[Any] = (), notes: Iterable[str] = (), infeasible: str | None = None
) -> list[tuple[str, str]]:
    """The reason why there is no interval, findings by their codes, and notes."""
    return [
        *([] if infeasible is None else [("no interval", infeasible)]),
        *(
            (each.code, str(each).removeprefix(f"{each.code} "))
            for each in findings
            if each._is_told
        ),
        *(("note", text) for text in notes),
    ]


def in_lines(label: str, text: str) -> list[tuple[str, str]]:
    """A fact in as many lines as its words take."""
    first, *others = textwrap.wrap(text, _WIDTH - _LABEL - 2)
    return [(label, first), *(("", line) for line in others)]


def four(value: float) -> str:
    """Four decimal places, or six digits of a large number."""
    return f"{value:.4f}" if abs(value) < 1000 else number(value)


def limits(interval: Iterable[float] | None, shown: Any = four) -> str:
    """Both limits, or a dash."""
    return "-" if interval is None else f"[{', '.join(map(shown, interval))}]"


def short(name: str) -> str:
    """A name that fits into a table."""
    name = printable(name)
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."


def _aligned(table: Table) -> list[str]:
    """Lines whose columns are aligned."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


def _cut(line: str) -> str:
    line = printable(line)
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3] + "..."


def _wrapped(label: str, text: str) -> list[str]:
    first = f"  {label:<{_LABEL - 1}} "
    text = printable(" ".join(text.split()))
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def _labelled(lines: Lines, span: str) -> str:
    rows = []
    for label, text in lines:
        head = f"<th scope='row'{_LEFT}>{_escaped(label)}</th>" if label else "<td></td>"
        rows.append(f"<tr>{head}<td{span}{_LEFT}>{_escaped(text)}</td></tr>")
    return f"<tbody>{''.join(rows)}</tbody>" if rows else ""


def _row(cells: Iterable[str], tag: str) -> str:
    end = tag.partition(" ")[0]
    return f"<tr>{''.join(f'<{tag}{_LEFT}>{_escaped(cell)}</{end}>' for cell in cells)}</tr>"


def _escaped(text: str) -> str:
    return html.escape(printable(text))
