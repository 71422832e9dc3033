"""A SQLite file of rows with check sums, which runs no statements but ours.

Opening a file verifies its schema and all check sums before anything else is read: views and
triggers of a forged file would run code. Records are JSON and raw arrays: reading one runs nothing
that came with it.
"""

import json
import math
import os
import re
import sqlite3
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Any
from urllib.parse import quote

import numpy as np

from .._names import printable
from .._typing import AnyArray
from ..errors import StoreError

# Booleans, integers, floats, bytes and text of one byte or more: no type that could run code.
_DTYPE = re.compile(r"[<>|][biufSU][1-9]\d{0,8}")
_HIGHEST_CHARACTER = 0x10FFFF


def packed(content: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return a record's JSON, with the types and shapes of its arrays, and the bytes of these."""
    plain: dict[str, Any] = {}
    layout: list[tuple[str, str, str, tuple[int, ...]]] = []
    pieces: list[bytes] = []
    for name, value in content.items():
        if not isinstance(value, np.ndarray):
            plain[name] = value
            continue
        for field in value.dtype.names or [""]:
            column = value[field] if field else value
            if not _DTYPE.fullmatch(column.dtype.str):
                raise TypeError(f"a store keeps numbers, booleans and strings, not {column.dtype}")
            layout.append((name, field, column.dtype.str, column.shape))
            pieces.append(column.tobytes())
    return json.dumps([plain, layout], allow_nan=False), b"".join(pieces)


def unpacked(head: str, data: bytes) -> dict[str, Any]:
    """Return the record that `packed` gave, or raise a ValueError."""
    try:
        content, layout = json.loads(head, parse_constant=_refuse)
        rest = memoryview(data)
        columns: dict[str, dict[str, AnyArray]] = {}
        for name, field, dtype, shape in layout:
            column = columns.setdefault(name, {})[field] = _array(dtype, shape, rest)
            rest = rest[column.nbytes :]
        arrays = {name: _joined(fields) for name, fields in columns.items()}
    except (ArithmeticError, LookupError, RecursionError, TypeError) as error:
        raise ValueError(str(error)) from error
    if not isinstance(content, dict) or len(rest):
        raise ValueError("no record")
    return content | arrays


def matches(value: Any, pattern: Any) -> bool:
    """True if a record, or a part of it, matches a pattern.

    A type matches values of that type, ``"iu1"`` arrays of these kinds and one dimension, ``[p]``
    lists of p, ``{str: p}`` dicts of p, another dict just these keys, a tuple any of its patterns.
    """
    if isinstance(pattern, str):
        is_array = isinstance(value, np.ndarray) and value.ndim == int(pattern[-1])
        return is_array and value.dtype.kind in pattern
    if isinstance(pattern, tuple):
        return any(matches(value, choice) for choice in pattern)
    if isinstance(pattern, list):
        return isinstance(value, list) and all(matches(item, pattern[0]) for item in value)
    if not isinstance(pattern, dict):
        return type(value) is pattern
    if not isinstance(value, dict):
        return False
    if str in pattern:
        return all(matches(item, pattern[str]) for item in value.values())
    return value.keys() == pattern.keys() and all(
        matches(value[name], part) for name, part in pattern.items()
    )


def _array(dtype: str, shape: list[int], data: memoryview) -> AnyArray:
    if not _DTYPE.fullmatch(dtype) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"no array: {dtype}, {shape}")
    array = np.frombuffer(data, np.dtype(dtype), math.prod(shape)).reshape(shape)
    if array.dtype.kind == "U" and array.size:
        codes = np.frombuffer(data, f"{array.dtype.str[0]}u4", array.nbytes // 4)
        if codes.max() > _HIGHEST_CHARACTER:
            raise ValueError("no text")
    return array


def _joined(fields: dict[str, AnyArray]) -> AnyArray:
    """A structured array of named columns; a column without a name is returned as it is."""
    if list(fields) == [""]:
        return fields[""]
    (shape,) = {column.shape for column in fields.values()}
    dtype = [(name, column.dtype) for name, column in fields.items()]
    joined: AnyArray = np.empty(shape, dtype)
    for name, column in fields.items():
        joined[name] = column
    return joined


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


_APPLICATION_ID = 0x62626376  # "bbcv"
_FORMAT = 3
_TABLES = {
    "fits": "CREATE TABLE fits (part TEXT, repeat INTEGER, fold INTEGER, configuration TEXT, "
    "head TEXT, data BLOB, crc INTEGER, PRIMARY KEY (part, repeat, fold, configuration)) "
    "WITHOUT ROWID",
    "records": "CREATE TABLE records (name TEXT PRIMARY KEY, head TEXT, data BLOB, crc INTEGER) "
    "WITHOUT ROWID",
}
_TYPES = {"fits": (str, int, int, str, str, bytes, int), "records": (str, str, bytes, int)}
# More than our tables need: a foreign schema is parsed before it can be compared.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_COLUMN: 20,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
}
_DEFENSIVE = 1010  # SQLITE_DBCONFIG_DEFENSIVE
_STEPS_BETWEEN_SIGNALS = 100_000
_DAMAGED = "the file is damaged"
_BUSY = "another process is using it; wait until that has ended, or take another path"
_NO_LOCKS = "its file system cannot lock files, so two runs could mix; take a path on another one"
_REASONS = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": "this process is already using it",
    "SQLITE_FULL": "the disk is full; everything stored so far is kept, so free some space and "
    "make the same call again",
    "SQLITE_READONLY": "it cannot be written; everything stored so far is kept",
    "SQLITE_IOERR_LOCK": "it cannot be locked for writing, as if it were read-only; everything "
    "stored so far is kept",
    "SQLITE_CANTOPEN": "it cannot be opened; the directory must exist and be writable",
    "SQLITE_NOTADB": "it is not a bbc store",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_IOERR": "the disk cannot be read or written; everything stored so far is kept",
}


