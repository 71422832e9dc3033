"""Ctrl-C stops what would take half a minute: a kernel call, or a simulation.

Times are those of processors, which a busy machine does not lengthen.
"""

import subprocess
import sys
import textwrap

import pytest

from nightly import nightly

# The design says .2 s of a call that several threads share.
LONGEST_SECONDS = 5.0  # of work that takes several times as long


SCRIPT = """
    import os, signal, threading, time

    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs behind ignores it
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])  # of all threads to come
    import numpy as np
    import bbc

    {prepare}
    pressed = []

    def press():
        signal.sigwait([signal.SIGPROF])
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    signal.setitimer(signal.ITIMER_PROF, 0.3)  # the call has worked for so long
    try:
        {call}
    except KeyboardInterrupt:
        print(time.process_time() - pressed[0])
"""


def seconds_until_interrupted(prepare, call):
    """How much work follows Ctrl-C in the midst of a call, all of whose modules are imported."""
    source = textwrap.dedent(SCRIPT).format(prepare=prepare, call=call)
    done = subprocess.run([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert done.stdout, "the call was over before the signal, or did not raise"
    return float(done.stdout)


@pytest.mark.parametrize(
    ("metric", "n_threads"),
    [
        ("accuracy", 1),
        ("roc_auc", 2),
        *nightly(("accuracy", 2), ("roc_auc", 1)),
        *nightly(("mean_squared_error", 1), ("mean_squared_error", 2)),
    ],
)
def test_interrupt_reaches_the_caller(metric, n_threads):
    scores = "np.random.default_rng(0).random((2000, 2000), np.float32)"
    if metric == "accuracy":
        scores = f"({scores} > 0.5).astype(np.int8)"
    prepare = (
        f"y, scores = np.arange(2000) % 2, {scores}; "
        f"options = dict(metric={metric!r}, n_threads={n_threads}); "
        "bbc.correct(y, scores[:, :2], **options)"
    )
    call = "bbc.correct(y, scores, n_bootstraps=1_000_000, **options)"
    assert seconds_until_interrupted(prepare, call) < LONGEST_SECONDS


def test_interrupt_reaches_the_caller_of_a_metric_that_is_a_function():
    prepare = (
        "y, labels = np.arange(200) % 2, np.random.default_rng(0).integers(0, 2, (200, 20)); "
        "options = dict(metric=lambda y, p: float(np.mean(y == p)), random_state=0); "
        "bbc.correct(y, labels, n_bootstraps=40, **options)"
    )
    call = "bbc.correct(y, labels, n_bootstraps=1_000_000, **options)"
    assert seconds_until_interrupted(prepare, call) < LONGEST_SECONDS


def test_a_simulation_is_drawn_no_further():
    prepare, call = "bbc.simulate.auc(60, 5)", "bbc.simulate.auc(60_000, 5_000)"
    assert seconds_until_interrupted(prepare, call) < LONGEST_SECONDS
