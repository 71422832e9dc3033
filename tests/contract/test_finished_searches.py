"""Searches that are finished: one reader of their scores, and every function that takes them."""

import warnings
from types import SimpleNamespace

import numpy as np
import optuna
import pandas as pd
import polars
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, KFold, RepeatedKFold
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.cli import main
from bbc.errors import ArgumentError, BBCWarning

X, Y = (array[:200] for array in load_breast_cancer(return_X_y=True))
X = X[:, :6]
CV = KFold(10, shuffle=True, random_state=0)
GRID = {"max_depth": [1, 2, 3, 5], "min_samples_leaf": [1, 5]}
SEED = {"random_state": 1, "n_bootstraps": 200}


def searched(grid=GRID, cv=CV, **options):
    tree = DecisionTreeClassifier(random_state=0)
    return GridSearchCV(tree, grid, cv=cv, **({"scoring": "accuracy"} | options)).fit(X, Y)


@pytest.fixture(scope="module")
def search():
    return searched()


@pytest.fixture(scope="module")
def several():
    return searched(scoring=["roc_auc", "neg_log_loss"], refit="roc_auc")


def table_of(search, path=None):
    table = pd.DataFrame(search.cv_results_)
    if path is None:
        return table
    table.to_csv(path)
    return str(path)


def study_of(scores, pruned=(), how="list", direction="maximize"):
    """A finished study whose trials had these scores of folds; pruned ones the first three."""
    state = optuna.trial.TrialState
    study = optuna.create_study(direction=direction)
    for number, column in enumerate(scores.T):
        stopped = number in pruned
        kept = column[: 3 if stopped else None].tolist()
        attributes = {}
        if how == "list":
            attributes = {"fold_scores": kept}
        elif how == "numbered":
            attributes = {f"split{k}_test_score": score for k, score in enumerate(kept)}
        study.add_trial(
            optuna.trial.create_trial(
                state=state.PRUNED if stopped else state.COMPLETE,
                value=None if stopped else float(column.mean()),
                params={"x": float(number)},
                distributions={"x": optuna.distributions.FloatDistribution(0, 100)},
                user_attrs=attributes,
                intermediate_values=dict(enumerate(kept)) if how == "reported" else {},
            )
        )
    return study


def same(one, other):
    assert one.estimate == other.estimate
    assert one.confidence_interval == other.confidence_interval
    assert one.winner == other.winner
    np.testing.assert_array_equal(one.replicates, other.replicates)


@pytest.mark.parametrize(
    "kind", ["dict", "frame", "csv", "object", "object with a frame", "polars"]
)
def test_a_search_and_its_table_say_the_same(search, kind, tmp_path):
    frame = table_of(search)
    source = {
        "dict": search.cv_results_,
        "frame": frame,
        "csv": table_of(search, tmp_path / "results.csv"),
        "object": SimpleNamespace(cv_results_=search.cv_results_),
        "object with a frame": SimpleNamespace(cv_results_=frame),
        "polars": polars.DataFrame(frame.drop(columns="params").to_dict("list")),
    }[kind]
    wanted = bbc.correct(search, **SEED)
    found = bbc.correct(source, metric="accuracy", **SEED)
    same(found, wanted)
    assert found.names == wanted.names
    assert (found.metric, found.metric_range) == (wanted.metric, wanted.metric_range)


