"""The line that says how much of a long call is done: on a terminal, and cleared at its end."""

import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc
from bbc._bar import Bar, duration

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.arange(40) % 2
LABELS = RNG.integers(0, 2, (40, 3))
GRID = {"C": [0.1, 1.0, 10.0]}


def searched():
    bbc.keep_predictions(GridSearchCV(LogisticRegression(), GRID, cv=4)).fit(X, Y)


def protocol():
    bbc.BBC(LogisticRegression(), GRID, cv=4, random_state=1).fit(X, Y)


def function(error=None):
    n_calls = 0

    def share(y, labels):
        nonlocal n_calls
        n_calls += 1
        if error is not None and n_calls > 20:
            raise error
        return float(np.mean(y == labels))

    return bbc.correct(Y, LABELS, metric=share, n_bootstraps=50, random_state=1)


def on_a_terminal(monkeypatch):
    """Within a test: before it, pytest puts another stream in this place."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("bbc._bar._PATIENCE", 0.0)
    monkeypatch.setattr("bbc._bar._BETWEEN", 0.0)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (searched, "6 of 13 models"),  # three configurations in four folds, and the final fit
        (protocol, "6 of 13 models"),
        (function, "30 of 50 replicates"),
        (lambda: function().score(lambda y, labels: float(np.mean(y == labels))), "30 of 50"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_terminal_shows_the_line_and_clears_it(call, line, monkeypatch, capsys):
    on_a_terminal(monkeypatch)
    call()
    shown = capsys.readouterr().err
    assert line in shown
    assert "s left" in shown
    assert shown.endswith("\r\033[K")


def test_an_error_clears_the_line(monkeypatch, capsys):
    on_a_terminal(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        function(ZeroDivisionError("in the metric"))
    assert capsys.readouterr().err.endswith("\r\033[K")


@pytest.mark.parametrize("call", [searched, protocol, function])
def test_elsewhere_nothing_is_shown(call, monkeypatch, capsys):
    monkeypatch.setattr("bbc._bar._PATIENCE", 0.0)
    call()
    assert capsys.readouterr().err == ""


def test_a_call_that_says_what_it_does_shows_no_line(monkeypatch, capsys):
    on_a_terminal(monkeypatch)
    bbc.BBC(LogisticRegression(), GRID, cv=4, random_state=1, verbose=1).fit(X, Y)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "[BBC] fold 4 of 4" in shown.out


def test_nothing_is_shown_before_two_seconds(monkeypatch, capsys):
    now = iter([0.0, 1.9, 2.1, 2.15, 2.3])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("bbc._bar.time.monotonic", lambda: next(now))
    bar = Bar(4, "models")
    for done in (1, 2, 3, 4):
        bar.update(done)
    shown = capsys.readouterr().err
    assert [f"{done} of 4 models" in shown for done in (1, 2, 3, 4)] == [False, True, False, True]


def test_durations_are_in_the_unit_of_the_reader():
    assert [duration(s) for s in (99, 120, 7200)] == ["99 s", "2 min", "2.0 h"]
