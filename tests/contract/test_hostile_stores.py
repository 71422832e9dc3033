"""Stores that lose their workers, and stores that come from strangers."""

import os
import pickle
import signal
import sqlite3
from contextlib import suppress

import joblib
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import StoreError
from instrumented import numbered_data

X, Y = numbered_data()
DEPTHS = {"max_depth": [1, 2, 3, 4]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bbc"


class DiesInAWorker(DecisionTreeClassifier):
    """Takes the process that trains it down, unless a marker says that this has happened."""

    def __init__(self, marker=None, max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.marker = marker

    def fit(self, X, y):
        if self.max_depth == 4 and not os.path.exists(self.marker):
            with open(self.marker, "x", encoding="utf-8"):
                os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


def test_a_worker_of_joblib_that_dies_stops_a_run_that_can_go_on(path):
    marker = path.with_name("died")

    def run(store):
        learner = DiesInAWorker(str(marker))
        options = {"cv": 4, "n_bootstraps": 50, "store": store, "random_state": 2}
        return bbc.BBC(learner, DEPTHS, **options).fit(X, Y)

    with joblib.parallel_config("loky", n_jobs=2), pytest.raises(TerminatedWorkerError):
        run(path)
    kept = bbc.open(path).n_fits
    assert 0 < kept < 16
    with joblib.parallel_config("loky", n_jobs=2):
        resumed = run(path)
    assert resumed.n_models_from_store_ == kept
    undisturbed = run(None)
    assert resumed.performance_ == undisturbed.performance_
    assert resumed.n_models_trained_ == undisturbed.n_models_trained_
    ours, theirs = resumed.oos_predictions_.labels, undisturbed.oos_predictions_.labels
    assert ours.tobytes() == theirs.tobytes()


class Hostile:
    """Makes a directory when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


ATTACKS = [
    "UPDATE arrays SET data = :evil",
    "UPDATE arrays SET dtype = '|O', data = :evil",
    "UPDATE arrays SET dtype = 'O8', shape = '[1]', data = zeroblob(8)",
    "UPDATE arrays SET dtype = :evil",
    "UPDATE arrays SET shape = :evil",
    "UPDATE arrays SET shape = '[99999999999999]'",
    "UPDATE arrays SET dtype = '|S0'",
    "UPDATE arrays SET data = data || :evil",
    "UPDATE outputs SET data = :evil",
    "UPDATE outputs SET dtype = '|O', data = :evil",
    "UPDATE outputs SET data = x'7f7f7f' || substr(data, 4)",
    "UPDATE facts SET value = :evil WHERE name = 'names'",
    "UPDATE facts SET value = '\"a\"' WHERE name = 'names'",
    "UPDATE facts SET value = :evil WHERE name = 'identity'",
    "UPDATE facts SET value = '7' WHERE name = 'identity'",
    "UPDATE facts SET value = '\"x\"' WHERE name = 'seed'",
    "UPDATE facts SET value = 'null' WHERE name = 'metrics'",
    "UPDATE fits SET method = :evil, fit_time = 'soon'",
    "UPDATE fits SET repeat = -1 WHERE id = 1",
    "UPDATE fits SET fold = 99 WHERE id = 1",
    "UPDATE fits SET configuration = 99 WHERE id = 1",
    "UPDATE fits SET configuration = -2 WHERE id = 1",
    "DELETE FROM arrays",
    "DELETE FROM arrays WHERE name = 'folds'",
    "DELETE FROM facts WHERE name = 'seed'",
    "DELETE FROM outputs",
    "DROP TABLE fits",
    "PRAGMA user_version = -1",
]


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "run.bbc"
    bbc.CVT(DecisionTreeClassifier(), DEPTHS, cv=4, store=path, random_state=0).fit(X, Y)
    return path.read_bytes()


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_stranger_wrote_runs_no_code_and_is_noticed(intact, path, attack):
    path.write_bytes(intact)
    target = str(path) + ".hacked"
    connection = sqlite3.connect(path)
    evil = {"evil": pickle.dumps(Hostile(target))} if ":evil" in attack else {}
    with connection:
        connection.execute(attack, evil)
    connection.close()
    with pytest.raises(StoreError, match=r"run\.bbc"):
        bbc.open(path).oos_predictions()
    for seed in (0, None):  # given, or that of the store
        search = bbc.CVT(DecisionTreeClassifier(), DEPTHS, cv=4, store=path, random_state=seed)
        with suppress(StoreError):
            search.fit(X, Y)
    assert not os.path.exists(target)


def test_a_store_calls_nothing_that_its_tables_name(intact, path):
    """A view in the place of a table may call functions when it is read."""
    path.write_bytes(intact)
    connection = sqlite3.connect(path)
    connection.executescript(
        "ALTER TABLE facts RENAME TO old; "
        "CREATE VIEW facts AS SELECT name, load_extension('evil') AS value FROM old;"
    )
    connection.close()
    with pytest.raises(StoreError, match=r"run\.bbc"):
        bbc.open(path)


def test_truncated_stores_are_refused(intact, path):
    for size in (0, 1, 100, 5000, len(intact) // 2, len(intact) - 4096):
        path.write_bytes(intact[:size])
        with pytest.raises(StoreError, match=r"run\.bbc"):
            bbc.open(path).oos_predictions()


def test_a_store_holds_no_pickles(intact):
    # How pickles of every protocol begin, and what they are made of.
    assert b"\x80\x04\x95" not in intact
    assert b"\x80\x05\x95" not in intact
    assert b"sklearn.tree" not in intact
