"""BBCD with a store, killed at random moments and run again: nothing lost, same bits.

A trial kills a run up to three times, SIGKILL, SIGTERM and SIGINT in turns, each some milliseconds
after a random one of its steps; the run after that ends by itself. With SIGINT it is the
interrupted process itself that calls `fit` again. Every other trial trains on two threads.
"""

import itertools
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import bbc
from bbc.errors import StoreError

from .._tables import Line

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_MOST_KILLS = 3
# Children begin with everything imported.
_FORK = get_context("fork")
#: A fit: the configuration's number and the fold; and what a process did, in its order.
Key = tuple[int, int]
Deeds = list[tuple[str, Key]]


class Noted(ClassifierMixin, BaseEstimator):
    """Nearest centre in a random direction; notes what it begins and what it has predicted."""

    notes: ClassVar[Path]

    def __init__(self, number: int = 0, random_state: Any = None) -> None:
        self.number = number
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Any:
        missing = np.setdiff1d(np.arange(len(_Y)), X[:, 0].astype(int))
        self.first_ = int(missing[0]) if missing.size else -1
        self._note("begin")
        time.sleep(0.002)
        self.classes_ = np.unique(y)
        direction = np.random.default_rng(self.random_state).normal(size=X.shape[1] - 1)
        self.direction_ = direction + self.number % 5
        projected = X[:, 1:] @ self.direction_
        self.centre_ = np.mean([projected[y == label].mean() for label in self.classes_])
        return self

    def predict_proba(self, X: Any) -> Any:
        positive = 1 / (1 + np.exp(self.centre_ - X[:, 1:] @ self.direction_))
        self._note("end")
        return np.column_stack([1 - positive, positive])

    def _note(self, what: str) -> None:
        # One write, which survives the process.
        with Noted.notes.open("a", encoding="utf-8") as file:
            file.write(f"{what} {self.number} {self.first_}\n")


_Y = np.arange(80) % 2
_X = np.column_stack(
    [np.arange(80), np.random.default_rng(0).normal(0.25 * _Y[:, None], 1.0, (80, 4))]
)


def _run(store: Path | None, n_jobs: int) -> dict[str, Any]:
    """Fit; return everything that must not depend on who was killed, and the fits that did not."""
    with joblib.parallel_config("threading", n_jobs=n_jobs):
        fitted = bbc.BBCD(
            Noted(),
            {"number": list(range(12))},
            scoring="roc_auc",
            cv=8,
            n_bootstraps=100,
            dropping_level=0.8,
            min_predictions=30,
            store=store,
            random_state=7,
        ).fit(_X, _Y)
    return {
        "estimate": fitted.performance_.to_json(),
        "predictions": fitted.oos_predictions_.scores.tobytes(),
        "folds": fitted.oos_predictions_.folds[0],
        "dropped": fitted.dropped_.tolist(),
        "trained": fitted.n_models_trained_,
        "model": fitted.best_estimator_.predict_proba(_X).tobytes(),
        "from store": fitted.n_models_from_store_,
    }


class Kills:
    """Trials in a folder; signals are sent after steps that (seed, number) decides."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        Noted.notes = folder / "undisturbed.notes"
        self._undisturbed = _run(None, 1)

    def trial(self, number: int) -> Line:
        """Kill a run and let it go on; return what was found."""
        for attempt in itertools.count():
            line = self._trial(number, f"{self.seed} {number} {attempt}")
            if line["kills"] > 0:  # else every signal came too late
                return line
        raise AssertionError("count() ended")

    def _trial(self, number: int, seed: str) -> Line:
        rng = random.Random(seed)
        path = self.folder / f"{seed}.bbc"
        sent, n_jobs = SIGNALS[number % len(SIGNALS)], 1 + number // len(SIGNALS) % 2
        found, result = _Found(), None
        Noted.notes = path.with_suffix(".notes")
        Noted.notes.touch()
        n_kills = rng.randint(1, _MOST_KILLS)
        for kill in range(n_kills + 1):
            stored = self._stored(path)
            found.stored = len(stored)
            n_before = len(_lines())
            child, pipe = _start(path, n_jobs, goes_on=sent == signal.SIGINT and kill == n_kills)
            if kill < n_kills or sent == signal.SIGINT:
                n_left = 2 * (self._undisturbed["trained"] - len(stored))
                _wait_for_notes(n_before + rng.randint(0, n_left), child)
                time.sleep(rng.uniform(0, 0.004))
                os.kill(child.pid, sent)
            with suppress(EOFError):
                result = pipe.recv()
            child.join()
            found.kills += child.exitcode != 0 or (kill == n_kills and sent == signal.SIGINT)
            deeds = self._deeds(n_before)
            found.again += sum(what == "begin" and key in stored for what, key in deeds)
            if n_jobs == 1:
                found.lost += len(_surely_kept(deeds) - self._stored(path))
        if result is None:  # the last signal came before the call
            result = _run(path, n_jobs)
        own = {name: value for name, value in result.items() if name != "from store"}
        same = all(np.array_equal(own[name], self._undisturbed[name]) for name in own)
        return {
            "trial": number,
            "signal": sent.name,
            "n_jobs": n_jobs,
            "kills": found.kills,
            "stored_before_the_last_run": found.stored,
            "lost": found.lost,
            "trained_again": found.again,
            "same_bits": same,
        }

    def _deeds(self, n_before: int) -> Deeds:
        """What learners did since there were so many notes, but for final fits on all rows."""
        deeds: Deeds = []
        for line in _lines()[n_before:]:
            what, number, first = line.split()
            if int(first) >= 0:
                fold = int(self._undisturbed["folds"][int(first)])
                deeds.append((what, (int(number), fold)))
        return deeds

    def _stored(self, path: Path) -> set[Key]:
        """The fits in a store, as a copy of it shows them."""
        copy = self.folder / "copy" / path.name
        shutil.rmtree(copy.parent, ignore_errors=True)
        copy.parent.mkdir()
        for file in self.folder.glob(f"{path.name}*"):
            shutil.copy(file, copy.parent)
        try:
            folds, numbers = np.nonzero(bbc.StoredRun(copy).done)
        except StoreError:  # killed before the run had begun
            return set()
        return set(zip(numbers.tolist(), folds.tolist(), strict=True))


@dataclass
class _Found:
    kills: int = 0
    stored: int = 0
    again: int = 0
    lost: int = 0


def _lines() -> list[str]:
    return Noted.notes.read_text(encoding="utf-8").splitlines()


def _wait_for_notes(number: int, child: Any) -> None:
    """Wait until there are so many notes or the child has ended: a run's pace is the machine's."""
    while len(_lines()) < number and child.exitcode is None:
        time.sleep(0.001)


def _surely_kept(deeds: Deeds) -> set[Key]:
    """Fits of one thread that had been predicted when the next one began."""
    done: set[Key] = set()
    last = None
    for what, key in deeds:
        if what == "begin" and last is not None:
            done.add(last)
        last = key if what == "end" else None
    return done


def _start(path: Path, n_jobs: int, *, goes_on: bool) -> tuple[Any, Any]:
    """A run in a child that sends its result; if told so, it goes on when it is interrupted."""

    def work(pipe: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            pipe.send(_run(path, n_jobs))
        except KeyboardInterrupt:
            if not goes_on:
                os._exit(130)
            pipe.send(_run(path, n_jobs))

    ours, theirs = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=work, args=(theirs,))
    # An interrupt before `work` would leave the child to go on as a copy of this process.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child.start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    theirs.close()
    return child, ours