class SealedFile:
    """An open file of sealed rows, locked while it is open, and created unless `read_only`."""

    def __init__(self, path: str | PathLike[str], *, read_only: bool) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise TypeError(
                f"the path of a store must be text or a path, got {type(path).__name__}"
            )
        self.path = os.fsdecode(path)
        self.read_only = read_only
        self._absolute = os.path.abspath(self.path)  # a learner may change the directory
        self._is_made = self._make()
        try:
            with self.clear_errors():
                self.connection = _connect(self._absolute, "ro" if read_only else "rw")
                try:
                    self._open()
                except BaseException:
                    self.connection.close()
                    raise
        except StoreError as error:
            is_busy = _BUSY in str(error)
            if is_busy and _can_lock(os.path.dirname(self._absolute)):
                raise
            self._remove_if_made()
            if is_busy:
                raise self.error(_NO_LOCKS) from error
            raise
        found = os.stat(self._absolute)
        self._identity = found.st_dev, found.st_ino

    def close(self, *, keep: bool = True) -> None:
        """Write everything to the one file and close it; or remove it, if it was created here."""
        try:
            if not self.read_only:
                # Without its log the file can be read from read-only places. If this fails, the log
                # stays beside the file until it is opened again.
                with suppress(sqlite3.Error):
                    self.connection.execute("PRAGMA journal_mode = DELETE")
            if not keep:  # while the lock is held
                self._remove_if_made()
        finally:  # also after Ctrl-C
            self.connection.close()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Return what a query finds."""
        with self.clear_errors():
            return self.connection.execute(query, values).fetchall()

    def put(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Write rows, whose last values are bytes, in one transaction."""
        sealed = [(*row, checksum(*row)) for row in rows]
        verb = "INSERT" if table == "fits" else "INSERT OR REPLACE"
        marks = ", ".join("?" * len(_TYPES[table]))
        with self.clear_errors(), self.connection:
            self.connection.executemany(f"{verb} INTO {table} VALUES ({marks})", sealed)

    def check_in_place(self) -> None:
        """Refuse to write into a file that was deleted or replaced: SQLite would."""
        found = None
        with suppress(OSError):
            found = os.stat(self._absolute)
        if found is None or (found.st_dev, found.st_ino) != self._identity:
            raise self.error(
                "the file was deleted, moved or replaced while in use; put it back if you can, and "
                "make the same call again"
            )

    def error(self, reason: str) -> StoreError:
        """Return an error that names the file."""
        return StoreError(f"store {self.path!r}: {printable(reason)}")

    def damaged(self, place: object = "") -> StoreError:
        """Return the error of a file with content that no run wrote."""
        return self.error(_DAMAGED + (f" ({place})" if str(place) else ""))

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into StoreErrors."""
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            if name == "SQLITE_INTERRUPT":  # the progress handler let Ctrl-C in
                raise KeyboardInterrupt from error
            known = (text for start, text in _REASONS.items() if name.startswith(start))
            raise self.error(next(known, str(error))) from error
        except (SystemError, UnicodeError) as error:  # damaged text in messages of SQLite
            raise self.damaged() from error

    def _make(self) -> bool:
        """Create an empty file if there is none; refuse paths of anything else."""
        if "\0" in self.path or self.path == ":memory:" or self.path[-1:] in ("", os.sep):
            raise self.error("it is not the path of a file")
        try:
            mode = os.stat(self._absolute).st_mode if os.path.lexists(self._absolute) else None
            if mode is None and not self.read_only:
                os.close(os.open(self._absolute, os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:  # by another process
            return False
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self.error(f"{_REASONS['SQLITE_CANTOPEN']} ({reason})") from error
        if mode is None and self.read_only:
            raise self.error("there is no such file")
        if mode is not None and stat.S_ISDIR(mode):
            raise self.error("it is a directory; name a file in it")
        if mode is not None and not stat.S_ISREG(mode):
            raise self.error("it is not a regular file")
        return mode is None

    def _remove_if_made(self) -> None:
        if self._is_made:
            with suppress(OSError):
                os.unlink(self._absolute)

    def _open(self) -> None:
        """Lock the file, then create its tables or check the existing ones."""
        run = self.connection.execute
        if not self.read_only:
            run("PRAGMA locking_mode = EXCLUSIVE")
            run("BEGIN EXCLUSIVE")
        mark = run("PRAGMA application_id").fetchone() + run("PRAGMA user_version").fetchone()
        is_empty = run("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        if self.read_only or not is_empty or mark != (0, 0):
            self._check(*mark)
        else:
            for statement in _TABLES.values():
                run(statement)
            run(f"PRAGMA application_id = {_APPLICATION_ID}")
            run(f"PRAGMA user_version = {_FORMAT}")
        if not self.read_only:
            self.connection.commit()
            run("PRAGMA journal_mode = WAL")
            # A killed process loses nothing; a power cut can cost the last fits.
            run("PRAGMA synchronous = NORMAL")

    def _check(self, application: int, version: int) -> None:
        """Refuse files that are not stores, of another format, or damaged."""
        if application != _APPLICATION_ID:
            raise self.error(_REASONS["SQLITE_NOTADB"])
        if version != _FORMAT:
            raise StoreError(
                f"store {self.path!r} has format {version}; this version of bbc reads {_FORMAT}, "
                "so finish it with the version that began it, or take another path"
            )
        schema = self.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
        if schema != [("table", name, name, sql) for name, sql in _TABLES.items()]:
            raise self.damaged("its tables are not those of a store")
        if self.rows("PRAGMA integrity_check(1)") != [("ok",)]:
            raise self.damaged()
        for table, types in _TYPES.items():
            for row in self.connection.execute(f"SELECT * FROM {table}"):
                if tuple(map(type, row)) != types or row[-1] != checksum(*row[:-1]):
                    raise self.damaged(f"a row of {table}")


def checksum(*row: Any) -> int:
    """The check sum of a row, whose last value is bytes."""
    *words, data = row
    return zlib.crc32(data, zlib.crc32(repr(words).encode("utf-8", "surrogatepass")))


def _connect(path: str, mode: str) -> sqlite3.Connection:
    # With timeout 0 a store in use is refused at once.
    uri = f"file:{quote(os.fsencode(path))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=0.0)
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    if hasattr(connection, "setconfig"):  # Python 3.12
        connection.setconfig(_DEFENSIVE, True)
    connection.set_progress_handler(lambda: 0, _STEPS_BETWEEN_SIGNALS)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _can_lock(folder: str) -> bool:
    import fcntl

    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
