"""What pages show of the tables in `benches`: their lines, Markdown tables, and small figures."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Line = dict[str, str]
BENCHES = Path(__file__).parents[2] / "benches"
_COLOURS = ("#c2491d", "#1b5e8a", "#6b6b6b", "#3c7d3c")
_MARKERS = "so^D"


def lines_of(path: str, **wanted: object) -> list[Line]:
    """The lines of a table whose columns have the wanted values."""
    with (BENCHES / path).open(newline="", encoding="utf-8") as file:
        return [
            line
            for line in csv.DictReader(file)
            if all(line[name] == str(value) for name, value in wanted.items())
        ]


def cells_of(path: str, *columns: str, **wanted: object) -> dict[tuple[str, ...], list[Line]]:
    """The lines of a table by what they have in some columns, in order of their first line."""
    cells: dict[tuple[str, ...], list[Line]] = {}
    for line in lines_of(path, **wanted):
        cells.setdefault(tuple(line[name] for name in columns), []).append(line)
    return cells


def column(lines: Iterable[Line], name: str) -> list[float]:
    """The numbers of a column."""
    return [float(line[name]) for line in lines]


def extent(lines: Iterable[Line], name: str, digits: int = 2) -> str:
    """The smallest and the largest number of a column, in words."""
    numbers = column(lines, name)
    return f"{min(numbers):.{digits}f} to {max(numbers):.{digits}f}"


def with_error(line: Line, name: str) -> str:
    """A mean, signed, and its standard error."""
    return f"{float(line[name]):+.3f} ({float(line[f'{name}_se']):.3f})"


def table(head: str, rows: Iterable[Iterable[object]]) -> None:
    """Print a table in Markdown; the head has its titles between bars."""
    print(f"| {head} |\n|{'---|' * (head.count('|') + 1)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def curves(
    series: Mapping[str, Iterable[Line]],
    columns: tuple[str, str],
    labels: tuple[str, str],
    *,
    reference: float,
    logarithmic: bool = False,
) -> None:
    """Draw a curve for each series: two columns of its lines, which the labels name in words."""
    from matplotlib import pyplot as plt

    axes = plt.subplots(figsize=(6.4, 2.9), layout="constrained")[1]
    ticks = set()
    for (label, lines), colour, marker in zip(series.items(), _COLOURS, _MARKERS, strict=False):
        own = list(lines)
        across = column(own, columns[0])
        ticks.update(across)
        axes.plot(across, column(own, columns[1]), marker=marker, color=colour, label=label)
    axes.axhline(reference, color="black", linewidth=0.8, linestyle=":")
    if logarithmic:
        axes.set_xscale("log")
        axes.set_xticks(sorted(ticks), [f"{tick:g}" for tick in sorted(ticks)])
        axes.set_xticks([], minor=True)
    axes.set(xlabel=labels[0], ylabel=labels[1])
    _finish(axes)


def dots(
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    label_of_axis: str,
    *,
    reference: float,
) -> None:
    """Draw a row of dots for each name, one of each series."""
    from matplotlib import pyplot as plt

    size = (6.4, 1.1 + 0.32 * len(set(names)))
    axes = plt.subplots(figsize=size, layout="constrained")[1]
    for (label, numbers), colour, marker in zip(series.items(), _COLOURS, _MARKERS, strict=False):
        axes.plot(numbers, names, marker, color=colour, label=label)
    axes.axvline(reference, color="black", linewidth=0.8, linestyle=":")
    axes.margins(y=0.5 / len(set(names)))
    axes.invert_yaxis()
    axes.set_xlabel(label_of_axis)
    _finish(axes)


def _finish(axes: Any) -> None:
    """Say which series is which, beside the axes."""
    axes.spines[["top", "right"]].set_visible(False)
    if len(axes.get_lines()) > 2:
        axes.figure.legend(frameon=False, loc="outside right upper")
