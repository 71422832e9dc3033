"""Calls from several threads at once return what they return alone, with Python's lock or without.

In a process of its own: another test may have imported a module that needs the lock, which brings
it back for all.
"""

import json
import os
import subprocess
import sys
import sysconfig
import textwrap

import pytest

import bbc

SCRIPT = textwrap.dedent("""
    import dataclasses, json, sys, threading
    import numpy as np
    import bbc

    rng = np.random.default_rng(0)
    y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    scores = rng.random((200, 30)) + y[:, None] / 5
    labels = (scores > 0.6).astype(int)
    resampled = {"n_bootstraps": 200, "random_state": 1}
    known = {"metric": "roc_auc", **resampled}
    shared = bbc.correct(y, scores, folds=folds, **known)


    def bits(result):
        result = getattr(result, "record", result)
        if dataclasses.is_dataclass(result):
            return {one.name: bits(getattr(result, one.name)) for one in dataclasses.fields(result)}
        if isinstance(result, dict):
            return {str(name): bits(one) for name, one in result.items()}
        if isinstance(result, (list, tuple)):
            return [bits(one) for one in result]
        return result.tobytes().hex() if isinstance(result, np.ndarray) else repr(result)


    def greatest(scores, _):
        return int(scores.argmax())


    def refused():
        try:
            bbc.baselines.intervals.delong(y * 0, scores[:, 0])
        except bbc.errors.ArgumentError as error:
            return str(error)


    CALLS = {
        "correct": lambda: bbc.correct(y, labels, metric="f1", **resampled),
        "one thread": lambda: bbc.correct(y, scores, n_threads=1, **known),
        "blocks": lambda: bbc.correct(y, bbc.Blocks([scores[:, :9], scores[:, 9:]]), **known),
        "rule in Python": lambda: bbc.correct(y, scores, selection=greatest, **known),
        "bbc-f": lambda: bbc.correct(y, scores, method="bbc-f", folds=folds, **known),
        "mabt": lambda: bbc.baselines.bound(y, scores, folds, method="mabt", **resampled),
        "delong": lambda: bbc.baselines.intervals.delong(y, scores[:, 0]),
        "dominated": lambda: bbc.baselines.dominated(y, scores, **known),
        "compare": lambda: bbc.compare(
            bbc.Predictions(y, scores), by=["a"] * 9 + ["b"] * (scores.shape[1] - 9), **known
        ),
        "one result": lambda: (shared.summary(), shared.facts, shared.to_json()),
        "a refusal": refused,
    }
    start = threading.Barrier(4)
    found = {}


    def work(k):
        start.wait()
        for name, call in CALLS.items():
            found[name, k] = [bits(call()) for _ in range(3)]


    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = {name: bits(call()) for name, call in CALLS.items()}
    print(json.dumps({
        "alone": alone,
        "same": {
            name: [one == alone[name] for k in range(4) for one in found[name, k]]
            for name in CALLS
        },
        "lock": getattr(sys, "_is_gil_enabled", lambda: True)(),
    }))
""")


@pytest.fixture(scope="module")
def said():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_calls_at_once_have_the_same_bits(said):
    assert said["same"] == {name: [True] * 12 for name in said["alone"]}
    assert len(said["same"]) == 11
    assert "y_true has one class" in said["alone"]["a refusal"]


def test_the_package_leaves_the_lock_off(said):
    """Where Python has none: importing a module that needs the lock would bring it back."""
    assert said["lock"] is not bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def test_draws_that_are_kept_change_nothing_and_have_a_limit():
    data = bbc.simulate.auc(60, 20, random_state=0)
    source = """
        import sys
        import bbc
        data = bbc.simulate.auc(60, 20, random_state=0)
        found = [
            bbc.correct(data.y, data.predictions, metric=metric, random_state=1)
            for metric in ("roc_auc", "average_precision", "roc_auc", "roc_auc")
        ]
        assert found[0] == found[2] == found[3]
        print(found[0].to_json(), bbc._core.draw_memory())
    """
    expected = bbc.correct(data.y, data.predictions, metric="roc_auc", random_state=1).to_json()
    command = [sys.executable, "-c", textwrap.dedent(source)]
    for text, n_bytes in (("0", 0), ("0.02", 20_000), ("64", 64_000_000)):
        environment = {**os.environ, "BBC_DRAW_MEMORY": text}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.stdout == f"{expected} {n_bytes}\n", done.stderr
    for text in ("much", "-1", "nan", ""):
        environment = {**os.environ, "BBC_DRAW_MEMORY": text}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert "a variable of the environment, must be a number of megabytes" in done.stderr
