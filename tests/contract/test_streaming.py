"""Blocks of configurations, in any order and from any process, give the bits of one call."""

import itertools
import pickle
import re
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

import bbc
from bbc import streaming

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
    backwards = bbc.adapters.StreamingCorrection(y, metric=metric, n_bootstraps=100, random_state=3)
    for first, block in list(zip(starts[:-1], blocks, strict=True))[::-1]:
        backwards.add(block, int(first))
    assert backwards.finish() == whole


def test_states_merge_across_pickles_and_are_small(data):
    y, predictions = of("roc_auc", *data)
    options = {"metric": "roc_auc", "n_bootstraps": 200, "random_state": 3}
    whole = bbc.correct(y, predictions, **options)
    here, there = (bbc.adapters.StreamingCorrection(y, **options) for _ in range(2))
    here.add(predictions[:, 30:], 30)
    there.add(predictions[:, :30], 0)
    state = pickle.dumps(there.state)
    assert len(state) < 200 * 32 + 500
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
    ("action", "message"),
    [
        (lambda c, p: c.finish(), "no configurations were added"),
        (lambda c, p: (c.add(p, 0), c.add(p, 5)), "configuration 5 was added before"),
        (lambda c, p: (c.add(p, 3), c.finish()), "configuration 0 was never added"),
        (lambda c, p: (c.add(p[:, :2], 0), c.add(p, 4), c.finish()), "configuration 2 was never"),
        (lambda c, p: c.add(p[:-1]), "y_true has 70 rows, predictions have 69"),
        (lambda c, p: c.add(np.full((70, 2), np.nan)), "missing at repeat 0, row 0"),
        (lambda c, p: (c.add(p), c.add([p, p])), "2 repeats, earlier blocks have 1"),
        (
            lambda c, p: c.merge(bbc.adapters.StreamingCorrection([0, 1] * 35, metric="roc_auc")),
            "another",
        ),
    ],
)
def test_wrong_use_is_refused(data, action, message):
    y, predictions = of("roc_auc", *data)
    correction = bbc.adapters.StreamingCorrection(y, metric="roc_auc", random_state=1)
    with pytest.raises(ValueError, match=message):
        action(correction, predictions)


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


def test_a_block_that_fails_leaves_nothing_behind():
    y = np.repeat([1, 0], [10, 30])
    scores = np.random.default_rng(0).random((40, 5))
    options = {"metric": "roc_auc", "n_bootstraps": 400, "random_state": 1}
    correction = bbc.adapters.StreamingCorrection(y, **options, on_undefined="raise")
    empty = correction.state
    with pytest.raises(bbc.errors.UndefinedMetricError, match="replicate") as caught:
        correction.add(scores)
    replicate = int(re.search(r"replicate (\d+)", str(caught.value))[1])
    assert replicate > 64, "those before it had been scored"
    assert correction.state == empty

    correction = bbc.adapters.StreamingCorrection(y, **options)
    correction.add(scores)
    before = correction.state
    with pytest.raises(ValueError, match="row 3, configuration 6"):
        correction.add(np.where(np.arange(80).reshape(40, 2) == 7, np.inf, 1.0))
    assert correction.state == before
    assert correction.finish() == bbc.correct(y, scores, **options)


def losses(k):
    """A loss whose factor is in a closure."""
    return bbc.metrics.row_loss(lambda y, p: k * abs(y - p), name="loss")


def by_text(y, p):
    """What this runs cannot be known."""
    return eval("abs(y - p)", {"y": y, "p": p})


@pytest.mark.parametrize(
    "other",
    [
        bbc.metrics.row_loss(lambda y, p: (y - p) ** 2, name="loss"),
        losses(2.0),
        bbc.metrics.row_loss(lambda y, p: 1.0 * abs(y - p), name="loss", lowest=0.0),
        bbc.metrics.row_loss(np.hypot, name="loss"),
    ],
    ids=["code", "closure", "range", "of a package"],
)
def test_streams_of_different_losses_do_not_merge(data, other):
    y, scores = data
    here, there = (
        bbc.adapters.StreamingCorrection(y, metric=metric, n_bootstraps=50, random_state=3)
        for metric in (losses(1.0), other)
    )
    here.add(scores[:, :20], 0)
    there.add(scores[:, 20:], 20)
    with pytest.raises(ValueError, match="another function as metric"):
        here.merge(there.state)


def test_streams_of_the_same_loss_merge(data):
    y, scores = data
    options = {"n_bootstraps": 50, "random_state": 3}
    here, there = (
        bbc.adapters.StreamingCorrection(y, metric=losses(1.0), **options) for _ in range(2)
    )
    here.add(scores[:, :20], 0)
    there.add(scores[:, 20:], 20)
    here.merge(pickle.loads(pickle.dumps(there.state)))
    assert here.finish() == bbc.correct(y, scores, metric=losses(1.0), **options)


def test_of_functions_that_cannot_be_compared_only_copies_merge(data):
    y, scores = data
    metric = bbc.metrics.row_loss(by_text)
    options = {"metric": metric, "n_bootstraps": 50, "random_state": 3}
    here, other = (bbc.adapters.StreamingCorrection(y, **options) for _ in range(2))
    there = pickle.loads(pickle.dumps(here))
    for each in (there, other):
        each.add(scores[:, 20:], 20)
    here.add(scores[:, :20], 0)
    with pytest.raises(ValueError, match=r"cannot be compared .*by_text calls eval"):
        here.merge(other)
    here.merge(there.state)
    assert here.finish() == bbc.correct(y, scores, **options)


def test_every_flipped_bit_of_a_state_is_refused(data):
    y, predictions = of("roc_auc", *data)
    options = {"metric": "roc_auc", "n_bootstraps": 100, "random_state": 3}
    there = bbc.adapters.StreamingCorrection(y, **options)
    there.add(predictions)
    state = there.state
    here = bbc.adapters.StreamingCorrection(y, **options)
    for bit in np.random.default_rng(0).choice(8 * len(state.kernel), 2000, replace=False):
        damaged = bytearray(state.kernel)
        damaged[bit // 8] ^= 1 << (bit % 8)
        with pytest.raises(ValueError, match="state"):
            here.merge(replace(state, kernel=bytes(damaged)))
    here.merge(state)
    assert here.finish() == there.finish()


def test_broadcast_predictions_are_what_their_copies_are(data):
    y, scores = data
    column = np.broadcast_to(scores[:, :1], (70, 3))
    options = {"metric": "roc_auc", "n_bootstraps": 50, "random_state": 3}
    assert bbc.correct(y, column, **options) == bbc.correct(y, column.copy(), **options)
