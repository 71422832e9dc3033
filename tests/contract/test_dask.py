"""Fits on a real cluster of two worker processes."""

import asyncio
import os
import signal
from contextlib import contextmanager

import joblib
import numpy as np
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster
from sklearn.tree import DecisionTreeClassifier

import bbc
from nightly import nightly

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(120, 20)), RNG.integers(0, 2, 120)
DEPTHS = {"max_depth": [1, 2, 3, 4, 5, None]}


@contextmanager
def two_workers():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as started,
        Client(started) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def cluster():
    with two_workers() as client:
        yield client


class Counted(pd.DataFrame):
    """Counts how often it is pickled; its parts are ordinary frames."""

    n_pickled = 0

    @property
    def _constructor(self):
        return pd.DataFrame

    def __reduce_ex__(self, protocol):
        Counted.n_pickled += 1
        return super().__reduce_ex__(protocol)


class DiesOnce(DecisionTreeClassifier):
    """The first to train with three levels takes its worker down, unless a marker is there."""

    def __init__(
        self, marker=None, caller=None, splitter="random", max_depth=None, random_state=None
    ):
        super().__init__(splitter=splitter, max_depth=max_depth, random_state=random_state)
        self.marker = marker
        self.caller = caller

    def fit(self, X, y):
        if self.marker is not None and self.max_depth == 3 and os.getpid() != self.caller:
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


def protocol(kind, **options):
    estimator = options.pop("estimator", DecisionTreeClassifier(splitter="random"))
    if kind is bbc.BBCD:  # on noise, so that something is dropped
        options["dropping_level"] = 0.6
    return kind(estimator, DEPTHS, scoring="roc_auc", n_bootstraps=100, random_state=1, **options)


def same_dropping(one, other):
    if isinstance(one, bbc.BBCD):
        assert (one.dropped_ >= 0).any(), "nothing was dropped, so nothing was tried"
        assert one.dropped_.tolist() == other.dropped_.tolist()
        assert one.speed_up_ == other.speed_up_


@pytest.mark.parametrize("kind", [bbc.BBC, *nightly(bbc.BBCD)])
def test_a_cluster_changes_nothing(kind, cluster, tmp_path):
    alone = protocol(kind).fit(X, Y)
    with joblib.parallel_config(backend="dask"):
        spread = protocol(kind, store=tmp_path / "run.bbc").fit(X, Y)
    assert spread.performance_ == alone.performance_
    same_dropping(spread, alone)
    assert bbc.StoredRun(tmp_path / "run.bbc").n_fits == alone.n_models_trained_ - 1


def test_data_are_sent_once_and_not_per_task(cluster):
    data = Counted(X)
    Counted.n_pickled = 0
    with joblib.parallel_config(backend="dask"):
        fitted = protocol(bbc.BBC).fit(data, Y)
    assert fitted.n_models_trained_ == 61
    assert 1 <= Counted.n_pickled <= 4


def test_data_of_an_earlier_run_may_be_released_while_they_are_sent(cluster, monkeypatch):
    """Garbage is collected at any moment. Seen to wait forever where keys are hashes of data."""
    earlier = [cluster.scatter([X, Y], broadcast=True)]
    scheduler = cluster.cluster.scheduler
    replicate = scheduler.replicate

    async def released_before(keys, **options):
        key = earlier[0][0].key
        earlier.clear()
        while key in scheduler.tasks:
            await asyncio.sleep(0)  # the scheduler hears of it
        assert set(keys) <= set(scheduler.tasks), "it would wait for others forever"
        await replicate(keys=keys, **options)

    monkeypatch.setattr(scheduler, "replicate", released_before)
    with joblib.parallel_config(backend="dask"):
        spread = protocol(bbc.BBC).fit(X, Y)
    assert not earlier
    assert spread.performance_ == protocol(bbc.BBC).fit(X, Y).performance_


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [bbc.BBC, *nightly(bbc.BBCD)])
def test_a_worker_that_dies_changes_nothing(kind, tmp_path):
    alone = protocol(kind, estimator=DiesOnce()).fit(X, Y)
    marker = tmp_path / "died"
    # Workers of its own: joblib trains in the caller's process while a cluster has a single one,
    # and a busy machine may never replace the one that died.
    with two_workers(), joblib.parallel_config(backend="dask"):
        estimator = DiesOnce(marker=str(marker), caller=os.getpid())
        spread = protocol(kind, estimator=estimator).fit(X, Y)
    same_dropping(spread, alone)
    assert marker.exists()
    assert spread.performance_ == alone.performance_
    assert spread.n_models_trained_ == alone.n_models_trained_
