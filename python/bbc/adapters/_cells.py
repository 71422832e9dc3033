"""Cells of a text file as numbers: one decimal mark per file, and no thousands separators.

The rules of docs/tables.md; the page in the browser (docs/try/table.js) has the same.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import filterfalse

import numpy as np

from .._typing import AnyArray, BoolArray
from .._validation import missing_objects, shown
from ..errors import Argument, InvalidValueError

__all__ = [
    "Cells",
    "decimal_mark",
    "missing_cells",
    "parsed",
    "refuse_header",
    "refuse_repeated",
    "scanned",
]

#: Cells without a value.
MISSING = frozenset({"", "NA", "NaN", "nan", "None", "null", "NULL"})
_INTEGER = re.compile(r"\s*[+-]?\d+\s*")
_POWER = r"(?:[eE][+-]?\d+)?\s*"
# A number with at most one mark; its group is the mark.
_NUMBER = re.compile(rf"\s*[+-]?(?:\d+(?:([.,])\d*)?|([.,])\d+){_POWER}|\s*[+-]?inf(?:inity)?\s*")
_GROUPED = re.compile(
    r"\s*[+-]?\d{1,3}(?:(?:[ '\u2019\u00a0\u202f]\d{3})+(?:[.,]\d+)?|(?:\.\d{3})+,\d+|"
    r"(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})\s*"
)
# Three decimals, or thousands.
_EITHER = re.compile(r"\s*[+-]?[1-9]\d{0,2}[.,]\d{3}\s*")


@dataclass(frozen=True)
class Cells:
    """A column of cells, and what they say of the file's decimal mark.

    `values` are numbers, or text, with a decimal point (None if there are commas or groups), `mark`
    is the one that the numbers have, `example` a number with it; `proven` says that it parts no
    thousands, `open` that it may; `odd` are numbers that no single mark explains.
    """

    text: AnyArray
    values: AnyArray | None
    mark: str = ""
    example: str = ""
    proven: bool = False
    open: bool = False
    odd: tuple[str, ...] = ()

    def with_mark(self, mark: str) -> AnyArray:
        """The values with that decimal mark, which the numbers of the column have."""
        if self.values is None or (mark == "," and self.mark == mark):
            return parsed(np.char.replace(self.text, ",", "."))
        return self.values


def scanned(text: AnyArray) -> Cells:
    """A column as numbers or text, and its decimal mark."""
    values = parsed(text)
    if values.dtype.kind == "f":
        return _told(Cells(text, values, "."), text.tolist())
    if values.dtype.kind in "iu":
        return Cells(text, values)
    there = text[~missing_cells(text)].tolist()
    found: dict[str, list[str]] = {"": [], ".": [], ",": [], "grouped": []}
    for cell in there:
        number = _NUMBER.fullmatch(cell)
        if number is None and _GROUPED.fullmatch(cell) is None:
            return Cells(text, values)
        found["grouped" if number is None else number[1] or number[2] or ""].append(cell)
    first = [found[kind][0] for kind in ("grouped", ",", ".") if found[kind]]
    if not first:
        return Cells(text, values)  # no number, or integers beyond 64 bits, which stay text
    if found["grouped"] or len(first) > 1:
        return Cells(text, None, odd=tuple(first))
    return _told(Cells(text, None, ","), there)


def _told(cells: Cells, texts: list[str]) -> Cells:
    """True if numbers with a mark show that it is the decimal one.

    "1,250" beside "950" shows nothing. Points in all rows are taken for decimal points, unless
    another column has such numbers.
    """
    marked = (text for text in texts if cells.mark in text)
    certain = next(filterfalse(_EITHER.fullmatch, marked), None)
    if certain is not None:
        return replace(cells, example=certain, proven=True)
    found = [text for text in texts if cells.mark in text]
    if not found:
        return replace(cells, mark="")
    return replace(cells, example=found[0], open=cells.mark == "," or found != texts)


def decimal_mark(columns: Mapping[str, Cells], source: str, decimal: str | None) -> str:
    """The decimal mark of these columns of a file; "" if their numbers have none.

    Refused are thousands separators and columns that differ.
    """
    marked: dict[str, tuple[str, Cells]] = {}
    for name, cells in columns.items():
        if cells.odd:
            raise InvalidValueError(
                source,
                ": column {!r} has numbers such as {}: thousands separators or mixed decimal "
                "marks; write its numbers without separators, and with one decimal mark",
                name,
                " and ".join(map(repr, cells.odd)),
            )
        if decimal is not None and cells.mark not in ("", decimal):
            raise InvalidValueError(
                source,
                ": column {!r} has numbers such as {!r}, where the decimal mark is {!r}: write it "
                "so, without thousands separators",
                name,
                cells.example,
                decimal,
            )
        if cells.mark and _tells_more(cells, marked.get(cells.mark)):
            marked[cells.mark] = name, cells
    if len(marked) > 1:
        (one, other), (cells, others) = zip(*marked.values(), strict=True)
        raise InvalidValueError(
            source,
            ": columns {!r} and {!r} have different decimal marks ({!r}, {!r}), or one of them has "
            "thousands separators: write the file with one mark, and without separators",
            one,
            other,
            cells.example,
            others.example,
        )
    for mark, (name, cells) in marked.items():
        if decimal is None and cells.open:
            raise InvalidValueError(
                source,
                ": column {!r} has numbers such as {!r}, with a thousands separator or three "
                "decimals: write it without separators, or name the decimal mark, {}",
                name,
                cells.example,
                Argument("decimal", mark),
            )
    return next(iter(marked), "")


def _tells_more(cells: Cells, known: tuple[str, Cells] | None) -> bool:
    """True if a column tells more of its mark than what is known: a proof, else a doubt."""
    if known is None or known[1].proven:
        return known is None
    return cells.proven or (cells.open and not known[1].open)


def refuse_header(header: list[str], source: str) -> None:
    """Refuse a first line that seems to be a row: it has numbers, or a name twice.

    pandas numbers columns without a name 0, 1, 2, ..., which are names.
    """
    numbers = [cell for cell in header if _NUMBER.fullmatch(cell)]
    if numbers and numbers != list(map(str, range(len(numbers)))):
        raise InvalidValueError(
            source,
            ": the first line has numbers ({}), as if it were a row: say {} if it is one, {} if it "
            "names the columns",
            shown(numbers),
            Argument("header", False),
            Argument("header", True),
        )
    refuse_repeated(header, source, " or, if the first line is a row, say {}")


def refuse_repeated(header: list[str], source: str, more: str = "") -> None:
    """Refuse two columns of one name."""
    repeated = next((name for name in header if header.count(name) > 1), None)
    if repeated is not None:
        raise InvalidValueError(
            source,
            " has two columns {!r}: rename one" + more,
            repeated,
            *([Argument("header", False)] if more else []),
        )


def parsed(cells: AnyArray) -> AnyArray:
    """Integers if all are, else numbers with NaN for gaps, else text with None for gaps.

    Integers beyond 64 bits stay text: as floats, different ones could be equal.
    """
    texts = cells.tolist()
    if all(map(_INTEGER.fullmatch, texts)):
        for integer in (np.int64, np.uint64):
            with suppress(OverflowError):
                return cells.astype(integer)
        return cells
    missing = missing_cells(cells)
    # Python reads "1_0" as ten; in a table it is a name.
    if not any("_" in text for text in texts):
        with suppress(ValueError):
            return np.where(missing, "nan", cells).astype(np.float64)
    if not missing.any():
        return cells
    labels = cells.astype(object)
    labels[missing] = None
    return labels


def missing_cells(column: AnyArray) -> BoolArray:
    """True where a column of any type has no value."""
    if column.dtype.kind == "U":
        missing: BoolArray = np.isin(column, list(MISSING))
        return missing
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return missing_objects(column)
    return np.zeros(column.shape, dtype=np.bool_)
