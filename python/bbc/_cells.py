"""Cells of text files: numbers, their decimal mark, and words that stand for no value."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import filterfalse
from typing import Any

import numpy as np

from ._typing import AnyArray, BoolArray
from ._validation import EITHER, MISSING, missing_objects
from .errors import Argument, InvalidTypeError, InvalidValueError

_INTEGER = re.compile(r"\s*[+-]?\d+\s*")
_POWER = r"(?:[eE][+-]?\d+)?\s*"
# A number with at most one mark; its group is the mark.
NUMBER = re.compile(rf"\s*[+-]?(?:\d+(?:([.,])\d*)?|([.,])\d+){_POWER}|\s*[+-]?inf(?:inity)?\s*")
_GROUPED = re.compile(
    r"\s*[+-]?\d{1,3}(?:(?:[ '\u2019\u00a0\u202f]\d{3})+(?:[.,]\d+)?|(?:\.\d{3})+,\d+|"
    r"(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})\s*"
)


@dataclass(frozen=True)
class Cells:
    """A column of cells (an array of text, or pyarrow's), and what they say of the decimal mark.

    `values` are numbers, or text, with a decimal point (None if there are commas or groups), `mark`
    is the one that the numbers have, `example` a number with it; `proven` says that it parts no
    thousands, `open` that it may; `odd` are numbers that no single mark explains. `words` stand for
    no value.
    """

    text: Any
    values: AnyArray | None
    mark: str = ""
    example: str = ""
    proven: bool = False
    open: bool = False
    odd: tuple[str, ...] = ()
    words: Collection[str] = MISSING

    def with_mark(self, mark: str) -> AnyArray:
        """The values with that decimal mark, which the numbers of the column have."""
        if self.values is None or (mark == "," and self.mark == mark):
            return parsed(np.char.replace(as_text(self.text), ",", "."), self.words)
        return self.values


def words_of(na: Any) -> Collection[str]:
    """The words that stand for no value, and the empty cell."""
    if na is None:
        return MISSING
    words = [na] if isinstance(na, str) else na
    listed = isinstance(words, Collection) and not isinstance(words, bytes | Mapping)
    if not listed or not all(isinstance(word, str) for word in words):
        raise InvalidTypeError("na", f"must be a word or several, such as ['NA'], got {na!r}")
    return frozenset({"", *words})


def scanned(column: Any, words: Collection[str] = MISSING) -> Cells:
    """A column of text as numbers or text, and its decimal mark."""
    if words is not MISSING:  # which may be numbers, such as -99
        text = as_text(column)
        column = np.where(missing_cells(text, words), "", text)
    values = _converted(column)
    text = as_text(column) if values is None else column
    if values is None:
        values = parsed(text, words)
    found = _read_as(text, values, words)
    return replace(found, words=words)


#: Among so many cells of a column that mostly has numbers is one.
_FIRST = 1000


def words_among_numbers(column: Any, words: Collection[str]) -> tuple[list[str], int, bool] | None:
    """What is no number in a column that mostly has numbers, and the first row that has it.

    The last says whether a number has a decimal mark. None if there are not more numbers than such.
    """
    text = as_text(column)
    if not any(map(NUMBER.fullmatch, text[:_FIRST].tolist())):  # labels, of which many are read
        return None
    missing = missing_cells(text, words)
    are_numbers = np.array([NUMBER.fullmatch(cell) is not None for cell in text.tolist()])
    odd = ~are_numbers & ~missing
    numbers = text[are_numbers & ~missing].tolist()
    if not odd.any() or len(numbers) <= np.count_nonzero(odd):
        return None
    given = text[odd | missing].tolist()
    return sorted({*given} - {""}), int(np.argmax(odd)), any(re.search("[.,]", n) for n in numbers)


def _read_as(text: Any, values: AnyArray, words: Collection[str]) -> Cells:
    if values.dtype.kind == "f":
        return _told(Cells(text, values, "."), text)
    if values.dtype.kind in "iu":
        return Cells(text, values)
    there = text[~missing_cells(text, words)].tolist()
    found: dict[str, list[str]] = {"": [], ".": [], ",": [], "grouped": []}
    for cell in there:
        number = NUMBER.fullmatch(cell)
        if number is None and _GROUPED.fullmatch(cell) is None:
            return Cells(text, values)
        found["grouped" if number is None else number[1] or number[2] or ""].append(cell)
    first = [found[kind][0] for kind in ("grouped", ",", ".") if found[kind]]
    if not first:
        return Cells(text, values)  # no number, or integers beyond 64 bits, which stay text
    if found["grouped"] or len(first) > 1:
        return Cells(text, None, odd=tuple(first))
    return _told(Cells(text, None, ","), there)


def _told(cells: Cells, texts: Any) -> Cells:
    """True if numbers with a mark show that it is the decimal one.

    "1,250" beside "950" shows nothing. Points in all rows are taken for decimal points, unless
    another column has such numbers.
    """
    marked = (text for text in strings(texts) if cells.mark in text)
    certain = next(filterfalse(EITHER.fullmatch, marked), None)
    if certain is not None:
        return replace(cells, example=certain, proven=True)
    found = [text for text in strings(texts) if cells.mark in text]
    if not found:
        return replace(cells, mark="")
    return replace(cells, example=found[0], open=cells.mark == "," or len(found) != len(texts))


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


def parsed(cells: AnyArray, words: Collection[str] = MISSING) -> AnyArray:
    """Integers if all are, else numbers with NaN for gaps, else text with None for gaps.

    Integers beyond 64 bits stay text: as floats, different ones could be equal.
    """
    texts = cells.tolist()
    if all(map(_INTEGER.fullmatch, texts)):
        for integer in (np.int64, np.uint64):
            with suppress(OverflowError, ValueError):  # of more digits than Python reads
                return cells.astype(integer)
        return cells
    missing = missing_cells(cells, words)
    # Python reads "1_0" as ten; in a table it is a name.
    if not any("_" in text for text in texts):
        with suppress(ValueError):
            numbers = np.where(missing, "nan", cells).astype(np.float64)
            if words is MISSING or not (np.isnan(numbers) & ~missing).any():
                return numbers
    if not missing.any():
        return cells
    labels = cells.astype(object)
    labels[missing] = None
    return labels


#: From here on, and no sooner, different integers may be equal as floats.
_INEXACT = 2.0**53


def _converted(column: Any) -> AnyArray | None:
    """The numbers of a column of pyarrow's that is so plain that `parsed` gives the same."""
    if isinstance(column, np.ndarray):
        return None
    import pyarrow as pa
    from pyarrow import compute

    with suppress(pa.ArrowInvalid):
        integers: AnyArray = compute.cast(column, pa.int64()).to_numpy()
        hexadecimal = compute.any(compute.match_substring(column, "x", ignore_case=True))
        return None if hexadecimal.as_py() else integers
    numbers = None
    with suppress(pa.ArrowInvalid):
        numbers = compute.cast(column, pa.float64())
    try:
        if numbers is None or compute.any(compute.is_nan(numbers)).as_py():
            missing = compute.is_in(column, pa.array(sorted(MISSING)))
            numbers = compute.cast(compute.if_else(missing, None, column), pa.float64())
    except pa.ArrowInvalid:
        return None
    values: AnyArray = numbers.to_numpy()
    there = values[~np.isnan(values)] if numbers.null_count else values
    # No integers that only floats hold, and no other NaN than gaps.
    plain = len(there) + numbers.null_count == len(values) and (np.abs(there) < _INEXACT).all()
    plain = plain and bool(numbers.null_count or (values % 1 != 0).any())
    return values if plain else None


def as_text(column: Any) -> AnyArray:
    """A column of text as an array."""
    return column if isinstance(column, np.ndarray) else np.array(column.to_pylist(), np.str_)


def strings(texts: Any) -> Iterator[str]:
    """The cells of a list or a column."""
    for start in range(0, len(texts), 4096):
        part = texts[start : start + 4096]
        if not isinstance(part, list):
            part = part.tolist() if isinstance(part, np.ndarray) else part.to_pylist()
        yield from part


def missing_cells(column: AnyArray, words: Collection[str] = MISSING) -> BoolArray:
    """True where a column of any type has no value."""
    if column.dtype.kind == "U":
        missing: BoolArray = np.isin(column, list(words))
        return missing
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return missing_objects(column)
    return np.zeros(column.shape, dtype=np.bool_)
