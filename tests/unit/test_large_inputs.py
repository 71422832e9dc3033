"""Large arrays, which the kernel's threads copy and read together: the same as small ones."""

import pickle

import numpy as np
import pytest

import bbc
from bbc import _core
from bbc._frozen import LARGE, copied_by_threads, frozen_copy, is_large
from bbc.errors import ArgumentError

N = 64
#: As many configurations as make an array of doubles large, which one row less of floats is not.
MANY = LARGE // (8 * N)
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
SCORES = RNG.random((N, MANY))


def asked(predictions, metric, **options):
    draws = {"n_bootstraps": 20, "random_state": 1}
    return bbc.correct(Y, predictions, metric=metric, confidence_level=0.8, **draws, **options)


def refused(predictions, metric):
    with pytest.raises(ArgumentError) as error:
        asked(predictions, metric)
    return str(error.value)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "uint8", "bool"])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_copy_is_the_same_and_nobody_can_write_to_it(order, kind, n_threads):
    array = np.asarray(SCORES * 300, dtype=kind, order=order)
    copy = copied_by_threads(np.repeat(array, 8, axis=1).copy(order=order), n_threads)
    assert (copy == np.repeat(array, 8, axis=1)).all()
    assert copy.flags.c_contiguous == (order == "C")
    with pytest.raises(ValueError, match="read-only"):
        copy[0] = 0
    assert frozen_copy(copy) is copy


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 7, 8, 9, 70_000, 300_001])
def test_the_range_is_that_of_numpy(kind, n):
    values = RNG.normal(size=n).astype(kind)
    for place, value in ((0, -np.inf), (n // 2, np.inf), (n - 1, 9.0)):
        for n_threads in (1, 3):
            assert _core.range(values, n_threads) == (values.min(), values.max())
        values[place] = value
    values[n // 3] = np.nan
    assert _core.range(values, 2) is None


def test_of_no_values_there_is_no_range():
    assert _core.range(np.empty((0, 3)), 1) is None
    with pytest.raises(TypeError, match="contiguous"):
        _core.range(np.ones((4, 4))[:, ::2], 1)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_arrays_that_were_unpickled_are_read(kind):
    """Their dtype is equal to numpy's, and another object."""
    values = pickle.loads(pickle.dumps(np.arange(5, dtype=kind)))
    assert values.dtype is not np.dtype(kind)
    assert _core.range(values, 1) == (0, 4)
    assert _core.small_integers(values, 1).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_small_integers_are_those_of_numpy(kind):
    values = RNG.integers(-128, 128, 200_001).astype(kind)
    assert (_core.small_integers(values, 3) == values).all()
    for other in (128.0, -129.0, 0.5, np.nan, np.inf):
        for place in (0, 100_000, -1):
            wrong = values.copy()
            wrong[place] = other
            assert _core.small_integers(wrong, 3) is None


@pytest.mark.parametrize(
    ("value", "metric", "told"),
    [
        (1.5, "brier_score", "must be in [0, 1] for metric 'brier_score', got 1.5"),
        (-1e-300, "log_loss", "must be in [0, 1] for metric 'log_loss', got -1e-300"),
        (np.inf, "roc_auc", "are infinite"),
        (np.nan, "roc_auc", "are missing"),
        (2.0, "accuracy", "label 2, which the truth does not have"),
        (0.5, "accuracy", "have the label 0.5"),
    ],
)
def test_what_is_wrong_is_told_as_of_small_arrays(value, metric, told):
    right = (SCORES > 0.5).astype(float) if metric == "accuracy" else SCORES
    wrong = right.copy()
    wrong[40, 3] = value
    of_large, of_small = refused(wrong, metric), refused(wrong[:, :20].copy(), metric)
    assert told in of_large
    assert of_large == of_small
    assert "row 40" in of_large
    assert "configuration 3" in of_large


@pytest.mark.parametrize("metric", ["roc_auc", "brier_score", "log_loss", "accuracy"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_numbers_are_those_of_arrays_that_one_thread_reads(metric, order):
    given = (SCORES > 0.5).astype(float) if metric == "accuracy" else SCORES
    array = np.array(given, order=order)
    strided = np.repeat(given, 2, axis=1)[:, ::2]  # which is read by numpy
    assert not is_large(strided)
    assert asked(array, metric, n_threads=2) == asked(strided, metric, n_threads=1)


def test_what_happens_to_the_array_later_changes_no_answer():
    array = SCORES.copy()
    correction = asked(array, "roc_auc")
    before = correction.score("brier_score")
    array[:] = 0.5
    assert correction.score("brier_score") == before


@pytest.mark.parametrize(
    "kind", ["bool", *(f"{sign}int{8 * size}" for sign in ("", "u") for size in (1, 2, 4, 8))]
)
def test_two_labels_are_those_of_numpy(kind):
    for first in (0,) if kind == "bool" else (0, 1, np.iinfo(kind).min, np.iinfo(kind).max - 1):
        places = RNG.integers(0, 2, 50)
        labels = places.astype(kind) + np.array(first, dtype=kind)
        for given in (labels, np.repeat(labels, 3)[::3], labels[::-1]):
            classes, codes = _core.two_labels(given)
            expected, place = np.unique(given, return_inverse=True)
            assert classes.dtype == labels.dtype
            assert (classes == expected).all()
            assert codes.dtype == np.int32
            assert (codes == place).all()


@pytest.mark.parametrize("labels", [[], [3, 3], [0, 2], [0, 1, 2], [[0, 1]], [-128, 127]])
def test_other_labels_are_no_two_that_follow_each_other(labels):
    assert _core.two_labels(np.array(labels, dtype=np.int8)) is None
