"""What a study is: cells of settings, a function per cell, tables of claims, a picture."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._verdict import Table

Cell = Mapping[str, Any]
Row = dict[str, Any]


def everywhere(_: Cell) -> bool:
    """A setting that every machine can run."""
    return True


@dataclass(frozen=True)
class Study:
    """One table or figure.

    Attributes
    ----------
    name : str
        Name of the files, and of ``make paper ONLY=name``.
    source : str
        The paper's table, figure or section.
    title : str
        What it shows.
    cells : callable
        ``cells(quick)``: the settings, each with the columns that identify it.
    run : callable
        ``run(cell, quick)``: the rows of the CSV for one setting. Runs in another process.
    tables : callable
        ``tables(rows)``: what the paper says against what the rows say, judged table by table.
    draw : callable
        ``draw(rows, figure)``: the picture, on an empty matplotlib figure.
    scale : str
        The size of the study, and how it differs from the paper's.
    notes : str
        What a disagreement comes from, or what else there is to say. Markdown.
    fixed_skill : bool
        Whether rows are drawn independently given each configuration's fixed skill, so that the
        luck of fitted models is excluded by construction.
    runs_here : callable
        ``runs_here(cell)``: whether this machine has what the setting needs. Settings that it
        cannot run keep the rows that they have.
    """

    name: str
    source: str
    title: str
    cells: Callable[[bool], Sequence[Cell]]
    run: Callable[[Cell, bool], list[Row]]
    tables: Callable[[list[Row]], list[Table]]
    draw: Callable[[list[Row], Any], None]
    scale: str
    notes: str = ""
    fixed_skill: bool = False
    runs_here: Callable[[Cell], bool] = everywhere


@dataclass(frozen=True)
class View:
    """A table or figure made from the rows of a study.

    Attributes
    ----------
    name, source, title, draw, scale, notes
        As of a study.
    uses : str
        The study.
    tables : callable
        ``tables(rows)``: as of a study, from the rows of the study that is used.
    summarise : callable
        ``summarise(rows)``: the rows of this table, from those of the study.
    """

    name: str
    source: str
    title: str
    uses: str
    summarise: Callable[[list[Row]], list[Row]]
    tables: Callable[[list[Row]], list[Table]]
    draw: Callable[[list[Row], Any], None]
    scale: str
    notes: str = ""


def generator(*key: Any) -> np.random.Generator:
    """A random stream of its own for each key, the same in every run."""
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def mean_and_error(values: Any) -> tuple[float, float]:
    """Mean, and its standard error."""
    array = np.asarray(values, dtype=np.float64)
    return float(array.mean()), float(array.std(ddof=1) / np.sqrt(array.size))


def beside_all_fits(runs: Sequence[Mapping[str, Any]], estimator: str) -> Row:
    """Bias and coverage of (error, low, high) less the truth, paired with all fits of a run."""
    biases, low, high = np.array([each[estimator] for each in runs]).T
    against = np.array([each["all fits"][0] for each in runs])
    bias, error = mean_and_error(biases)
    difference, difference_error = mean_and_error(biases - against)
    return {
        "bias": bias,
        "standard_error": error,
        "difference": difference,
        "difference_error": difference_error,
        "coverage": float(np.mean((low <= 0) & (high >= 0))),
    }


def pooled(rows: Iterable[Row], keys: Sequence[str], means: Sequence[str]) -> list[Row]:
    """Means over the parts of a setting; a column that a setting lacks is empty."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = []
    for key, parts in groups.items():
        row: Row = dict(zip(keys, key, strict=True))
        for column in means:
            given = parts[0][column] != ""
            row[column] = float(np.mean([part[column] for part in parts])) if given else ""
        for column in ("standard_error", "difference_error"):
            given = parts[0][column] != ""
            squares = sum(part[column] ** 2 for part in parts) if given else 0
            row[column] = float(np.sqrt(squares)) / len(parts) if given else ""
        row["n_runs"] = sum(part["n_runs"] for part in parts)
        found.append(row)
    return found


def draw_biases(
    rows: Sequence[Row],
    figure: Any,
    setting: Callable[[Row], str],
    colours: Mapping[str, str | None],
    fontsize: float,
) -> None:
    """A line per setting with the bias of each estimator, and two standard errors."""
    axes = figure.add_subplot()
    settings = list(dict.fromkeys(setting(row) for row in rows))
    for estimator, colour in colours.items():
        own = [row for row in rows if row["estimator"] == estimator]
        if own:
            axes.errorbar(
                [row["bias"] for row in own],
                [settings.index(setting(row)) for row in own],
                xerr=[2 * row["standard_error"] for row in own],
                fmt="o",
                markersize=4,
                color=colour,
                label=estimator,
            )
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(range(len(settings)), settings, fontsize=fontsize)
    axes.invert_yaxis()
    axes.set_xlabel("bias (above 0: too good), 2 standard errors")
    axes.legend(fontsize=7)
