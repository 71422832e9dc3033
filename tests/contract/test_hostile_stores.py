"""Stores that lose their workers, and stores that come from strangers."""

import json
import os
import pickle
import resource
import signal
import struct
import warnings
import zlib
from contextlib import suppress
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
from bbc._store._sealed import packed, unpacked
from bbc.cli import main
from bbc.errors import BBCWarning, StoreError
from instrumented import numbered_data
from stores import entries_of, forge, is_fit

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
    kept = bbc.StoredRun(path).n_fits
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


def refused(path):
    """Nobody reads it, goes on with it, or goes on with its seed."""
    with pytest.raises(StoreError, match=r"run\.bbc"):
        bbc.StoredRun(path)
    for seed in (0, None):
        with pytest.raises(StoreError, match=r"run\.bbc"):
            run_on(path, seed)


PICKLE = pickle.dumps(Hostile("hacked"))
LINE = b"bbc store, format 4\n"


def unit(text, data=b"", *, saved=1e9, n_text=None, n_data=None, check=None):
    """A unit of a file with valid check sums, whatever is in it."""
    sizes = len(text) if n_text is None else n_text, len(data) if n_data is None else n_data
    content = zlib.crc32(text + data) if check is None else check
    head = struct.pack("<dQQI", saved, *sizes, content)
    return head + struct.pack("<I", zlib.crc32(head)) + text + data


ENTRY = b'[["latest", "[{}, []]", 0]]'
FORMS = {
    "another line": b"bbc store, format  4\n" + unit(ENTRY),
    "a format without number": b"bbc store, format \n" + unit(ENTRY),
    "a number without end": b"bbc store, format " + b"9" * 10**6,
    "a database": b"SQLite format 3\0" + bytes(4080),
    "zeros": LINE + bytes(4096),
    "no JSON": LINE + unit(b"latest"),
    "no text": LINE + unit(b"\xff\xfe"),
    "no list": LINE + unit(b"7"),
    "no entries": LINE + unit(b"[7]"),
    "no key": LINE + unit(b'[[null, "", 0]]'),
    "a short key": LINE + unit(b'[[["cv", 0, 0], "", 0]]'),
    "a key of floats": LINE + unit(b'[[["cv", 0.0, 0, "a"], "", 0]]'),
    "a key of truths": LINE + unit(b'[[["cv", true, 0, "a"], "", 0]]'),
    "a key that nests": LINE + unit(b"[" * 10**6 + b"]" * 10**6),
    "no head": LINE + unit(b'[["latest", null, 0]]'),
    "a number that is none": LINE + unit(b'[["latest", "", NaN]]'),
    "a number of a million digits": LINE + unit(b'[["latest", "", ' + b"9" * 10**6 + b"]]"),
    "a size below 0": LINE + unit(b'[["a", "", -1], ["b", "", 2]]', b"x"),
    "a size above what is there": LINE + unit(b'[["latest", "", 2]]', b"x"),
    "a size of 2^62": LINE + unit(b'[["latest", "", 4611686018427387904]]', b"x"),
    "data of nobody": LINE + unit(ENTRY, b"x"),
    "another check sum": LINE + unit(ENTRY, check=7),
    "a time that is none": LINE + unit(ENTRY, saved=float("nan")),
    "a time before 1970": LINE + unit(ENTRY, saved=-1.0),
    "a time in the year 10^292": LINE + unit(ENTRY, saved=1e300),
    "a fit twice": LINE + 2 * unit(b'[[["cv", 0, 0, "a"], "", 0]]'),
    "a fit and no run": LINE + unit(b'[[["cv", 0, 0, "a"], "", 0]]'),
    "one record of three": LINE + unit(ENTRY),
}


@pytest.mark.parametrize("form", FORMS)
def test_files_of_another_form_are_refused(form, path):
    path.write_bytes(FORMS[form])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 50_000  # KiB
    assert path.read_bytes() == FORMS[form]


@pytest.mark.parametrize("sizes", [(1 << 62, 0), (0, 1 << 62), (1 << 63, 1 << 63)])
def test_a_forged_length_takes_no_memory(sizes, path, intact):
    """A unit that the file does not have whole is what a killed process leaves."""
    path.write_bytes(intact + unit(b"", n_text=sizes[0], n_data=sizes[1]))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert bbc.StoredRun(path).is_complete
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 50_000  # KiB


def head_changed(content, key, head, data):
    return content.replace(b"fit_time", b"fit_tima")


def data_changed(content, key, head, data):
    return content.replace(data, data[::-1]) if data else content


