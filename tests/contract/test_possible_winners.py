"""Possible winners: agreement with the oracle, degenerate data, and what the result says."""

import numpy as np
import pytest

import bbc
from bbc.errors import BBCWarning, UndefinedMetricError
from data import make_lucky_models, make_predictions, make_truth
from reference.possible_winners import model_confidence_set, scores_and_replicates

METRICS = (
    "accuracy",
    "zero_one_loss",
    "f1_macro",
    "neg_root_mean_squared_error",
    "log_loss",
    "r2",
    "roc_auc",
    "average_precision",
    "concordance_index",
)
N_ROWS, N_CONFIGURATIONS, N_BOOTSTRAPS = 40, 7, 60


def case(metric, n_repeats=1):
    rng = np.random.default_rng([len(metric), n_repeats])
    y = make_truth(metric, rng, N_ROWS)
    repeats = [make_predictions(metric, y, rng, N_CONFIGURATIONS) for _ in range(n_repeats)]
    return y, repeats


def assert_agree(found, scores, replicates, level=0.9):
    reached, possible = model_confidence_set(
        scores,
        replicates,
        greater_is_better=found.greater_is_better,
        confidence_level=level,
    )
    np.testing.assert_allclose(found.scores, scores, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.p_values, reached / len(replicates))
    np.testing.assert_array_equal(found.possible, possible)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n_repeats", [1, 2])
def test_it_agrees_with_the_oracle(metric, n_repeats):
    y, repeats = case(metric, n_repeats)
    options = {"n_bootstraps": N_BOOTSTRAPS}
    c = bbc.correct(y, repeats, metric=metric, confidence_level=0.9, random_state=3, **options)
    found = c.possible_winners()
    assert_agree(
        found,
        *scores_and_replicates(
            y, np.stack(repeats), metric, seed=3, n_repeats=n_repeats, **options
        ),
    )
    assert found.winner == c.winner


@pytest.mark.parametrize("metric", ["accuracy", "mean_squared_error", "roc_auc"])
@pytest.mark.parametrize(
    "design",
    [
        {"groups": np.arange(N_ROWS) // 2},
        {"sample_weight": 1 + np.arange(N_ROWS) % 3},
        {"pooling": "fold", "folds": np.arange(N_ROWS) % 4},
    ],
    ids=["groups", "weights", "folds"],
)
def test_designs_agree_with_the_oracle(metric, design):
    y, (predictions,) = case(metric)
    options = {"n_bootstraps": N_BOOTSTRAPS, **design}
    c = bbc.correct(y, predictions, metric=metric, confidence_level=0.9, random_state=3, **options)
    found = c.possible_winners()
    theirs = dict(options)
    if "groups" in theirs:
        theirs["groups"] = theirs["groups"].tolist()
    assert_agree(found, *scores_and_replicates(y, predictions, metric, seed=3, **theirs))
    assert found.unit == ("group" if "groups" in design else "row")
    assert (found.model_luck is not None) == ("folds" in design)


def test_classes_keep_their_sizes():
    y, (predictions,) = case("roc_auc")
    options = {"metric": "roc_auc", "n_bootstraps": N_BOOTSTRAPS}
    drawn = {"stratify_bootstrap": True, "confidence_level": 0.9, "random_state": 3}
    found = bbc.correct(y, predictions, **drawn, **options).possible_winners()
    assert_agree(found, *scores_and_replicates(y, predictions, seed=3, stratify=True, **options))


def test_a_python_function_is_a_metric():
    y, (predictions,) = case("mean_squared_error")
    options = {"confidence_level": 0.9, "random_state": 3, "n_bootstraps": N_BOOTSTRAPS}

    def metric(y, prediction):
        return -float(np.mean((y - prediction) ** 2))

    found = bbc.correct(y, predictions, metric=metric, **options).possible_winners()
    plain = bbc.correct(y, predictions, metric="neg_mean_squared_error", **options)
    plain = plain.possible_winners()
    np.testing.assert_array_equal(found.p_values, plain.p_values)
    assert found.winner == plain.winner


def test_the_order_of_configurations_does_not_matter():
    y, (predictions,) = case("accuracy")
    order = np.random.default_rng(0).permutation(N_CONFIGURATIONS)
    options = {"metric": "accuracy", "random_state": 1}
    found = bbc.correct(y, predictions, **options).possible_winners()
    permuted = bbc.correct(y, predictions[:, order], **options).possible_winners()
    np.testing.assert_array_equal(permuted.p_values, found.p_values[order])


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "mean_squared_error"])
def test_identical_configurations_share_their_fate(metric):
    y, (predictions,) = case(metric)
    doubled = np.column_stack([predictions, predictions[:, ::-1], predictions[:, :2]])
    found = bbc.correct(y, doubled, metric=metric, random_state=1).possible_winners()
    both = found.p_values[:N_CONFIGURATIONS]
    np.testing.assert_array_equal(
        found.p_values[N_CONFIGURATIONS : 2 * N_CONFIGURATIONS], both[::-1]
    )
    np.testing.assert_array_equal(found.p_values[-2:], both[:2])


