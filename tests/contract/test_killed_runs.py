"""Runs that die at any moment, and stores that lose their ground, go on and lose nothing."""

import multiprocessing
import os
import sqlite3

import pytest
from benches.faults.kills import Kills

import bbc
from instrumented import Witness, numbered_data

X, Y = numbered_data()
FORK = multiprocessing.get_context("fork")


@pytest.fixture(scope="module")
def kills(tmp_path_factory):
    return Kills(tmp_path_factory.mktemp("kills"), seed=20180707)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_run_that_is_killed_loses_nothing(kills, number):
    """`make faults` does it a hundred times."""
    found = kills.trial(number)
    assert (found["lost"], found["trained_again"], found["same_bits"]) == (0, 0, True), found


def search(store):
    return bbc.CVT(Witness(), {"shift": [0.0, 0.3]}, cv=3, refit=False, store=store)


class DyingConnection(sqlite3.Connection):
    """Ends its process before the statement of a number."""

    left = -1
    run = 0

    def execute(self, *arguments):
        self._count()
        return super().execute(*arguments)

    def executemany(self, *arguments):
        self._count()
        return super().executemany(*arguments)

    def commit(self):
        self._count()
        super().commit()

    def __exit__(self, *error):
        self._count()
        return super().__exit__(*error)

    def _count(self):
        DyingConnection.run += 1
        if DyingConnection.run == DyingConnection.left:
            os._exit(9)


@pytest.fixture
def dying(monkeypatch):
    connect = sqlite3.connect

    def with_deaths(*arguments, **options):
        return connect(*arguments, factory=DyingConnection, **options)

    monkeypatch.setattr("bbc.store.sqlite3.connect", with_deaths)
    monkeypatch.setattr(DyingConnection, "run", 0)
    monkeypatch.setattr(DyingConnection, "left", -1)


def test_a_run_that_dies_between_any_two_statements_goes_on(dying, tmp_path):
    undisturbed = search(tmp_path / "undisturbed.bbc").fit(X, Y).performance_
    n_statements = DyingConnection.run
    assert n_statements > 30
    for number in range(1, n_statements + 1):
        path = tmp_path / f"{number}.bbc"
        child = FORK.Process(target=_die, args=(path, number))
        child.start()
        child.join()
        assert child.exitcode == 9, number
        assert search(path).fit(X, Y).performance_ == undisturbed, number
        run = bbc.open(path)
        assert run.is_complete, number
        assert run.metrics == ("accuracy",), number


def _die(path, number):
    DyingConnection.run, DyingConnection.left = 0, number
    search(path).fit(X, Y)
