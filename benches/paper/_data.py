"""Real data sets that need no download: scikit-learn's, and those of Debian's R packages."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

CACHE = Path(__file__).resolve().parents[2] / "build" / "paper-data"
# (R package, data set, outcome, R expression of the positive class)
FROM_R = {
    "spam": ("kernlab", "spam", "type", 'd$type == "spam"'),
    "letters": ("mlbench", "LetterRecognition", "lettr", "d$lettr %in% LETTERS[1:13]"),
    "satellite": ("mlbench", "Satellite", "classes", 'd$classes == "damp grey soil"'),
    "dna": ("mlbench", "DNA", "Class", 'd$Class == "ei"'),
}
NAMES = ("breast_cancer", "digits", *FROM_R)


class Data(NamedTuple):
    """Inputs and a binary truth."""

    X: np.ndarray
    y: np.ndarray


class Halves(NamedTuple):
    """The pool that sub-samples come from, and the hold-out that stands for the truth."""

    pool: Data
    held_out: Data


@cache
def available() -> tuple[str, ...]:
    """Names of the data sets that this machine has: all, if R and its packages are there."""
    return tuple(name for name in NAMES if name not in FROM_R or _export(name) is not None)


def load(name: str) -> Data:
    """Return a data set by name."""
    if name == "breast_cancer":
        return Data(*load_breast_cancer(return_X_y=True))
    if name == "digits":
        X, digit = load_digits(return_X_y=True)
        return Data(X, digit % 2)
    path = _export(name)
    if path is None:
        raise FileNotFoundError(f"data set {name} needs Rscript and its R package")
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return Data(table[:, :-1], table[:, -1].astype(np.int64))


def split(data: Data, seed: int = 0) -> Halves:
    """30 % pool and 70 % hold-out, stratified, as in papers 000 and 004."""
    rng = np.random.default_rng(seed)
    pool, held_out = [], []
    for label in np.unique(data.y):
        rows = rng.permutation(np.flatnonzero(data.y == label))
        end = round(0.3 * rows.size)
        pool.append(rows[:end])
        held_out.append(rows[end:])
    # Some files are sorted by class, and a part of the hold-out may stand for all of it.
    first, second = (rng.permutation(np.concatenate(rows)) for rows in (pool, held_out))
    return Halves(Data(data.X[first], data.y[first]), Data(data.X[second], data.y[second]))


def subset(pool: Data, n_rows: int, rng: np.random.Generator, rarest: int = 3) -> Data:
    """Rows drawn without replacement, again until the rarer class has enough of them."""
    while True:
        rows = rng.choice(pool.y.size, n_rows, replace=False)
        positives = int(pool.y[rows].sum())
        if min(positives, n_rows - positives) >= rarest:
            return Data(pool.X[rows], pool.y[rows])


def _export(name: str) -> Path | None:
    """The data set as numbers, the truth last; factors as the number of their level."""
    path = CACHE / f"{name}.csv"
    if path.exists():
        return path
    if shutil.which("Rscript") is None:
        return None
    CACHE.mkdir(parents=True, exist_ok=True)
    package, dataset, outcome, positive = FROM_R[name]
    unfinished = path.with_suffix(".tmp")
    script = (
        f'data(list = "{dataset}", package = "{package}"); d <- get("{dataset}"); '
        f'x <- data.matrix(d[setdiff(names(d), "{outcome}")]); '
        f'write.csv(cbind(x, y = as.integer({positive})), "{unfinished}", row.names = FALSE)'
    )
    done = subprocess.run(["Rscript", "-e", script], capture_output=True, check=False)
    if done.returncode or not unfinished.exists():
        return None
    return unfinished.replace(path)
