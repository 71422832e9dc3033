"""An unchanged run goes on: in a new process, with another order of sets, after any training."""

import importlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

import bbc
import resumable
from bbc._store import _fingerprint
from bbc.errors import BBCWarning, StoreError

TESTS = Path(__file__).resolve().parent.parent


def in_a_process(folder, hash_seed):
    """How many models of each case a new process trains."""
    ended = subprocess.run(
        [sys.executable, "-m", "resumable", folder],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(TESTS)},
    )
    return json.loads(ended.stdout)


def test_new_processes_train_nothing_again(tmp_path):
    """Seen to fail where a set's order or an object's address was part of a digest."""
    assert set(in_a_process(tmp_path, "1").values()) == {3}
    for hash_seed in ("2", "3"):
        assert in_a_process(tmp_path, hash_seed) == dict.fromkeys(resumable.CASES, 0)


@pytest.mark.parametrize("case", resumable.CASES)
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_the_same_process_trains_nothing_again(case, tmp_path):
    """Caches are filled by now, counters have counted, classes were pickled."""
    store = tmp_path / "run.bbc"
    assert resumable.search(case, store).n_models_from_store_ == 0
    assert resumable.search(case, store).n_models_from_store_ == 3


def test_what_cannot_be_compared_is_named_once(tmp_path):
    case = "locks, loggers, patterns, caches"
    with pytest.warns(BBCWarning, match="pass another path when you change them") as caught:
        resumable.search(case, tmp_path / "run.bbc")
    (message,) = [str(one.message) for one in caught if one.category is BBCWarning]
    assert "resumable.LOCK (cannot pickle '_thread.lock' object)" in message
    assert "PATTERN" not in message


NATIVE = """
#include <Python.h>
static PyObject *same(PyObject *self, PyObject *value) { return Py_NewRef(value); }
static PyMethodDef methods[] = {{"same", same, METH_O, ""}, {NULL}};
static struct PyModuleDef native = {PyModuleDef_HEAD_INIT, "native", "", -1, methods};
PyMODINIT_FUNC PyInit_native(void) { return PyModule_Create(&native); }
"""
HIDDEN = """
import importlib
import native
from native import same

def by_name(X):
    return importlib.import_module("json") and X

def by_text(X):
    return eval("X")

def by_member(X):
    return native.same(X)

def by_itself(X):
    return same(X)
"""


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """A module of functions that lead where a store cannot follow."""
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "hidden.py").write_text(HIDDEN)
    (folder / "native.c").write_text(NATIVE)
    include, library = sysconfig.get_paths()["include"], folder / "native.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", f"-I{include}", "-o", library, folder / "native.c"], check=True
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield importlib.import_module("hidden")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("by_name", "hidden.by_name (calls import_module)"),
        ("by_text", "hidden.by_text (calls eval)"),
        ("by_member", "native (is compiled)"),
        ("by_itself", "native (is compiled)"),
        ("same", "native (is compiled)"),
    ],
)
def test_code_that_cannot_be_followed_is_named(name, message, hidden, tmp_path):
    estimator = resumable.transformed(getattr(hidden, name))
    options = {"cv": 3, "refit": False, "random_state": 1, "store": tmp_path / "run.bbc"}
    with pytest.warns(BBCWarning) as caught:
        bbc.CVT(estimator, **options).fit(resumable.X, resumable.Y)
    (said,) = [str(one.message) for one in caught if one.category is BBCWarning]
    assert said.endswith(f"when you change them: {message}")


def test_what_packages_hold_is_nothing_to_warn_of(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BBCWarning)
        for _ in range(2):
            resumable.search("what packages hold", tmp_path / "run.bbc")


def test_what_training_changes_is_named_from_the_second_call_on(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BBCWarning)
        resumable.search("counters", tmp_path / "run.bbc")
    with pytest.warns(BBCWarning) as caught:
        resumable.search("counters", tmp_path / "run.bbc")
    (message,) = [str(one.message) for one in caught if one.category is BBCWarning]
    for name in ("resumable.COUNTS", "resumable.Counting.n_fits", "resumable.Counting.seen"):
        assert f"{name} (changed by training)" in message


PACKAGE = """
from sklearn.naive_bayes import GaussianNB
class Learner(GaussianNB):
    def fit(self, X, y):
        return super().fit(X, {labels})
"""


def install(site, version="1.0", labels="y", origin=None):
    """A package `learned` as an installer leaves it behind; what was imported is forgotten."""
    shutil.rmtree(site, ignore_errors=True)
    info = site / f"learned_dist-{version}.dist-info"
    info.mkdir(parents=True)
    (site / "learned.py").write_text(PACKAGE.format(labels=labels))
    (info / "METADATA").write_text(f"Name: learned-dist\nVersion: {version}\n")
    (info / "RECORD").write_text("learned.py,,\n")
    (info / "INSTALLER").write_text("pip")
    if origin is not None:
        (info / "direct_url.json").write_text(json.dumps({"url": "x", **origin}))
    for known in (_fingerprint.packages_of, _fingerprint._origin, _fingerprint._distributions):
        known.cache_clear()
    sys.modules.pop("learned", None)
    importlib.invalidate_caches()


def call(store):
    learner = importlib.import_module("learned").Learner()
    options = {"cv": 3, "refit": False, "store": store, "random_state": 1}
    return bbc.CVT(learner, **options).fit(resumable.X, resumable.Y).n_models_from_store_


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ({}, {"version": "1.1"}, "learned-dist differs (1.0 there, 1.1 here); install that"),
        (
            {"origin": {"dir_info": {}}},
            {"origin": {"dir_info": {}}, "labels": "1 - y"},
            "the code of learned.Learner.fit differs",
        ),
        (
            {"origin": {"vcs_info": {"commit_id": "abc"}}},
            {"origin": {"vcs_info": {"commit_id": "abd"}}},
            "learned-dist differs (1.0 (abc) there, 1.0 (abd) here)",
        ),
        (
            {"origin": {"archive_info": {"hash": "sha256=1"}}},
            {"origin": {"archive_info": {"hash": "sha256=2"}}},
            "learned-dist differs (1.0 (sha256=1) there",
        ),
    ],
    ids=["another version", "a folder", "a commit", "an archive"],
)
def test_packages_are_compared_by_what_identifies_them(
    before, after, message, tmp_path, monkeypatch
):
    site, store = tmp_path / "site-packages", tmp_path / "run.bbc"
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    install(site, **before)
    assert call(store) == 0
    install(site, **before)
    assert call(store) == 3
    install(site, **after)
    with pytest.raises(StoreError) as caught:
        call(store)
    assert message in str(caught.value)
    sys.modules.pop("learned", None)


@pytest.mark.parametrize("folder", ["site-packages", "pip --target"])
def test_what_an_index_gave_is_compared_by_its_version_only(folder, tmp_path, monkeypatch):
    site, store = tmp_path / folder, tmp_path / "run.bbc"
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    install(site)
    call(store)
    install(site, labels="1 - y")
    assert call(store) == 3
    sys.modules.pop("learned", None)
