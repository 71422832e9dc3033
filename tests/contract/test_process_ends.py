"""Python may end while a daemon thread is in the kernel: the process ends well, and says nothing.

Up to Python 3.13, the interpreter ends a thread that asks for its lock by unwinding the stack. That
is fatal in a destructor, and in a handler that does not pass it on.
"""

import subprocess
import sys
import textwrap

import pytest

from nightly import nightly

SCRIPT = """
    import signal, sys, threading

    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])  # of all threads to come
    import numpy as np
    import bbc

    rng = np.random.default_rng(0)
    y, folds = np.arange(2000) % 2, np.arange(2000) // 2 % 20
    scores = rng.random((2000, 300)) + y[:, None] / 10
    long = {{"metric": "roc_auc", "n_bootstraps": 20_000, "random_state": 1}}
    bbc.correct(y, scores[:, :2], metric="roc_auc")  # other packages are imported before
    bbc.baselines.bound, bbc.baselines.intervals.naive_bootstrap, bbc.baselines.dominated
    inside = threading.Event()

    def work():
        inside.set()
        while True:
            {call}

    threading.Thread(target=work, daemon=True).start()
    inside.wait()
    if {seconds}:  # of work, which a busy machine does not shorten
        signal.setitimer(signal.ITIMER_PROF, {seconds})
        signal.sigwait([signal.SIGPROF])
    {end}
"""
# Seconds of work, or milliseconds again and again: the end meets every part of a call.
CALLS = {
    "correct": "bbc.correct(y, scores, **long)",
    "one thread": "bbc.correct(y, scores, n_threads=1, **long)",
    "small": "bbc.correct(y[:50], scores[:50, :5], metric='roc_auc', n_bootstraps=50)",
    "blocks": "bbc.correct(y, bbc.Blocks([scores[:, :150], scores[:, 150:]]), **long)",
    "rule in Python": "bbc.correct(y, scores, selection=lambda s, _: int(s.argmax()), **long)",
    "bbc-f": "bbc.correct(y, scores, method='bbc-f', folds=folds, **long)",
    "mabt": "bbc.baselines.bound(y, scores, folds, method='mabt', n_bootstraps=20_000)",
    "bootstrap": "bbc.baselines.intervals.naive_bootstrap(y, scores[:, 0], **long)",
    "dominated": "bbc.baselines.dominated(y, scores, **long)",
}


def ended(call: str, seconds: float = 0.3, end: str = "") -> tuple[int, str]:
    """Exit code and standard error of a process whose daemon thread makes this call."""
    source = textwrap.dedent(SCRIPT.format(call=call, seconds=seconds, end=end))
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "name",
    [
        *("correct", "rule in Python"),
        *nightly("one thread", "small", "blocks", "bbc-f", "mabt", "bootstrap", "dominated"),
    ],
)
def test_a_daemon_thread_in_the_kernel(name):
    assert ended(CALLS[name]) == (0, "")


@pytest.mark.parametrize("seconds", [0.07, *nightly(0.0, 0.04, 0.6)])
def test_at_any_moment(seconds):
    assert ended(CALLS["correct"], seconds) == (0, "")


@pytest.mark.parametrize(
    ("end", "code"),
    [("sys.exit(3)", 3), *nightly(("raise SystemExit", 0), ("import os; os._exit(4)", 4))],
)
def test_the_exit_code_is_the_programs(end, code):
    assert ended(CALLS["correct"], end=end) == (code, "")
