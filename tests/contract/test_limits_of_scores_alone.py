"""What is said of limits that scores of folds alone give: finding BBC025, and first of all."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import bbc
from bbc.errors import BBCWarning

N = 90
Y = (np.arange(N) % 9 < 2).astype(int)
X = np.random.default_rng(0).normal(size=(N, 2)) + Y[:, None]
REAL = X[:, 0] + np.random.default_rng(1).normal(size=N)
SEED = {"random_state": 1, "n_bootstraps": 100}
pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def of_classes(scoring, cv=5, y=Y):
    grid = {"n_neighbors": [3, 15]}
    return GridSearchCV(KNeighborsClassifier(), grid, scoring=scoring, cv=cv).fit(X, y)


def of_numbers(scoring, cv=5):
    grid = {"n_neighbors": [3, 15]}
    return GridSearchCV(KNeighborsRegressor(), grid, scoring=scoring, cv=cv).fit(X, REAL)


def said(source, **given):
    return [f.detail for f in bbc.correct(source, **given, **SEED).findings if f.code == "BBC025"]


@pytest.mark.parametrize(
    "scoring",
    ["accuracy", "roc_auc", "recall", "balanced_accuracy", "f1", "neg_brier_score", "neg_log_loss"],
)
def test_the_truth_mends_what_it_tells(scoring):
    search = of_classes(scoring)
    (text,) = said(search)
    told = "where folds keep the class shares, the interval is too short unless y= is passed"
    assert text == told
    assert said(search, y=Y) == []
    assert said(of_classes(scoring, KFold(5))) == []  # whose shares vary


@pytest.mark.parametrize("scoring", ["precision", "matthews_corrcoef", "average_precision"])
def test_what_it_does_not_mend_says_so(scoring):
    search = of_classes(scoring)
    for given in ({}, {"y": Y}):
        (text,) = said(search, **given)
        assert text.endswith(f"the interval is too short, which y= does not mend for {scoring}")


def test_averages_over_more_classes_are_not_mended():
    three = np.arange(N) % 3
    for scoring, mended in (("balanced_accuracy", False), ("accuracy", True), ("f1_macro", False)):
        search = of_classes(scoring, y=three)
        assert ("unless y=" in said(search)[0]) == mended
        assert (said(search, y=three) == []) == mended


def test_a_mean_of_r2():
    (text,) = said(of_numbers("r2"))
    assert text.endswith("lies below the r2 of all rows, unless y= is passed")
    assert said(of_numbers("r2"), y=REAL) == []
    (text,) = said(of_numbers("r2", KFold(5, shuffle=True)), y=REAL)  # unknown folds
    assert text == "this is a mean over folds, not the r2 of all rows"
    for given in ({}, {"y": REAL}):
        (text,) = said(of_numbers("explained_variance"), **given)
        assert text == "this is a mean over folds, not the explained_variance of all rows"


def test_losses_of_numbers_have_nothing_to_say():
    for scoring in ("neg_mean_squared_error", "neg_mean_absolute_error", "neg_max_error"):
        assert said(of_numbers(scoring)) == []
        assert said(of_numbers(scoring), y=REAL) == []


def test_tables_do_not_tell_their_folds():
    scores = np.random.default_rng(0).uniform(0.6, 0.9, (6, 3))
    (text,) = said(bbc.FoldScores(scores, metric="roc_auc"))
    assert "unless y= is passed" in text
    assert said(bbc.FoldScores(scores, metric="roc_auc", y=Y)) == []
    for name in ("mean_squared_error", "mine"):
        assert said(bbc.FoldScores(scores, metric=name, greater_is_better=False)) == []


def test_it_is_said_first_and_warned_of():
    search = of_classes("accuracy")
    with pytest.warns(BBCWarning, match="BBC025"):
        c = bbc.correct(search, **SEED)
    assert c.summary().startswith("Where folds keep the class shares, the interval is too short")
    assert "<p>Where folds keep the class shares" in c.report().html
    told = bbc.correct(search, y=Y, **SEED)
    assert told.summary().startswith("accuracy")
    assert "Folds keep" not in told.report().html
    again = bbc.Correction.from_json(c.to_json())
    assert again.summary() == c.summary()


def test_predictions_have_nothing_to_say():
    kept = bbc.keep_predictions(of_classes("accuracy")).fit(X, Y)
    assert said(kept) == []
    assert said(kept, method="bbc-f") == []
    grid = GridSearchCV(DummyRegressor(), {"strategy": ["mean", "median"]}).fit(X, REAL)
    assert said(bbc.keep_predictions(grid).fit(X, REAL)) == []


def test_questions_take_folds_for_rows_and_say_so():
    """Their limits read no truth, which only the correction itself does."""
    by_fold = np.random.default_rng(2).uniform(0.6, 0.9, (10, 4))
    scores = bbc.FoldScores(by_fold, metric="accuracy", y=Y)
    c = bbc.correct(scores, **SEED)
    assert "BBC025" not in [each.code for each in c.findings]
    answers = [
        c.winner_interval(),
        *c.compare(["a", "a", "b", "b"]).estimates.values(),
        *bbc.compare({"a": scores, "b": scores}, random_state=1).estimates.values(),
    ]
    found = [each for answer in answers for each in answer.findings if each.code == "BBC025"]
    found += [each for each in c.possible_winners().data_findings if each.code == "BBC025"]
    assert len(found) == len(answers) + 1
    assert all("y= does not mend" in each.detail for each in found)
    with pytest.warns(BBCWarning, match="BBC025"):
        c.winner_interval()
    free = bbc.correct(of_classes("accuracy", KFold(10)), **SEED)
    assert "BBC025" not in [each.code for each in free.winner_interval().findings]


SOURCES = {
    "a truth": (10, {"metric": "brier_score", "y": Y}),
    "groups": (6, {"metric": "accuracy", "y": Y, "groups": np.arange(len(Y)) // 4}),
    "three folds": (3, {"metric": "brier_score"}),
    "three folds and a truth": (3, {"metric": "brier_score", "y": Y}),
    "scores alone": (10, {"metric": "roc_auc"}),
}


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("source", SOURCES)
def test_the_last_step_of_a_tuning_path_is_the_correction(source, alternative):
    n_folds, given = SOURCES[source]
    by_fold = np.random.default_rng(4).uniform(0.2, 0.4, (n_folds, 6))
    by_fold[1, 4] = np.nan
    c = bbc.correct(bbc.FoldScores(by_fold, **given), alternative=alternative, **SEED)
    path = c.tuning_path()
    assert path.n_configurations.tolist() == [1, 2, 4, 6]
    assert (path.estimates[-1], path.apparent[-1]) == (c.estimate, c.apparent)
    assert (path.lows[-1], path.highs[-1]) == tuple(c.confidence_interval)
    assert (path.winners[-1], path.estimate) == (c.winner, c.record)
    assert path.findings == c.findings
    for place, t in enumerate([1, 2, 4]):
        first = bbc.correct(
            bbc.FoldScores(by_fold[:, :t], **given), alternative=alternative, **SEED
        )
        assert (path.lows[place], path.highs[place]) == tuple(first.confidence_interval)
        assert path.winners[place] == first.winner


def test_a_metric_of_another_name_must_say_its_direction():
    by_fold = np.random.default_rng(3).uniform(0.6, 0.9, (6, 4))
    with pytest.raises(ValueError, match=r"larger values of 'ROC' .*bbc\.metrics\.names\(\)"):
        bbc.FoldScores(by_fold, metric="ROC")
    assert bbc.FoldScores(by_fold, metric="ROC", greater_is_better=True).metric.name == "ROC"
