"""Blocks of configurations, in any order and from any process, give the bits of one call."""

import itertools
import pickle
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

import bbc
from bbc import streaming
from streams import in_order, stream

METRICS = ["accuracy", "roc_auc", "mean_squared_error"]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 70)
    scores = np.round(rng.random((70, 41)) + 0.2 * y[:, None], 2)
    return y, scores


def of(metric, y, scores):
    """Truth and predictions of the kind that the metric takes, with columns that tie."""
    tied = np.column_stack([scores, scores[:, :5]])
    return y, (tied > 0.6).astype(np.int8) if metric in ("accuracy", "f1") else tied


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("sizes", [(46,), (1,) * 46, (7, 30, 9)], ids=["one", "single", "uneven"])
def test_blocks_give_the_bits_of_one_call(data, metric, sizes):
    y, predictions = of(metric, *data)
    whole = bbc.correct(y, predictions, metric=metric, n_bootstraps=100, random_state=3)
    starts = np.cumsum((0, *sizes))
    blocks = [predictions[:, a:b] for a, b in itertools.pairwise(starts)]
    streamed = bbc.correct(
        y, bbc.Blocks(iter(blocks)), metric=metric, n_bootstraps=100, random_state=3
    )
    assert streamed == whole
    backwards = list(zip(starts[:-1].tolist(), blocks, strict=True))[::-1]
    assert in_order(y, backwards, metric=metric, n_bootstraps=100, random_state=3) == whole


def test_states_merge_across_pickles_and_are_small(data):
    y, predictions = of("roc_auc", *data)
    options = {"metric": "roc_auc", "n_bootstraps": 200, "random_state": 3}
    whole = bbc.correct(y, predictions, **options)
    here = stream(y, **options)
    there = pickle.loads(pickle.dumps(here))  # as Dask sends it
    here.add(predictions[:, 30:], 30, n_threads=1)
    there.add(predictions[:, :30], 0, n_threads=1)
    state = pickle.dumps(there.state)
    assert len(state) < 200 * 32 + 8 * len(y) + 500  # of the winner its predictions
    here.merge(pickle.loads(state))
    assert here.finish() == whole
    assert pickle.loads(pickle.dumps(here)).finish() == whole


def test_repeats_names_and_folds_stream_too(data):
    y, predictions = of("roc_auc", *data)
    repeats = [predictions, predictions[::-1]]
    folds = np.vstack([np.arange(70) % 5, np.arange(70) % 3])
    options = {
        "metric": "roc_auc",
        "folds": folds,
        "pooling": "fold",
        "n_bootstraps": 60,
        "random_state": 3,
        "names": [f"c{j}" for j in range(46)],
    }
    whole = bbc.correct(y, repeats, **options)
    blocks = bbc.Blocks([[one[:, :20] for one in repeats], [one[:, 20:] for one in repeats]])
    streamed = bbc.correct(y, blocks, **options)
    # The test of model luck needs all configurations at once.
    assert streamed.model_luck.untestable == "predictions that come in blocks"
    assert whole.model_luck.p_value > 0.05
    assert replace(streamed.record, model_luck=whole.model_luck) == whole


@pytest.mark.parametrize("design", ["groups", "strata"])
def test_groups_and_strata_stream_too(data, design):
    y, predictions = of("roc_auc", *data)
    options = {"metric": "roc_auc", "n_bootstraps": 60, "random_state": 3}
    if design == "groups":
        options["groups"] = np.arange(70) // 3
    else:
        options["stratify_bootstrap"] = True
    whole = bbc.correct(y, predictions, **options)
    blocks = bbc.Blocks([predictions[:, :20], predictions[:, 20:]])
    assert bbc.correct(y, blocks, **options) == whole


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (lambda p: [], "no configurations were added"),
        (lambda p: [p[:-1]], "source has 70 rows, predictions have 69"),
        (lambda p: [np.full((70, 2), np.nan)], "missing at repeat 0, row 0"),
        (lambda p: [p, [p, p]], "2 repeats, earlier blocks have 1"),
        (
            lambda p: [p, np.where(np.arange(p.size).reshape(p.shape) == 7 * 46 + 6, np.inf, p)],
            "row 7, configuration 52",
        ),
    ],
)
def test_wrong_use_is_refused(data, blocks, message):
    y, predictions = of("roc_auc", *data)
    with pytest.raises(ValueError, match=message):
        bbc.correct(y, bbc.Blocks(blocks(predictions)), metric="roc_auc", random_state=1)


def test_callables_do_not_stream(data):
    y, predictions = of("roc_auc", *data)
    with pytest.raises(ValueError, match=r"metric: .* needs all predictions at once"):
        bbc.correct(y, bbc.Blocks([predictions]), metric=lambda a, b: 0.0)


def test_dask_array_on_a_cluster_of_two_processes(data):
    import dask.array as da
    from distributed import Client, LocalCluster

    y, predictions = of("roc_auc", *data)
    options = {"metric": "roc_auc", "n_bootstraps": 100, "random_state": 3}
    whole = bbc.correct(y, predictions, **options)
    chunked = da.from_array(predictions, chunks=(25, 9))
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        assert bbc.correct(y, chunked, **options) == whole


