"""The path of a search as text and as HTML."""

import html
import math
from typing import TYPE_CHECKING

from .._names import printable
from ._comparison_text import aligned, four
from ._text import cut, wrapped

if TYPE_CHECKING:
    from ._tuning_path import TuningPath


def one_line(path: "TuningPath") -> str:
    """The repr: metric, size and the best number of configurations."""
    last = path.n_configurations[-1]
    return (
        f"TuningPath({path.estimate.metric}, {last} configurations, best of the first {path.best}, "
        f"overtuned={path.overtuned})"
    )


def summary(path: "TuningPath") -> str:
    """Head, a line per number of configurations, and findings."""
    lines = [cut(_head(path)), *map(cut, aligned(_table(path)))]
    for each in path.findings:
        lines.extend(wrapped(each.code, str(each).removeprefix(f"{each.code} ")))
    return "\n".join(lines)


def html_table(path: "TuningPath") -> str:
    """The same as a table; every text is escaped."""
    titles, *lines = _table(path)
    head = "".join(f"<th>{_escaped(text)}</th>" for text in titles)
    body = "".join(
        f"<tr>{''.join(f'<td>{_escaped(text)}</td>' for text in line)}</tr>" for line in lines
    )
    notes = "".join(
        f"<tr><td colspan='{len(titles)}'>{_escaped(str(each))}</td></tr>" for each in path.findings
    )
    return (
        f"<table><caption>{_escaped(_head(path))}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}{notes}</tbody></table>"
    )


def _head(path: "TuningPath") -> str:
    e = path.estimate
    direction = "higher" if e.greater_is_better else "lower"
    pooling = "mean of folds" if e.pooling == "fold" else e.pooling
    return f"{e.metric} of the best of t ({direction} is better), method {e.method}, {pooling}"


def _table(path: "TuningPath") -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = [("t", "corrected", "interval", "apparent", "winner")]
    for t, estimate, low, high, apparent, winner in zip(
        path.n_configurations,
        path.estimates,
        path.lows,
        path.highs,
        path.apparent,
        path.winners,
        strict=True,
    ):
        limits = "-" if math.isnan(low) else f"[{four(low)}, {four(high)}]"
        lines.append((str(t), four(estimate), limits, four(apparent), str(winner)))
    return lines


def _escaped(text: str) -> str:
    return html.escape(printable(text))