def key_changed(content, key, head, data):
    return content.replace(json.dumps(key).encode(), json.dumps(key).encode().replace(b"c", b"d"))


@pytest.mark.parametrize("attack", [head_changed, data_changed, key_changed])
def test_entries_with_another_check_sum_are_refused(attack, intact, path):
    n_tried = 0
    path.write_bytes(intact)
    for key, (head, data) in entries_of(path).items():
        changed = attack(intact, key, head, data)
        if changed != intact:
            path.write_bytes(changed)
            refused(path)
            n_tried += 1
    assert n_tried > 2


COMPANIONS = ["-journal", "-wal", "-shm", ".lock", "~", ".tmp", "-journal-0", ".bak"]


def a_companion(rng, folder, victims):
    """Something beside a store that names, is or looks like a file of the user's."""
    path = folder / f"run.bbc{rng.choice(COMPANIONS)}"
    victim = str(rng.choice(victims))
    named = [victim, os.path.relpath(victim, folder), os.path.basename(victim)][rng.integers(3)]
    journal = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 0, 2, 512, 4096)
    name = named.encode()
    ending = struct.pack(">I", 0x40000000 // 4096 + 1) + name
    ending += struct.pack(">II", len(name), sum(name)) + journal[:8]
    log = bytes.fromhex("377f0682") + struct.pack(">IIIIIII", 3007000, 4096, *range(5))
    kind = rng.integers(7)
    if os.path.lexists(path):
        return
    if kind == 0:
        path.symlink_to(named)
    elif kind == 1:
        os.link(victim, path)
    elif kind == 2:
        path.mkdir()
    elif kind == 3:
        os.mkfifo(path)
    else:
        path.write_bytes(
            [journal.ljust(512, b"\0") + ending, log + rng.bytes(4096), rng.bytes(100)][kind - 4]
        )


def snapshot(folder):
    """Names, kinds and contents of all but the store."""
    found = {}
    for place in folder.rglob("*"):
        if place.name != "run.bbc":
            is_plain = place.is_file() and not place.is_symlink()
            content = place.read_bytes() if is_plain else b""
            target = os.readlink(place) if place.is_symlink() else ""
            found[str(place)] = place.lstat().st_mode, target, content
    return found


def test_nothing_beside_a_store_is_read_written_or_deleted(intact, tmp_path, monkeypatch):
    """Whatever is there, by whichever door; the store gives the same."""
    folder = tmp_path / "work"
    (folder / "data").mkdir(parents=True)
    monkeypatch.chdir(folder)
    victims = [folder / "thesis.txt", folder / "data" / "y.csv", folder / "other.bbc"]
    for victim in victims:
        victim.write_bytes(b"three years of work\n")
    path = folder / "run.bbc"
    path.write_bytes(intact)
    estimate = bbc.correct(bbc.StoredRun(path), n_bootstraps=40)
    beginnings = [b"", intact[:11], intact[: len(intact) // 2], intact[:-1], intact, None]
    doors = [
        lambda: bbc.correct(bbc.StoredRun(path), n_bootstraps=40),
        lambda: main(["show", str(path)]),
        lambda: run_on(path),
        lambda: run_on(path, 7),
        lambda: run_on("run.bbc"),
    ]
    for seed in range(40):
        rng = np.random.default_rng(seed)
        for _ in range(rng.integers(1, 6)):
            a_companion(rng, folder, victims)
        path.unlink(missing_ok=True)
        beginning = beginnings[rng.integers(len(beginnings))]
        if beginning is not None:
            path.write_bytes(beginning)
        before = snapshot(folder)
        with suppress(StoreError):
            doors[seed % len(doors)]()
        assert snapshot(folder) == before, seed
        if beginning != intact:
            path.write_bytes(intact)
        assert bbc.correct(bbc.StoredRun(path), n_bootstraps=40) == estimate
        for place in folder.glob("run.bbc?*"):
            place.rmdir() if place.is_dir() and not place.is_symlink() else place.unlink()


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


def forged(path, intact, key, head, data):
    """The intact store with one entry that is another, under a valid check sum."""
    text = json.dumps(head).replace(f'"{NESTED}"', "[" * 100_000 + "]" * 100_000)
    path.write_bytes(intact)
    forge(path, entries_of(path) | {key: (text, data)})


def entries(path, intact):
    """All records and one fit, with their JSON."""
    path.write_bytes(intact)
    found = entries_of(path)
    some = [key for key in found if not is_fit(key)] + [key for key in found if is_fit(key)][:1]
    return [(key, json.loads(found[key][0]), found[key][1]) for key in some]


def outcome(call):
    """What comes of a forgery: nothing but a result or the one error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BBCWarning)
        with suppress(StoreError):
            return call()
    return None


@pytest.mark.parametrize("number", range(5))
def test_forged_values_with_valid_check_sums_are_refused(number, intact, path):
    key, head, data = entries(path, intact)[number]
    rng = np.random.default_rng(number)
    n_taken = n_forged = 0
    for place in places(head):
        for kind in rng.choice(len(JUNK), N_JUNK, replace=False):
            forged(path, intact, key, replaced(head, place, JUNK[kind]), data)
            found = outcome(lambda: bbc.StoredRun(path))
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
    rng = np.random.default_rng(0)
    for key, head, data in entries(path, intact):
        changed = {
            "cut": data[:-1],
            "long": data + b"\0" * 8,
            "random": rng.bytes(len(data)),
            "zero": bytes(len(data)),
            "other": PICKLE,
        }[damage]
        if changed == data:
            continue
        forged(path, intact, key, head, changed)
        found = outcome(lambda: bbc.StoredRun(path).oos_predictions())
        assert found is None or is_fit(key)  # where any numbers are scores
        outcome(lambda: run_on(path))
    assert not os.path.exists("hacked")


@pytest.mark.parametrize("shape", [[99999999999999], [2**40, 0], [3, -1], [1, 1, 1], "x", [None]])
@pytest.mark.parametrize(
    "dtype", ["|O", "O8", "V8", "<f8", "|S0", "<U99999999", "<c16", "<M8[s]", "i4,i4"]
)
def test_forged_arrays_are_refused(dtype, shape, intact, path):
    head, data = next((head, data) for key, head, data in entries(path, intact) if key == "run")
    for array in head[1]:
        array[2:] = [dtype, shape]
    forged(path, intact, "run", head, data)
    refused(path)


def test_a_forged_number_of_fits_takes_no_memory(intact, path):
    """Ten thousand configurations and a hundred thousand folds are soon written."""
    path.write_bytes(intact)
    changed = entries_of(path)
    head = json.loads(changed["identity"][0])
    head[0]["configurations"] |= {f"#{number}": "c" for number in range(10**4)}
    changed["identity"] = json.dumps(head), b""
    folds = np.arange(60) % 60
    content = unpacked(*changed["run"])
    content["test rows"] = np.tile(folds, 2000)
    content["test sizes"] = np.column_stack([np.repeat(np.arange(2000), 60), np.ones(120_000, int)])
    forge(path, changed | {"run": packed(content)})
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(StoreError, match="damaged"):
        bbc.StoredRun(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 2_000_000


@pytest.mark.parametrize(
    "truth",
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
def test_a_truth_that_no_run_has_is_refused(truth, intact, path):
    path.write_bytes(intact)
    found = entries_of(path)
    content = unpacked(*found["run"])
    assert content["classes"].tolist() == [0, 1]
    forge(path, found | {"run": packed(content | truth)})
    with pytest.raises(StoreError, match=r"damaged \(no truth with its classes"):
        bbc.StoredRun(path)


@pytest.mark.parametrize(
    "key",
    [FitKey("cv", 0, 99, 0), FitKey("cv", 7, 0, 0), FitKey("cv", -1, 0, 0), FitKey("cv", 0, -1, 0)],
)
def test_fits_of_folds_that_are_not_there_are_refused(key, intact, path):
    path.write_bytes(intact)
    with Store(path) as store:
        store.save(key, StoredFit({"scores": np.zeros(15)}, method="predict_proba"))
    with pytest.raises(StoreError, match="damaged"):
        bbc.StoredRun(path)


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


def test_truncated_stores_are_unfinished_runs(intact, path):
    """What is there is right, and what is missing is trained again."""
    path.write_bytes(intact)
    whole = bbc.StoredRun(path)
    scores = whole.oos_predictions().scores.tobytes()
    for size in (0, 1, 100, len(intact) // 3, len(intact) // 2, len(intact) - 1):
        path.write_bytes(intact[:size])
        run = outcome(lambda: bbc.StoredRun(path))
        if run is not None:
            assert not run.is_complete
            assert "% complete" in run.summary()
            assert "saved until    20" in run.summary()
            assert np.array_equal(run.fit_times[run.done], whole.fit_times[run.done])
        assert run_on(path).oos_predictions_.scores.tobytes() == scores


def test_a_store_holds_no_pickles(intact):
    # How pickles of every protocol begin, and what they are made of.
    assert b"\x80\x04\x95" not in intact
    assert b"\x80\x05\x95" not in intact
    assert b"sklearn.tree" not in intact
