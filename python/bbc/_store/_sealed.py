"""A file of entries with check sums, to which a run only appends.

Nothing beside the file is read, written or deleted. It begins with a line that names its format;
then come units, each a header, JSON with the keys of its entries, and raw arrays. A unit is written
at once, so that a killed process leaves at most an incomplete one at the end, which the next run
cuts off: every beginning of a store is a store, and so is a copy that was made while a run wrote.
Entries are JSON and raw arrays: reading one runs nothing that came with it.
"""

import errno
import io
import json
import math
import os
import re
import stat
import struct
import sys
import time
import weakref
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Any, NamedTuple

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


_TITLE = b"bbc store, format "
_FORMAT = 4
_FIRST_LINE = _TITLE + b"%d\n" % _FORMAT
# Of a unit: when it was saved, bytes of text and of data, the check sum of both; then its own.
_HEADER = struct.Struct("<dQQII")
_OWN_SUM = 4
_YEAR_10000 = 253_402_300_800
_FIRST_UNITS = 3
_SECONDS_BETWEEN_SYNCS = 60.0
_DAMAGED = "the file is damaged"
_KEPT = "everything stored so far is kept"
_REASONS = {
    errno.ENOSPC: f"the disk is full; {_KEPT}, so free some space and make the same call again",
    errno.EDQUOT: f"the disk quota is used up; {_KEPT}, so free some space and make the same call "
    "again",
    errno.EIO: f"the disk cannot be read or written; {_KEPT}",
}
_READ_ONLY = f"it cannot be written; {_KEPT}"
_BUSY = "another process, or this one, is using it; wait until that has ended, or take another path"
_NO_LOCKS = "its file system cannot lock files, so two runs could mix; take a path on another one"
_NO_PLACE = "it cannot be opened; the directory must exist and be writable"

_KEYS = ((str,), (str, int, int, str))
#: The name of a record; or the part, repeat, fold and digest of the configuration of a fit.
Key = str | tuple[str, int, int, str]


class _Unit(NamedTuple):
    saved: float
    end: int
    entries: dict[Key, tuple[str, bytes]]


