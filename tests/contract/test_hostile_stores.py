"""Stores that lose their workers, and stores that come from strangers."""

import json
import os
import pickle
import resource
import signal
import sqlite3
import warnings
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import replace
from unittest.mock import patch

import joblib
import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._store import FitKey, Store, StoredFit
from bbc._store._sealed import checksum, packed, unpacked
from bbc.errors import BBCWarning, StoreError
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


@pytest.mark.nightly
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


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "run.bbc"
    run_on(path)
    return path.read_bytes()


def run_on(path, seed=0):
    options = {"cv": 4, "refit": False, "store": path, "random_state": seed, "scoring": "roc_auc"}
    return bbc.CVT(DecisionTreeClassifier(), DEPTHS, **options).fit(X, Y)


def change(path, script, **values):
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in script.split(";;"):
            connection.execute(statement, values)


def refused(path):
    """Nobody reads it, goes on with it, or goes on with its seed."""
    with pytest.raises(StoreError, match=r"run\.bbc"):
        bbc.open(path)
    for seed in (0, None):
        with pytest.raises(StoreError, match=r"run\.bbc"):
            run_on(path, seed)


ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n"
SCHEMAS = {
    "a view that never ends": "ALTER TABLE records RENAME TO old;; "
    f"CREATE VIEW records AS {ENDLESS} AS name, n AS head, n AS data, n AS crc FROM r WHERE n < 0",
    "a view of much": "ALTER TABLE fits RENAME TO old;; CREATE VIEW fits AS "
    "SELECT part, repeat, fold, configuration, head, zeroblob(900000000) AS data, crc FROM old",
    "a view that calls a function": "ALTER TABLE records RENAME TO old;; CREATE VIEW records AS "
    "SELECT name, load_extension('evil') AS head, data, crc FROM old",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM fits; END",
    "a trigger before": "CREATE TRIGGER t BEFORE DELETE ON records BEGIN DELETE FROM fits; END",
    "another table": "CREATE TABLE more (x)",
    "another index": "CREATE INDEX i ON fits (crc)",
    "another column": "ALTER TABLE fits ADD COLUMN x",
    "a computed column": "ALTER TABLE fits ADD COLUMN x GENERATED ALWAYS AS (zeroblob(99999999))",
    "a table less": "DROP TABLE fits",
    "another order of columns": "DROP TABLE records;; "
    "CREATE TABLE records (head TEXT, name TEXT PRIMARY KEY, data BLOB, crc INTEGER)",
    "much text": f"CREATE VIEW v AS SELECT '{'x' * 5000}'",
    "another format": "PRAGMA user_version = -1",
    "another application": "PRAGMA application_id = 7",
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_tables_that_are_not_ours_are_refused_unread(schema, intact, path):
    """A view, a trigger or a default runs what a stranger wrote: for ever, or into the memory."""
    path.write_bytes(intact)
    change(path, SCHEMAS[schema])
    before, most = path.read_bytes(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 50_000  # KiB
    assert path.read_bytes() == before


PICKLE = pickle.dumps(Hostile("hacked"))
UNSEALED = [
    "UPDATE records SET data = :evil",
    "UPDATE records SET head = :evil WHERE name = 'run'",
    "UPDATE records SET name = 'part xx' WHERE name LIKE 'part %'",
    "UPDATE records SET name = 'other' WHERE name = 'latest'",
    "UPDATE fits SET data = :evil",
    "UPDATE fits SET part = 'other'",
    "UPDATE fits SET fold = 3 - fold, repeat = 1",
    "UPDATE fits SET configuration = '#0.0' WHERE fold = 0 AND rowid_of = 1",
    "UPDATE fits SET crc = crc + 1",
    "UPDATE fits SET crc = 'x'",
    "UPDATE fits SET head = replace(head, 'fit_time', 'fit_tima')",
]


@pytest.mark.parametrize("attack", UNSEALED)
def test_rows_with_another_check_sum_are_refused(attack, intact, path):
    path.write_bytes(intact)
    attack = attack.replace("fold = 0 AND rowid_of = 1", "fold = 0 AND crc % 2 = crc % 2")
    if "'#0.0'" in attack:
        attack += " AND configuration = (SELECT min(configuration) FROM fits)"
    change(path, attack, **({"evil": PICKLE} if ":evil" in attack else {}))
    refused(path)
    assert not os.path.exists("hacked")


N_JUNK = 5
NESTED = "deep"
JUNK = [
    None,
    True,
    -1,
    2**80,
    0.5,
    "",
    "\x1b[2J\udc80",
    [],
    [[]],
    {},
    {"\x1b": 1},
    [None, "a"],
    NESTED,
]


def places(value, above=()):
    """Every place in a JSON value."""
    yield above
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inside:
        yield from places(part, (*above, key))


def replaced(value, place, junk):
    if not place:
        return junk
    value = deepcopy(value)
    inner = value
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = junk
    return value


def forge(path, table, row, head, data):
    """Write a row with a valid check sum."""
    text = json.dumps(head).replace(f'"{NESTED}"', "[" * 100_000 + "]" * 100_000)
    sealed = (*row[:-3], text, data)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        marks = ", ".join("?" * (len(sealed) + 1))
        connection.execute(f"REPLACE INTO {table} VALUES ({marks})", (*sealed, checksum(*sealed)))


def rows_of(path):
    with closing(sqlite3.connect(path)) as connection:
        found = [("records", row) for row in connection.execute("SELECT * FROM records")]
        return [
            *found,
            *(("fits", row) for row in connection.execute("SELECT * FROM fits LIMIT 1")),
        ]


def outcome(call):
    """What comes of a forgery: nothing but a result or the one error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BBCWarning)
        with suppress(StoreError):
            return call()
    return None


@pytest.mark.parametrize("number", range(5))
def test_forged_values_with_valid_check_sums_are_refused(number, intact, path):
    path.write_bytes(intact)
    table, row = rows_of(path)[number]
    head, data = json.loads(row[-3]), row[-2]
    rng = np.random.default_rng(number)
    n_taken = n_forged = 0
    for place in places(head):
        for kind in rng.choice(len(JUNK), N_JUNK, replace=False):
            path.write_bytes(intact)
            forge(path, table, row, replaced(head, place, JUNK[kind]), data)
            found = outcome(lambda: bbc.open(path))
            n_forged += 1
            if found is not None:
                n_taken += 1
                assert found.summary().isprintable() or "\n" in found.summary()
                assert "None on" not in found.summary()
            if rng.random() < 0.05:
                outcome(lambda: run_on(path))
    assert n_forged >= 4 * N_JUNK
    assert n_taken < n_forged / 2  # names, digests and words may be any text


@pytest.mark.parametrize("damage", ["cut", "long", "random", "zero", "other"])
def test_forged_bytes_with_valid_check_sums_are_refused(damage, intact, path):
    path.write_bytes(intact)
    rng = np.random.default_rng(0)
    for table, row in rows_of(path):
        head, data = json.loads(row[-3]), row[-2]
        changed = {
            "cut": data[:-1],
            "long": data + b"\0" * 8,
            "random": rng.bytes(len(data)),
            "zero": bytes(len(data)),
            "other": PICKLE,
        }[damage]
        if changed == data:
            continue
        path.write_bytes(intact)
        forge(path, table, row, head, changed)
        found = outcome(lambda: bbc.open(path).oos_predictions())
        assert found is None or table == "fits"  # where any numbers are scores
        outcome(lambda: run_on(path))
    assert not os.path.exists("hacked")


@pytest.mark.parametrize("shape", [[99999999999999], [2**40, 0], [3, -1], [1, 1, 1], "x", [None]])
@pytest.mark.parametrize(
    "dtype", ["|O", "O8", "V8", "<f8", "|S0", "<U99999999", "<c16", "<M8[s]", "i4,i4"]
)
def test_forged_arrays_are_refused(dtype, shape, intact, path):
    path.write_bytes(intact)
    table, row = next((table, row) for table, row in rows_of(path) if row[0] == "run")
    head = json.loads(row[-3])
    for entry in head[1]:
        entry[2:] = [dtype, shape]
    forge(path, table, row, head, row[-2])
    refused(path)


def test_a_forged_number_of_fits_takes_no_memory(intact, path):
    """Ten thousand configurations and a hundred thousand folds are soon written."""
    path.write_bytes(intact)
    table, row = next((table, row) for table, row in rows_of(path) if row[0] == "identity")
    head = json.loads(row[-3])
    head[0]["configurations"] |= {f"#{number}": "c" for number in range(10**4)}
    forge(path, table, row, head, row[-2])
    folds = np.arange(60) % 60
    _, run = next((table, row) for table, row in rows_of(path) if row[0] == "run")
    content = unpacked(run[-3], run[-2])
    content["test rows"] = np.tile(folds, 2000)
    content["test sizes"] = np.column_stack([np.repeat(np.arange(2000), 60), np.ones(120_000, int)])
    forge(path, "records", run, json.loads(packed(content)[0]), packed(content)[1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(StoreError, match="damaged"):
        bbc.open(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 2_000_000


@pytest.mark.parametrize(
    "forged",
    [
        {"y": np.zeros(60, int), "classes": np.array([0]), "positive": None},
        {"y": np.arange(60) % 3},
        {"y": np.zeros(60, int)},
        {"labels": True, "classes": None},
        {"positive": 2},
        {"positive": -1},
    ],
    ids=" ".join,
)
def test_a_truth_that_no_run_has_is_refused(forged, intact, path):
    path.write_bytes(intact)
    table, row = next((table, row) for table, row in rows_of(path) if row[0] == "run")
    content = unpacked(row[-3], row[-2])
    assert content["classes"].tolist() == [0, 1]
    head, data = packed(content | forged)
    forge(path, table, row, json.loads(head), data)
    with pytest.raises(StoreError, match=r"damaged \(no truth with its classes"):
        bbc.open(path)


@pytest.mark.parametrize(
    "forged",
    [FitKey("cv", 0, 99, 0), FitKey("cv", 7, 0, 0), FitKey("cv", -1, 0, 0), FitKey("cv", 0, -1, 0)],
)
def test_fits_of_folds_that_are_not_there_are_refused(forged, intact, path):
    path.write_bytes(intact)
    with Store(path) as store:
        store.save(forged, StoredFit({"scores": np.zeros(15)}, method="predict_proba"))
    with pytest.raises(StoreError, match="damaged"):
        bbc.open(path)


BAD_OUTPUTS = [
    {},
    {"scores": np.zeros(14)},
    {"scores": np.zeros((15, 2))},
    {"scores": np.zeros(15, np.float32)},
    {"scores": np.full(15, np.nan)},
    {"labels": np.zeros(15, np.int8)},
    {"scores": np.zeros(15), "labels": np.zeros(15, np.int8)},
    {"scores": np.array(["0.5"] * 15)},
]


@pytest.mark.parametrize("outputs", BAD_OUTPUTS)
def test_outputs_that_no_model_gives_are_refused(outputs, path):
    def saved(store, key, fit):
        save(store, key, replace(fit, outputs=outputs))

    save = Store.save
    with patch.object(Store, "save", saved):
        run_on(path)
    refused(path)


def test_a_method_that_no_model_was_asked_for_is_refused(path):
    def saved(store, key, fit):
        save(store, key, replace(fit, method="x"))

    save = Store.save
    with patch.object(Store, "save", saved):
        run_on(path)
    refused(path)


def test_a_fit_that_failed_has_no_outputs(path):
    save = Store.save
    with patch.object(Store, "save", lambda *given: save(*given[:2], replace(given[2], error="x"))):
        run_on(path)
    refused(path)


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
