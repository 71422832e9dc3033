"""What a study is: cells of settings, a function per cell, claims of the paper, a picture."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Cell = Mapping[str, Any]
Row = dict[str, Any]

# Farther than this many standard errors from the paper is a disagreement. Tables have dozens of
# cells, and the fixed seeds make this a statement about us, not about luck.
FAR = 4.0


@dataclass(frozen=True)
class Claim:
    """Something the paper says, and what we found.

    Attributes
    ----------
    text : str
        What is compared.
    ours, paper : float or str
        Our number and the paper's, as the reader should see them.
    agrees : bool
        Whether ours supports the paper.
    difference : float or None
        Ours less the paper's, in standard errors of the difference.
    """

    text: str
    ours: float | str
    paper: float | str
    agrees: bool
    difference: float | None = None

    @classmethod
    def number(cls, text: str, ours: float, paper: float, standard_error: float) -> "Claim":
        """Two numbers that should be equal but for chance."""
        difference = (ours - paper) / standard_error
        return cls(text, ours, paper, abs(difference) < FAR, difference)


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
    claims : callable
        ``claims(rows)``: what the paper says against what the rows say.
    draw : callable
        ``draw(rows, figure)``: the picture, on an empty matplotlib figure.
    scale : str
        The size of the study, and how it differs from the paper's.
    notes : str
        What a disagreement comes from, or what else there is to say. Markdown.
    """

    name: str
    source: str
    title: str
    cells: Callable[[bool], Sequence[Cell]]
    run: Callable[[Cell, bool], list[Row]]
    claims: Callable[[list[Row]], list[Claim]]
    draw: Callable[[list[Row], Any], None]
    scale: str
    notes: str = ""


@dataclass(frozen=True)
class View:
    """A table or figure made from the rows of a study.

    Attributes
    ----------
    name, source, title, claims, draw, scale, notes
        As of a study.
    uses : str
        The study.
    summarise : callable
        ``summarise(rows)``: the rows of this table, from those of the study.
    """

    name: str
    source: str
    title: str
    uses: str
    summarise: Callable[[list[Row]], list[Row]]
    claims: Callable[[list[Row]], list[Claim]]
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