class SealedFile:
    """An open file of entries, each a text and bytes by a key; created unless `read_only`.

    The later of two entries of a name is valid. Of what cannot be written, only `put` complains.

    Attributes
    ----------
    path : str
        As passed.
    is_writable : bool
        False where `read_only`, and where the system says so.
    saved : float or None
        Seconds since 1970 at which the last unit was written.
    """

    def __init__(self, path: str | PathLike[str], *, read_only: bool) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise TypeError(
                f"the path of a store must be text or a path, got {type(path).__name__}"
            )
        self.path = os.fsdecode(path)
        self.saved: float | None = None
        self._absolute = os.path.abspath(self.path)  # a learner may change the directory
        self._place_of: dict[Key, int] = {}
        self._n_written, self._synced = 0, time.monotonic()
        self._is_made, self.is_writable = False, not read_only
        self._file = self._opened()
        _OPEN.add(self)
        try:
            with self.clear_errors():
                self._identity = _identity(os.fstat(self._file.fileno()))
                if self.is_writable:
                    self._lock()
                self._read()
        except BaseException:
            self.close(keep=False)
            raise

    def close(self, *, keep: bool = True) -> None:
        """Close the file; or remove it, if it was created here."""
        if self._file.closed:
            return
        try:
            if self._n_written:
                with suppress(OSError):
                    os.fsync(self._file.fileno())
            if self._is_made and not keep:  # while it is locked
                with suppress(StoreError, OSError):
                    self._check_in_place()
                    os.unlink(self._absolute)
        finally:  # also after Ctrl-C
            if self.is_writable:
                with suppress(OSError):
                    _unlock(self._file)
            self._file.close()

    def __iter__(self) -> Iterator[Key]:
        """Iterate over the keys of all entries, in the order of their first units."""
        return iter(self._place_of)

    def get(self, key: Key) -> tuple[str, bytes] | None:
        """Return the text and the bytes of an entry, or None."""
        if key not in self._place_of:
            return None
        with self.clear_errors():
            unit = self._unit(self._place_of[key])
        if unit is None or key not in unit.entries:
            raise self.error("the file was changed while in use")
        return unit.entries[key]

    def put(self, entries: Mapping[Key, tuple[str, bytes]]) -> None:
        """Append entries as one unit, which the file has whole or not at all."""
        self.check_writable()
        heads = [(key, head, len(data)) for key, (head, data) in entries.items()]
        text = json.dumps(heads).encode()
        content = text + b"".join(data for _, data in entries.values())
        start, now = self._end, time.time()
        with self.clear_errors():
            self._check_in_place()
            self._append(_header(now, len(text), content) + content)
            self._n_written += 1
            since = time.monotonic() - self._synced
            if self._n_written <= _FIRST_UNITS or since > _SECONDS_BETWEEN_SYNCS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        self._place_of.update(dict.fromkeys(entries, start))
        self.saved = now

    def check_writable(self) -> None:
        """Refuse to go on where nothing can be stored."""
        if not self.is_writable:
            raise self.error(_READ_ONLY)

    def error(self, reason: str) -> StoreError:
        """Return an error that names the file."""
        return StoreError(f"store {self.path!r}: {printable(reason)}")

    def damaged(self, place: object = "") -> StoreError:
        """Return the error of a file with content that no run wrote."""
        return self.error(_DAMAGED + (f" ({place})" if str(place) else ""))

    @contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Turn errors of the system into StoreErrors."""
        try:
            yield
        except OSError as error:
            reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
            raise self.error(reason) from error

    def _opened(self) -> io.FileIO:
        """Open the file, which is made if it may be; refuse paths of anything else."""
        if "\0" in self.path or self.path[-1:] in ("", os.sep):
            raise self.error("it is not the path of a file")
        try:
            mode = os.stat(self._absolute).st_mode if os.path.lexists(self._absolute) else None
            if mode is not None and stat.S_ISDIR(mode):
                raise self.error("it is a directory; name a file in it")
            if mode is not None and not stat.S_ISREG(mode):  # opening a pipe would wait
                raise self.error("it is not a regular file")
            if mode is None and self.is_writable:
                made = io.FileIO(self._absolute, "x+")
                self._is_made = True
                return made
            if mode is None:
                raise self.error("there is no such file")
            if self.is_writable:
                try:
                    return io.FileIO(self._absolute, "r+")
                except OSError as error:
                    if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                        raise
            self.is_writable = False
            return io.FileIO(self._absolute, "r")
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self.error(f"{_NO_PLACE} ({reason})") from error

    def _lock(self) -> None:
        """Lock the file until it is closed; a killed process leaves no lock behind."""
        try:
            _lock(self._file)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise self.error(_NO_LOCKS) from error
            self._is_made = False  # a run that was quicker has it
            raise self.error(_BUSY) from error
        self._check_in_place()  # it may have been removed before it was locked

    def _read(self) -> None:
        """Check all units and note where their entries are; begin a file that is empty."""
        size = os.fstat(self._file.fileno()).st_size
        line = self._bytes(0, len(_FIRST_LINE))
        self._end = len(_FIRST_LINE) if line == _FIRST_LINE else 0
        if not self._end and not _FIRST_LINE.startswith(line):
            version = re.match(re.escape(_TITLE) + rb"(\d+)\n", line + self._bytes(len(line), 20))
            if version is None:
                raise self.error("it is not a bbc store")
            raise StoreError(
                f"store {self.path!r} has format {int(version[1])}; this version of bbc reads "
                f"{_FORMAT}, so finish it with the version that began it, or take another path"
            )
        while self._end and (unit := self._unit(self._end)) is not None:
            if any(isinstance(key, tuple) and key in self._place_of for key in unit.entries):
                raise self._damaged_at(self._end)
            self._place_of.update(dict.fromkeys(unit.entries, self._end))
            self._end, self.saved = unit.end, unit.saved
        if self.is_writable and self._end != size:  # its process was killed while it wrote
            self._file.truncate(self._end)
        if self.is_writable and not self._end:
            self._append(_FIRST_LINE)

    def _unit(self, start: int) -> _Unit | None:
        """The unit that begins at a place, or None where the file ends before the unit does."""
        head = self._bytes(start, _HEADER.size)
        if len(head) < _HEADER.size:
            return None
        saved, n_text, n_data, check, own = _HEADER.unpack(head)
        if own != zlib.crc32(head[:-_OWN_SUM]):
            raise self._damaged_at(start)
        end = start + _HEADER.size + n_text + n_data
        if end > os.fstat(self._file.fileno()).st_size:  # first: a forged length takes no memory
            return None
        content = self._bytes(start + _HEADER.size, n_text + n_data)
        try:
            if check != zlib.crc32(content) or not 0 <= saved < _YEAR_10000:
                raise ValueError("a check sum or a time")
            return _Unit(saved, end, _entries(content, n_text))
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            raise self._damaged_at(start) from error

    def _damaged_at(self, place: int) -> StoreError:
        hint = f"; its first {place} bytes are an intact store" if self._place_of else ""
        return self.damaged(f"from byte {place} on{hint}")

    def _bytes(self, start: int, size: int) -> bytes:
        """The bytes from a place on; fewer where the file ends."""
        self._file.seek(start)
        pieces = []
        while size and (piece := self._file.read(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _append(self, content: bytes) -> None:
        """Write at the end, all or nothing."""
        self._file.seek(self._end)
        rest = memoryview(content)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except BaseException:  # also Ctrl-C
            self._file.truncate(self._end)
            raise
        self._end += len(content)

    def _check_in_place(self) -> None:
        """Refuse a file that was deleted, moved or replaced: what is written would be lost."""
        found = None
        with suppress(OSError):
            found = os.stat(self._absolute)
        if found is None or _identity(found) != self._identity:
            raise self.error(
                "the file was deleted, moved or replaced while in use; put it back if you can, and "
                "make the same call again"
            )


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _header(saved: float, n_text: int, content: bytes) -> bytes:
    head = _HEADER.pack(saved, n_text, len(content) - n_text, zlib.crc32(content), 0)[:-_OWN_SUM]
    return head + zlib.crc32(head).to_bytes(_OWN_SUM, "little")


def _entries(content: bytes, n_text: int) -> dict[Key, tuple[str, bytes]]:
    """The entries of a unit, or a ValueError or the like."""
    found: dict[Key, tuple[str, bytes]] = {}
    end = n_text
    for key, head, size in json.loads(content[:n_text], parse_constant=_refuse):
        kinds = (str,) if isinstance(key, str) else tuple(map(type, key))
        if kinds not in _KEYS or type(head) is not str or type(size) is not int or size < 0:
            raise ValueError("no entry")
        found[key if isinstance(key, str) else tuple(key)] = head, content[end : end + size]
        end += size
    if end != len(content):
        raise ValueError("the sizes of the entries")
    return found


# A process that was forked has the same lock, and would keep it when this one has ended.
_OPEN: "weakref.WeakSet[SealedFile]" = weakref.WeakSet()


def _close_in_child() -> None:
    for file in list(_OPEN):
        file._file.close()


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40  # a locked byte cannot be read by others

    def _lock(file: io.FileIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _unlock(file: io.FileIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    os.register_at_fork(after_in_child=_close_in_child)

    def _lock(file: io.FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: io.FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
