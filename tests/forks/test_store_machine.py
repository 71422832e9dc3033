"""Runs on one store with deaths and other misfortunes in any order: nothing lost, same bits.

Hypothesis draws the order; `BBC_EXAMPLES=1000` draws more, and others each time. Seen to fail when
a fit is saved as the next one comes, or in two transactions, or trained though it is stored, when a
store is not missed, has no check sums, or takes a run of another seed.
"""

import os
import shutil
import warnings
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from sklearn.model_selection import StratifiedKFold

import bbc
from bbc._store import FitKey, Store
from bbc._training import _fit
from bbc.errors import BBCWarning, StoreError
from instrumented import Witness, numbered_data
from stores import DyingFile, SmallDisk, entries_of, files, is_fit

# In memory where that is possible: each run syncs its file.
FOLDER = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
FORK = get_context("fork")
N_EXAMPLES = int(os.environ.get("BBC_EXAMPLES", "0"))
X, Y = numbered_data(36)
KINDS = {
    "BBC": {"n_bootstraps": 40},
    "BBCD": {"n_bootstraps": 40, "min_predictions": 12, "dropping_level": 0.6},
    "CVMCV": {},
    "CVT": {},
    "NCV": {},
}
CHANGES = {
    "X": {"X": X + 1e-9},
    "y": {"y": 1 - Y},
    "seed": {"random_state": 8},
    "scoring": {"scoring": "roc_auc"},
    "grid": {"param_grid": {"shift": [0.0, 0.3, 0.7]}},
    "fewer configurations": {"param_grid": {"shift": [0.0, 0.3]}},
    "other folds": {"cv": StratifiedKFold(3, shuffle=True, random_state=1)},
    "more folds": {"cv": 4},
}
kinds = st.sampled_from(sorted(KINDS))
SHARES = 2**32
SMALL, LARGE = (0.0, 0.3, 0.6), (0.9, 0.6, 0.3, 0.0)


def run(kind, store, shifts=SMALL, **changes):
    """One call of `fit`; return what must not depend on what happened before."""
    data = changes.pop("X", X), changes.pop("y", Y)
    options = {"param_grid": {"shift": list(shifts)}, "cv": 3, "random_state": 7}
    options |= {"store": store, "refit": False} | KINDS[kind] | changes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BBCWarning)
        made = getattr(bbc if hasattr(bbc, kind) else bbc.baselines, kind)
        fitted = made(Witness(), **options).fit(*data)
    return fitted.performance_, fitted.oos_predictions_.labels.tobytes()


def ends(kind, store, shifts, *, unless):
    """Whether a call gives the result, and is not refused for the reason that is allowed."""
    try:
        found = run(kind, store, shifts)
    except StoreError as error:
        if unless not in str(error):
            raise
        return False
    assert found == unbroken(kind, shifts)[0]
    return True


@cache
def unbroken(kind, shifts):
    """The result without misfortunes, and the fits that it needs."""
    with TemporaryDirectory(dir=FOLDER) as folder:
        path = Path(folder) / "run.bbc"
        return run(kind, path, shifts), stored(path)


def stored(path):
    """The fits in a store, by names; nothing changes by looking."""
    if not path.exists():
        return set()
    before = path.read_bytes()
    with Store(path, read_only=True) as store:
        parts = {key[0] for key in entries_of(path) if is_fit(key)}
        fits = [key for part in parts for key in store.fits(part)]
        found = {key._replace(configuration=store.names[key.configuration]) for key in fits}
    assert path.read_bytes() == before
    return found


def flip_a_bit(path, below):
    """Anywhere in the file."""
    content = bytearray(path.read_bytes())
    content[below(len(content))] ^= 1 << below(8)
    path.write_bytes(content)


def change_a_prediction(path, below):
    """A label becomes the other one, under the old check sum."""
    entries = entries_of(path)
    fits = [data for key, (_, data) in entries.items() if is_fit(key)]
    data = fits[below(len(fits))]
    place = below(len(data))
    content = bytearray(path.read_bytes())
    content[content.index(data) + place] ^= 1
    path.write_bytes(content)


class Notes:
    """What learners began and ended, in a file that survives a process; may end or interrupt it."""

    def __init__(self, path, *, deadly=0, interrupting=0):
        self.path, self.n_begun = path, 0
        self.deadly, self.interrupting = deadly, interrupting

    def train(self, *arguments, key, **options):
        named = key._replace(configuration=arguments[2].name)
        self._write("begin", named)
        self.n_begun += 1
        if self.n_begun == self.deadly:
            os._exit(9)
        if self.n_begun == self.interrupting:
            raise KeyboardInterrupt
        result = TRAIN(*arguments, key=key, **options)
        self._write("end", named)
        return result

    def _write(self, what, key):
        with self.path.open("a", encoding="utf-8") as file:
            print(what, *key, sep="|", file=file)

    def read(self):
        """The fits that were begun, and those that ended, in order."""
        found = {"begin": [], "end": []}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            what, part, repeat, fold, name = line.split("|")
            found[what].append(FitKey(part, int(repeat), int(fold), name))
        return found["begin"], found["end"]


TRAIN = _fit.fit_and_predict


