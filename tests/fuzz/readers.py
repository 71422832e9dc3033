"""Files that are damaged or from another hand: the documented error, or the number of the file.

    make fuzz-readers [MINUTES=10]

Each target takes bytes, asks the command line about them and compares what it says with what a
plain reader of our own makes of the same bytes. atheris steers the bytes if it is installed;
otherwise they are mutations of good files, drawn from a seed.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import inspect
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bbc
from bbc.cli import main as ask

_MISSING = {"", "NA", "NaN", "nan", "None", "null", "NULL"}
_ANALYSIS = ["--seed", "3", "--n-bootstraps", "40", "--confidence-level", "0.8", "--json"]
_OPTIONS = {"random_state": 3, "n_bootstraps": 40, "confidence_level": 0.8}


class DamageError(AssertionError):
    """A damaged file that is neither refused nor read as it is."""


def answer(words: list[str]) -> dict[str, Any] | None:
    """What a command says as JSON, or None if it refuses as documented."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = ask(words)
        except Exception as error:
            raise DamageError(f"{type(error).__name__}: {error}") from error
    if code == 0:  # a store in which nothing has finished has a summary and no document
        return dict(json.loads(out.getvalue() or "{}"))
    if code != 1 or out.getvalue() or "bbc: error: " not in err.getvalue():
        raise DamageError(f"code {code}, {out.getvalue()!r}, {err.getvalue()!r}")
    return None


def _column(cells: list[str]) -> np.ndarray:
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(cells)


def plain_table(data: bytes) -> dict[str, np.ndarray]:
    """The columns of a text table, read as plainly as can be."""
    text = data.decode("utf-8").removeprefix("\ufeff")
    header, *rows = [row for row in csv.reader(io.StringIO(text, "")) if row]
    return {name: _column([row[j] for row in rows]) for j, name in enumerate(header)}