@pytest.mark.parametrize("chunks", [(70, 1), (7, 30), (1, 1)])
@pytest.mark.parametrize("room", [1, 4 * 70 * 8, 10**9])
def test_chunks_of_a_dask_array_become_blocks_of_a_bounded_size(data, chunks, room, monkeypatch):
    import dask.array as da

    y, predictions = of("roc_auc", *data)
    seen = []
    chunk_state = streaming._chunk_state

    def note(template, chunk, first, n_threads):
        seen.append(chunk.shape)
        return chunk_state(template, chunk, first, n_threads)

    monkeypatch.setattr(streaming, "_BYTES_OF_BLOCK", room)
    monkeypatch.setattr(streaming, "_chunk_state", note)
    options = {"metric": "roc_auc", "n_bootstraps": 100, "random_state": 3}
    chunked = da.from_array(predictions, chunks=chunks)
    assert bbc.correct(y, chunked, **options) == bbc.correct(y, predictions, **options)
    n_configurations = predictions.shape[1]
    most = {1: 1, 4 * 70 * 8: 4, 10**9: n_configurations}[room]
    assert {n for n, _ in seen} == {70}
    assert max(n for _, n in seen) == most
    assert len(seen) == -(-n_configurations // most)


def test_a_dask_array_of_unknown_size_is_refused(data):
    import dask.array as da

    y, predictions = of("roc_auc", *data)
    array = da.from_array(predictions)
    with pytest.raises(ValueError, match=r"predictions: a Dask array of unknown size.*compute_chu"):
        bbc.correct(y, array[array[:, 0] > -np.inf], metric="roc_auc")


def test_memory_mapped_predictions_are_not_held_twice(tmp_path):
    # A child process, so that its peak is its own. Sparse zeros cost no disk; sorting such a
    # matrix whole would need half the file's size on top.
    rows, columns = 2000, 40_000
    script = f"""
        import numpy as np, bbc
        def peak():  # getrusage's figure begins with that of the parent
            lines = open("/proc/self/status").read().splitlines()
            return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
        y = np.arange({rows}) % 2
        bbc.correct(y, np.zeros(({rows}, 2)), metric="roc_auc", n_bootstraps=40)
        before = peak()
        path, shape = {str(tmp_path / "p")!r}, ({rows}, {columns})
        np.memmap(path, np.float64, "w+", shape=shape).flush()
        p = np.memmap(path, np.float64, "r", shape=shape)  # one that may be written to is copied
        bbc.correct(y, p, metric="roc_auc", n_bootstraps=40)
        print((peak() - before) / 1024)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < rows * columns * 8 / 2**20 + 200


def test_broadcast_predictions_are_what_their_copies_are(data):
    y, scores = data
    column = np.broadcast_to(scores[:, :1], (70, 3))
    options = {"metric": "roc_auc", "n_bootstraps": 50, "random_state": 3}
    assert bbc.correct(y, column, **options) == bbc.correct(y, column.copy(), **options)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("text", [False, True])
def test_what_the_winner_shows_is_that_of_one_call(text):
    """Of streams it was numbered within the last block, and calls of folds were not told."""
    rng = np.random.default_rng(8)
    y = np.arange(60) % 4 == 0
    folds = np.arange(60) // 4 % 5
    names = [f"<{index}>" for index in range(6)]
    truth = np.where(y, "yes", "no") if text else y.astype(int)
    scores = rng.random((60, 6))
    scores[:, 4] = 3 * y + 1.0
    calls = rng.random((60, 6)) < 0.05
    calls[:, 3] = y & (folds > 1)
    labels = np.where(calls, "yes", "no") if text else calls.astype(int)
    asked = {"folds": folds, "n_bootstraps": 50, "random_state": 1, "names": names}
    asked |= {"pos_label": "yes"} if text else {}
    for predictions, own, code in (
        (scores, {"metric": "roc_auc"}, "BBC029"),
        (labels, {"metric": "f1", "pooling": "fold"}, "BBC032"),
    ):
        blocks = bbc.Blocks(predictions[:, [first, first + 1]] for first in (0, 2, 4))
        whole, streamed = (
            bbc.correct(truth, each, **own, **asked) for each in (predictions, blocks)
        )
        assert code in [each.code for each in whole.data_findings]
        assert [each for each in streamed.data_findings if each.code != "BBC011"] == [
            each for each in whole.data_findings if each.code != "BBC011"
        ]
    # Where configurations were dropped on the way, the winner is read alone, too.
    holes = np.where((np.arange(60) >= 30)[:, None] & (np.arange(6) == 0), np.nan, scores)
    asked.pop("folds")
    asked |= {"missing": "rungs", "pooling": "rung"}
    dropped = bbc.correct(truth, holes, metric="roc_auc", **asked)
    assert "predictions of <4> are" in "".join(each.detail for each in dropped.data_findings)
