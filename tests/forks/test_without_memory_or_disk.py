"""Processes without memory, stores that cannot be written: one error each, and going on."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pytest

import bbc
import bbc.search  # before forks, of which those of nobody may read no library
from bbc._store import Store
from bbc.errors import StoreError
from instrumented import Witness, numbered_data
from nightly import nightly

FORK = get_context("fork")
X, Y = numbered_data()

# The limit is raised until the call ends; what fails before is a MemoryError, the kernel's mostly.
LIMITED = """
import ctypes
import resource
import traceback
import numpy as np
import bbc

METRIC, N_THREADS = {metric!r}, {n_threads}
rng = np.random.default_rng(0)
y, predictions = rng.integers(0, 2, 20_000), rng.random((20_000, 150))
if METRIC == "accuracy":
    predictions = (predictions > 0.5).astype(np.int8)

def call(n_rows=20_000):
    given = bbc.Predictions(y[:n_rows], predictions[:n_rows], copy=False)  # which takes memory, too
    return bbc.correct(
        given, metric=METRIC, n_bootstraps=40, random_state=1, n_threads=N_THREADS
    )

def under(mebibytes):
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(mebibytes * 2**20), hard))
    try:
        return call()
    except MemoryError as error:
        return traceback.extract_tb(error.__traceback__)[-1].filename
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))

hard = resource.getrlimit(resource.RLIMIT_AS)[1]
call(50)  # everything is imported
found = [under(mebibytes) for mebibytes in (1, 2, 3, 4, 7, 64)]
assert all(isinstance(one, str) for one in found[:3]), found
assert any("/_engine/" in one for one in found[:3]), found  # in the kernel, which has no frame
expected = call()
assert all(one == expected for one in found if not isinstance(one, str)), found
print(expected.to_json())
"""


@pytest.mark.parametrize(("metric", "n_threads"), [("roc_auc", 2), *nightly(("accuracy", 1))])
def test_running_out_of_memory_is_an_error_and_no_end(metric, n_threads):
    script = LIMITED.format(metric=metric, n_threads=n_threads)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    rng = np.random.default_rng(0)
    y, predictions = rng.integers(0, 2, 20_000), rng.random((20_000, 150))
    if metric == "accuracy":
        predictions = (predictions > 0.5).astype(np.int8)
    expected = bbc.correct(y, predictions, metric=metric, n_bootstraps=40, random_state=1)
    assert bbc.PerformanceEstimate.from_json(ended.stdout) == expected


@pytest.fixture
def folder():
    """A folder that everybody can enter; those of pytest are its user's own."""
    with TemporaryDirectory() as path:
        os.chmod(path, 0o755)
        yield Path(path)


def search(store):
    return bbc.CVT(Witness(), {"shift": [0.0, 0.3]}, cv=3, random_state=0, store=store)


def as_nobody(call):
    """What a call returns in a child process that may write nothing, even when run by root."""

    def work(pipe):
        if os.getuid() == 0:
            os.setuid(65534)
        pipe.send(call())

    ours, theirs = FORK.Pipe(duplex=False)
    child = FORK.Process(target=work, args=(theirs,))
    child.start()
    theirs.close()
    found = ours.recv()
    child.join()
    return found


def refusal(store):
    """The error of a run, and the number of models that it had trained."""

    def run():
        try:
            search(store).fit(X, Y)
        except StoreError as error:
            return str(error)

    message, n_trained, _ = Witness.count(run)
    return message, n_trained


PLACES = {
    "a folder that is read-only": ("run.bbc", "cannot be opened; the directory must"),
    "a folder that is missing": ("nowhere/run.bbc", "cannot be opened; the directory must"),
    "a folder": ("", "it is a directory; name a file in it"),
    "what the kernel shows": ("/proc/run.bbc", "cannot be opened; the directory must"),
    "a device": ("/dev/null", "it is not a regular file"),
}


@pytest.mark.parametrize("place", PLACES)
def test_where_nothing_can_be_written_nothing_is_trained(place, folder):
    path, message = PLACES[place]
    folder.chmod(0o555)
    found, n_trained = as_nobody(lambda: refusal(folder / path))
    assert re.search(message, found)
    assert str(folder / path) in found
    assert n_trained == 0


@pytest.mark.parametrize("n_fits", [2, 6])
@pytest.mark.parametrize("of_folder", [0o555, 0o755])
def test_a_store_that_is_read_only_is_looked_at_and_no_more(n_fits, of_folder, folder):
    path = folder / "run.bbc"
    with patch.object(Store, "save", stops_after(n_fits)), suppress(KeyboardInterrupt):
        search(path).fit(X, Y)
    path.chmod(0o444)
    folder.chmod(of_folder)
    before = path.read_bytes()
    message, n_trained = as_nobody(lambda: refusal(path))
    if n_fits == 6:  # a finished run is refitted, predicts, and writes nothing
        assert (message, n_trained) == (None, 1)
    else:
        assert "run.bbc': it cannot be written" in message
        assert n_trained == 0
    assert as_nobody(lambda: bbc.StoredRun(path).n_fits) == n_fits
    assert path.read_bytes() == before
    path.chmod(0o644)
    folder.chmod(0o755)
    resumed, n_trained, _ = Witness.count(lambda: search(path).fit(X, Y))
    assert n_trained == 6 - n_fits + 1
    assert resumed.performance_ == search(None).fit(X, Y).performance_


def stops_after(n_fits):
    save = Store.save

    def saved(store, key, fit):
        if store.n_fits == n_fits:
            raise KeyboardInterrupt
        save(store, key, fit)

    return saved