class StoreMachine(RuleBasedStateMachine):
    """A store, and what it must hold by now."""

    def __init__(self):
        super().__init__()
        for kind in KINDS:
            for shifts in (SMALL, LARGE):
                unbroken(kind, shifts)  # now, where nothing happens to it
        self.shifts = SMALL
        self.folder = TemporaryDirectory(dir=FOLDER)
        self.path = Path(self.folder.name) / "run.bbc"
        self.kept = set()
        self.earlier = [(set(), {})]  # as if the file had vanished

    def teardown(self):
        self.folder.cleanup()

    @contextmanager
    def noted(self, *, lost=0, **faults):
        """Watch a call: what was stored is not trained again, and what ends is stored.

        At most the `lost` last ones, whose saving was what failed, may be missing.
        """
        notes = Notes(Path(self.folder.name) / "notes", **faults)
        notes.path.write_text("", encoding="utf-8")
        with patch.object(_fit, "fit_and_predict", notes.train):
            yield
        begun, ended = notes.read()
        assert not self.kept & set(begun), "trained again"
        assert len(set(begun)) == len(begun), "trained twice"
        now = stored(self.path)
        assert self.kept | set(ended[: len(ended) - lost]) <= now, "lost"
        assert now <= self.kept | set(ended), "out of nothing"
        self.kept = now
        files = {file.name: file.read_bytes() for file in self.path.parent.glob("run.bbc*")}
        self.earlier.append((now, files))

    def in_a_child(self, kind, deadly_step=-1):
        def work():
            DyingFile.run, DyingFile.left = 0, deadly_step
            with files(DyingFile):
                run(kind, self.path, self.shifts)

        child = FORK.Process(target=work)
        child.start()
        child.join()
        assert child.exitcode in (0, 9)
        if child.exitcode == 0:
            assert unbroken(kind, self.shifts)[1] <= stored(self.path)

    @rule(kind=kinds, steps=st.lists(st.integers(1, 40), min_size=1, max_size=3))
    def dies_in_a_write(self, kind, steps):
        for step in steps:
            with self.noted(lost=1):
                self.in_a_child(kind, step)

    @rule(kind=kinds, number=st.integers(1, 12))
    def dies_in_a_fit(self, kind, number):
        with self.noted(deadly=number):
            self.in_a_child(kind)

    @rule(kind=kinds, number=st.integers(1, 12))
    def is_interrupted(self, kind, number):
        with self.noted(interrupting=number), suppress(KeyboardInterrupt):
            assert run(kind, self.path, self.shifts) == unbroken(kind, self.shifts)[0]

    @rule(kind=kinds)
    def ends(self, kind):
        expected, needed = unbroken(kind, self.shifts)
        with self.noted():
            assert run(kind, self.path, self.shifts) == expected
        assert needed <= self.kept
        looked_at = bbc.StoredRun(self.path)
        assert looked_at.n_fits == len(self.kept)
        if kind != "BBCD":
            assert bbc.correct(looked_at, n_bootstraps=40) == unbroken("BBC", self.shifts)[0][0]

    @rule(kind=kinds)
    def takes_a_larger_grid(self, kind):
        self.shifts = LARGE
        self.ends(kind)

    @rule(kind=kinds, size=st.integers(0, 4000))
    def finds_the_disk_full(self, kind, size):
        start = Store.start

        def start_on_a_small_disk(store, *arguments):
            start(store, *arguments)
            SmallDisk.left = size

        SmallDisk.left = 1 << 60
        small = patch.object(Store, "start", start_on_a_small_disk)
        with self.noted(lost=1), small, files(SmallDisk):
            ends(kind, self.path, self.shifts, unless="the disk is full")

    @rule(kind=kinds, number=st.integers(0, 8))
    def loses_its_file_for_a_while(self, kind, number):
        elsewhere, save, saved = self.path.with_name("elsewhere"), Store.save, []

        def save_and_lose(store, key, fit):
            if len(saved) == number:
                self.path.rename(elsewhere)
            saved.append(key)
            save(store, key, fit)

        with self.noted(lost=1), patch.object(Store, "save", save_and_lose):
            if ends(kind, self.path, self.shifts, unless="deleted, moved or replaced"):
                assert len(saved) <= number
            else:
                elsewhere.rename(self.path)

    @precondition(lambda self: self.kept)
    @rule(kind=kinds, change=st.sampled_from(sorted(CHANGES)))
    def is_asked_for_another_run(self, kind, change):
        with self.noted(), pytest.raises(StoreError, match="holds another run"):
            run(kind, self.path, **CHANGES[change])
        with self.noted():
            pass

    @rule(kind=kinds)
    def is_in_use(self, kind):
        with self.noted(), Store(self.path), pytest.raises(StoreError, match="using it"):
            run(kind, self.path, self.shifts)

    @precondition(lambda self: self.kept)
    @rule(kind=kinds, damage=st.sampled_from([flip_a_bit, change_a_prediction]), data=st.data())
    def would_notice_damage(self, kind, damage, data):
        def below(n):
            # Files hold times, whose texts differ in length: what is drawn must not follow theirs.
            return data.draw(st.integers(0, SHARES - 1)) * n // SHARES

        copy = self.path.with_name("damaged.bbc")
        for file in self.path.parent.glob("run.bbc*"):
            shutil.copy(file, self.path.with_name(file.name.replace("run", "damaged")))
        damage(copy, below)
        ends(kind, copy, self.shifts, unless="damaged.bbc")
        for file in self.path.parent.glob("damaged.bbc*"):
            file.unlink()

    @rule(data=st.data())
    def is_an_earlier_copy(self, data):
        self.kept, files = data.draw(st.sampled_from(self.earlier))
        for file in self.path.parent.glob("run.bbc*"):
            file.unlink()
        for name, content in files.items():
            self.path.with_name(name).write_bytes(content)


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=N_EXAMPLES or 4,
    stateful_step_count=25,
    derandomize=not N_EXAMPLES,
    database=None,
    deadline=None,
)
