"""What passes the door, in which form, and at what cost."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bbc
from bbc import _validation as validation
from bbc.metrics import from_callable, get

N, C = 12, 3
RNG = np.random.default_rng(0)
Y = np.array([0, 1] * 6)
LABELS = RNG.integers(0, 2, (N, C))
SCORES = RNG.random((N, C))


def problem(y=Y, predictions=SCORES, metric="roc_auc", needs=validation.PLAIN, **known):
    return validation.problem(validation.Data(y, predictions, **known), get(metric), needs)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64"])
def test_label_arrays_pass_untouched(dtype):
    given = LABELS.astype(dtype)
    canonical = problem(predictions=given, metric="accuracy")
    assert canonical.predictions[0] is given
    assert canonical.label_values.tolist() == [0, 1]


@pytest.mark.parametrize("order", ["C", "F"])
def test_float_arrays_pass_untouched(order):
    given = np.array(SCORES, order=order)
    assert problem(predictions=given).predictions[0] is given


def test_strided_views_and_memory_maps_are_not_copied(tmp_path):
    wide = RNG.random((N, 2 * C))
    view = wide[:, ::2]
    assert np.shares_memory(problem(predictions=view).predictions[0], wide)
    mapped = np.lib.format.open_memmap(tmp_path / "p.npy", "w+", np.float64, (N, C))
    mapped[:] = SCORES
    assert np.shares_memory(problem(predictions=mapped).predictions[0], mapped)


@pytest.mark.parametrize(("metric", "given"), [("roc_auc", SCORES), ("accuracy", LABELS)])
def test_arrays_that_do_not_lie_on_whole_words_are_copied(metric, given):
    packed = np.empty(given.shape, [("byte", "i1"), ("value", given.dtype)])
    packed["value"] = given
    odd = np.empty(given.nbytes + 1, np.uint8)[1:].view(given.dtype).reshape(given.shape)
    odd[:] = given
    for array in (packed["value"], odd):
        assert not array.flags.aligned
        [passed] = problem(predictions=array, metric=metric).predictions
        assert passed.flags.aligned
        assert (passed == given).all()


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64", ">i4"])
def test_other_integers_are_widened(dtype):
    canonical = problem(predictions=LABELS.astype(dtype), metric="accuracy").predictions[0]
    assert canonical.dtype in (np.int32, np.int64)
    assert np.array_equal(canonical, LABELS)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "bool", ">f8"])
def test_scores_become_float64_exactly(dtype):
    given = SCORES.astype(dtype)
    canonical = problem(predictions=given).predictions[0]
    assert canonical.dtype == np.float64
    assert np.array_equal(canonical, given.astype(np.float64))


@pytest.mark.parametrize(
    "y",
    [
        Y + 1,
        Y * 2 - 1,
        Y.astype(bool),
        Y.astype(np.uint8),
        Y + 0.5,
        pd.Series(Y).astype("category"),
        pd.Series(Y, dtype="Int64"),
        pl.Series(Y),
        pa.chunked_array([Y]),
        Y.tolist(),
    ],
    ids=lambda y: f"{type(y).__module__.partition('.')[0]}-{getattr(y, 'dtype', '')}",
)
def test_any_two_sortable_labels(y):
    truth = problem(y=y).truth
    assert truth.codes.dtype == np.int32
    assert truth.codes.tolist() == Y.tolist()
    assert truth.pos_label == max(truth.classes)
    assert (truth.classes[truth.codes] == np.asarray(y)).all()


@pytest.mark.parametrize("kind", ["U", object, "T", "series", "category", "polars"])
def test_two_labels_that_are_text_need_a_positive_one(kind):
    words = np.array(["no", "yes"])[Y]
    makers = {"series": pd.Series, "category": pd.Categorical, "polars": pl.Series}
    y = makers[kind](words) if kind in makers else words.astype(np.dtype(kind))
    with pytest.raises(ValueError, match="pos_label must name the positive class") as refused:
        problem(y=y)
    assert f"{(Y == 0).sum()} rows of class 'no'" in str(refused.value)
    for pos_label, codes in (("yes", Y), ("no", 1 - Y)):
        truth = problem(y=y, pos_label=pos_label).truth
        assert truth.codes.tolist() == codes.tolist()
        assert truth.pos_label == pos_label


def test_the_smaller_label_can_be_the_positive_one():
    canonical = problem(pos_label=0)
    assert canonical.truth.codes.tolist() == (1 - Y).tolist()
    assert canonical.truth.classes.tolist() == [1, 0]
    assert canonical.truth.pos_label == 0
    labels = problem(predictions=LABELS, metric="f1", pos_label=0)
    assert labels.label_values.tolist() == [1, 0]
    words = np.array(["no", "yes"])
    encoded = problem(y=words[Y], predictions=words[LABELS], metric="f1", pos_label="no")
    assert np.array_equal(encoded.predictions[0], 1 - LABELS)
    assert encoded.label_values.tolist() == [0, 1]


@pytest.mark.parametrize("pos_label", [0, 1])
def test_class_scores_of_a_binary_metric_give_the_positive_column(pos_label):
    by_class = np.stack([1 - SCORES, SCORES], axis=2)
    canonical = problem(predictions=by_class, pos_label=pos_label)
    assert np.array_equal(canonical.predictions[0], by_class[:, :, pos_label])
    assert np.shares_memory(canonical.predictions[0], by_class)
    both = problem(predictions=by_class, metric="log_loss", pos_label=pos_label).predictions[0]
    assert np.array_equal(both[:, :, 1], by_class[:, :, pos_label])


@pytest.mark.parametrize("labels", [[3.5, 5.5], ["no", "yes"]])
@pytest.mark.parametrize("dtype", [None, object])
def test_labels_that_the_kernel_cannot_compare_become_codes(labels, dtype):
    values = np.array(labels, dtype=dtype)
    canonical = problem(y=values[Y], predictions=values[LABELS], metric="accuracy")
    assert np.array_equal(canonical.predictions[0], LABELS)
    assert canonical.label_values.tolist() == [0, 1]


@pytest.mark.parametrize("scale", [1, 2**40])
def test_integer_labels_predicted_as_floats(scale):
    predictions = (scale * LABELS).astype(float)
    canonical = problem(y=scale * Y, predictions=predictions, metric="accuracy")
    assert np.array_equal(canonical.predictions[0], scale * LABELS)
    assert canonical.label_values.tolist() == [0, scale]


def test_integer_predictions_pass_untouched_if_y_has_whole_floats():
    canonical = problem(y=Y.astype(float), predictions=LABELS, metric="accuracy")
    assert canonical.predictions[0] is LABELS
    assert canonical.label_values.tolist() == [0, 1]


def test_labels_name_classes_without_rows():
    y = np.array(["a", "c"] * 6)
    predicted = np.full((N, C), "b")
    canonical = problem(y=y, predictions=predicted, metric="accuracy", labels=["a", "b", "c"])
    assert canonical.truth.codes.tolist() == [0, 2] * 6
    assert (canonical.predictions[0] == 1).all()


def test_real_truth_and_callables():
    assert problem(y=Y, metric="mean_squared_error").truth.real.dtype == np.float64
    anything = problem(y=np.array(list("ab") * 6), metric="neg_median_absolute_error")
    assert anything.predictions[0] is SCORES
    assert anything.truth.codes is None


def test_functions_get_labels_as_they_were_given():
    metric = from_callable(np.equal, target="classes", predicts="labels", name="equal")
    words = np.array(["no", "yes"])
    canonical = validation.problem(validation.Data(words[Y], words[LABELS]), metric)
    assert np.array_equal(canonical.predictions[0], words[LABELS])
    by_class = np.stack([1 - SCORES, SCORES], axis=2)
    metric = from_callable(np.equal, target="classes", predicts="class_scores", name="equal")
    data = validation.Data(words[Y], by_class, pos_label="no")
    canonical = validation.problem(data, metric)
    assert np.array_equal(canonical.predictions[0], by_class)


def test_pandas_rows_in_another_order():
    order = np.random.default_rng(0).permutation(N)
    rows = np.arange(N) + 1
    y, frame = pd.Series(Y, rows), pd.DataFrame(SCORES, rows)
    for name, value in {"predictions": frame, "groups": y + np.arange(N), "folds": y}.items():
        with pytest.raises(ValueError, match=f"{name}: the index has the rows of the truth in a"):
            problem(y=y, **{name: value.iloc[order]})
        assert problem(y=y, **{name: value}).n_rows == N
    with pytest.raises(ValueError, match=r"predictions\[1\]: the index"):
        problem(y=y, predictions=[frame, frame.iloc[order]])
    with pytest.raises(
        ValueError, match="predictions: the index has other rows than that of the t"
    ):
        problem(y=y, predictions=frame.set_axis(rows + 1))
    # No names, or those that pandas makes: what stands first belongs together.
    assert problem(y=y, predictions=pd.DataFrame(SCORES)).n_rows == N
    assert problem(y=pd.Series(Y), predictions=frame.iloc[order]).n_rows == N
    assert problem(y=Y, predictions=frame.iloc[order]).n_rows == N
    with pytest.raises(ValueError, match="sample_weight: the index"):
        bbc.correct(
            y,
            bbc.Blocks([SCORES]),
            metric="roc_auc",
            sample_weight=pd.Series(order + 1, order),
        )


def test_pandas_indices_that_have_nothing_in_common():
    number = np.arange(N)
    pairs = pd.MultiIndex.from_arrays([number, number])
    indices = [
        pd.RangeIndex(N),
        pairs,
        pd.MultiIndex.from_arrays([number, number, number]),
        pd.Index(number.astype(str)),
        pd.CategoricalIndex(number.astype(str)[::-1]),
        pd.date_range("2020", periods=N, tz="UTC"),
        pd.interval_range(0, N),
        pd.Index([[i] for i in number], dtype=object),
    ]
    for one in indices:
        for other in indices:
            if {type(one), type(other)} == {pd.Index, pd.CategoricalIndex}:
                continue  # the same texts, in another order
            y, frame = pd.Series(Y, one), pd.DataFrame(SCORES, other)
            if one is other or indices[0] is one or indices[0] is other:
                assert problem(y=y, predictions=frame).n_rows == N
                continue
            with pytest.raises(ValueError, match="predictions: the index has other rows"):
                problem(y=y, predictions=frame)
    with pytest.raises(ValueError, match="predictions: the index has the rows of the truth in a"):
        problem(y=pd.Series(Y, pairs), predictions=pd.DataFrame(SCORES, pairs[::-1]))


def test_labels_that_half_floats_cannot_hold():
    called = (2048 + LABELS).astype(np.float16)
    with pytest.raises(ValueError, match="dtype float16, which cannot hold the label 2049 of the"):
        problem(y=2048 + Y, predictions=called, metric="accuracy")
    with pytest.raises(ValueError, match="dtype float64, which cannot hold the label 92233720368"):
        problem(
            y=np.uint64(2**63 + 1) + Y.astype(np.uint64), predictions=2.0**63 + LABELS, metric="mcc"
        )
    assert problem(y=2048 + 2 * Y, predictions=2048.0 + 2 * LABELS, metric="accuracy").n_rows == N


@pytest.mark.parametrize("name", ["folds", "groups"])
def test_parts_that_cannot_be_sorted(name):
    with pytest.raises(TypeError, match=f"{name} has values of types that cannot be sorted"):
        problem(**{name: np.array([1, "a"] * (N // 2), dtype=object)})


TIMES = np.arange(1.0, N + 1)


@pytest.mark.parametrize(
    "y",
    [
        np.rec.fromarrays([Y.astype(bool), TIMES], names="status,months"),
        np.rec.fromarrays([TIMES, Y.astype(bool)], names="months,status"),
        np.array(list(zip(Y.astype(bool), TIMES, strict=True)), dtype=[("e", "?"), ("t", "<f8")]),
        np.column_stack([Y, TIMES]),
        pd.DataFrame({"event": Y, "time": TIMES}),
        pd.DataFrame({"event": Y.astype(bool), "time": TIMES}),
    ],
)
def test_survival(y):
    truth = problem(y=y, metric="concordance_index").truth
    assert truth.event.tolist() == Y.astype(bool).tolist()
    assert truth.time.tolist() == TIMES.tolist()


def test_repeats():
    assert len(problem(predictions=[SCORES, SCORES]).predictions) == 2
    by_class = np.stack([1 - SCORES, SCORES], axis=2)
    assert len(problem(predictions=np.stack([by_class] * 3)).predictions) == 3
    folds = np.stack([Y, Y[::-1]])
    coded = problem(predictions=(SCORES, SCORES), folds=folds).folds
    assert coded.dtype == np.int32
    assert coded[1].tolist() == [0, 1] * 6, "numbered in order of first row"


def frames():
    data = {"svc": SCORES[:, 0], "tree": SCORES[:, 1], "knn": SCORES[:, 2]}
    return [pd.DataFrame(data), pl.DataFrame(data), pa.table(data)]


@pytest.mark.parametrize("frame", frames(), ids=lambda frame: type(frame).__module__)
def test_frames_bring_their_names(frame):
    canonical = problem(predictions=frame)
    assert canonical.names == ("svc", "tree", "knn")
    assert np.array_equal(canonical.predictions[0], SCORES)
    assert problem(predictions=[frame, frame]).names == ("svc", "tree", "knn")
    assert problem(predictions=frame, names=["a", "b", "c"]).names == ("a", "b", "c")


def test_codes_are_numbered_in_order_of_first_row():
    values = np.array(["z", "a", "z", "m"] * 3)
    canonical = problem(folds=values, groups=values)
    assert canonical.folds[0].tolist() == [0, 1, 0, 2] * 3
    assert canonical.groups.tolist() == [0, 1, 0, 2] * 3
    assert problem(y=1 - Y, needs=validation.Needs(stratify=True)).strata.tolist() == [0, 1] * 6


def with_holes(*cells):
    predictions = SCORES.copy()
    for cell in cells:
        predictions[cell] = np.nan
    return predictions


def test_rows_that_nobody_predicted_are_left_out():
    canonical = problem(
        predictions=with_holes(2, 7),
        groups=np.arange(N),
        folds=np.arange(N) // 3,
        sample_weight=np.arange(N),
    )
    assert canonical.left_out_rows.tolist() == [2, 7]
    assert (canonical.n_rows, canonical.n_rows_given) == (10, 12)
    assert canonical.groups.tolist() == list(range(10))
    assert canonical.sample_weight.tolist() == [0, 1, 3, 4, 5, 6, 8, 9, 10, 11]
    assert canonical.truth.codes.tolist() == np.delete(Y, [2, 7]).tolist()
    assert canonical.kept_configurations is None


def test_holes_are_dropped_on_request():
    predictions = with_holes((2, 1), (5, 1), 7)
    by_row = problem(predictions=predictions, missing="drop-rows")
    assert by_row.left_out_rows.tolist() == [2, 5, 7]
    assert by_row.n_configurations == C
    by_configuration = problem(predictions=predictions, missing="drop-configurations")
    assert by_configuration.left_out_rows.tolist() == [7]
    assert by_configuration.left_out_configurations.tolist() == [1]
    assert by_configuration.kept_configurations.tolist() == [0, 2]


def test_a_mask_marks_holes_in_labels():
    mask = np.ones((1, N, C), bool)
    mask[0, 3] = False
    strings = np.array(["no", "yes"])[LABELS].astype(object)
    strings[3] = ""
    for predictions, y in ((LABELS, Y), (strings, np.array(["no", "yes"])[Y])):
        canonical = problem(y=y, predictions=predictions, metric="accuracy", mask=mask)
        assert canonical.left_out_rows.tolist() == [3]
        assert canonical.predictions[0].shape == (N - 1, C)


@pytest.mark.parametrize("hole", [None, np.nan, pd.NA])
def test_missing_labels_are_holes(hole):
    strings = np.array(["no", "yes"])[LABELS].astype(object)
    strings[3, 1] = hole
    y = np.array(["no", "yes"])[Y]
    canonical = problem(y=y, predictions=strings, metric="accuracy", missing="drop-rows")
    assert canonical.left_out_rows.tolist() == [3]
    floats = LABELS.astype(object)
    floats[3, 1] = hole
    canonical = problem(predictions=floats, metric="accuracy", missing="drop-rows")
    assert canonical.left_out_rows.tolist() == [3]
    assert canonical.label_values.tolist() == [0, 1]


def test_huge_finite_scores_are_no_infinities():
    assert problem(predictions=np.full((N, C), 1e308)).left_out_rows.size == 0


def test_threads_and_seeds():
    assert validation.n_threads(None) >= 1
    assert validation.n_threads(3) == 3
    assert validation.seed(7) == 7
    assert validation.seed(np.int64(7)) == 7
    assert 0 <= validation.seed(None) < 2**53
    assert validation.seed(np.random.default_rng(1)) == validation.seed(np.random.default_rng(1))
    assert 0 <= validation.seed(np.random.RandomState(1)) < 2**53
    assert validation.seed(2**53 - 1) == 2**53 - 1


@pytest.mark.parametrize(
    ("level", "alternative", "enough"),
    [
        (0.95, "two-sided", 40),
        (0.95, "greater", 20),
        (0.9, "less", 10),
        (0.99, "two-sided", 200),
        (0.99999, "two-sided", 200000),
        (1 - 1e-6, "less", 1000000),
    ],
)
def test_the_least_number_of_replicates(level, alternative, enough):
    validation.enough_replicates(level, alternative, enough)
    with pytest.raises(ValueError, match=f"confidence_level.*n_bootstraps={enough}$"):
        validation.enough_replicates(level, alternative, enough - 1)


def test_resamples_become_int32():
    drawn = validation.resamples([[0, 0, 1], [2, 2, 2]], 3, "row")
    assert drawn.dtype == np.int32


def test_three_classes_have_no_positive_one():
    y = np.arange(30) % 3
    assert problem(y, y[:, None], "accuracy").truth.pos_label is None
