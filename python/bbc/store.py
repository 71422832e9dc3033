"""A file that keeps every finished fit, so that a run can stop at any moment and go on.

SQLite, one transaction per fit. Arrays are kept as raw bytes with their type and shape, and
everything else as JSON: reading a store never runs code that came with it. Every row carries a
check sum, so that a damaged byte is an error and never another number. The file is locked while a
run has it open; the lock is the system's, so a killed run leaves none behind.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike, fspath
from types import TracebackType
from typing import Any, NamedTuple, Self

from ._names import difference
from ._sealed import checksum, decoded, encoded, sealed
from ._typing import AnyArray
from .errors import StoreError

__all__ = ["FitKey", "Store", "StoredFit"]

_APPLICATION_ID = 0x62626376  # "bbcv"
_FORMAT = 2
_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL, crc INT NOT NULL) WITHOUT ROWID;
CREATE TABLE arrays (name TEXT PRIMARY KEY, dtype TEXT NOT NULL, shape TEXT NOT NULL,
    data BLOB NOT NULL, crc INT NOT NULL) WITHOUT ROWID;
CREATE TABLE parts (name TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE fits (id INTEGER PRIMARY KEY, part TEXT NOT NULL, repeat INTEGER NOT NULL,
    fold INTEGER NOT NULL, configuration INTEGER NOT NULL, fit_time REAL NOT NULL,
    score_time REAL NOT NULL, method TEXT NOT NULL, error TEXT NOT NULL, crc INT NOT NULL,
    UNIQUE (part, repeat, fold, configuration));
CREATE TABLE outputs (fit INTEGER NOT NULL REFERENCES fits (id), name TEXT NOT NULL,
    dtype TEXT NOT NULL, shape TEXT NOT NULL, data BLOB NOT NULL, crc INT NOT NULL,
    PRIMARY KEY (fit, name)) WITHOUT ROWID;
"""
_REASONS = {
    "SQLITE_BUSY": "another process is using it; wait until that has ended, or take another path",
    "SQLITE_LOCKED": "this process is already using it",
    "SQLITE_FULL": "the disk is full; everything stored so far is kept, so free some space and "
    "make the same call again",
    "SQLITE_READONLY": "it cannot be written; everything stored so far is kept",
    "SQLITE_IOERR_LOCK": "it cannot be locked for writing, as if it were read-only; everything "
    "stored so far is kept",
    "SQLITE_CANTOPEN": "it cannot be opened; the directory must exist and be writable",
    "SQLITE_NOTADB": "it is not a bbc store",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_IOERR": "the disk cannot be read or written; everything stored so far is kept",
}


class FitKey(NamedTuple):
    """What a fit is stored under; `part` tells apart the loops of one run."""

    part: str
    repeat: int
    fold: int
    configuration: int


@dataclass(frozen=True)
class StoredFit:
    """What one fit left behind.

    Attributes
    ----------
    outputs : dict of str to array
        Its predictions for the rows of its fold.
    fit_time, score_time : float
        Seconds.
    method : str
        The estimator's method that gave the scores; empty without scores.
    error : str
        Why the fit failed; empty if it did not.
    """

    outputs: Mapping[str, AnyArray] = field(default_factory=dict)
    fit_time: float = 0.0
    score_time: float = 0.0
    method: str = ""
    error: str = ""


