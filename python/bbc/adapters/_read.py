"""Tables as columns: data frames through narwhals, Parquet through pyarrow, CSV by `csv`.

Neither pandas nor pyarrow reads CSV as strictly: pandas fills short lines with NaN and cuts long
ones, and both confuse integers beyond 64 bits.
"""

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import codes_by_first_row, missing_objects, shown
from ..errors import InvalidTypeError, MissingExtraError

__all__ = ["Table", "parsed", "read"]

_MISSING_CELLS = frozenset({"", "NA", "NaN", "nan", "None", "null", "NULL"})
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARQUET = (".parquet", ".pq")
_INTEGER = re.compile(r"\s*[+-]?\d+\s*")


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; those of a text file are text until `values` are asked for."""

    columns: Mapping[str, AnyArray]
    source: str
    is_text: bool = False

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError(f"{self.source} has no columns")
        (first, column), *others = self.columns.items()
        for name, other in others:
            if len(other) != len(column):
                raise ValueError(
                    f"{self.source}: column {name!r} has {len(other)} rows, {first!r} has "
                    f"{len(column)}"
                )
        if len(column) == 0:
            raise ValueError(f"{self.source} has no rows")

    def require(self, names: Iterable[str]) -> None:
        """Refuse a name that no column has."""
        for name in names:
            self._column(name)

    def codes(self, name: str) -> tuple[AnyArray, AnyArray]:
        """Codes of a column of identifiers, in order of first mention, and what each stands for."""
        return codes_by_first_row(self.keys(name), f"{self.source}: column {name!r}")

    def keys(self, name: str) -> AnyArray:
        """A column of identifiers, as written: "01" and "1" differ."""
        column = self._column(name)
        missing = _missing(column)
        if missing.any():
            raise ValueError(
                f"{self.source}: column {name!r} is empty in data row {int(np.argmax(missing))} "
                "(the first is 0)"
            )
        return column

    def values(self, name: str) -> AnyArray:
        """A column of numbers or labels; missing numbers are NaN, missing labels None."""
        column = self._column(name)
        return parsed(column) if self.is_text else column

    def _column(self, name: str) -> AnyArray:
        if name not in self.columns:
            known = shown(list(self.columns))
            raise ValueError(f"{self.source} has no column {name!r}; it has {known}")
        return self.columns[name]


def read(source: Any) -> Table:
    """The table behind a frame, a mapping of columns, a path or an open CSV file."""
    if isinstance(source, str | PathLike):
        return _read_path(fspath(source))
    if isinstance(source, Mapping):
        return Table({str(name): np.asarray(values) for name, values in source.items()}, "table")
    if hasattr(source, "readline"):
        return _read_csv(source, getattr(source, "name", "table"))
    return _read_frame(source)


def _read_path(path: str) -> Table:
    name = PurePath(path.lower())
    compressed = name.suffix == ".gz"
    suffix = name.with_suffix("").suffix if compressed else name.suffix
    if suffix in _PARQUET and not compressed:
        return _read_parquet(path)
    if suffix not in _SEPARATORS:
        known = ", ".join([*_SEPARATORS, *(f"{text}.gz" for text in _SEPARATORS), *_PARQUET])
        raise ValueError(f"{path}: the name must end in one of {known}")
    with (gzip.open if compressed else open)(path, "rt", encoding="utf-8", newline="") as lines:
        return _read_csv(lines, path, _SEPARATORS[suffix])


def _read_csv(lines: Iterable[str], source: str, separator: str = ",") -> Table:
    """A text table with one line of column names."""
    try:
        lines = iter(lines)
        top = next((line for line in lines if line.strip("\r\n")), "")
        cells = csv.reader(chain([top], lines), delimiter=_separator(top, separator))
        header, *rows = [row for row in cells if row] or [[]]
    except (csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{source} is not a table of text: {error}") from None
    if not header:
        raise ValueError(f"{source} is empty")
    header[0] = header[0].removeprefix("\ufeff")
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise ValueError(
                f"{source}: data row {number} (the first is 0) has {len(row)} cells, the header "
                f"has {len(header)}"
            )
    columns = [np.array([row[place] for row in rows], np.str_) for place in range(len(header))]
    if header[0] == "":  # R writes row names under no name
        header, columns = header[1:], columns[1:]
    repeated = next((name for name in header if header.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{source} has two columns {repeated!r}")
    return Table(dict(zip(header, columns, strict=True)), source, is_text=True)


def _separator(top: str, expected: str) -> str:
    """The separator; where it would leave one column, such as with Excel's semicolons, another."""
    candidates = (expected, ";", "\t", ",")
    several = (one for one in candidates if len(next(csv.reader([top], delimiter=one), [])) > 1)
    return next(several, expected)


def _read_parquet(path: str) -> Table:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise _missing_extra("Parquet files need pyarrow") from error
    try:
        return _read_frame(parquet.read_table(path), path)
    except ArrowException as error:
        raise ValueError(f"{path} is not a Parquet file: {error}") from None


def _read_frame(frame: Any, source: str = "table") -> Table:
    try:
        import narwhals as nw
    except ImportError as error:
        raise _missing_extra("data frames need narwhals") from error
    try:
        data = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InvalidTypeError(
            "table",
            "must be a path, a pandas, polars or pyarrow table or a mapping of columns, "
            f"got {type(frame).__name__}",
        ) from None
    return Table({str(name): data[name].to_numpy() for name in data.columns}, source)


def parsed(cells: AnyArray) -> AnyArray:
    """Integers if all are, else numbers with NaN for gaps, else text with None for gaps.

    Integers beyond 64 bits stay text: as floats, different ones could be equal.
    """
    if all(map(_INTEGER.fullmatch, cells.tolist())):
        for integer in (np.int64, np.uint64):
            with suppress(OverflowError):
                return cells.astype(integer)
        return cells
    missing = _missing(cells)
    # Python reads "1_0" as ten; in a table it is a name.
    if not any("_" in cell for cell in cells.tolist()):
        with suppress(ValueError):
            return np.where(missing, "nan", cells).astype(np.float64)
    if not missing.any():
        return cells
    texts = cells.astype(object)
    texts[missing] = None
    return texts


def _missing(column: AnyArray) -> AnyArray:
    if column.dtype.kind == "U":
        return np.isin(column, list(_MISSING_CELLS))
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return missing_objects(column)
    return np.zeros(column.shape, dtype=np.bool_)


def _missing_extra(what: str) -> MissingExtraError:
    return MissingExtraError(f"{what}: python -m pip install 'bbc-cv[tables]'")
