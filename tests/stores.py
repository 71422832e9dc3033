"""Stores as tests read and forge them, on small disks and in processes that die."""

import errno
import io
import os
from contextlib import closing
from unittest.mock import patch

from bbc._store._sealed import SealedFile


def entries_of(path):
    """All entries by their keys, each a text and bytes."""
    with closing(SealedFile(path, read_only=True)) as file:
        return {key: file.get(key) for key in file}


def forge(path, entries):
    """Write a store of these entries, with valid check sums."""
    path.unlink(missing_ok=True)
    with closing(SealedFile(path, read_only=False)) as file:
        for key, entry in entries.items():
            file.put({key: entry})


def is_fit(key):
    return isinstance(key, tuple)


def files(kind):
    """Within this context stores are files of a kind."""
    return patch("bbc._store._sealed.io.FileIO", kind)


class DyingFile(io.FileIO):
    """Ends its process in the write, cut or sync of a number; of a write, a part may be done."""

    left = -1
    run = 0

    def write(self, data):
        if self._is_last():
            super().write(data[: len(data) * (DyingFile.run % 4) // 4])
            os._exit(9)
        return super().write(data)

    def truncate(self, size=None):
        if self._is_last():
            os._exit(9)
        return super().truncate(size)

    def fileno(self):  # asked for to sync, among others
        if self._is_last():
            os._exit(9)
        return super().fileno()

    @staticmethod
    def _is_last():
        DyingFile.run += 1
        return DyingFile.run == DyingFile.left


class SmallDisk(io.FileIO):
    """A file for which a disk has `left` bytes; the last write before it is full is not whole."""

    left = 1 << 60

    def write(self, data):
        size = min(len(data), SmallDisk.left)
        if size == 0 and len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        SmallDisk.left -= size
        return super().write(data[:size])
