"""Tables as columns: data frames through narwhals, Parquet through pyarrow, CSV by `csv`.

Neither pandas nor pyarrow reads CSV as strictly: pandas fills short lines with NaN and cuts long
ones, and both confuse integers beyond 64 bits.
"""

import csv
import gzip
import zlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import codes_by_first_row, shown
from ..errors import Argument, InvalidTypeError, InvalidValueError, MissingExtraError
from ._cells import Cells, decimal_mark, missing_cells, refuse_header, refuse_repeated, scanned

__all__ = ["Table", "read"]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; those of a text file are text until `values` are asked for.

    `decimal` is the mark that the file was found to have, "" if its numbers have none.
    """

    columns: Mapping[str, AnyArray]
    source: str
    is_text: bool = False
    decimal: str = ""
    cells: Mapping[str, Cells] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.columns:
            raise InvalidValueError(self.source, "has no columns")
        (first, column), *others = self.columns.items()
        for name, other in others:
            if len(other) != len(column):
                raise ValueError(
                    f"{self.source}: column {name!r} has {len(other)} rows, {first!r} has "
                    f"{len(column)}"
                )
        if len(column) == 0:
            raise InvalidValueError(self.source, "has no rows")

    def require(self, **named: Any) -> None:
        """Refuse a name that no column has, or what is no name; of each argument one or several."""
        for argument, names in named.items():
            if names is None:
                continue
            if not isinstance(names, Collection) or isinstance(names, np.ndarray):
                raise InvalidTypeError(argument, f"must name columns, got {type(names).__name__}")
            for name in [names] if isinstance(names, str) else names:
                try:
                    self._column(name)
                except ValueError as error:
                    raise InvalidValueError(argument, f": {error}") from None

    def with_numbers(self, names: Iterable[str], decimal: str | None) -> "Table":
        """The table, with one decimal mark in these columns; by default that which they have."""
        if not self.is_text:
            if decimal is not None:
                raise InvalidValueError(Argument("decimal", decimal), "is for files of text")
            return self
        cells = {name: scanned(self._column(name)) for name in names}
        mark = decimal_mark(cells, self.source, decimal)
        return replace(self, cells=cells, decimal=mark)

    def codes(self, name: str) -> tuple[AnyArray, AnyArray]:
        """Codes of a column of identifiers, in order of first mention, and what each stands for."""
        return codes_by_first_row(self.keys(name), f"{self.source}: column {name!r}")

    def keys(self, name: str) -> AnyArray:
        """A column of identifiers, as written: "01" and "1" differ."""
        column = self._column(name)
        missing = missing_cells(column)
        if missing.any():
            raise ValueError(
                f"{self.source}: column {name!r} is empty in data row {int(np.argmax(missing))} "
                "(the first is 0)"
            )
        return column

    def values(self, name: str) -> AnyArray:
        """A column of numbers or labels; missing numbers are NaN, missing labels None."""
        return self.cells[name].with_mark(self.decimal) if self.is_text else self._column(name)

    def _column(self, name: str) -> AnyArray:
        if name not in self.columns:
            known = shown(list(self.columns))
            raise ValueError(f"{self.source} has no column {name!r}; it has {known}")
        return self.columns[name]


def read(source: Any, header: bool | None = None) -> Table:
    """The table behind a frame, a mapping of columns, a path or an open CSV file.

    `header` says whether the first line of a text file names the columns.
    """
    if isinstance(source, Table):
        return source
    if isinstance(source, str | PathLike):
        return _read_path(fspath(source), header)
    if hasattr(source, "readline") and not isinstance(source, Mapping):
        return _read_csv(source, getattr(source, "name", "table"), header)
    _refuse_header_of_frame(header)
    if isinstance(source, Mapping):
        return Table({str(name): np.asarray(values) for name, values in source.items()}, "table")
    return _read_frame(source)


def _refuse_header_of_frame(header: bool | None) -> None:
    if header is not None:
        raise InvalidValueError(Argument("header", header), "is for files of text")


def _read_path(path: str, header: bool | None) -> Table:
    name = PurePath(path.lower())
    compressed = name.suffix == ".gz"
    suffix = name.with_suffix("").suffix if compressed else name.suffix
    if suffix in _PARQUET and not compressed:
        _refuse_header_of_frame(header)
        return _read_parquet(path)
    if suffix not in _SEPARATORS:
        known = ", ".join([*_SEPARATORS, *(f"{text}.gz" for text in _SEPARATORS), *_PARQUET])
        raise ValueError(f"{path}: the name must end in one of {known}")
    with (gzip.open if compressed else open)(path, "rt", encoding="utf-8", newline="") as lines:
        return _read_csv(lines, path, header, _SEPARATORS[suffix])


def _read_csv(
    lines: Iterable[str], source: str, header: bool | None, separator: str = ","
) -> Table:
    """A text table; its first line names the columns, unless `header` is false."""
    try:
        lines = iter(lines)
        top = list(islice((line for line in lines if line.strip("\r\n")), 2))
        cells = csv.reader(chain(top, lines), delimiter=_separator(top, separator))
        names, *rows = [row for row in cells if row] or [[]]
    except (csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{source} is not a table of text: {error}") from None
    if not names:
        raise ValueError(f"{source} is empty")
    names[0] = names[0].removeprefix("\ufeff")
    for number, row in enumerate(rows):
        if len(row) != len(names):
            raise ValueError(
                f"{source}: data row {number} (the first is 0) has {len(row)} cells, the "
                f"{'first line' if header is False else 'header'} has {len(names)}"
            )
    if header is False:
        names, rows = list(map(str, range(len(names)))), [names, *rows]
    columns = [np.array([row[place] for row in rows], np.str_) for place in range(len(names))]
    if names[0] == "":  # R writes row names under no name
        names, columns = names[1:], columns[1:]
    (refuse_header if header is None else refuse_repeated)(names, source)
    return Table(dict(zip(names, columns, strict=True)), source, is_text=True)


def _separator(top: list[str], expected: str) -> str:
    """The separator: that by which the first two lines have as many cells, and more than one."""
    one_line = ""
    for separator in (expected, *(one for one in ",;\t|" if one != expected)):
        with suppress(StopIteration, csv.Error):
            counts = [len(next(csv.reader([line], delimiter=separator))) for line in top]
            if counts and counts[0] > 1:
                if counts[0] == counts[-1]:
                    return separator
                one_line = one_line or separator
    return one_line or expected


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


def _missing_extra(what: str) -> MissingExtraError:
    return MissingExtraError(f"{what}: python -m pip install 'bbc-cv[tables]'")