def test_a_metric_of_several_is_picked_with_its_direction(several):
    with pytest.warns(BBCWarning, match="BBC024"):
        loss = bbc.correct(several, metric="neg_log_loss", reselect=True, **SEED)
    means = several.cv_results_["mean_test_neg_log_loss"]
    assert loss.winner == int(np.argmax(means))
    assert loss.apparent == pytest.approx(means.max())
    assert loss.greater_is_better
    assert loss.metric_range[1] == 0
    same(bbc.correct(table_of(several), metric="neg_log_loss", **SEED), loss)
    auc = bbc.correct(several, **SEED)
    same(bbc.correct(several, metric="roc_auc", **SEED), auc)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (
            lambda s, m: m.cv_results_,
            {},
            "metric must name one of the scores of the table: roc_auc",
        ),
        (lambda s, m: m, {"metric": "f1"}, "is none of the scores of the search: roc_auc"),
        (lambda s, m: s, {"metric": "f1"}, "is none of the scores of the search: accuracy"),
        (lambda s, m: m, {"metric": "log_loss"}, "'neg_log_loss' is the same with the other sign"),
        (lambda s, m: s, {"greater_is_better": False}, "=False contradicts the search"),
        (lambda s, m: {"params": ["a"], "mean_test_score": [0.7]}, {}, "has no columns split0_"),
        (lambda s, m: {"fold1": [0.1], "fold2": [0.2]}, {}, r"bbc\.FoldScores\(scores, metric="),
        (lambda s, m: "no such file.csv", {}, "no such file"),
        (
            lambda s, m: {"split0_test_score": [0.1], "split2_test_score": [0.2]},
            {},
            "have gaps: split0_test_score, split2_test_score",
        ),
        (lambda s, m: bbc.FoldScores([[0.1], [0.2]], metric="own"), {}, "greater_is_better must"),
        (
            lambda s, m: bbc.FoldScores([[-0.1], [0.2]], metric="log_loss"),
            {},
            "is a loss, but has values below 0",
        ),
        (
            lambda s, m: {"split0_test_log_loss": [0.1], "split1_test_log_loss": [0.2]},
            {},
            "values above 0 in a table",
        ),
        (
            lambda s, m: bbc.FoldScores(s.cv_results_, n_repeats=3),
            {},
            "does not divide the 10 splits",
        ),
        (
            lambda s, m: {"split0_test_score": [np.nan], "split1_test_score": [0.2]},
            {"metric": "accuracy"},
            "in every fold",
        ),
        (lambda s, m: 3, {}, "must be a fitted search"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(search, several, make, options, message):
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(make(search, several), **options)


def test_repeats_of_a_table_are_told():
    search = searched(cv=RepeatedKFold(n_splits=10, n_repeats=2, random_state=0))
    wanted = bbc.correct(search, **SEED)
    assert wanted.n_repeats == 2
    same(bbc.correct(bbc.FoldScores(search.cv_results_, n_repeats=2), **SEED), wanted)
    one = bbc.correct(search.cv_results_, **SEED)
    assert one.n_repeats == 1
    assert "20 splits are taken for folds of one partition" in one.notes[0]


SCORES = 0.8 + 0.05 * np.random.default_rng(0).normal(size=(10, 6))


@pytest.mark.parametrize("how", ["list", "numbered", "reported"])
def test_a_study_by_what_its_trials_keep(how):
    study = study_of(SCORES, how=how)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007"):
        found = bbc.correct(study, metric="accuracy", **SEED)
    same(found, bbc.correct(bbc.FoldScores(SCORES, metric="accuracy"), **SEED))
    assert found.names[1] == "x=1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        losses = study_of(-SCORES, how=how, direction="maximize")
        same(bbc.correct(losses, **SEED), bbc.correct(losses, **SEED))
        downward = bbc.correct(study_of(SCORES, how=how, direction="minimize"), **SEED)
    assert not downward.greater_is_better
    assert downward.winner == int(np.argmin(SCORES.mean(axis=0)))


def test_pruned_trials_are_left_out_and_said():
    study = study_of(SCORES, pruned=(1, 3))
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007"):
        found = bbc.correct(study, metric="accuracy", **SEED)
    assert found.left_out_configurations.tolist() == [1, 3]
    scores = SCORES.copy()
    scores[3:, [1, 3]] = np.nan
    with pytest.warns(bbc.errors.BBCWarning, match="2 configurations stopped on the way"):
        same(bbc.correct(bbc.FoldScores(scores, metric="accuracy"), **SEED), found)


def test_a_single_configuration_that_ends_early_may_have_crashed():
    scores = SCORES.copy()
    scores[3:, 3] = np.nan
    with pytest.warns(bbc.errors.BBCWarning, match="BBC026 .*: 7 scores of 1 configuration"):
        found = bbc.correct(bbc.FoldScores(scores, metric="accuracy"), **SEED)
    assert "BBC007" not in [each.code for each in found.findings]


def test_a_study_without_scores_of_folds_is_refused():
    with pytest.raises(
        ValueError,
        match=r"keep the score of each.*objective.predictions[(]study[)]",
    ):
        bbc.correct(study_of(SCORES, how=""))


# Functions and sources

FUNCTIONS = {
    "correct": lambda s, m: bbc.correct(s, metric=m, **SEED),
    "report": lambda s, m: bbc.report(s),
    "compare": lambda s, m: corrected(s, m).compare(["a"] * 3 + ["b"] * 5),
    "possible_winners": lambda s, m: corrected(s, m).possible_winners(),
    "winner_interval": lambda s, m: corrected(s, m).winner_interval(),
    "tuning_path": lambda s, m: corrected(s, m).tuning_path(),
    "calibration": lambda s, m: corrected(s, m).calibration(),
}
#: What there is no value of, and why: of scores by fold, and of a search that selects by its means.
NO_PREDICTIONS = {"calibration": "needs predictions of rows: a"}
BY_MEANS = {
    "winner_interval": r'by Correction\.winner_interval; for that, correct with pooling="pooled"'
}


def corrected(source, metric):
    return bbc.correct(source, metric=metric, **SEED)


def sources(search, tmp_path):
    """Each source by its name, with what it refuses."""
    scores = np.stack([search.cv_results_[f"split{k}_test_score"] for k in range(10)])
    tree = DecisionTreeClassifier(random_state=0)
    loss = GridSearchCV(tree, GRID, cv=CV, scoring="neg_log_loss")
    protocol = bbc.BBC(tree, GRID, cv=CV, scoring="neg_log_loss", random_state=0)
    return {
        "a protocol": (protocol.fit(X, Y), {}),
        "bbc.keep_predictions": (bbc.keep_predictions(loss).fit(X, Y), BY_MEANS),
        "a fitted search": (search, NO_PREDICTIONS),
        "cv_results_, a dict": (search.cv_results_, NO_PREDICTIONS),
        "cv_results_, a data frame": (table_of(search), NO_PREDICTIONS),
        "cv_results_, a CSV file": (table_of(search, tmp_path / "results.csv"), NO_PREDICTIONS),
        "an Optuna study": (study_of(scores), NO_PREDICTIONS),
        "bbc.FoldScores": (bbc.FoldScores(scores, metric="accuracy"), NO_PREDICTIONS),
    }


@pytest.mark.filterwarnings("ignore")
def test_each_source_answers_each_function_or_says_why_not(search, tmp_path):
    for name, (source, refused) in sources(search, tmp_path).items():
        metric = "neg_log_loss" if hasattr(source, "oos_predictions_") else "accuracy"
        for function, call in FUNCTIONS.items():
            if function not in refused:
                assert call(source, metric) is not None, f"{function} of {name}"
                continue
            with pytest.raises(ArgumentError, match=refused[function]):
                call(source, metric)


def test_functions_of_folds_are_bbc_f(search):
    wanted = bbc.correct(search, **SEED)
    other = searched({"min_samples_leaf": [1, 5, 9]})
    comparison = bbc.compare({"a": search, "b": other}, metric="accuracy", **SEED)
    same(comparison.estimates["a"], wanted)
    same(comparison.estimates["b"], bbc.correct(other, **SEED))
    assert comparison.estimates["a"].unit == "fold"
    path = bbc.correct(search, metric="accuracy", **SEED).tuning_path()
    same(path.estimate, wanted)
    # Nadeau and Bengio's t of the ten differences
    columns = [
        np.stack([each.cv_results_[f"split{k}_test_score"][each.best_index_] for k in range(10)])
        for each in (search, other)
    ]
    d = columns[0] - columns[1]
    difference = comparison.difference("a", "b")
    assert difference.standard_error >= np.sqrt(2 * d.var(ddof=1) / 10) * (1 - 1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": Y}, "groups are those of the rows of y"),
        ({"method": "bbc-two-level"}, "is for predictions of rows"),
        ({"metric": "f1"}, "is none of the scores"),
    ],
)
def test_what_folds_do_not_have_is_refused(search, options, message):
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(search, **{"metric": "accuracy"} | options).tuning_path()