def test_degenerate_scores():
    y = np.arange(40) % 2
    options = {"metric": "accuracy", "random_state": 1}
    alone = bbc.correct(y, (y != 1)[:, None], **options).possible_winners()
    assert alone.p_values.tolist() == [1.0]
    same = bbc.correct(y, np.tile(np.roll(y, 3)[:, None], 5), **options).possible_winners()
    assert same.possible.all()
    labels = np.column_stack([1 - y, y, y, 1 - y])
    with pytest.warns(BBCWarning, match="BBC017"):
        perfect = bbc.correct(y, labels, **options).possible_winners()
    assert perfect.p_values.tolist() == [0.0, 1.0, 1.0, 0.0], "nothing varies, and two are worse"
    shifted = y + np.array([1.0, 2.0, -1.0])[:, None].repeat(40, 1)
    options = {"metric": "mean_squared_error", "random_state": 1}
    constant = bbc.correct(y.astype(float), shifted.T + 0.0, **options).possible_winners()
    assert constant.p_values.tolist() == [1.0, 0.0, 1.0], "equal losses, of other predictions"


def test_a_p_value_of_exactly_the_level_is_not_rejected():
    """1 - 0.95 is a little more than 0.05 in floating point."""
    for seed in range(200):
        s = bbc.simulate.accuracy(30, 4, random_state=seed)
        options = {"metric": "accuracy", "n_bootstraps": 40, "random_state": seed}
        found = bbc.correct(s.y, s.predictions, **options).possible_winners()
        if (at := found.p_values == 0.05).any():
            assert found.possible[at].all()
            return
    pytest.fail("no p-value of .05")


def test_the_result_is_frozen_and_restored_from_json():
    s = bbc.simulate.accuracy(60, 15, random_state=0)
    names = [f"c{j}" for j in range(15)]
    own = {"names": names, "folds": s.folds}
    c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1, **own)
    found = c.possible_winners()
    assert type(found).from_json(found.to_json(indent=1)) == found
    other = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=2)
    assert found != other.possible_winners()
    with pytest.raises(AttributeError):
        found.winner = 3
    with pytest.raises(ValueError, match="read-only"):
        found.p_values[0] = 1
    assert f"{found.n_possible} of 15 configurations could be the best" in found.summary()
    assert max(map(len, found.summary().splitlines())) <= 80
    assert found.winner_name in found.summary()
    frame = found.to_frame()
    assert frame["possible"].tolist() == found.possible.tolist()
    assert frame["name"].tolist() == names
    assert repr(found).startswith("PossibleWinners(")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "written by to_json"),
        ('{"type": "bbc.PossibleWinners", "schema": 9}', "schema"),
        ('{"type": "bbc.PossibleWinners", "schema": 1}', "missing"),
    ],
)
def test_other_documents_are_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        bbc.results.PossibleWinners.from_json(text)


def test_damaged_documents_are_refused():
    s = bbc.simulate.accuracy(60, 3, random_state=0)
    c = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    text = c.possible_winners().to_json()
    for damaged in (
        text.replace('"n_configurations": 3', '"n_configurations": 4'),
        text.replace('"winner": ', '"winner": 7'),
    ):
        assert damaged != text
        with pytest.raises(ValueError, match="complete PossibleWinners"):
            bbc.results.PossibleWinners.from_json(damaged)


def test_luck_of_the_fitted_models_is_found():
    y, predictions, folds = make_lucky_models()
    options = {"metric": "accuracy", "folds": folds, "random_state": 0}
    with pytest.warns(BBCWarning, match="BBC011"):
        found = bbc.correct(y, predictions, **options).possible_winners()
    assert [each.code for each in found.findings] == ["BBC011"]
    assert "BBC011" in found.summary()
    assert type(found).from_json(found.to_json()) == found


def test_many_redraws_are_found():
    y = np.repeat([0, 1], [28, 2])
    scores = np.random.default_rng(0).random((30, 3))
    with pytest.warns(BBCWarning, match="BBC006"):
        found = bbc.correct(y, scores, metric="roc_auc", random_state=0).possible_winners()
    assert found.n_redrawn > 100
    assert "BBC006" in [each.code for each in found.findings]


def test_options_of_its_own_are_checked():
    s = bbc.simulate.accuracy(60, 3, random_state=0)
    c = bbc.correct(s.y, s.predictions, metric="accuracy")
    with pytest.raises(ValueError, match="test must be"):
        c.possible_winners(test="best")
    few = {"confidence_level": 0.99, "n_bootstraps": 50}
    with pytest.raises(ValueError, match=r"confidence_level=0\.99 is too high for n_bootstraps=50"):
        bbc.correct(s.y, s.predictions, metric="accuracy", **few).possible_winners()
    with pytest.raises(ValueError, match="folds"):
        bbc.correct(s.y, s.predictions, metric="accuracy", pooling="fold").possible_winners()


def test_the_number_of_threads_does_not_matter():
    s = bbc.simulate.auc(100, 30, random_state=0)
    options = {"metric": "roc_auc", "random_state": 1}
    one, two = (bbc.correct(s.y, s.predictions, n_threads=n, **options) for n in (1, 2))
    assert one.possible_winners() == two.possible_winners()


def test_a_function_that_no_draw_defines_is_refused():
    """Defined on all rows in their order, which a bootstrap sample never is."""
    y = np.arange(10) % 2
    metric = bbc.metrics.from_callable(
        lambda truth, _: 0.5 if np.array_equal(truth, y) else np.nan, name="own"
    )
    labels = np.random.default_rng(0).integers(0, 2, (10, 3))
    with pytest.raises(UndefinedMetricError, match=r"1000 draws in a row.* 'own' undefined"):
        bbc.correct(y, labels, metric=metric, n_bootstraps=50, random_state=0)
