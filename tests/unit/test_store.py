import sqlite3
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from bbc.errors import StoreError
from bbc.store import FitKey, Store, StoredFit

KEY = FitKey("cv", 0, 1, 2)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.bbc"


def started(path, **identity):
    store = Store(path)
    store.start({"y": "1", "grid": ["a", "b"]} | identity, {"y": np.arange(3)})
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
        assert list(store.fits("cv")) == [KEY]
        assert list(store.fits("other")) == []
    assert (fit.fit_time, fit.score_time, fit.method, fit.error) == (0.25, 0.5, "predict_proba", "")
    for name, array in outputs.items():
        assert fit.outputs[name].dtype == array.dtype
        assert fit.outputs[name].tobytes() == array.tobytes()


def test_strings_and_empty_arrays_are_kept(path):
    with Store(path) as store:
        store.start({}, {"classes": np.array(["ä", "bc"]), "none": np.empty((0, 4))})
        assert store.array("classes").tolist() == ["ä", "bc"]
        assert store.array("none").shape == (0, 4)


@pytest.mark.parametrize(
    ("identity", "message"),
    [
        ({"y": "2"}, r"y differs \(1 there, 2 here\)"),
        ({"grid": ["a", "c"]}, r"grid differs at 1 \(b there, c here\)"),
        ({"grid": ["a"]}, r"grid differs \(2 there, 1 here\)"),
        ({"version": "2"}, r"version differs \(None there, 2 here\)"),
    ],
)
def test_another_run_is_refused_with_the_difference_named(path, identity, message):
    started(path).close()
    with pytest.raises(StoreError, match=f"holds another run: {message}"):
        started(path, **identity)


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
        from bbc.store import Store
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
        store._connection.execute("PRAGMA max_page_count = 30")
        with pytest.raises(StoreError, match=r"the disk is full; everything stored so far is kept"):
            save_many(store, fit)
        kept = len(list(store.fits("cv")))
        assert 0 < kept < 100
    with started(path) as store:
        assert len(list(store.fits("cv"))) == kept
        store.save(FitKey("cv", 0, 0, kept), fit)


def test_a_file_that_cannot_be_written(path, monkeypatch):
    with started(path) as store:
        store.save(KEY, StoredFit())
    connect = sqlite3.connect
    monkeypatch.setattr(
        "bbc.store.sqlite3.connect",
        lambda name, **options: connect(name.replace("mode=rwc", "mode=ro"), **options),
    )
    with pytest.raises(StoreError, match="it cannot be written; everything stored so far is kept"):
        started(path).save(FitKey("cv", 0, 0, 0), StoredFit())
    monkeypatch.undo()
    with Store(path, read_only=True) as store:
        assert list(store.fits("cv")) == [KEY]
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


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [("|O", "[1]"), ("<f8", "[9]"), ("<f8", "[-1]"), ("V8", "[1]"), ("<f8", "x")],
)
def test_an_array_that_was_tampered_with_is_refused(path, dtype, shape):
    with started(path) as store:
        store._connection.execute("UPDATE arrays SET dtype = ?, shape = ?", (dtype, shape))
        with pytest.raises(StoreError, match="the file is damaged"):
            store.array("y")


def test_objects_are_never_stored(path):
    with Store(path) as store, pytest.raises(TypeError, match="numbers, booleans and strings"):
        store.start({}, {"y": np.array([None, "a"], dtype=object)})


def test_a_newer_format_is_refused(path):
    with started(path) as store:
        store._connection.execute("PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="has format 7; this version of bbc reads 2"):
        Store(path)
