"""Learners that never end, or take their process down: the run stops, says where, and goes on."""

import ctypes
import os
import re
import threading
from types import SimpleNamespace

import joblib
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc._store import Store
from instrumented import Witness, numbered_data
from nightly import nightly

X, Y = numbered_data()
GRID = {"max_depth": [1, 2, 3]}


def hang():
    threading.Event().wait()  # forever: a worker process is ended, a thread ends with its process


def exit_at_once():
    os._exit(3)


def segfault():
    ctypes.string_at(0)


class Once(DecisionTreeClassifier):
    """Comes to a bad end in one fit of one configuration, unless a marker says that it has."""

    def __init__(self, end=None, marker=None, max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.end = end
        self.marker = marker

    def fit(self, X, y):
        if self.max_depth == 2 and 0 in X[:, 0] and 59 not in X[:, 0]:
            try:
                with open(self.marker, "x", encoding="utf-8"):
                    pass
            except FileExistsError:
                pass
            else:
                self.end()
        return super().fit(X, y)


def build(learner, store, kind=bbc.BBC, **options):
    options = {"cv": 4, "random_state": 2, "store": store} | options
    if kind is bbc.BBC:
        options["n_bootstraps"] = 50
    return kind(learner, GRID, **options)


def same(one, other):
    assert one.performance_ == other.performance_
    ours, theirs = one.oos_predictions_.labels, other.oos_predictions_.labels
    assert ours.tobytes() == theirs.tobytes()
    assert one.n_models_trained_ == other.n_models_trained_


def goes_on(learner, path):
    """The same call, which trains what is missing and gives the bits of an unbroken run."""
    kept = bbc.StoredRun(path).n_fits
    assert 0 < kept < 12
    resumed = build(learner, path).fit(X, Y)
    assert resumed.n_models_from_store_ == kept
    same(resumed, build(DecisionTreeClassifier(), None).fit(X, Y))
    return kept


@pytest.fixture
def hour_after(monkeypatch):
    """Stop the clock by which joblib waits, until so many fits are stored: then hours pass."""
    save, saved, now = Store.save, [], [0.0]

    def noted(self, key, fit):
        save(self, key, fit)
        saved.append(key)

    def stop(n_fits):
        def look():
            now[0] += 3600.0 * (len(saved) >= n_fits)
            return now[0]

        clock = SimpleNamespace(time=look, sleep=joblib.parallel.time.sleep)
        monkeypatch.setattr(joblib.parallel, "time", clock)

    monkeypatch.setattr(Store, "save", noted)
    return stop


@pytest.mark.parametrize("backend", ["threading", *nightly("loky")])
def test_a_fit_that_hangs_is_the_only_one_missing(backend, tmp_path, hour_after):
    path = tmp_path / "run.bbc"
    learner = Once(hang, str(tmp_path / "hung"))
    named = r"within 2 s; under way: configuration 'max_depth=2', repeat 0, fold 3; the store"
    hour_after(11)
    stopped = pytest.raises(TimeoutError, match=named)
    with joblib.parallel_config(backend, n_jobs=2), stopped as caught:
        build(learner, path, fit_timeout=2).fit(X, Y)
    assert isinstance(caught.value.__cause__, joblib.parallel.TimeoutError)
    assert goes_on(learner, path) == 11


@pytest.mark.parametrize("end", [exit_at_once, *nightly(segfault)])
def test_a_fit_that_ends_its_process_stops_a_run_that_goes_on(end, tmp_path):
    path = tmp_path / "run.bbc"
    learner = Once(end, str(tmp_path / "ended"))
    named = r"max_depth=2', repeat 0, fold 3.*; the store keeps all that came back: call again"
    with joblib.parallel_config("loky", n_jobs=2), pytest.raises(TerminatedWorkerError) as caught:
        build(learner, path).fit(X, Y)
    (note,) = caught.value.__notes__
    assert note.startswith("Among the fits under way: configuration ")
    assert re.search(named, note), note
    goes_on(learner, path)


def test_fits_of_this_process_cannot_be_timed():
    search = bbc.CVT(Witness(), {"shift": [0.0, 0.3]}, cv=3, n_jobs=1)

    def run():
        with pytest.raises(ValueError, match="fit_timeout: with n_jobs=1"):
            search.set_params(fit_timeout=10).fit(X, Y)

    assert Witness.count(run)[1] == 0
    assert search.set_params(fit_timeout=None).fit(X, Y).performance_.estimate > 0.5


@pytest.mark.parametrize(
    ("seconds", "error", "message"),
    [
        (0, ValueError, "fit_timeout must be above 0 and finite, got 0"),
        (float("inf"), ValueError, "got inf"),
        (float("nan"), ValueError, "got nan"),
        ("60", TypeError, "fit_timeout must be a number, got str"),
        (True, TypeError, "got bool"),
    ],
)
def test_what_is_no_time_is_refused(seconds, error, message):
    options = {"n_jobs": 2, "fit_timeout": seconds}
    with pytest.raises(error, match=message):
        bbc.CVT(DecisionTreeClassifier(), GRID, cv=3, **options).fit(X, Y)
    with pytest.raises(error, match=message):
        bbc.baselines.resampling_error(DecisionTreeClassifier(), X, Y, method="holdout", **options)


def test_a_direct_estimate_cannot_be_timed():
    search = bbc.CVT(DecisionTreeClassifier(), GRID, cv=3)
    with pytest.raises(ValueError, match="fit_timeout has no meaning"):
        bbc.baselines.resampling_error(search, X, Y, method="direct", fit_timeout=60)


def test_a_timeout_of_the_learner_is_the_learners():
    class Slow(DecisionTreeClassifier):
        def fit(self, X, y):
            raise TimeoutError("the server is away")

    search = build(Slow(), None, bbc.CVT, error_score="raise", fit_timeout=1e6)
    refused = pytest.raises(TimeoutError, match="the server is away")
    with joblib.parallel_config("threading", n_jobs=2), refused as caught:
        search.fit(X, Y)
    assert any("max_depth" in note for note in caught.value.__notes__)
