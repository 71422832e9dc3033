"""OutOfSamplePredictions: shapes, masks, read-only views."""

import numpy as np
import pytest

from bbc.results import OutOfSamplePredictions

Y = np.array([0, 1, 1, 0])
LABELS = np.array([[[0, 1], [1, 1], [0, 1], [0, 0]]])
SCORES = LABELS * 0.5


def test_scores_are_read_where_there_are_any():
    both = OutOfSamplePredictions(Y, labels=LABELS, scores=SCORES)
    assert both.values.dtype == np.float64
    assert (
        OutOfSamplePredictions(Y, labels=LABELS, scores=SCORES, reads="labels").values is not None
    )
    assert OutOfSamplePredictions(Y, labels=LABELS).reads == "labels"
    assert (both.n_repeats, both.n_rows, both.n_configurations) == (1, 4, 2)


def test_arrays_are_read_only_copies_unless_they_were_read_only():
    predictions = OutOfSamplePredictions(Y, scores=SCORES)
    assert not np.shares_memory(predictions.values, SCORES)
    with pytest.raises(ValueError, match="read-only"):
        predictions.values[0, 0, 0] = 1.0
    assert SCORES.flags.writeable
    again = OutOfSamplePredictions(Y, scores=predictions.scores)
    assert np.shares_memory(again.scores, predictions.scores)


def test_mask_comes_from_holes():
    holes = SCORES.copy()
    holes[0, 2, 1] = np.nan
    predictions = OutOfSamplePredictions(Y, scores=holes)
    assert not predictions.is_complete
    assert np.argwhere(~predictions.mask).tolist() == [[0, 2, 1]]
    by_class = np.repeat(holes[..., None], 3, axis=3)
    by_class[0, 2, 1, :2] = 0.0
    assert np.argwhere(~OutOfSamplePredictions(Y, scores=by_class).mask).tolist() == [[0, 2, 1]]
    assert OutOfSamplePredictions(Y, labels=LABELS).is_complete


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": None}, "neither"),
        ({"labels": LABELS[0]}, "labels must have the axes"),
        ({"labels": None, "scores": SCORES[0]}, "scores must have the axes"),
        ({"scores": SCORES[:, :3]}, "labels has shape"),
        ({"reads": "scores"}, "there are no scores"),
        ({"reads": "probabilities"}, "reads must be"),
        ({"folds": np.zeros((1, 3), int)}, "folds has shape"),
        ({"mask": np.ones((1, 4), bool)}, "mask has shape"),
        ({"y": Y[:3]}, "y has 3 rows"),
        ({"groups": Y[:3]}, "groups has 3 rows"),
        ({"names": ("a",)}, "names has 1 entries for 2"),
    ],
)
def test_wrong_shapes(changes, message):
    fields = {"y": Y, "labels": LABELS} | changes
    with pytest.raises(ValueError, match=message):
        OutOfSamplePredictions(**fields)


def test_repr_says_what_is_there():
    assert "labels and scores" in repr(OutOfSamplePredictions(Y, labels=LABELS, scores=SCORES))
