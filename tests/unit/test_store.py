import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from bbc._names import SEEDING
from bbc._store import FitKey, Identity, Store, StoredFit
from bbc.errors import StoreError

KEY = FitKey("cv", 0, 1, 2)
GRID = {f"#{number}": f"C={number}" for number in range(1000)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bbc"


def started(path, grid=GRID, values=dict, run=None, code=(), **facts):
    store = Store(path)
    facts = {"y": ["#1"], "X": ["#1"]} | facts
    code = {"the version of numpy": ["2.0"]} | dict(code)
    try:
        store.start(Identity(facts, code, grid, values), run or {"y": np.arange(3)}, {})
    except BaseException:
        store.close()
        raise
    return store


def save_many(store, fit):
    for configuration in range(1000):
        store.save(FitKey("cv", 0, 0, configuration), fit)


def test_a_fit_comes_back_bit_by_bit(path):
    outputs = {
        "labels": np.array([0, 1, -1], dtype=np.int8),
        "scores": np.array([[0.1, np.nan], [np.inf, -0.0], [1e-300, 3.0]]),
    }
    with started(path) as store:
        store.save(KEY, StoredFit(outputs, 0.25, 0.5, "predict_proba", ""))
    with Store(path) as store:
        fit = store.load(KEY)
        assert store.fits("cv") == [KEY]
        assert store.fits("other") == []
    assert (fit.fit_time, fit.score_time, fit.method, fit.error) == (0.25, 0.5, "predict_proba", "")
    for name, array in outputs.items():
        assert fit.outputs[name].dtype == array.dtype
        assert fit.outputs[name].tobytes() == array.tobytes()


def test_arrays_of_all_kinds_are_kept(path):
    arrays = {
        "words": np.array(["ä", "bc"]),
        "none": np.empty((0, 4)),
        "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
        "survival": np.array([(True, 1.5), (False, 2)], dtype=[("event", bool), ("time", float)]),
    }
    started(path, run=arrays | {"plain": [1, None]}).close()
    with Store(path) as store:
        kept = store.record("run")
    assert kept.pop("plain") == [1, None]
    assert kept.keys() == arrays.keys()
    for name, array in arrays.items():
        assert kept[name].dtype == array.dtype
        np.testing.assert_array_equal(kept[name], array)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": ["#2"]}, "y differs; pass what it began with, or"),
        (
            {"code": {"the version of numpy": ["2.1"]}},
            r"the version of numpy differs \(2.0 there, 2.1 here\); install that version",
        ),
        ({"y": []}, "y differs;"),
        ({SEEDING: ["2"]}, rf"{SEEDING} differs \(1 there, 2 here\); finish the run with the ver"),
        ({"folds": ["3"]}, r"folds differs \(nothing there, 3 here\); pass what it began with"),
    ],
)
def test_another_run_is_refused_with_the_difference_named(path, changes, message):
    first = {SEEDING: ["1"]}
    started(path, **first).close()
    with pytest.raises(StoreError, match=f"holds another run: {message}"):
        started(path, **(first | changes))


def test_a_call_may_add_to_what_is_compared(path):
    started(path, grid={"#1": "C=1"}).close()
    more = {"#2": "C=2", "#1": "C=1"}
    with started(path, grid=more, code={"the code of a.f": ["#7"]}) as store:
        store.save(FitKey("cv", 0, 0, 1), StoredFit())
    with pytest.raises(StoreError, match=r"the code of a\.f differs; undo the edit"):
        started(path, grid=more, code={"the code of a.f": ["#8"]})
    turned = dict(reversed(more.items()))
    with started(path, grid=turned, code={"the code of a.f": ["#8", "#7"]}) as store:
        assert store.fits("cv") == [FitKey("cv", 0, 0, 0)]
    with pytest.raises(StoreError, match="the grid lacks 1 of its 2 configurations"):
        started(path, grid={"#1": "C=1"})  # and with it what its code was


def test_values_that_change_meanwhile_are_not_compared(path):
    found = {"the value of a.n": ["#1"], "the value of a.m": ["#1"]}
    store = started(path, values=lambda: found)
    found = found | {"the value of a.n": ["#2"]}
    store.save(KEY, StoredFit())
    assert Store.changing.fget(store) == ["the value of a.n"]  # before the end: a kill may come
    found = found | {"the value of a.m": ["#3"]}
    store.close()
    with started(path, values=dict) as store:
        assert store.changing == ["the value of a.m", "the value of a.n"]


def test_values_that_change_in_between_are_refused(path):
    started(path, values=lambda: {"the value of a.n": ["#1"]}).close()
    with pytest.raises(StoreError, match=r"the value of a\.n differs; set it as it was"):
        started(path, values=lambda: {"the value of a.n": ["#2"]})


def test_other_folds_are_refused(path):
    with started(path) as store:
        store.start_part("cv", "abc")
        store.start_part("cv", "abc")
        with pytest.raises(StoreError, match="the folds of 'cv' differ"):
            store.start_part("cv", "xyz")


def test_a_store_in_use_is_refused_to_other_processes(path):
    code = """
        import sys
        from bbc.errors import StoreError
        from bbc._store import Store
        try:
            Store(sys.argv[1])
        except StoreError as error:
            print(error)
    """
    with started(path):
        second = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        with pytest.raises(StoreError, match="another process is using it"):
            Store(path)
    assert "another process is using it" in second.stdout
    started(path).close()