class Store:
    """An open store; nobody else can open it until it is closed.

    Parameters
    ----------
    path : str or path-like
        The file.
    read_only : bool, default=False
        Only look at an existing store.

    Raises
    ------
    StoreError
        If the file is no store, is in use, or cannot be read or written.

    Examples
    --------
    >>> import os, tempfile
    >>> from bbc.store import FitKey, Store, StoredFit
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "a.bbc")) as store:
    ...     store.start({"grid": ["C=1", "C=2"]}, {})
    ...     store.save(FitKey("cv", 0, 0, 1), StoredFit(fit_time=0.5))
    ...     list(store.fits("cv"))
    [FitKey(part='cv', repeat=0, fold=0, configuration=1)]
    """

    def __init__(self, path: str | PathLike[str], *, read_only: bool = False) -> None:
        self.path = fspath(path)
        if os.path.isdir(self.path):
            raise StoreError(f"store {self.path!r}: it is a directory; name a file in it")
        if read_only and not os.path.exists(self.path):
            raise StoreError(f"store {self.path!r}: there is no such file")
        self._read_only = read_only
        with self._clear_errors():
            self._connection = _connect(self.path, "ro" if read_only else "rwc")
            try:
                self._check() if read_only else self._claim()
            except BaseException:
                self._connection.close()
                raise
        found = os.stat(self.path)
        self._file = found.st_dev, found.st_ino

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write everything to the one file and let others in."""
        try:
            if not self._read_only:
                # Without its log the file can be read from read-only places. If that fails, the log
                # stays beside the file, and the next to open it takes it over.
                with suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA journal_mode = DELETE")
        finally:  # Ctrl-C may come between
            self._connection.close()

    @property
    def is_new(self) -> bool:
        """Whether no run has been started in it."""
        return self.fact("identity") is None

    def fact(self, name: str) -> Any:
        """Return what is kept under a name, or None."""
        row = self._row("SELECT value, crc FROM facts WHERE name = ?", name)
        if row is None:
            return None
        self._compare(row[-1], name, row[0])
        try:
            return json.loads(row[0])
        except (TypeError, ValueError) as error:
            raise self._damaged() from error

    def keep(self, facts: Mapping[str, Any]) -> None:
        """Keep JSON values under their names."""
        with self._clear_errors(), self._connection:
            self._put_facts(facts)

    def start(
        self,
        identity: Mapping[str, Any],
        arrays: Mapping[str, AnyArray],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin a run, or go on with it.

        Parameters
        ----------
        identity : dict of str to JSON value
            What must be the same for stored fits to count. A difference is refused and named.
        arrays : dict of str to array
            What is needed to use the fits without the caller: kept with a new run.
        facts : dict of str to JSON value, optional
            The same for values; a new run has all of it or was never begun.
        """
        stored = self.fact("identity")
        if stored is None:
            with self._clear_errors(), self._connection:
                self._put_facts({"identity": dict(identity)} | dict(facts or {}))
                self._connection.executemany(
                    "INSERT INTO arrays VALUES (?, ?, ?, ?, ?)",
                    [sealed(name, *encoded(array)) for name, array in arrays.items()],
                )
            return
        if not isinstance(stored, dict):
            raise self._damaged()
        told = difference(stored, identity)
        if told:
            raise StoreError(f"store {self.path!r} holds another run: {told}")

    @property
    def arrays(self) -> list[str]:
        """Names of the kept arrays."""
        with self._clear_errors():
            return [row[0] for row in self._connection.execute("SELECT name FROM arrays")]

    @property
    def n_fits(self) -> int:
        """Number of finished fits, of all parts."""
        return int(self._row("SELECT count(*) FROM fits")[0])

    def array(self, name: str) -> AnyArray:
        """Return a kept array."""
        row = self._row("SELECT dtype, shape, data, crc FROM arrays WHERE name = ?", name)
        if row is None:
            raise StoreError(f"store {self.path!r} holds no array {name!r}")
        self._compare(row[-1], name, *row[:-1])
        return self._array(*row[:-1])

    def start_part(self, name: str, digest: str) -> None:
        """Begin or go on with a part, whose folds the digest identifies."""
        with self._clear_errors(), self._connection:
            row = self._connection.execute(
                "SELECT digest FROM parts WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                self._connection.execute("INSERT INTO parts VALUES (?, ?)", (name, digest))
        if row is not None and row[0] != digest:
            raise StoreError(
                f"store {self.path!r} holds another run: the folds of {name!r} differ "
                f"({row[0]} there, {digest} here)"
            )

    def fits(self, part: str) -> Iterator[FitKey]:
        """Yield the keys of a part's finished fits, in order."""
        with self._clear_errors():
            rows = self._connection.execute(
                "SELECT repeat, fold, configuration FROM fits WHERE part = ? "
                "ORDER BY repeat, fold, configuration",
                (part,),
            ).fetchall()
        yield from (FitKey(part, *row) for row in rows)

    def load(self, key: FitKey, n_rows: int | None = None) -> StoredFit:
        """Return a finished fit; unless it failed, it has predictions for `n_rows` rows."""
        with self._clear_errors():
            row = self._connection.execute(
                "SELECT id, fit_time, score_time, method, error, crc FROM fits "
                "WHERE part = ? AND repeat = ? AND fold = ? AND configuration = ?",
                key,
            ).fetchone()
            if row is None:
                raise KeyError(key)
            outputs = self._connection.execute(
                "SELECT name, dtype, shape, data, crc FROM outputs WHERE fit = ?", row[:1]
            ).fetchall()
        names = ",".join(sorted(str(output[0]) for output in outputs))
        self._compare(row[-1], *key, *row[1:-1], names)
        for output in outputs:
            self._compare(output[-1], *key, *output[:-1])
        fit = StoredFit({name: self._array(*rest) for name, *rest, _ in outputs}, *row[1:-1])
        lengths = {values.shape[:1] for values in fit.outputs.values()}
        whole = n_rows is None or bool(fit.error) or lengths == {(n_rows,)}
        if not (whole and _is_plain(fit)):
            raise StoreError(f"store {self.path!r}: {_REASONS['SQLITE_CORRUPT']} ({key})")
        return fit

    def save(self, key: FitKey, fit: StoredFit) -> None:
        """Keep a fit, in one transaction: after it, nothing can lose the fit."""
        row = (*key, float(fit.fit_time), float(fit.score_time), fit.method, fit.error)
        self._refuse_if_gone()
        with self._clear_errors(), self._connection:
            cursor = self._connection.execute(
                "INSERT INTO fits (part, repeat, fold, configuration, fit_time, score_time, "
                "method, error, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, checksum(*row, ",".join(sorted(fit.outputs)))),
            )
            outputs = [(name, *encoded(value)) for name, value in fit.outputs.items()]
            self._connection.executemany(
                "INSERT INTO outputs VALUES (?, ?, ?, ?, ?, ?)",
                [(cursor.lastrowid, *own, checksum(*key, *own)) for own in outputs],
            )

    def _refuse_if_gone(self) -> None:
        """Refuse to go on writing into a file that nobody can find any more: SQLite would."""
        there = None
        with suppress(OSError):
            there = os.stat(self.path)
        if there is None or (there.st_dev, there.st_ino) != self._file:
            raise StoreError(
                f"store {self.path!r}: the file was deleted, moved or replaced while in use; put "
                "it back if you can, and make the same call again"
            )

    def _claim(self) -> None:
        """Lock the file, then make the tables of a new one or check those of an old one."""
        run = self._connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        run("PRAGMA journal_mode = WAL")
        # A killed process loses nothing at this level; only a power cut can cost the last fits.
        run("PRAGMA synchronous = NORMAL")
        run("BEGIN EXCLUSIVE")
        empty = run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if empty:
            for statement in _SCHEMA.split(";"):
                run(statement)
            run(f"PRAGMA application_id = {_APPLICATION_ID}")
            run(f"PRAGMA user_version = {_FORMAT}")
        self._connection.commit()
        self._check()

    def _check(self) -> None:
        """Refuse what is no store, or one of another format."""
        run = self._connection.execute
        run("PRAGMA trusted_schema = OFF")
        if run("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
            raise StoreError(f"store {self.path!r}: {_REASONS['SQLITE_NOTADB']}")
        # An index that lost a fit: a run that goes on makes it again, but a look would miss it.
        if self._read_only and run("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise self._damaged()
        version = run("PRAGMA user_version").fetchone()[0]
        if version != _FORMAT:
            raise StoreError(
                f"store {self.path!r} has format {version}; this version of bbc reads {_FORMAT}"
            )

    def _row(self, query: str, *values: Any) -> Any:
        with self._clear_errors():
            return self._connection.execute(query, values).fetchone()

    def _put_facts(self, facts: Mapping[str, Any]) -> None:
        rows = [sealed(name, json.dumps(fact, allow_nan=False)) for name, fact in facts.items()]
        self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)

    def _compare(self, crc: Any, *row: Any) -> None:
        """Refuse a row that is not what was written."""
        if crc != checksum(*row):
            raise self._damaged()

    def _array(self, dtype: str, shape: str, data: bytes) -> AnyArray:
        try:
            return decoded(dtype, shape, data)
        except (TypeError, ValueError, SyntaxError) as error:
            raise self._damaged() from error

    def _damaged(self) -> StoreError:
        return StoreError(f"store {self.path!r}: {_REASONS['SQLITE_CORRUPT']}")

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            reason = next(
                (text for known, text in _REASONS.items() if name.startswith(known)), str(error)
            )
            raise StoreError(f"store {self.path!r}: {reason}") from error


def _connect(path: str, mode: str) -> sqlite3.Connection:
    from urllib.parse import quote

    # Transactions are begun here and nowhere else; timeout 0: a store in use is refused at once.
    return sqlite3.connect(f"file:{quote(path)}?mode={mode}", uri=True, timeout=0.0)


def _is_plain(fit: StoredFit) -> bool:
    """Whether times are numbers and texts are texts: SQLite keeps anything in any column."""
    numbers = isinstance(fit.fit_time, float) and isinstance(fit.score_time, float)
    return numbers and isinstance(fit.method, str) and isinstance(fit.error, str)