def test_families_of_other_folds_are_refused(search):
    families = {"a": search, "b": searched(cv=10)}
    with pytest.raises(ValueError, match="'b' was not scored on the folds of 'a'"):
        bbc.compare(families, metric="accuracy")
    drawn = searched(cv=KFold(10, shuffle=True))
    with pytest.raises(ValueError, match="not scored on the folds"):
        bbc.compare({"a": drawn, "b": drawn}, metric="accuracy")


def test_few_folds_and_repeats_are_refused():
    five = bbc.FoldScores(SCORES[:5], metric="accuracy")
    c = bbc.correct(five, metric="accuracy")
    with pytest.raises(ValueError, match="are scores of 5 folds: with fewer than 10"):
        c.possible_winners()
    assert "ten folds" in c.winner_interval().infeasible
    twice = bbc.FoldScores(SCORES, metric="accuracy", n_repeats=2)
    with pytest.raises(ValueError, match="scores of 2 partitions, whose folds share rows"):
        bbc.correct(twice, metric="accuracy").tuning_path()


def test_the_command_line(search, tmp_path, capsys):
    path = table_of(search, tmp_path / "results.csv")
    options = ["--metric", "accuracy", "--seed", "1", "--n-bootstraps", "200", "--json"]
    assert main(["correct-search", path, *options]) == 0
    said = capsys.readouterr()
    found = bbc.results.PerformanceEstimate.from_json(said.out)
    same(found, bbc.correct(search, **SEED))
    assert "score accuracy, larger is better; 10 folds; 8 configurations" in said.err
    assert main(["correct-search", path, *options, "--reselect"]) == 0
    reselected = bbc.results.PerformanceEstimate.from_json(capsys.readouterr().out)
    assert reselected == bbc.correct(path, metric="accuracy", reselect=True, **SEED)
    assert main(["correct-search", path, "--metric", "own", "--n-repeats", "3"]) == 1
    assert "--n-repeats 3 does not divide the 10 splits" in capsys.readouterr().err


