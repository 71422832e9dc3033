"""A result as text, as a table and as HTML."""

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._names import printable
from .._typing import FloatArray
from ..errors import MissingExtraError
from ..findings import Finding

if TYPE_CHECKING:
    from ._estimate import PerformanceEstimate
    from ._interval import ConfidenceInterval

_WIDTH = 80
_LABEL = 15
_MOST_CHOSEN = 5
_INTERVAL_COLUMNS = ("low", "high", "confidence_level", "alternative")
_COLUMNS = (
    *("apparent", "optimism", "size_bias", "winner", "winner_name", "threshold"),
    *("replicate_sd", "n_bootstraps", "n_redrawn"),
    *("decided_by", "n_undefined", "n_rows", "n_configurations", "n_folds", "n_repeats"),
    *("seed", "version"),
)


def number(value: float) -> str:
    """Six significant digits."""
    return f"{value:.6g}"


def one_line(result: "PerformanceEstimate") -> str:
    """The repr: metric, estimate and interval."""
    interval = result.confidence_interval
    limits = "" if interval is None else f", interval={_limits(interval)}"
    return (
        f"PerformanceEstimate({result.metric}={number(result.estimate)}{limits}, "
        f"method={result.method!r}, winner={result.winner})"
    )


def _limits(interval: "ConfidenceInterval") -> str:
    return f"[{number(interval.low)}, {number(interval.high)}]"


def summary(result: "PerformanceEstimate") -> str:
    """All facts, a line each, in at most 80 columns."""
    direction = "higher" if result.greater_is_better else "lower"
    pooling = "mean of folds" if result.pooling == "fold" else result.pooling
    head = (
        f"{result.metric} of the {'winner' if result.weights is None else 'ensemble'} "
        f"({direction} is better), method {result.method}, {pooling}"
    )
    lines = [cut(head)]
    for label, value in facts(result):
        lines.append(cut(f"  {label:<{_LABEL}}{value}"))
    for label, text in _remarks(result):
        lines.extend(wrapped(label, text))
    return "\n".join(lines)


def lines(
    head: str,
    rows: Iterable[tuple[str, str]],
    findings: Iterable[Finding],
    notes: Iterable[str],
) -> str:
    """A small result in at most 80 columns: a line per fact, then findings and notes."""
    shown = [cut(head), *(cut(f"  {label:<{_LABEL}}{value}") for label, value in rows)]
    found = [(each.code, str(each).removeprefix(f"{each.code} ")) for each in findings]
    for label, text in [*found, *(("note", text) for text in notes)]:
        shown.extend(wrapped(label, text))
    return "\n".join(shown)


def facts(result: "PerformanceEstimate") -> list[tuple[str, str]]:
    """Pairs of label and text, shared by the text and the HTML."""
    rows = [("estimate", number(result.estimate))]
    interval = result.confidence_interval
    if interval is not None:
        side = "" if interval.alternative == "two-sided" else f", {interval.alternative}"
        level = f"{100 * interval.confidence_level:g} %{side}"
        rows.append(("interval", f"{_limits(interval)} ({level})"))
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
    rows.append(("data", _data(result)))
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


def _remarks(result: "PerformanceEstimate") -> list[tuple[str, str]]:
    """Why there is no interval, findings and notes."""
    infeasible = [] if result.infeasible is None else [("no interval", result.infeasible)]
    found = [(each.code, str(each).removeprefix(f"{each.code} ")) for each in result.findings]
    return [*infeasible, *found, *(("note", text) for text in result.notes)]


def html_table(result: "PerformanceEstimate") -> str:
    """A small table; every text is escaped."""
    direction = "higher" if result.greater_is_better else "lower"
    caption = _escaped(f"{result.metric} ({direction} is better), {result.method}")
    body = "".join(
        f"<tr><th style='text-align:left'>{_escaped(label)}</th>"
        f"<td style='text-align:left'>{_escaped(value)}</td></tr>"
        for label, value in [*facts(result), *_remarks(result)]
    )
    return f"<table><caption>{caption}</caption><tbody>{body}</tbody></table>"


def _escaped(text: str) -> str:
    return html.escape(printable(text))


def data_frame(table: Any) -> Any:
    """A pandas frame of columns by name, or of rows."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("to_frame needs pandas: pip install 'bbc-cv[tables]'") from None
    return pd.DataFrame(table)


def to_frame(result: "PerformanceEstimate") -> Any:
    """One row of the result's numbers."""
    interval = result.confidence_interval
    row = {name: getattr(result, name) for name in ("metric", "method", "pooling", "estimate")}
    row |= {name: getattr(interval, name, None) for name in _INTERVAL_COLUMNS}
    row |= {name: getattr(result, name) for name in _COLUMNS}
    return data_frame([row])


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
        rows.append(("", f"{rest:5.1f} %  {len(others)} others{at_most}"))
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
    within = "folds, and within them " if result.method == "bbc-two-level" else ""
    return f"{within}{result.unit}s"


def rounded(value: float) -> str:
    """Three digits, as papers print them."""
    return f"{value:.3g}" if abs(value) >= 1 else f"{value:.3f}"


def size(result: Any) -> str:
    """Numbers of rows, if known, and of configurations."""
    rows = f"{counted(result.n_rows, 'row')}, " if result.n_rows else ""
    return rows + counted(result.n_configurations, "configuration")


def _data(result: "PerformanceEstimate") -> str:
    parts = [size(result)]
    design = result.design
    if design.n_groups is not None:
        parts.insert(0, counted(design.n_groups, "group"))
    if design.dropped_after:
        parts[-1] += f" ({len(design.dropped_after)} dropped early)"
    if result.n_folds:
        parts.append(counted(result.n_folds, "fold"))
    if result.n_repeats > 1:
        parts.append(counted(result.n_repeats, "repeat"))
    return ", ".join(parts)


def counted(count: int, word: str) -> str:
    """A number and its noun."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def cut(line: str) -> str:
    """A line of at most 80 columns."""
    line = printable(line)
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3] + "..."


def wrapped(label: str, text: str) -> list[str]:
    """A label and its text, in lines of at most 80 columns."""
    import textwrap

    first = f"  {label:<{_LABEL}}"
    text = printable(" ".join(text.split()))
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=" " * len(first))
