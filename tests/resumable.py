"""Learners that a run must know again: in a new process, with another order of sets.

python -m resumable FOLDER    # a store for each case in FOLDER; prints what each trained
"""

import enum
import functools
import json
import logging
import re
import sys
import threading
import warnings
from collections import deque
from dataclasses import dataclass
from os import environ
from pathlib import Path
from random import random, shuffle

import numpy as np
import pandas as pd
import polars as pl
from numpy.random import normal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bbc
from bbc.errors import BBCWarning
from instrumented import numbered_data

X, Y = numbered_data(24)
WORDS = {"north", "east", "south", "west"}
LOCK = threading.Lock()
LOG = logging.getLogger(__name__)
PATTERN = re.compile("[ab]+")
COUNTS = {"fits": 0}


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Side(enum.Flag):
    LEFT = 1
    RIGHT = 2


@dataclass
class Options:
    tags: frozenset = frozenset({"a", "b", "c"})
    colour: Colour = Colour.RED


def holds_a_set(X):
    return X if "a" in {"a", "b", "c", "d"} and "b" in WORDS | {"b"} else -X


def itself(X, depth=2):
    return X if depth == 0 else itself(X, depth - 1)


def even(X, n=4):
    return X if n == 0 else odd(X, n - 1)


def odd(X, n=3):
    return -X if n == 0 else even(X, n - 1)


def inner():
    def loop(X, n=2):
        return X if n == 0 else loop(X, n - 1)

    return loop


@functools.cache
def cached(n):
    return n + 1


def with_machinery(X):
    with LOCK:
        LOG.debug("%s", PATTERN.pattern)
    return X * cached(0)


class Slots:
    __slots__ = ("kept",)

    def __init__(self):
        self.kept = 1


SLOTS = Slots()


def with_packages(X):
    """Refers to what packages hold for the process: generators, the environment."""
    if len(X) < 0:
        random(), shuffle([]), normal(), environ.get("HOME"), SLOTS.kept  # noqa: NPY002
    return X if Side.LEFT | Side.RIGHT else -X


class Loop:
    """Holds itself, and a set of what has no order."""

    def __init__(self):
        self.own = self
        self.kinds = {Colour.RED, Colour.BLUE}
        self.last = deque([1, 2], maxlen=3)
        self.options = Options()

    def __call__(self, X):
        return X


class Counting(ClassifierMixin, BaseEstimator):
    """Changes what it refers to, as caches and counters do; and cannot be pickled."""

    seen: list = []  # noqa: RUF012
    n_fits = 0

    def __init__(self, C=1.0):
        self.C = C
        self.lock = threading.Lock()

    def fit(self, X, y):
        Counting.n_fits += 1
        COUNTS["fits"] += 1
        self.seen.append(len(X))
        self.model_ = LogisticRegression(C=self.C).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def __sklearn_tags__(self):
        return super().__sklearn_tags__()


def transformed(function):
    return make_pipeline(FunctionTransformer(function), LogisticRegression())


def frame():
    days = pd.date_range("2020-01-01", periods=24, tz="Europe/Berlin")
    return pd.DataFrame(
        {
            "x": X[:, 1],
            "kind": pd.Categorical(np.where(Y, "b", "a"), ["b", "a", "c"]),
            "whole": pd.array([1, None] * 12, dtype="Int64"),
            "text": [f"row {row}" for row in range(24)],
            "day": days,
            "mixed": [1, "a", None, 2.5] * 6,
        },
        index=pd.Index(range(7, 31), name="row"),
    )


def first_column(X):
    return np.asarray(X["x"] if hasattr(X, "columns") else X[:, 1]).reshape(-1, 1)


CASES = {
    "a set literal": (transformed(holds_a_set), X),
    "a function that refers to itself": (transformed(itself), X),
    "two functions that refer to each other": (transformed(even), X),
    "an inner function that refers to itself": (transformed(inner()), X),
    "locks, loggers, patterns, caches": (transformed(with_machinery), X),
    "what packages hold": (transformed(with_packages), X),
    "an object that holds itself": (transformed(Loop()), X),
    "partial and bound methods": (transformed(functools.partial(Loop().__call__)), X),
    "counters": (Counting(), X),
    "a frame": (transformed(first_column), frame()),
    "a polars frame": (transformed(first_column), pl.DataFrame({"x": X[:, 1]})),
    "a sparse matrix": (LogisticRegression(), sparse.csr_array(X)),
    "a masked array": (transformed(first_column), np.ma.masked_array(X, X > 1e9)),
}


def search(case, store):
    estimator, data = CASES[case]
    return bbc.CVT(estimator, cv=3, refit=False, store=store, random_state=1).fit(data, Y)


def main():
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore", BBCWarning)
    done = {}
    for case in CASES:
        fitted = search(case, folder / f"{case}.bbc")
        done[case] = fitted.n_models_trained_ - fitted.n_models_from_store_
    print(json.dumps(done))


if __name__ == "__main__":
    main()