def test_a_full_disk_keeps_what_is_there(path):
    fit = StoredFit({"scores": np.zeros(1000)})
    with started(path) as store:
        store._file.connection.execute("PRAGMA max_page_count = 30")
        with pytest.raises(StoreError, match=r"the disk is full; everything stored so far is kept"):
            save_many(store, fit)
        kept = len(store.fits("cv"))
        assert 0 < kept < 100
    with started(path) as store:
        assert len(store.fits("cv")) == kept
        store.save(FitKey("cv", 0, 0, kept), fit)


def test_a_file_that_cannot_be_written(path, monkeypatch):
    with started(path) as store:
        store.save(KEY, StoredFit())
    connect = sqlite3.connect
    monkeypatch.setattr(
        "bbc._store._sealed.sqlite3.connect",
        lambda name, **options: connect(name.replace("mode=rw", "mode=ro"), **options),
    )
    with pytest.raises(StoreError, match="it cannot be written; everything stored so far is kept"):
        started(path).save(FitKey("cv", 0, 0, 0), StoredFit())
    monkeypatch.undo()
    with Store(path, read_only=True) as store:
        assert store.fits("cv") == [KEY]
        with pytest.raises(StoreError, match="it cannot be written"):
            store.save(FitKey("cv", 0, 0, 0), StoredFit())


def test_reading_while_another_writes_is_refused(path):
    with started(path), pytest.raises(StoreError, match="another process is using it"):
        Store(path, read_only=True)


def test_what_is_no_store(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all, " * 100)
    with pytest.raises(StoreError, match="it is not a bbc store"):
        Store(text)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match="it is not a bbc store"):
        Store(other)
    with pytest.raises(StoreError, match="the directory must exist"):
        Store(tmp_path / "no" / "such" / "folder.bbc")
    with pytest.raises(StoreError, match="there is no such file"):
        Store(tmp_path / "missing.bbc", read_only=True)


def test_objects_are_never_stored(path):
    with pytest.raises(TypeError, match="numbers, booleans and strings"):
        started(path, run={"y": np.array([None, "a"], dtype=object)})
    assert not path.exists()


@pytest.mark.parametrize("version", [2, 7])
def test_another_format_is_refused(path, version):
    with started(path) as store:
        store._file.connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match=f"has format {version}; this version of bbc reads 3"):
        Store(path)


def test_a_file_without_a_run_does_not_stay(path):
    Store(path).close()
    assert not path.exists()
    started(path).close()
    Store(path).close()
    assert path.exists()


def test_ctrl_c_stops_a_query(path):
    """A damaged file may make SQLite walk for long. Seen to fail without a progress handler."""
    with started(path) as store:
        began, previous = (
            time.process_time(),
            signal.signal(signal.SIGPROF, signal.default_int_handler),
        )
        signal.setitimer(signal.ITIMER_PROF, 0.2)
        try:
            with pytest.raises(KeyboardInterrupt):
                store._file.rows(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1 << 30) "
                    "SELECT max(i) FROM n"
                )
        finally:
            signal.signal(signal.SIGPROF, previous)
        assert time.process_time() - began < 2.0


BAD_PATHS = {
    "": "it is not the path of a file",
    ":memory:": "it is not the path of a file",
    "a\0b": "it is not the path of a file",
    "queue": "it is not a regular file",
    "no/such/folder.bbc": "the directory must exist",
    "x" * 300: "cannot be opened",
    "half\ud800.bbc": "cannot be opened",
    "new/": "it is not the path of a file",
    ".": "it is a directory",
}


@pytest.mark.parametrize("bad", BAD_PATHS)
@pytest.mark.parametrize("read_only", [False, True])
def test_paths_that_are_no_files_are_refused_and_nothing_is_made(
    bad, read_only, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("queue")
    message = BAD_PATHS[bad] + "|there is no such file" * read_only
    with pytest.raises(StoreError, match=message):
        Store(bad, read_only=read_only)
    assert os.listdir(tmp_path) == ["queue"]


@pytest.mark.parametrize("bad", [5, None, True, ["run.bbc"]])
def test_what_is_no_path_is_refused(bad):
    with pytest.raises(TypeError, match=f"path of a store must be .* got {type(bad).__name__}"):
        Store(bad)


@pytest.mark.parametrize(
    "name", ["a b%20?#.bbc", "ä\n.bbc", b"\xff\xfe.bbc", "file:x?mode=memory", "'\".bbc"]
)
def test_any_name_of_a_file_is_taken(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with started(name) as store:
        store.save(KEY, StoredFit())
    assert os.listdir(os.fsencode(tmp_path)) == [os.fsencode(name)]
    with Store(name, read_only=True) as store:
        assert store.n_fits == 1


def test_a_learner_may_change_the_directory(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with started("run.bbc") as store:
        os.chdir("elsewhere")
        store.save(KEY, StoredFit())
    assert not os.listdir()
    with Store(tmp_path / "run.bbc", read_only=True) as store:
        assert store.n_fits == 1


NO_LOCKS = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
int fcntl64(int file, int command, ...) {
    if (command == F_SETLK || command == F_SETLKW) { errno = ENOLCK; return -1; }
    return 0;
}
int fcntl(int file, int command, ...) { return fcntl64(file, command); }
"""


def test_a_file_system_without_locks_is_named(tmp_path):
    """Two runs could write into one file there; SQLite says that it is busy."""
    (tmp_path / "locks.c").write_text(NO_LOCKS)
    library = tmp_path / "locks.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "locks.c"], check=True)
    code = """
        import os, sys
        from bbc.errors import StoreError
        from bbc._store import Store
        try:
            Store("run.bbc")
        except StoreError as error:
            print(error, os.listdir())
    """
    folder = tmp_path / "folder"
    folder.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "LD_PRELOAD": str(library)},
    )
    assert "its file system cannot lock files" in ended.stdout
    assert ended.stdout.endswith("[]\n")