class Readers:
    """The targets, and good files to start from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        simulated = bbc.simulate.auc(24, 3, random_state=1)
        self._y, self._scores = simulated.y.astype(int), simulated.predictions.round(4)
        rows = [["y", "c0", "c1", "c2"]]
        rows += [[t, *s] for t, s in zip(self._y.tolist(), self._scores.tolist(), strict=True)]
        self.wide = "".join(",".join(map(str, row)) + "\n" for row in rows).encode()
        estimate = bbc.correct(self._y, self._scores, metric="roc_auc", **_OPTIONS)
        self.estimate = estimate.estimate
        self.result = estimate.to_json().encode()
        self.store = self._store()
        self.parquet = self._parquet(rows)
        self.targets: dict[str, tuple[bytes, Callable[[bytes], bool]]] = {
            "wide": (self.wide, self.read_wide),
            "parquet": (self.parquet, self.read_parquet),
            "result": (self.result, self.read_result),
            "store": (self.store, self.read_store),
        }

    def _store(self) -> bytes:
        from sklearn.naive_bayes import GaussianNB

        path = self.folder / "good.bbc"
        grid = {"var_smoothing": [1e-9, 0.1, 1.0]}
        options = {"cv": 3, "scoring": "roc_auc", "random_state": 3}
        bbc.CVT(GaussianNB(), grid, store=path, **options).fit(self._scores, self._y)
        run = bbc.StoredRun(path)
        self.kept, self.run = bbc.correct(run), run
        return path.read_bytes()

    def _parquet(self, rows: list[list[Any]]) -> bytes:
        import pyarrow as pa
        from pyarrow import parquet

        columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
        path = self.folder / "good.parquet"
        parquet.write_table(
            pa.table({name: list(values) for name, values in columns.items()}), path
        )
        return path.read_bytes()

    def _written(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def said_of(self, data: bytes, suffix: str = ".csv") -> dict[str, Any] | None:
        """What the command line says about a table."""
        words = ["--truth", "y", "--metric", "roc_auc", *_ANALYSIS]
        return answer(["correct", self._written("table" + suffix, data), *words])

    def read_wide(self, data: bytes) -> bool:
        """Whether there is a number; if so, it is that of the cells as `plain_table` reads them."""
        said = self.said_of(data)
        if said is None:
            return False
        table = plain_table(data)
        y = table.pop("y")
        table.pop("", None)  # a column without a name is an index
        scores = np.stack([self._scores_of(column) for column in table.values()], axis=1)
        expected = bbc.correct(y, scores, metric="roc_auc", **_OPTIONS).estimate
        if said["estimate"] != expected:
            raise DamageError(f"estimate {said['estimate']}, of the cells as written {expected}")
        return True

    def _scores_of(self, column: np.ndarray) -> np.ndarray:
        if column.dtype.kind != "U":
            return column.astype(float)
        return np.array([np.nan if cell in _MISSING else float(cell) for cell in column.tolist()])

    def read_parquet(self, data: bytes) -> bool:
        """Whether there is a number; the format has no check sums, so any number may be right."""
        return self.said_of(data, ".parquet") is not None

    def read_result(self, data: bytes) -> bool:
        """Whether the text is a result, which then can be shown in every form."""
        path = self._written("result.json", data)
        return answer(["show", path, "--json"]) is not None

    def read_store(self, data: bytes) -> bool:
        """Whether a store can be read; if so, it is a beginning of the good one."""
        path = self._written("run.bbc", data)
        said = answer(["show", path, "--json"])
        if said is None:
            return False
        run, good = bbc.StoredRun(path), self.run
        there = ~np.isnan(run.fit_times)
        same = np.array_equal(run.fit_times[there], good.fit_times[there])
        if not (same and run.names == good.names and run.metrics == good.metrics):
            raise DamageError(run.summary())
        if run.is_complete and said.get("estimate") != self.kept.estimate:
            raise DamageError(f"{said.get('estimate')}, not {self.kept.estimate}")
        return True


# What means something to one of the formats, or nearly does; separated by spaces.
_WORDS = rb', " - . e 9 1e400 inf nan NA 0x1 1_0 { [ null 1e-320 \u0000 true 18446744073709551616'
_TOKENS = [*_WORDS.split(), b"\n", b"\r\n", b"\t", b" ", b"\0", b"\xff", b"\xef\xbb\xbf"]
_TOKENS += ["\uff11".encode(), "\u0661".encode()]  # other digits


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """The bytes with one to three damages."""
    for _ in range(int(rng.integers(1, 4))):
        place, kind = int(rng.integers(len(data) + 1)), int(rng.integers(7))
        before, after = data[:place], data[place:]
        token = _TOKENS[int(rng.integers(len(_TOKENS)))]
        if kind == 0:
            data = before + after[int(rng.integers(1, 9)) :]
        elif kind == 1:
            data = before + token + after
        elif kind == 2:
            data = before + token + after[len(token) :]
        elif kind == 3 and after:
            data = before + bytes([after[0] ^ (1 << int(rng.integers(8)))]) + after[1:]
        elif kind == 4:
            data = before + after[:60] + after
        elif kind == 5 and rng.random() < 0.2:
            data = before
        else:
            data = before + rng.bytes(int(rng.integers(1, 5))) + after[4:]
    return data


def damages(good: bytes, seed: int) -> Iterator[bytes]:
    """Endless mutations of a file."""
    rng = np.random.default_rng(seed)
    while True:
        yield mutated(good, rng)


def _by_atheris(readers: Readers, seconds: float) -> None:
    import atheris

    names = list(readers.targets)

    def one(data: bytes) -> None:
        if data:
            readers.targets[names[data[0] % len(names)]][1](data[1:])

    corpus = readers.folder / "corpus"
    corpus.mkdir()
    for number, name in enumerate(names):
        (corpus / name).write_bytes(bytes([number]) + readers.targets[name][0])
    for name in [name for name in sys.modules if name.startswith(("bbc.adapters", "bbc.cli"))]:
        for own, value in list(vars(sys.modules[name]).items()):
            if inspect.isfunction(value) and value.__module__ == name:
                setattr(sys.modules[name], own, atheris.instrument_func(value))
    atheris.Setup(["readers", str(corpus), f"-max_total_time={seconds:.0f}", "-max_len=60000"], one)
    atheris.Fuzz()


def main() -> int:
    """Command line: 0 if nothing but documented answers came."""
    parser = argparse.ArgumentParser(prog="fuzz.readers", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--atheris", action="store_true", help="steer the bytes by coverage")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        readers = Readers(Path(folder))
        if given.atheris:
            _by_atheris(readers, 60 * given.minutes)
            return 0
        streams = [
            (name, damages(good, given.seed), read)
            for name, (good, read) in readers.targets.items()
        ]
        end, read_of = time.monotonic() + 60 * given.minutes, dict.fromkeys(readers.targets, 0)
        n_files = 0
        while time.monotonic() < end:
            for name, stream, read in streams:
                data = next(stream)
                try:
                    read_of[name] += read(data)
                except DamageError:
                    Path("damaged-" + name).write_bytes(data)
                    raise
            n_files += 1
    print(f"{n_files} files of each kind; read all the same: {read_of}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
