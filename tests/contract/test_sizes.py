"""Memory is that of the data, and what is too large is refused before any is asked for."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import bbc

TOO_MANY = 2**31 + 5
GIVES_BACK = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "0",
}


def peak(call: str) -> float:
    """Mebibytes that a call takes beyond what its process had before.

    The allocator gives back at once what is freed; what it keeps otherwise differs from run to run.
    """
    source = """
        from benches._tables import forget_peak, mib_at_most, mib_now
        import numpy as np
        import bbc
        n_rows = 20_000
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, n_rows)
        predictions = rng.integers(0, 2, (n_rows, 3)).astype(np.int8)
        bbc.correct(y[:50], predictions[:50], metric="accuracy", n_bootstraps=40)
        before = mib_now()
        forget_peak()
        CALL
        print(mib_at_most() - before)
    """
    source = textwrap.dedent(source).replace("CALL", call)
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **GIVES_BACK},
    )
    return float(done.stdout)


@pytest.mark.parametrize(
    "options",
    [
        "method='bbc-f'",
        "selection=bbc.one_standard_error([3, 1, 2])",
    ],
)
def test_leaving_one_out_takes_no_memory_of_rows_times_folds(options):
    call = f"bbc.correct(y, predictions, metric='accuracy', folds=np.arange(n_rows), {options}, "
    call += "n_bootstraps=40, random_state=1)"
    assert peak(call) < 100  # a table of 20,000 x 20,000 bits alone has 48


def test_a_concordance_index_takes_as_much_memory_as_its_data():
    """Each configuration is prepared in many halves of time, so that few are at once.

    All rows are events, which takes most: 3.3 times the data, the data and their copy included, and
    3.8 times where pieces are as large as for half as many events.
    """
    call = """
risks = rng.standard_normal((n_rows, 629))
times = np.empty(n_rows, [("event", bool), ("time", float)])
times["event"], times["time"] = True, rng.random(n_rows)
bbc.correct(times, risks, metric="concordance_index", n_bootstraps=20, random_state=1,
            confidence_level=0.8, n_threads=1)
"""
    of_data = 20_000 * 629 * 8 / 2**20
    assert peak(call) < 3.5 * of_data


SAME = np.broadcast_to(np.float64(0.5), (TOO_MANY, 2))
CALLS = {
    "classes": lambda: bbc.correct(SAME[:, 0], SAME, metric="roc_auc"),
    "values": lambda: bbc.correct(SAME[:, 0], SAME, metric="mean_squared_error"),
    "times": lambda: bbc.correct(SAME, SAME, metric="concordance_index"),
    "predictions": lambda: bbc.correct(np.arange(9) % 2, SAME, metric="roc_auc"),
    "configurations": lambda: bbc.correct(np.arange(2), SAME.T, metric="roc_auc"),
    "bound": lambda: bbc.baselines.bound(SAME[:, 0], SAME),
    "interval": lambda: bbc.baselines.intervals.delong(SAME[:, 0], SAME[:, 1]),
}


@pytest.mark.parametrize("name", CALLS)
def test_more_rows_than_can_be_numbered_are_refused_at_once(name):
    with pytest.raises(ValueError, match="an axis has at most 2147483647 entries"):
        CALLS[name]()
