"""Run studies: cell after cell in worker processes, each kept as soon as it is done."""

import csv
import math
import multiprocessing
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from ._study import Cell, Row, Study


def run_study(
    study: Study, folder: Path, *, quick: bool, n_jobs: int, deadline: float = math.inf
) -> None:
    """Run what is missing of a study.

    No setting is begun after the deadline, a time of `time.perf_counter`. The error of a setting is
    raised when all others are done and kept.
    """
    path = folder / f"{study.name}.csv"
    cells = study.cells(quick)
    rows = _of_cells(cells, read(path))
    done = {_identity(cell, row) for cell in cells[:1] for row in rows}
    left = [cell for cell in cells if _identity(cell, cell) not in done]
    missing = [cell for cell in left if study.runs_here(cell)]
    start = time.perf_counter()
    waiting = takewhile(lambda _: time.perf_counter() < deadline, missing)
    n_done = len(cells) - len(left)
    failures: list[BaseException] = []
    with ProcessPoolExecutor(n_jobs, multiprocessing.get_context("fork")) as pool:
        running = {pool.submit(study.run, cell, quick) for cell in islice(waiting, n_jobs)}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                if error := future.exception():
                    failures.append(error)
                else:
                    rows += future.result()
                    n_done += 1
            write(path, rows)
            _progress(study, n_done, len(cells), start)
            running |= {
                pool.submit(study.run, cell, quick) for cell in islice(waiting, len(finished))
            }
    write(path, _of_cells(cells, read(path)))
    if failures:
        raise RuntimeError(f"{study.name}: {len(failures)} settings failed") from failures[0]


def _progress(study: Study, n_done: int, n_cells: int, start: float) -> None:
    """One line, kept up to date on a terminal; only the last one in a log."""
    last = n_done == n_cells
    if last or sys.stderr.isatty():
        seconds = time.perf_counter() - start
        line = f"{study.name}: {n_done} of {n_cells} settings, {seconds:.0f} s"
        print(f"\r{line}", end="\n" if last else "", file=sys.stderr, flush=True)


def settings_kept(study: Study, folder: Path) -> tuple[int, int]:
    """How many of a study's settings at full size are in the folder, and how many there are."""
    cells = study.cells(False)
    rows = _of_cells(cells, read(folder / f"{study.name}.csv"))
    return len({_identity(cells[0], row) for row in rows}), len(cells)


def _identity(keys: Cell, row: Cell) -> tuple[str, ...]:
    # As the file has them: 0.0 is written as 0 and read as an integer.
    return tuple(str(_text(row[key])) for key in keys)


def _of_cells(cells: Sequence[Cell], rows: list[Row]) -> list[Row]:
    """The rows that belong to the cells, in their order."""
    order = {_identity(cell, cell): place for place, cell in enumerate(cells)}
    known = [row for row in rows if _identity(cells[0], row) in order]
    return sorted(known, key=lambda row: order[_identity(cells[0], row)])


def read(path: Path) -> list[Row]:
    """Rows of a CSV file, numbers as numbers; none if there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def write(path: Path, rows: Iterable[Row]) -> None:
    """Replace a CSV file in one step, so that an interruption leaves the last good one."""
    rows = list(rows)
    if not rows:
        return
    new = path.with_suffix(".tmp")
    with new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: _text(value) for key, value in row.items()})
    new.replace(path)


def _text(value: Any) -> Any:
    return (
        f"{value:.6g}" if isinstance(value, float | int) and not isinstance(value, bool) else value
    )


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
