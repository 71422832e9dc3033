"""Many callers at once, children by fork, a busy machine, tiny problems: same bits, flat memory.

`make load` is the long run of the same.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from benches.load import callers, stream, tiny
from benches.load._work import METRICS, answers
from benches.load.steady import memory_after_calls


@pytest.mark.parametrize(
    ("situation", "n_callers"),
    [
        (callers.in_threads, 64),
        (callers.in_children, 4),
        (callers.in_a_pool, 8),
        (callers.on_a_busy_machine, 1),
    ],
)
def test_who_calls_and_when_changes_no_bit(situation, n_callers):
    expected = answers(n_threads=1)
    found = situation(n_callers, 1)
    assert len(found) == n_callers
    assert all(one == expected for one in found)


def test_tiny_problems_have_the_same_bits_twice():
    assert tiny.one_by_one(0, 2000)["problems"] == 2000


def test_memory_stays_flat_under_steady_calls():
    memory = memory_after_calls((300, 200, 100))
    warm, early, _, late = ([next(memory) for _ in range(10 * len(METRICS))] for _ in range(4))
    assert max(warm) > 0  # the allocator takes what it needs once
    assert max(late) < max(early) + 4


@pytest.mark.parametrize("metric", ["mean_squared_error", "roc_auc"])  # eight bytes a cell
def test_a_stream_takes_less_memory_than_its_data(metric, monkeypatch):
    # What is freed goes back to the system: how much of it glibc keeps is a matter of chance.
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", str(2**20))
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:  # other tests leave memory behind
        line = fresh.submit(stream.streamed, metric, 100_000, 40).result()
    assert line["mib_above_start"] < line["data_mib"] / 2 + 10
