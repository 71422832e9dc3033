"""Runs that die at any moment, and stores that lose their ground, go on and lose nothing."""

import multiprocessing
import shutil
import time

import pytest
from benches.faults.kills import Kills

import bbc
from bbc._store import Store
from bbc.errors import StoreError
from instrumented import Witness, numbered_data
from nightly import nightly
from stores import DyingFile, files

X, Y = numbered_data()
FORK = multiprocessing.get_context("fork")


@pytest.fixture(scope="module")
def kills(tmp_path_factory):
    return Kills(tmp_path_factory.mktemp("kills"), seed=20180707)


@pytest.mark.parametrize("number", [0, *nightly(*range(1, 6))])
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_run_that_is_killed_loses_nothing(kills, number):
    """`make faults` does it a hundred times."""
    found = kills.trial(number)
    assert (found["lost"], found["trained_again"], found["same_bits"]) == (0, 0, True), found


def search(store):
    return bbc.CVT(Witness(), {"shift": [0.0, 0.3]}, cv=3, refit=False, store=store)


@pytest.mark.parametrize("step", [5, *nightly(1)])
def test_a_run_that_dies_in_any_write_goes_on(step, monkeypatch, tmp_path):
    monkeypatch.setattr(DyingFile, "run", 0)
    with files(DyingFile):
        undisturbed = search(tmp_path / "undisturbed.bbc").fit(X, Y).performance_
    n_steps = DyingFile.run
    assert n_steps > 15
    for number in range(1, n_steps + 1, step):
        path = tmp_path / f"{number}.bbc"
        child = FORK.Process(target=_die, args=(path, number))
        child.start()
        child.join()
        assert child.exitcode == 9, number
        assert search(path).fit(X, Y).performance_ == undisturbed, number
        run = bbc.StoredRun(path)
        assert run.is_complete, number
        assert run.metrics == ("accuracy",), number


def _die(path, number):
    DyingFile.run, DyingFile.left = 0, number
    with files(DyingFile):
        search(path).fit(X, Y)


def gone(folder):
    shutil.rmtree(folder)


def moved(folder):
    folder.rename(folder.with_name("elsewhere"))


def replaced(folder):
    (folder / "run.bbc").rename(folder / "old.bbc")
    (folder / "run.bbc").touch()


@pytest.mark.parametrize("loses", [gone, moved, replaced])
def test_a_run_whose_store_vanishes_stops_at_once(loses, tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    save, saved = Store.save, []

    def save_and_lose(self, key, fit):
        if len(saved) == 3:
            loses(folder)
        save(self, key, fit)
        saved.append(key)

    monkeypatch.setattr(Store, "save", save_and_lose)
    with pytest.raises(StoreError, match=r"run\.bbc.*deleted, moved or replaced"):
        search(folder / "run.bbc").fit(X, Y)
    monkeypatch.undo()
    assert len(saved) == 3
    kept = {gone: None, moved: tmp_path / "elsewhere" / "run.bbc", replaced: folder / "old.bbc"}
    folder.mkdir(exist_ok=True)
    undisturbed = search(None).fit(X, Y).performance_
    if kept[loses] is not None:  # put back, it goes on
        shutil.copy(kept[loses], folder / "run.bbc")
        assert bbc.StoredRun(folder / "run.bbc").n_fits == 3
    resumed, fits, _ = Witness.count(lambda: search(folder / "run.bbc").fit(X, Y))
    assert fits == (6 if kept[loses] is None else 3)
    assert resumed.performance_ == undisturbed


def test_a_clock_that_is_set_back_changes_nothing(tmp_path, monkeypatch):
    undisturbed = search(None).fit(X, Y).performance_
    path, now = tmp_path / "run.bbc", [time.time()]

    def earlier():
        now[0] -= 3600.0
        return now[0]

    monkeypatch.setattr(time, "time", earlier)
    save = Store.save

    def save_some(self, key, fit):
        if self.n_fits == 4:
            raise KeyboardInterrupt
        save(self, key, fit)

    with monkeypatch.context() as stopping:
        stopping.setattr(Store, "save", save_some)
        with pytest.raises(KeyboardInterrupt):
            search(path).fit(X, Y)
    resumed, fits, _ = Witness.count(lambda: search(path).fit(X, Y))
    assert fits == 2
    assert resumed.performance_ == undisturbed
    assert (bbc.StoredRun(path).fit_times >= 0).all()