def test_the_command_line_takes_the_truth(tmp_path, capsys):
    path, rows = tmp_path / "scores.csv", tmp_path / "rows.csv"
    by_fold = {f"split{k}_test_accuracy": row for k, row in enumerate(SCORES)}
    names = list(by_fold)
    lines = [
        ",".join(names),
        *(",".join(map(str, row)) for row in zip(*by_fold.values(), strict=True)),
    ]
    path.write_text("\n".join(lines))
    y, groups = np.arange(120) % 10 < 2, np.arange(120) // 4
    cells = [f"{int(one)},p{group}" for one, group in zip(y, groups, strict=True)]
    rows.write_text("\n".join(["sick,patient", *cells]))
    options = ["--metric", "accuracy", "--seed", "1", "--n-bootstraps", "200", "--json"]
    truth = ["--rows", str(rows), "--truth", "sick"]
    for more, given in (([], {}), (["--groups", "patient"], {"groups": groups})):
        assert main(["correct-search", str(path), *options, *truth, *more]) == 0
        said = capsys.readouterr()
        found = bbc.results.PerformanceEstimate.from_json(said.out)
        scores = bbc.FoldScores(str(path), metric="accuracy", y=y.astype(int), **given)
        assert found == bbc.correct(scores, **SEED).record
        assert "truth sick of 120 rows" in said.err
    assert main(["correct-search", str(path), *options]) == 0
    assert "--rows FILE --truth COLUMN" in capsys.readouterr().err
    for wrong, message in (
        (["--truth", "sick"], "--truth sick is a column of the file that --rows names"),
        (["--rows", str(rows)], "has the truth in the column that --truth names"),
        ([*truth[:2], "--truth", "age"], "age"),
    ):
        assert main(["correct-search", str(path), *options, *wrong]) == 1
        assert message in capsys.readouterr().err


@pytest.fixture
def lines(tmp_path):
    """A file with a line per partition, fold and configuration of SCORES, in odd order."""
    split, configuration = np.divmod(np.arange(SCORES.size), SCORES.shape[1])
    found = {
        "repeat": [f"r{k // 5}" for k in split],
        "fold": [f"f{k % 5}" for k in split],
        "configuration": [f"c{k}" for k in configuration],
        "score": SCORES.ravel(),
    }
    path = tmp_path / "lines.csv"
    frame = pd.DataFrame(found).sample(frac=1, random_state=0)
    frame.sort_values("configuration", kind="stable").to_csv(path, index=False)
    return path


LONG = ["--long", "--metric", "accuracy", "--seed", "1", "--n-bootstraps", "200", "--json"]


def test_the_command_line_takes_a_line_per_score(lines, capsys):
    assert main(["correct-search", str(lines), *LONG, "--repeat", "repeat"]) == 0
    found = bbc.results.PerformanceEstimate.from_json(capsys.readouterr().out)
    frame = pd.read_csv(lines)
    order = [*dict.fromkeys(frame["repeat"])], [*dict.fromkeys(frame["fold"])]
    by_fold = frame.pivot(index=["repeat", "fold"], columns="configuration", values="score")
    by_fold = by_fold.loc[pd.MultiIndex.from_product(order)]
    scores = bbc.FoldScores(
        by_fold.to_numpy(), metric="accuracy", n_repeats=2, names=list(by_fold.columns)
    )
    assert found == bbc.correct(scores, **SEED).record
    frame.drop(index=3).to_csv(lines, index=False)  # a score that is not there
    assert main(["correct-search", str(lines), *LONG, "--repeat", "repeat"]) == 0
    assert "1 score of 1 configuration missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "has two scores of configuration c0; --repeat names"),
        (["--repeat", "repeat", "--score", "fold"], "column 'fold' holds text"),
        (["--repeat", "repeat", "--fold", "day"], "has no column 'day'"),
        (["--n-repeats", "2"], "--repeat names the column"),
    ],
)
def test_the_command_line_refuses_lines(lines, capsys, more, message):
    assert main(["correct-search", str(lines), *LONG, *more]) == 1
    assert message in capsys.readouterr().err
    assert main(["correct-search", str(lines), "--fold", "fold"]) == 1
    assert "--fold needs --long" in capsys.readouterr().err


