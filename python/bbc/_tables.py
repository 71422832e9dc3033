"""Tables as columns: data frames through narwhals, Parquet through pyarrow, CSV by `csv`.

Neither pandas nor pyarrow reads CSV as strictly: pandas fills short lines with NaN and cuts long
ones, and both confuse integers beyond 64 bits. A text file has one decimal mark and no thousands
separators: the rules of docs/howto_table.md, and of the page in the browser (docs/try/table.js).
Where pyarrow is installed, it splits large files and converts their columns, many times faster, if
they are so plain that it must agree; all others, and every error, are left to `csv` and numpy.
"""

import csv
import gzip
import mmap
import os
import stat
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from ._cells import (
    NUMBER,
    Cells,
    as_text,
    decimal_mark,
    missing_cells,
    scanned,
    strings,
    words_among_numbers,
    words_of,
)
from ._frozen import as_array, padding
from ._names import again
from ._typing import AnyArray, BoolArray
from ._validation import (
    MISSING,
    codes_by_first_row,
    refuse_number_texts,
    refuse_percentages,
    shown,
)
from .errors import Argument, InvalidTypeError, InvalidValueError, MissingExtraError


def refuse_header(header: list[str], source: str) -> None:
    """Refuse a first line that seems to be a row: it has numbers, or a name twice.

    pandas numbers columns without a name 0, 1, 2, ..., which are names.
    """
    numbers = [cell for cell in header if NUMBER.fullmatch(cell)]
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
    for name in again(header):
        raise InvalidValueError(
            source,
            "has two columns {!r}: rename one" + more,
            name,
            *([Argument("header", False)] if more else []),
        )


def _has_parts(column: AnyArray) -> bool:
    """Whether cells are lists, arrays or mappings."""
    kinds = set(map(type, column.tolist()))
    return any(hasattr(kind, "__len__") and not issubclass(kind, str | bytes) for kind in kinds)


def _gaps(column: AnyArray) -> BoolArray:
    """True where an identifier has no value: words such as NA are names."""
    if column.dtype.kind == "U":
        empty: BoolArray = column == ""
        return empty
    missing = missing_cells(column)
    if column.dtype.kind == "O":
        missing |= np.array([isinstance(cell, str) and not cell for cell in column.tolist()])
    return missing


