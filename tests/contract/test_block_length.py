"""Rows in order of time: blocks of neighbours are drawn, and their length is that of the oracle."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit

import bbc
from bbc.cli import main
from bbc.errors import ArgumentError
from families import compared_arrays
from instrumented import Exponential
from reference.bbc import bbc as one_level
from reference.block_length import block_length

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def series(n_rows, n_configurations, memory, seed):
    """A truth, and predictions whose errors remember those before."""
    rng = np.random.default_rng(seed)
    errors = rng.normal(size=(n_rows, n_configurations + 1))
    errors[1:] *= np.sqrt(1 - memory**2)
    for row in range(1, n_rows):
        errors[row] += memory * errors[row - 1]
    y = rng.normal(size=n_rows)
    return y, y[:, None] + (errors[:, :-1] + errors[:, -1:]) / np.sqrt(2)


def corrected(y, predictions, **options):
    asked = {"metric": "mean_absolute_error", "random_state": 1, "n_bootstraps": 100}
    return bbc.correct(y, predictions, **asked | options)


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9, 0.98])
@pytest.mark.parametrize("n_rows", [16, 40, 137, 600])
def test_the_length_is_the_oracles(n_rows, memory):
    for seed in range(3):
        y, predictions = series(n_rows, 20, memory, seed)
        errors = np.abs(predictions - y[:, None])
        for metric, values in (
            ("mean_absolute_error", errors),
            ("r2", errors**2),
            ("root_mean_squared_error", errors**2),
        ):
            expected = block_length(values)
            estimate = corrected(y, predictions, metric=metric, block_length="auto")
            assert estimate.notes == (f"rows in their order are drawn in blocks of {expected}",)


def test_labels_are_right_or_wrong():
    y, predictions = series(200, 9, 0.8, 0)
    truth, labels = (y > 0).astype(int), (predictions > 0).astype(int)
    expected = block_length((labels != truth[:, None]).astype(float))
    for metric in ("accuracy", "f1", "mcc"):
        estimate = corrected(truth, labels, metric=metric, block_length="auto")
        assert estimate.notes[0].endswith(f"blocks of {expected}")


def test_blocks_are_groups_of_neighbours():
    y, predictions = series(100, 5, 0.5, 0)
    blocks = corrected(y, predictions, block_length=7)
    groups = corrected(y, predictions, groups=np.arange(100) // 7)
    assert blocks.replicates.tobytes() == groups.replicates.tobytes()
    assert blocks.unit == "group"
    assert blocks.design == replace(groups.design, block_length=7)


def test_long_facts_go_on_below():
    y, predictions = series(100, 5, 0.5, 0)
    folds = np.arange(100) // 20
    for options in ({}, {"method": "bbc-two-level", "folds": folds}):
        estimate = corrected(y, predictions, block_length=5, **options)
        lines = estimate.summary().splitlines()
        assert max(map(len, lines)) <= 80
        assert " ".join(" ".join(lines).split()).count("(not a standard error) data 20 blocks") == 1


DAYS = pd.date_range("2020-01-01", periods=120)
FOLDS = np.stack([np.arange(100) // 20, np.arange(100) % 5])


@pytest.mark.parametrize(
    ("gone", "missing"), [(np.arange(13), "raise"), (np.arange(40, 55), "drop-rows")]
)
@pytest.mark.parametrize("design", ["plain", "weights", "folds"])
@pytest.mark.parametrize("n_repeats", [1, 2])
def test_blocks_of_the_rows_that_stay_agree_with_the_oracle(gone, missing, design, n_repeats):
    """Blocks are stretches of the table as it was given, whatever rows it loses."""
    y, predictions = series(100, 6, 0.8, 0)
    repeats = [predictions, predictions + np.random.default_rng(1).normal(0, 0.3, (100, 6))]
    given = [array.copy() for array in repeats[:n_repeats]]
    for array in given:
        array[gone, slice(None) if missing == "raise" else slice(2, 3)] = np.nan
    options = {}
    if design == "weights":
        options["sample_weight"] = np.random.default_rng(0).integers(1, 9, 100) / 8
    if design == "folds":
        options |= {"pooling": "fold", "folds": FOLDS[:n_repeats]}
    ours = corrected(y, given, missing=missing, block_length=7, n_bootstraps=60, **options)
    rows = np.setdiff1d(np.arange(100), gone)
    own = {k: v[..., rows] if k != "pooling" else v for k, v in options.items()}
    theirs = one_level(
        y[rows], np.stack(repeats[:n_repeats])[:, rows], "mean_absolute_error", seed=1,
        n_bootstraps=60, n_repeats=n_repeats,
        groups=np.unique(rows // 7, return_inverse=True)[1], **own,
    )  # fmt: skip
    np.testing.assert_allclose(ours.replicates, theirs.replicates, rtol=0, atol=1e-12)
    assert ours.winner == theirs.winner


def test_configurations_that_were_dropped_on_the_way_tell_no_length():
    y, predictions = series(160, 6, 0.8, 0)
    pruned = predictions.copy()
    pruned[80:, :3] = np.nan
    found = corrected(y, pruned, block_length="auto", missing="rungs")
    expected = block_length(np.abs(predictions[:, 3:] - y[:, None]))
    assert found.notes[0] == f"rows in their order are drawn in blocks of {expected}"
    given = corrected(y, pruned, block_length=expected, missing="rungs")
    np.testing.assert_array_equal(found.replicates, given.replicates)


def test_blocks_may_straddle_folds_and_silence_bbc018():
    y, predictions = series(120, 5, 0.5, 0)
    folds = np.arange(120) // 24
    estimate = corrected(y, predictions, block_length=10, folds=folds)
    assert "BBC010" not in {each.code for each in estimate.findings}
    kept = bbc.results.OutOfSamplePredictions(
        y=y, scores=predictions[None], folds=folds[None], time_ordered=True
    )
    assert "BBC018" in {each.code for each in corrected(y, kept).findings}
    ordered = corrected(y, kept, block_length="auto")
    assert "BBC018" not in {each.code for each in ordered.findings}


def test_few_independent_stretches_are_told():
    y, predictions = series(240, 5, 0.98, 0)
    estimate = corrected(y, predictions, block_length="auto")
    assert estimate.notes[0].endswith("blocks of 30")  # an eighth of the rows
    assert "BBC002" in {each.code for each in estimate.findings}


def test_a_table_on_the_command_line(tmp_path, capsys):
    y, predictions = series(80, 3, 0.5, 0)
    path = tmp_path / "series.csv"
    header = ",".join(["y", *(f"m{j}" for j in range(3))])
    np.savetxt(path, np.column_stack([y, predictions]), delimiter=",", header=header, comments="")
    asked = ["correct", str(path), "--truth", "y", "--metric", "mean_absolute_error", "--seed", "1"]
    for length in ("auto", "6"):
        assert main([*asked, "--block-length", length]) == 0
        assert "drawn in blocks of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_length": "long"}, 'block_length="long" must be a number of rows or "auto"'),
        ({"block_length": 0}, "block_length must be at least 1"),
        ({"block_length": 2.5}, "block_length must be an integer"),
        ({"block_length": 40}, "block_length=40 makes one block of all 40 rows"),
        ({"block_length": 5, "groups": np.arange(40)}, "give groups, or block_length"),
        ({"block_length": 5, "method": "bbc-f", "folds": np.arange(40) % 5}, "draws of rows"),
        ({"block_length": "auto", "metric": "spearman", "n": 12}, '"auto" needs 16 rows'),
        (
            {"block_length": 5, "stratify_bootstrap": True, "metric": "r2"},
            "is not for block_length",
        ),
        ({"block_length": "auto", "metric": lambda y, p: 0.0}, "function '<lambda>' does not tell"),
    ],
)
def test_refusals(options, message):
    n_rows = options.pop("n", 40)
    y, predictions = series(n_rows, 4, 0.0, 1)
    with pytest.raises((TypeError, ValueError), match=message):
        corrected(y, predictions, **options)


def test_scores_without_values_of_rows_are_refused():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    with pytest.raises(ValueError, match="give a number of rows"):
        corrected(y, rng.random((60, 3)), metric="average_precision", block_length="auto")
    assert corrected(y, rng.random((60, 3)), metric="average_precision", block_length=4).notes


ASKED = {"random_state": 1, "n_bootstraps": 100}


def two_families(y, predictions, **options):
    families = {"a": predictions[:, :3], "b": predictions[:, 3:]}
    return compared_arrays(y, families, metric="mean_absolute_error", **ASKED, **options)


@pytest.mark.parametrize(
    "asked",
    [
        lambda *given, **options: corrected(*given, **options).tuning_path(),
        lambda *given, **options: corrected(*given, **options).possible_winners(),
        lambda *given, **options: corrected(*given, **options).subgroups(np.arange(100) // 50),
        two_families,
    ],
    ids=["tuning_path", "possible_winners", "subgroups", "compare"],
)
def test_questions_draw_blocks_as_groups(asked):
    given = series(100, 6, 0.5, 0)
    blocks, groups = asked(*given, block_length=7), asked(*given, groups=np.arange(100) // 7)
    assert str(blocks.to_frame()) == str(groups.to_frame())
    found = asked(*given, block_length="auto")
    assert str(found.to_frame()) != str(asked(*given).to_frame())


def test_the_winners_interval_is_of_blocks():
    given = series(200, 6, 0.8, 0)
    blocks = corrected(*given, block_length=7).winner_interval()
    groups = corrected(*given, groups=np.arange(200) // 7).winner_interval()
    assert blocks.confidence_interval == groups.confidence_interval
    found = corrected(*given, block_length="auto").winner_interval()
    assert found.notes[0].startswith("rows in their order")


@pytest.mark.parametrize(
    "name", ["calibration", "decision_curve", "roc_curve", "precision_recall_curve"]
)
def test_clinical_functions_draw_blocks_as_groups(name):
    y, predictions = series(150, 4, 0.5, 1)
    risks = 1 / (1 + np.exp(-predictions))

    def asked(**options):
        return getattr(corrected(y > 0, risks, metric="log_loss", **options), name)()

    blocks, groups = asked(block_length=5), asked(groups=np.arange(150) // 5)
    np.testing.assert_array_equal(blocks.performance.replicates, groups.performance.replicates)
    assert "in blocks of" in asked(block_length="auto").performance.notes[0]


def test_one_length_serves_all_families():
    y, predictions = series(240, 6, 0.9, 0)
    _, independent = series(240, 6, 0.0, 1)
    families = {"a": predictions, "b": independent}
    options = {"metric": "mean_absolute_error", "block_length": "auto"} | ASKED
    found = compared_arrays(y, families, **options)
    alone = [bbc.correct(y, each, **options).notes for each in families.values()]
    notes = {each.notes for each in found.estimates.values()}
    assert notes == {max(alone, key=lambda note: int(note[0].split()[-1]))}


def searched(**options):
    y, predictions = series(120, 4, 0.8, 0)
    grid = {"alpha": [0.1, 10.0]}
    given = {"cv": TimeSeriesSplit(4), "scoring": "mean_absolute_error", **ASKED}
    return bbc.BBC(Ridge(), grid, **given | options).fit(predictions, y), y


def test_blocks_of_a_protocols_predictions_are_drawn():
    search, y = searched(cv=TimeSeriesSplit(4, gap=2, max_train_size=60))
    found, kept = bbc.correct(search, block_length=6), search.oos_predictions_
    wanted = bbc.correct(y, kept, metric="mean_absolute_error", block_length=6, **ASKED)
    np.testing.assert_array_equal(found.replicates, wanted.replicates)
    assert found.notes == wanted.notes
    assert "BBC018" not in {each.code for each in found.findings}
    assert "BBC018" in {each.code for each in search.performance_.findings}
    of = {"metric": "mean_absolute_error", "block_length": "auto"} | ASKED
    wanted = bbc.correct(y, kept, **of)
    assert bbc.correct(search, block_length="auto").notes == wanted.notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_length": 120}, "makes one block of all 120 rows"),
        ({"block_length": "long"}, 'must be a number of rows or "auto"'),
        ({"block_length": 0}, "must be at least 1"),
        ({"block_length": "auto", "cv": [(np.arange(108), np.arange(108, 120))]}, "needs 16 rows"),
        ({"block_length": 5, "stratify_bootstrap": True}, "is not for block_length"),
    ],
)
def test_blocks_of_a_protocol_that_cannot_be_drawn_are_refused(options, message):
    search, _ = searched(**{name: options.pop(name) for name in ("cv",) if name in options})
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(search, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "average_precision"}, "which this metric does not tell"),
        ({"scoring": "f1", "selection": bbc.best_threshold()}, "depends on the cut-off"),
    ],
)
def test_a_length_that_cannot_be_found_is_refused(options, message):
    y, predictions = series(80, 3, 0.5, 0)
    search = bbc.BBC(LogisticRegression(), {"C": [0.1, 1.0]}, **options).fit(predictions, y > 0)
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(search, block_length="auto")
    given = {"metric": options["scoring"], "selection": options.get("selection", "best")}
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(y > 0, 1 / (1 + np.exp(-predictions)), block_length="auto", **given)


@pytest.mark.parametrize("metric", ["concordance_index", bbc.metrics.survival_brier_score(1.0)])
def test_of_survival_the_losses_tell_the_length(metric):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.empty(60, dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = rng.random(60) < 0.8, rng.exponential(size=60)
    search = bbc.BBC(Exponential(), {"column": [0, 2]}, scoring=metric, cv=4, **ASKED).fit(X, y)
    if isinstance(metric, str):
        with pytest.raises(ArgumentError, match="which this metric does not tell"):
            bbc.correct(search, block_length="auto")
    else:
        assert "in blocks of" in bbc.correct(search, block_length="auto").notes[0]


def test_times_in_no_order_are_refused():
    y, predictions = series(120, 4, 0.5, 0)
    order = np.random.default_rng(0).permutation(120)
    shuffled = pd.Series(y, index=DAYS).iloc[order]
    with pytest.raises(
        ValueError, match=r"^source: the index has times in no order.*source\.to_numpy"
    ):
        corrected(shuffled, predictions[order], block_length=6)
    frame = pd.DataFrame(predictions, index=DAYS).iloc[order]
    with pytest.raises(ValueError, match="predictions: the index has times in no order"):
        corrected(y[order], frame, block_length="auto")
    falling = pd.Series(y, index=DAYS[::-1])
    assert corrected(falling, predictions, block_length=6).notes


SEARCHES = {
    "keep_predictions": lambda: bbc.keep_predictions(
        GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=5, scoring="neg_mean_absolute_error")
    ),
    "BBC": lambda: bbc.BBC(Ridge(), {"alpha": [1.0]}, scoring="mean_absolute_error", **ASKED),
    "CVT": lambda: bbc.CVT(Ridge(), {"alpha": [1.0]}, scoring="mean_absolute_error"),
}


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("length", [6, "auto"])
@pytest.mark.parametrize("dated", ["X", "y"])
def test_blocks_of_a_search_that_was_fitted_in_no_order_of_time_are_refused(kind, length, dated):
    """Once models were trained: what is known of the rows is kept, also by a pickle."""
    y, predictions = series(120, 4, 0.5, 0)
    order = np.random.default_rng(0).permutation(120)
    X, truth = predictions[order], y[order]
    if dated == "X":
        X = pd.DataFrame(X, index=DAYS[order])
    else:
        truth = pd.Series(truth, index=DAYS[order])
    search = SEARCHES[kind]().fit(X, truth)
    message = (
        rf"^block_length=\"?{length}\"? draws rows that follow each other.* that of {dated};.*"
    )
    for source in (search, pickle.loads(pickle.dumps(search))):
        with pytest.raises(ArgumentError, match=message + rf"fit with {dated}.to_numpy\(\)"):
            bbc.correct(source, block_length=length, **ASKED)
        plain = bbc.correct(source, **ASKED)
    asked = {"metric": plain.metric, "block_length": length} | ASKED
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(plain, **asked)
    with pytest.raises(ArgumentError, match=message):
        bbc.compare({"a": plain, "b": plain}, **asked)
    falling = pd.DataFrame(predictions, index=DAYS[::-1])
    assert bbc.correct(SEARCHES[kind]().fit(falling, y), block_length=length, **ASKED).notes


def test_units_are_groups_or_blocks():
    y, predictions = series(60, 3, 0.5, 0)
    groups = np.arange(60) // 2
    sentence = "groups are units of their own: give groups, or block_length$"
    search = bbc.BBC(Ridge(), {"alpha": [1.0]}, cv=4, **ASKED).fit(predictions, y, groups=groups)
    with pytest.raises(ValueError, match=sentence):
        bbc.correct(search, block_length=5)
    with pytest.raises(ValueError, match=sentence):
        corrected(y, predictions, metric="r2", block_length=5, groups=groups)
    dropped = bbc.BBCD(Ridge(), {"alpha": [1.0]}, cv=4, **ASKED).fit(predictions, y)
    with pytest.raises(ValueError, match=r"block_length=5 is not for bbc.BBCD.*use bbc.BBC$"):
        bbc.correct(dropped, block_length=5)


def codes(result):
    return {each.code for each in result.findings}


def test_an_index_of_times_declares_an_order():
    y, predictions = series(120, 4, 0.5, 0)
    dated = pd.Series(y, index=DAYS)
    assert "BBC018" in codes(corrected(dated, predictions))
    assert "BBC018" in codes(corrected(y, pd.DataFrame(predictions, index=DAYS)))
    assert "BBC018" in codes(corrected(dated, predictions, metric="r2").possible_winners())
    assert "BBC018" not in codes(corrected(dated, predictions, block_length=6))
    assert "BBC018" not in codes(corrected(pd.Series(y), predictions))
    assert "BBC018" not in codes(corrected(dated.sample(frac=1, random_state=0), predictions))


def test_searches_see_the_index_of_their_inputs():
    y, predictions = series(120, 4, 0.5, 0)
    X, dated = pd.DataFrame(predictions, index=DAYS), pd.Series(y, index=DAYS)
    search = bbc.BBC(Ridge(), {"alpha": [0.1, 1.0]}, cv=5, **ASKED).fit(X, dated)
    assert "BBC018" in codes(search.performance_)
    assert "BBC018" not in codes(bbc.correct(search, block_length=6))
    kept = bbc.keep_predictions(GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=5)).fit(X, dated)
    assert "BBC018" in codes(bbc.correct(kept, **ASKED))
    assert "BBC018" not in codes(bbc.correct(kept, block_length=6, **ASKED))


def test_few_blocks_are_few_independent_stretches():
    y, predictions = series(100, 4, 0.95, 0)
    e = corrected(y, predictions, block_length="auto")
    (found,) = (each for each in e.findings if each.code == "BBC002")
    assert found.detail == "9 independent stretches of rows"


def test_a_comparison_may_say_another_length_than_its_sources():
    y, predictions = series(60, 5, 0.5, seed=3)
    asked = {"metric": "mean_squared_error", "random_state": 1, "n_bootstraps": 50}
    families = {
        name: bbc.correct(y, predictions[:, columns], block_length=length, **asked)
        for name, columns, length in (("a", slice(3), 3), ("b", slice(3, 5), 4))
    }
    with pytest.raises(ValueError, match="block_length of 'a' is 3, of 'b' 4; block_length=4 says"):
        bbc.compare(families, **asked)
    found = bbc.compare(families, block_length=4, **asked)
    assert found.estimates["b"].estimate == families["b"].estimate
    assert {each.design.block_length for each in found.estimates.values()} == {4}