def test_the_command_line_refuses_partitions_of_unequal_folds(lines, capsys):
    frame = pd.read_csv(lines)
    frame[(frame["repeat"] != "r1") | (frame["fold"] != "f4")].to_csv(lines, index=False)
    assert main(["correct-search", str(lines), *LONG, "--repeat", "repeat"]) == 1
    assert "partitions have 4, 5 folds" in capsys.readouterr().err


OWN = np.round(np.random.default_rng(3).uniform(0.6, 0.9, (12, 4)), 6)
WIDE = {"param_model": list("abcd")} | {f"split{k}_test_score": OWN[k] for k in range(12)}


@pytest.mark.parametrize(
    ("table", "metric", "message"),
    [
        (WIDE | {"split11_test_score": OWN[11].astype(str)}, "accuracy", "split11.*holds text"),
        (WIDE | {"mean_test_score": OWN.mean(axis=0)[::-1]}, "accuracy", "mean_test_score of"),
        (WIDE | {"split3_test_score": OWN[3] * 100}, "accuracy", r"outside \[0, 1\]"),
        (WIDE, "neg_log_loss", r"outside \[-inf, 0\]"),
        (WIDE | {"split3_test_score": OWN[3, :2]}, "accuracy", "has 2 rows, 'param_model' has 4"),
        (WIDE | {"param_model": list("abc")}, "accuracy", "has 4 rows, 'param_model' has 3"),
        (
            {"split0_test_score": 0.5, "split1_test_score": 0.6},
            "accuracy",
            r"one value per row, got shape \(\)",
        ),
    ],
)
def test_tables_that_would_give_a_wrong_number_are_refused(table, metric, message):
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(table, metric=metric, **SEED)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame])
def test_a_table_of_halving_is_its_last_iteration(frame):
    halving = HalvingGridSearchCV(
        DecisionTreeClassifier(random_state=0), GRID, cv=5, min_resources=60, random_state=0
    ).fit(X, Y)
    own = bbc.correct(halving, **SEED)
    e = bbc.correct(frame(halving.cv_results_), metric="accuracy", **SEED)
    assert (e.apparent, e.estimate, e.winner) == (own.apparent, own.estimate, own.winner)
    assert "BBC007" in {finding.code for finding in e.findings}


def test_parameters_may_be_lists_of_numbers():
    sizes = np.empty(4, object)
    sizes[:] = [(100, 50), (10, 5), (3, 3), (4, 4)]
    table = {name: values for name, values in WIDE.items() if name != "param_model"}
    e = bbc.correct(table | {"param_sizes": sizes}, metric="accuracy", **SEED)
    assert e.winner_name == f"sizes={sizes[int(OWN.mean(axis=0).argmax())]}"


def test_configurations_without_a_score_are_counted():
    holes = OWN[3].copy()
    holes[1] = np.nan
    with pytest.warns(BBCWarning, match="BBC026") as warned:
        e = bbc.correct(WIDE | {"split3_test_score": holes}, metric="accuracy", **SEED)
    assert "1 score of 1 configuration missing, the first: configuration 'model=b', split 3" in str(
        warned[0].message
    )
    assert [each.code for each in e.findings if each.code == "BBC026"] == ["BBC026"]
    assert e.left_out_configurations.tolist() == [1]


def test_a_report_of_several_scores_says_how_one_is_picked(several):
    hint = r"report bbc\.correct\(search, metric=\.\.\.\)$"
    with pytest.raises(ValueError, match=rf"^result: metric must name one of the scores .*{hint}"):
        bbc.report(table_of(several))
    search = GridSearchCV(
        DecisionTreeClassifier(), {"max_depth": [1]}, scoring=["roc_auc", "accuracy"], refit=False
    )
    with pytest.raises(
        ValueError, match=r"^result: .*; report bbc\.correct\(search, metric=\.\.\.\)$"
    ):
        bbc.report(bbc.keep_predictions(search).fit(X, Y))