_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; those of a text file are text until `values` are asked for.

    `decimal` is the mark that the file was found to have, "" if its numbers have none. `index` are
    columns that were the index of a frame, such as the one without a name in a text file: they name
    rows, unless they have a role. `na` are words of a text file that stand for no value.
    """

    columns: Mapping[str, Any]
    source: str
    is_text: bool = False
    decimal: str = ""
    cells: Mapping[str, Cells] = field(default_factory=dict)
    index: Collection[str] = ()
    na: Collection[str] = MISSING

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
                    self._given(name)
                except ValueError as error:
                    raise InvalidValueError(argument, f": {error}") from None

    def with_numbers(self, names: Iterable[str], decimal: str | None) -> "Table":
        """The table, with one decimal mark in these columns; by default that which they have."""
        if not self.is_text:
            if decimal is not None:
                raise InvalidValueError(Argument("decimal", decimal), "is for files of text")
            refuse_number_texts(self.source, {name: self._plain(name) for name in names})
            return self
        cells = {name: scanned(self._given(name), self.na) for name in names}
        texts = {name: one.values for name, one in cells.items() if one.values is not None}
        refuse_percentages(self.source, texts)
        mark = decimal_mark(cells, self.source, decimal)
        return replace(self, cells=cells, decimal=mark)

    def gaps(self, name: str) -> BoolArray:
        """True where a column has no value, or a word for none."""
        return missing_cells(self.column(name), self.na)

    def words_among_numbers(self, name: str) -> tuple[list[str], int, bool] | None:
        """As `words_among_numbers`, of a text file."""
        return words_among_numbers(self._given(name), self.na) if self.is_text else None

    def rows(self, kept: BoolArray) -> "Table":
        """Some of the rows."""
        return replace(self, columns={name: self.column(name)[kept] for name in self.columns})

    def codes(self, name: str) -> tuple[AnyArray, AnyArray]:
        """Codes of a column of identifiers, in order of first mention, and what each stands for."""
        return codes_by_first_row(self.keys(name), f"{self.source}: column {name!r}")

    def keys(self, name: str) -> AnyArray:
        """A column of identifiers, as written: "01" and "1" differ, and "NA" is one."""
        column = self._plain(name)
        missing = _gaps(column)
        if missing.any():
            raise ValueError(
                f"{self.source}: column {name!r} is empty in data row {int(np.argmax(missing))} "
                "(the first is 0)"
            )
        return column

    def values(self, name: str) -> AnyArray:
        """A column of numbers or labels; missing numbers are NaN, missing labels None."""
        return self.cells[name].with_mark(self.decimal) if self.is_text else self.column(name)

    def column(self, name: str) -> AnyArray:
        """A column as it is written."""
        given = self._given(name)
        return as_text(given) if self.is_text else as_array(given)

    def _plain(self, name: str) -> AnyArray:
        """A column whose cells are single values."""
        column = self.column(name)
        if column.ndim > 1 or (column.dtype.hasobject and _has_parts(column)):
            raise InvalidValueError(
                self.source, ": column {!r} has several values in a cell: give each a column", name
            )
        return column

    def _given(self, name: str) -> Any:
        if name not in self.columns:
            known = shown(list(self.columns))
            raise ValueError(f"{self.source} has no column {name!r}; it has {known}")
        return self.columns[name]


def read(source: Any, header: bool | None = None, na: Any = None) -> Table:
    """The table behind a frame, a mapping of columns, a path or an open CSV file.

    `header` says whether the first line of a text file names the columns, `na` which of its words
    stand for no value.
    """
    if isinstance(source, Table):
        return source
    words = words_of(na)
    found = _read(source, header)
    if na is not None and not found.is_text:
        raise InvalidValueError(Argument("na", na), "is for files of text")
    return replace(found, na=words)


def _read(source: Any, header: bool | None) -> Table:
    if isinstance(source, str | PathLike):
        return _read_path(fspath(source), header)
    if hasattr(source, "readline") and not isinstance(source, Mapping):
        return _read_csv(source, getattr(source, "name", "table"), header)
    _refuse_header_of_frame(header)
    if isinstance(source, Mapping):
        return _named(source, map(as_array, source.values()), "table")
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
    _refuse_device(path)
    with (gzip.open if compressed else open)(path, "rt", encoding="utf-8", newline="") as lines:
        given = _unpacked(lines, path) if compressed else lines
        return _read_csv(given, path, header, _SEPARATORS[suffix], None if compressed else path)


def _refuse_device(path: str) -> None:
    """Refuse what has no end, such as /dev/zero."""
    mode = os.stat(path).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ValueError(f"{path} is a device, not a file")


#: What takes fewer bytes may be packed as it likes.
_UNPACKED = 2**26
#: No predictions are packed better: as text by gzip, as numbers in Parquet.
_AS_TEXT, _AS_NUMBERS = 500, 5000


def _refuse_unpacked(size: int, path: str, most: int) -> None:
    """Refuse a table whose contents are more than so many times its file: it was made for that."""
    if size > _UNPACKED and size > most * os.path.getsize(path):
        raise ValueError(
            f"{path} has {os.path.getsize(path)} bytes and unpacks to more than {size >> 20} MiB: "
            "no predictions do; unpack it yourself if it is no mistake"
        )


def _unpacked(lines: Iterable[str], path: str) -> Iterator[str]:
    """The lines of a compressed table, while they are not too many."""
    size = 0
    for line in lines:
        size += len(line)
        _refuse_unpacked(size, path, _AS_TEXT)
        yield line


def _read_csv(
    lines: Iterable[str],
    source: str,
    header: bool | None,
    separator: str = ",",
    path: str | None = None,
) -> Table:
    """A text table; its first line names the columns, unless `header` is false.

    `path` is that of a file without compression.
    """
    try:
        lines = _checked(lines, source)
        head, top = _head(lines)
        separator = _separator(top, separator)
        names: list[str] = next(csv.reader(top[:1], delimiter=separator), [])
        columns: list[Any] = []
        if names and path is not None and header is not False:
            columns = [
                _without_long_cell(column, name, source)
                for name, column in zip(
                    names, _split(path, top, separator, len(names)), strict=False
                )
            ]
        if not columns:
            cells = csv.reader(chain(head, lines), delimiter=separator)
            names, *rows = _rows(cells, source, has_header=header is not False) or [[]]
    except (csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{source} is not a table of text: {error}") from None
    if not names:
        raise ValueError(f"{source} is empty")
    if not columns:
        for number, row in enumerate(rows):
            if len(row) != len(names):
                raise ValueError(
                    f"{source}: data row {number} (the first is 0) has {len(row)} cells, the "
                    f"{'first line' if header is False else 'header'} has {len(names)}"
                )
        if header is False:
            names, rows = list(map(str, range(len(names)))), [names, *rows]
        columns = [
            np.array(_without_long_cell([row[place] for row in rows], name, source), np.str_)
            for place, name in enumerate(names)
        ]
    if names[-1] == "" and not any(strings(columns[-1])):  # lines end in a separator
        names, columns = names[:-1], columns[:-1]
    (refuse_header if header is None else refuse_repeated)(names, source)
    # R and pandas write row names under no name.
    return Table(dict(zip(names, columns, strict=True)), source, is_text=True, index=("",))


def _head(lines: Iterator[str]) -> tuple[list[str], list[str]]:
    """The first lines, up to the second that is not blank, and of these the two."""
    head: list[str] = []
    top: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip("\r\n"):
            top.append(line)
        if len(top) == 2:
            break
    return head, top


def _rows(cells: Any, source: str, *, has_header: bool) -> list[list[str]]:
    """The lines of a reader of `csv` that are not blank; the first is not repeated."""
    rows: list[list[str]] = []
    for row in cells:
        if has_header and rows and row == rows[0]:
            raise ValueError(
                f"{source}: line {cells.line_num} repeats the header, as when two files are "
                "joined: leave that line out"
            )
        if row:
            rows.append(row)
    return rows


#: More bytes than this are not spent on filling up cells to the length of the longest.
_MOST_PADDING = 2**28


def _without_long_cell(column: Any, name: str, source: str) -> Any:
    """The column; refused is a cell beside which others would take many times their memory."""
    if isinstance(column, list):
        lengths = list(map(len, column))
        longest, total = max(lengths, default=0), sum(lengths)
    else:
        from pyarrow import compute

        lengths = compute.utf8_length(column)
        longest, total = compute.max(lengths).as_py() or 0, compute.sum(lengths).as_py() or 0
    if padding(longest, total, len(column)) > _MOST_PADDING:
        raise ValueError(
            f"{source}: column {name!r} has a cell of {longest} characters, while those of its "
            f"{len(column)} rows have {total} in all: it is no value"
        )
    return column


def _checked(lines: Iterable[str], source: str) -> Iterator[str]:
    """The lines of a table; NUL would end a key, as "0" and "0\\0" are one to numpy and to R."""
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise csv.Error("it has a NUL character")
        line = line.removeprefix("\ufeff") if number == 1 else line  # before a quote, too
        if "\ufeff" in line:
            raise ValueError(
                f"{source}: line {number} has a byte order mark, as when two files are joined: "
                "join them without it, and without the second header"
            )
        yield line


#: Files of fewer bytes are read sooner than pyarrow is imported.
_LARGE = 2**20


def _split(path: str, top: list[str], separator: str, n_columns: int) -> list[Any]:
    """The cells below the first line, by pyarrow; nothing where `csv` may split them otherwise."""
    try:
        if os.path.getsize(path) < _LARGE:
            return []
        from pyarrow import ArrowInvalid, BufferReader, py_buffer, string
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

        with open(path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (ImportError, OSError, ValueError):  # not installed; a pipe; an empty file
        return []
    first = top[0].encode()
    start = data.find(first) + len(first)
    # What the slow way refuses, or may split otherwise.
    odd = (b'"', b"\0", "\ufeff".encode(), b"\n" + first.strip())
    if first.count(b'"') % 2 or any(data.find(one, start) >= 0 for one in odd):
        return []
    names = list(map(str, range(n_columns)))
    with suppress(ArrowInvalid):
        table = read_csv(
            BufferReader(py_buffer(data)[start:]),
            ReadOptions(column_names=names),
            ParseOptions(delimiter=separator, quote_char=False),
            ConvertOptions(column_types=dict.fromkeys(names, string())),
        )
        return list(table.columns)
    return []


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
        _refuse_device(path)
        found = parquet.read_metadata(path)
        _refuse_unpacked(8 * found.num_rows * found.num_columns, path, _AS_NUMBERS)
        refuse_repeated(parquet.read_schema(path).names, path)
        return _read_frame(parquet.read_table(path), path)
    except ArrowException as error:
        raise ValueError(f"{path} is not a Parquet file: {error}") from None


def _read_frame(frame: Any, source: str = "table") -> Table:
    try:
        import narwhals as nw
    except ImportError as error:
        raise _missing_extra("data frames need narwhals") from error
    # Repeated ones narwhals would refuse in its own words.
    names = getattr(frame, "column_names", getattr(frame, "columns", ()))
    refuse_repeated(list(map(str, names)), source)
    try:
        data = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InvalidTypeError(
            "table",
            "must be a path, a pandas, polars or pyarrow table or a mapping of columns, "
            f"got {type(frame).__name__}",
        ) from None
    # By place: columns may have numbers for names.
    columns = (column.to_numpy() for column in data.iter_columns())
    return _named(data.columns, columns, source, _index_of(frame))


def _named(
    names: Iterable[Any], columns: Iterable[Any], source: str, index: Collection[str] = ()
) -> Table:
    """A table whose columns are named by text; 1 and "1" would be one."""
    texts = list(map(str, names))
    refuse_repeated(texts, source)
    return Table(dict(zip(texts, columns, strict=True)), source, index=index)


def _index_of(frame: Any) -> Collection[str]:
    """The columns of pyarrow that pandas made of an index, by what it wrote beside them."""
    written = getattr(getattr(frame, "schema", None), "pandas_metadata", None) or {}
    # An index of 0, 1, 2, ... is a description, and no column.
    return [name for name in written.get("index_columns", ()) if isinstance(name, str)]


def _missing_extra(what: str) -> MissingExtraError:
    return MissingExtraError(f"{what}: python -m pip install 'bbc-cv[tables]'")
