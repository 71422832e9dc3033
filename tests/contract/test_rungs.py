"""What `missing="rungs"` asks for, and what it says."""

import numpy as np
import pytest

import bbc

N_ROWS = 60
FOLDS = np.arange(N_ROWS) // 10


@pytest.fixture
def y():
    return np.arange(N_ROWS) % 2


@pytest.fixture
def labels():
    """Eight configurations, four of which stop after 20 rows and two after 40."""
    values = (np.random.default_rng(0).random((N_ROWS, 8)) > 0.5).astype(float)
    values[20:, :4] = np.nan
    values[40:, 4:6] = np.nan
    return values


def correct(y, predictions, **options):
    asked = {"metric": "accuracy", "missing": "rungs", "random_state": 1, "n_bootstraps": 100}
    return bbc.correct(y, predictions, **asked | options)


def test_the_same_bits_for_any_number_of_threads(y, labels):
    one, two = (correct(y, labels, n_bootstraps=1000, n_threads=n) for n in (1, 2))
    assert one.replicates.tobytes() == two.replicates.tobytes()
    assert one.replicate_winners.tobytes() == two.replicate_winners.tobytes()


def test_rungs_may_be_given_and_rows_be_in_any_order(y, labels):
    found = correct(y, labels)
    given = correct(y, labels, rungs=np.arange(N_ROWS) // 20)
    assert given.replicates.tobytes() == found.replicates.tobytes()
    more = correct(y, labels, rungs=FOLDS)  # at whose ends nothing was dropped
    assert more.notes == ("6 rungs, which score 50 of 60 rows",)
    drawn = np.random.default_rng(1).integers(0, N_ROWS, (100, N_ROWS))
    backwards = correct(y[::-1], labels[::-1], resamples=drawn)
    forwards = correct(y, labels, resamples=N_ROWS - 1 - drawn)
    assert backwards.estimate == forwards.estimate


def test_early_rungs_choose_only(y, labels):
    assert correct(y, labels).notes == ("3 rungs, which score 60 of 60 rows",)
    later = correct(y, labels, rungs=bbc.results.Rungs(burn=0.4))
    assert later.notes == ("3 rungs, which score 40 of 60 rows",)
    last = correct(y, labels, rungs=bbc.results.Rungs(choose_only=[0, 1]))
    assert last.notes == ("3 rungs, which score 20 of 60 rows",)
    named = correct(
        y, labels, rungs=bbc.results.Rungs(np.arange(N_ROWS) // 20 + 7, choose_only=[7, 8])
    )
    assert named.replicates.tobytes() == last.replicates.tobytes()


def test_rows_of_groups_that_were_seen_choose_only(y, labels):
    estimate = correct(y, labels, groups=np.arange(N_ROWS) % 30)
    assert estimate.notes == ("3 rungs, which score 30 of 60 rows",)
    with pytest.raises(ValueError, match="no row to score"):
        correct(
            y,
            labels,
            groups=np.arange(N_ROWS) % 20,
            rungs=bbc.results.Rungs(choose_only=[0]),
        )


def test_integers_and_strings_with_a_mask(y, labels):
    """Predictions that are not there are never read, whatever stands in their place."""
    there = ~np.isnan(labels)
    expected = correct(y, labels)
    for classes, filled in (
        (np.array([0, 1]), np.where(there, labels, 0).astype(int)),
        (np.array(["no", "yes"]), None),
    ):
        values = filled if filled is not None else np.where(there, labels, 0).astype(int)
        kept = bbc.results.OutOfSamplePredictions(
            y=classes[y],
            labels=classes[values][None],
            mask=there[None],
            folds=FOLDS[None],
        )
        given = {} if classes.dtype.kind == "i" else {"pos_label": "yes"}
        found = correct(classes[y], kept, **given)
        assert found.replicates.tobytes() == expected.replicates.tobytes()


def test_rows_that_nothing_predicted_are_left_out(y, labels):
    labels[55:] = np.nan
    estimate = correct(y, labels)
    assert estimate.left_out_rows.tolist() == list(range(55, 60))
    assert estimate.notes == ("3 rungs, which score 55 of 55 rows",)


def test_the_winner_is_carried_to_the_end(y, labels):
    estimate = correct(y, labels)
    assert estimate.winner in (6, 7)
    assert set(estimate.replicate_winners.tolist()) <= {6, 7}
    right = (labels == y[:, None])[:, 6:].mean(axis=0)
    assert estimate.apparent == right.max()


def test_plain_corrections_know_what_a_search_leaves(y, labels):
    with pytest.warns(bbc.errors.BBCWarning, match="6 configurations stopped on the way"):
        correct(y, labels, missing="drop-configurations")
    one_failed = labels.copy()
    one_failed[:, 1:] = 0.0  # one that failed in the last folds is no search
    plain = correct(y, one_failed, missing="drop-configurations")
    assert "BBC007" not in {each.code for each in plain.findings}
    within = correct(y, labels, missing="drop-rows", folds=np.arange(N_ROWS) // 15)
    assert "BBC007" not in {each.code for each in within.findings}


def test_words(y, labels, tmp_path):
    estimate = correct(y, labels)
    page = bbc.report(estimate, tmp_path / "page.html").read_text()
    assert "Its performance was corrected for this selection by" in page
    assert "rung by rung" in page
    assert bbc.PerformanceEstimate.from_json(estimate.to_json()) == estimate


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "raise"}, r'with missing="rungs"'),
        ({"missing": "raise", "rungs": FOLDS}, 'rungs is for missing="rungs"'),
        ({"rungs": FOLDS[1:]}, "rungs has 59 rows"),
        ({"rungs": FOLDS / 2}, "rungs must be integers"),
        ({"rungs": np.arange(N_ROWS) // 30}, "at row 0, other row 20, configuration 0"),
        ({"rungs": bbc.results.Rungs(choose_only=[3])}, "choose_only.*at rung 3"),
        ({"rungs": bbc.results.Rungs(FOLDS, choose_only=[9])}, "choose_only names rung 9"),
        ({"secondary": ["f1"]}, 'secondary is not for missing="rungs", which takes one metric'),
        ({"metric": "average_precision"}, "metric.*rung by rung takes"),
        ({"metric": "roc_auc"}, 'pooling="pooled".*give pooling="rung"'),
        ({"method": "bbc-two-level", "folds": FOLDS}, 'method="bbc-two-level"'),
        ({"pooling": "fold", "folds": FOLDS}, 'pooling="fold" is not for missing="rungs"'),
        ({"selection": bbc.top_k(2)}, "selection.*is not for"),
        ({"missing": "drop-rows", "pooling": "rung"}, 'pooling="rung" is of missing="rungs" only'),
    ],
)
def test_refusals(y, labels, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        correct(y, labels, **options)


def test_rungs_of_one_class_have_no_pairs(y, labels):
    scores = np.where(np.isnan(labels), np.nan, np.random.default_rng(0).random(labels.shape))
    by_rung = {"metric": "roc_auc", "pooling": "rung"}
    with pytest.raises(ValueError, match="rungs: hold no two rows that the metric compares"):
        correct((np.arange(N_ROWS) >= 40).astype(int), scores, **by_rung)
    one = correct((np.arange(N_ROWS) >= 50).astype(int), scores, **by_rung)  # in the last rung
    assert 0 <= one.estimate <= 1


def test_searches_whose_order_differs_are_refused(y, labels):
    labels[50:, 7], labels[50:, 0] = np.nan, 1
    with pytest.raises(ValueError, match="row 50, configuration 0, other row 40, oth"):
        correct(y, labels)


def test_of_repeats_only_what_no_rung_has_seen_scores(y, labels):
    again = labels[::-1].copy()
    again[20:, :4] = np.nan
    again[40:, 4:6] = np.nan
    again[:20] = np.random.default_rng(1).integers(0, 2, (20, 8))
    again[20:40, 4:] = again[:20, 4:]
    again[40:, 6:] = again[:20, 6:]
    both = correct(y, [labels, again])
    # The same rows are at the same rungs in both.
    assert both.notes == ("3 rungs, which score 120 of 120 rows of 2 repeats",)
    assert (both.unit, both.n_rows, both.n_repeats) == ("row", N_ROWS, 2)
    later = np.concatenate([np.arange(N_ROWS) // 20, np.full(N_ROWS, 2)]).reshape(2, -1)
    whole = np.random.default_rng(2).integers(0, 2, (N_ROWS, 8)).astype(float)
    whole[:, :6] = np.nan
    assert correct(y, [labels, whole], rungs=later).notes == (
        "3 rungs, which score 80 of 120 rows of 2 repeats",
    )
    many = [labels, *[whole] * 9]  # of which the first rows are 2 % of all predictions
    assert correct(y, many).notes == ("3 rungs, which score 240 of 600 rows of 10 repeats",)
    few = correct(y, many, rungs=bbc.results.Rungs(burn=0.4))
    assert few.notes == ("3 rungs, which score 220 of 600 rows of 10 repeats",)
    right = (np.stack([labels, whole]) == y[None, :, None])[:, :, 6:].mean(axis=(0, 1))
    assert correct(y, [labels, whole]).apparent == pytest.approx(right.max())
    with pytest.raises(ValueError, match=r"rungs must have shape \(2, 60\), a rung for each row"):
        correct(y, [labels, whole], rungs=FOLDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"burn": 2}, "burn=2 must be a share"),
        ({"burn": "a"}, "burn must be a number"),
        ({"choose_only": "01"}, "choose_only must be numbers"),
        ({"choose_only": [0.5]}, "choose_only must be numbers"),
    ],
)
def test_options_of_rungs_are_checked(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.results.Rungs(**arguments)
