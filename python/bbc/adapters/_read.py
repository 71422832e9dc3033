"""Tables of any make as columns: frames through narwhals, CSV by itself, Parquet by pyarrow."""

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import codes_by_first_row, missing_objects, shown
from ..errors import MissingExtraError

__all__ = ["Table", "parsed", "read", "read_csv"]

_MISSING_CELLS = frozenset({"", "NA", "NaN", "nan", "None", "null", "NULL"})
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Table:
    """Named columns; those of a text file keep their text until somebody asks for values."""

    columns: Mapping[str, AnyArray]
    source: str
    is_text: bool = False

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
    if isinstance(source, Table):
        return source
    if isinstance(source, str | PathLike):
        return _read_path(fspath(source))
    if isinstance(source, Mapping):
        columns = {str(name): np.asarray(values) for name, values in source.items()}
        return _checked(Table(columns, "table"))
    if hasattr(source, "readline"):
        return read_csv(source, getattr(source, "name", "table"))
    return _read_frame(source)


def read_csv(lines: Iterable[str], source: str, separator: str = ",") -> Table:
    """A text table with one line of column names."""
    rows = csv.reader(lines, delimiter=separator)
    try:
        header = next(rows, [])
        body = [row for row in rows if row]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{source} is not a table of text: {error}") from None
    if not header:
        raise ValueError(f"{source} is empty")
    header[0] = header[0].removeprefix("\ufeff")
    for number, row in enumerate(body):
        if len(row) != len(header):
            raise ValueError(
                f"{source}: data row {number} (the first is 0) has {len(row)} cells, the header "
                f"has {len(header)}"
            )
    named = header[1:] if header[0] == "" else header  # R writes row names under no name
    repeated = next((name for name in named if named.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{source} has two columns {repeated!r}")
    columns = [np.array(cells, dtype=np.str_) for cells in zip(*body, strict=True)]
    if not columns:
        raise ValueError(f"{source} has column names but no rows")
    return Table(dict(zip(named, columns[-len(named) :], strict=True)), source, is_text=True)


def _read_path(path: str) -> Table:
    suffix = PurePath(path).suffix.lower()
    if suffix in _PARQUET:
        return _read_parquet(path)
    if suffix not in _SEPARATORS:
        known = ", ".join([*_SEPARATORS, *_PARQUET])
        raise ValueError(f"{path}: the name must end in one of {known}")
    with open(path, encoding="utf-8", newline="") as lines:
        return read_csv(lines, path, _SEPARATORS[suffix])


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
        own = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise TypeError(
            "table must be a path, a pandas, polars or pyarrow table or a mapping of columns, "
            f"got {type(frame).__name__}"
        ) from None
    columns = {str(name): own[name].to_numpy() for name in own.columns}
    return _checked(Table(columns, source))


def _checked(table: Table) -> Table:
    lengths = {name: len(column) for name, column in table.columns.items()}
    if not lengths:
        raise ValueError(f"{table.source} has no columns")
    first = next(iter(lengths))
    for name, length in lengths.items():
        if length != lengths[first]:
            raise ValueError(
                f"{table.source}: column {name!r} has {length} rows, {first!r} has {lengths[first]}"
            )
    if lengths[first] == 0:
        raise ValueError(f"{table.source} has no rows")
    return table


def parsed(cells: AnyArray) -> AnyArray:
    """Integers if all are, else numbers with NaN for gaps, else text with None for gaps.

    Integers beyond 64 bits, which as floats were one and the same, stay text.
    """
    missing = _missing(cells)
    # Python reads "1_0" as ten; in a table it is somebody's name.
    if not any("_" in cell for cell in cells.tolist()):
        too_long = False
        for integer in (np.int64, np.uint64):
            try:
                return cells.astype(integer)
            except OverflowError:
                too_long = True
            except ValueError:
                break
        # The first cell that is too long is met before one that is no integer.
        if too_long and all(cell.strip().lstrip("+-").isdecimal() for cell in cells.tolist()):
            return cells
        try:
            numbers = np.full(cells.shape, math.nan)
            numbers[~missing] = cells[~missing].astype(np.float64)
        except ValueError:
            pass
        else:
            return numbers
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
