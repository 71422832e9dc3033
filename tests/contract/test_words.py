"""What a report says of an analysis is what was done: its numbers are counted again here."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.reporting import _words
from bbc.results import Subgroups
from kinds import of_folds
from nightly import covering

pytestmark = pytest.mark.filterwarnings("ignore:BBC0")
TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": [1, 10, 30]}


def noisy_data(n_rows, seed, n_groups=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    y = (X[:, 0] + rng.normal(size=n_rows) > 0).astype(int)
    groups = None if n_groups is None else rng.integers(0, n_groups, n_rows)
    return X, y, groups


def numbers_of(text):
    """The counts that a methods paragraph states, by what they count."""
    found = {}
    for name, pattern in {
        "configurations": r"(\d+) configurations were compared",
        "folds": r"(\d+)-fold",
        "repeats": r"with (\d+) repeats",
        "scored": r" on (\d+) rows",
        "groups": r"rows in (\d+) groups",
        "rows": r"\(of (\d+); the others",
        "dropped": r"(\d+) were dropped after",
        "failed": r"(\d+) were left out because a fit failed",
    }.items():
        match = re.search(pattern, text)
        found[name] = int(match[1]) if match else None
    return found


READ = (
    (bbc.BBC, 5, False),
    (bbc.BBC, StratifiedKFold(4, shuffle=True, random_state=0), False),
    (bbc.BBC, GroupKFold(4), True),
    (bbc.BBC, TimeSeriesSplit(5), False),
    (bbc.BBCD, 8, False),
    (bbc.CVT, GroupKFold(3), True),
    (of_folds, 5, False),
    (bbc.TT, TimeSeriesSplit(4), False),
    (bbc.NCV, 4, False),
)


@pytest.mark.parametrize(
    ("seed", "protocol", "cv", "grouped"),
    covering([(seed, *case) for seed in range(3) for case in READ], every=3),
)
def test_a_reader_of_the_page_finds_what_was_done(protocol, cv, grouped, seed):
    n_rows = 150 + 10 * seed
    X, y, groups = noisy_data(n_rows, seed, 30 if grouped else None)
    search = protocol(TREE, GRID, cv=cv, scoring="roc_auc", random_state=seed, refit=False)
    search.fit(X, y, groups=groups) if grouped else search.fit(X, y)
    e = search.performance_
    said = numbers_of(_words.methods(e))
    n_folds = cv if isinstance(cv, int) else cv.get_n_splits(X, y, groups)
    splits = [] if isinstance(cv, int) else list(cv.split(X, y, groups))
    tested = (
        np.unique(np.concatenate([test for _, test in splits])) if splits else np.arange(n_rows)
    )
    assert said["configurations"] == 12
    assert said["folds"] == n_folds
    assert said["scored"] == len(tested) == e.design.n_rows_scored
    assert said["rows"] == (n_rows if len(tested) < n_rows else None)
    assert said["groups"] == (len(np.unique(groups)) if grouped else None)
    dropped = int((search.dropped_ >= 0).sum()) if protocol is bbc.BBCD else 0
    assert (said["dropped"] or 0) == dropped == len(e.design.dropped_after)
    assert e.design.n_events == int(y[tested].sum())
    assert ("in order of time" in _words.methods(e)) == isinstance(cv, TimeSeriesSplit)
    assert ("stratified" in _words.methods(e)) == bool(e.design.stratified)
    assert _words.training(e).startswith("every scored row was predicted by models")


def test_dropping_is_told_with_the_folds_after_which_it_happened():
    X, y, _ = noisy_data(200, 3)
    search = bbc.BBCD(TREE, GRID, cv=10, scoring="roc_auc", random_state=0).fit(X, y)
    gone = search.dropped_[search.dropped_ >= 0]
    assert gone.size  # the design drops some
    folds = sorted(search.performance_.design.dropped_after)
    text = _words.methods(search.performance_)
    assert f"{gone.size} were dropped after {folds[0]} to {folds[-1]} folds" in text
    predicted = search.cv_results_["mean_fit_time"].size
    assert predicted == 12


def test_a_failed_fit_is_told():
    class Failing(LogisticRegression):
        def fit(self, X, y, **params):
            if self.C == 0.5:
                raise ValueError("no")
            return super().fit(X, y, **params)

    X, y, _ = noisy_data(80, 0)
    search = bbc.BBC(Failing(), {"C": [0.1, 0.5, 1.0]}, cv=4, random_state=0, error_score=np.nan)
    with pytest.warns(FitFailedWarning, match="1 of 3 configurations failed"):
        search.fit(X, y)
    assert search.performance_.design.n_failed == 1
    assert "1 was left out because a fit failed" in _words.methods(search.performance_)


def test_predictions_of_unknown_origin_are_not_said_to_be_out_of_sample():
    s = bbc.simulate.accuracy(60, 10, random_state=0)
    e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    assert e.design.training == "unknown"
    assert "Predictions were supplied; bbc did not see the training." in _words.methods(e)
    assert _words.training(e) == "predictions were supplied; bbc did not see the training"
    X, y, _ = noisy_data(80, 1)
    grid = GridSearchCV(TREE, {"max_depth": [1, 2]}, cv=5).fit(X, y)
    reported = bbc.correct(grid, random_state=1)
    assert reported.design.training == "reported"
    assert "stratified 5-fold cross-validation on an unknown number of rows" in _words.methods(
        reported
    )


def test_each_method_is_named_with_its_source_and_what_it_draws():
    s = bbc.simulate.accuracy(100, 10, random_state=0)
    folds = np.arange(100) % 5
    shared = {"metric": "accuracy", "random_state": 1, "folds": folds}
    plain = bbc.correct(s.y, s.predictions, **shared, stratify_bootstrap=True)
    assert "replicates that draw rows within classes (seed 1" in _words.methods(plain)
    two_level = bbc.correct(s.y, s.predictions, **shared, method="bbc-two-level")
    text = _words.methods(two_level)
    assert "two-level bootstrap bias correction, which extends BBC [1]" in text
    assert "draw folds and, in them, rows (seed 1" in text
    assert "Bootstrapping the out-of-sample" in _words.citation(two_level)
    winner = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1).winner_interval()
    assert "The hybrid interval for the selected configuration" in _words.methods(winner)
    assert "Inference on winners" in _words.citation(winner)
    assert "of the selected configuration on new rows" in _words.headline(winner)
    assert "tuned model" not in _words.headline(winner)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (bbc.one_standard_error(range(10)), "the least complex within one standard error"),
        (lambda scores, counts: int(np.argmax(scores)), "by a rule of the authors"),
        ("best", "one was selected by accuracy on all rows together"),
    ],
)
def test_the_selection_rule_is_named(rule, words):
    s = bbc.simulate.accuracy(60, 10, random_state=0)
    e = bbc.correct(
        s.y,
        s.predictions,
        metric="accuracy",
        selection=rule,
        folds=np.arange(60) % 5,
        random_state=1,
        n_bootstraps=50,
    )
    assert words in _words.methods(e)


def test_blocks_of_consecutive_rows_are_drawn_for_data_in_order_of_time():
    X, y, _ = noisy_data(120, 5)
    search = bbc.BBC(TREE, GRID, cv=TimeSeriesSplit(5), scoring="roc_auc", random_state=0)
    made = search.fit(X, y).oos_predictions_
    codes = [each.code for each in search.performance_.findings]
    assert "BBC018" in codes
    blocks = np.arange(120) // 7
    e = bbc.correct(made.y, made, metric="roc_auc", groups=blocks, random_state=1)
    assert e.design.block_draws
    assert not {"BBC018", "BBC010"} & {each.code for each in e.findings}
    assert "replicates that draw blocks of consecutive rows" in _words.methods(e)
    scattered = np.arange(120) % 7
    e = bbc.correct(made.y, made, metric="roc_auc", groups=scattered, random_state=1)
    assert not e.design.block_draws
    assert "BBC018" in [each.code for each in e.findings]


@pytest.mark.parametrize("cv", [5, TimeSeriesSplit(4)])
def test_blocks_that_were_asked_for_do_not_put_folds_in_order_of_time(cv):
    X, y, _ = noisy_data(120, 5)
    search = bbc.BBC(TREE, GRID, cv=cv, scoring="roc_auc", random_state=0, refit=False).fit(X, y)
    e = bbc.correct(search, block_length=7)
    assert e.design.block_length == 7
    assert "replicates that draw blocks of consecutive rows" in _words.methods(e)
    assert ("in order of time" in _words.methods(e)) == (cv != 5)
    assert not {"BBC018", "BBC010"} & {each.code for each in e.findings}


def test_a_slope_is_judged_by_its_interval():
    inside = _words.say("calibration_slope", _words.slope_facts(0.8, (0.6, 2.5), 0.95, 5000))
    assert "do not show" in inside
    assert "risks are" not in inside.replace("that risks are", "")
    assert _words.say(
        "calibration_slope", _words.slope_facts(0.6, (0.4, 0.9), 0.95, 5000)
    ).endswith("risks are too extreme.")
    assert _words.say("calibration_slope", _words.slope_facts(1.9, (1.2, 2.9), 0.9, 5000)).endswith(
        "not extreme enough."
    )
    assert "slope is 1.90 (90 % CI 1.20 to 2.90)" in _words.say(
        "calibration_slope", _words.slope_facts(1.9, (1.2, 2.9), 0.9, 5000)
    )
    assert "no interval" in _words.say(
        "calibration_slope", _words.slope_facts(1.9, None, 0.9, 5000)
    )


def test_subgroups_are_judged_at_the_level_of_the_result():
    s = bbc.simulate.accuracy(120, 20, random_state=0)
    by = np.arange(120) % 3
    options = {"metric": "accuracy", "random_state": 1}
    found = bbc.correct(s.y, s.predictions, **options).subgroups(by)
    assert min(each.p_value for each in found.differences) > 0.05 / 3
    text = _words.say("subgroup_differences", _words.subgroup_facts(found))
    assert "do not show a difference" in text
    assert "adjusted for 3 comparisons" in text
    wide = bbc.correct(s.y, s.predictions, **options, confidence_level=0.9).subgroups(by)
    assert "at 0.1, adjusted" in _words.say("subgroup_differences", _words.subgroup_facts(wide))
    certain = Subgroups(
        found.overall,
        found.groups,
        tuple(replace(each, p_value=1e-6) for each in found.differences),
    )
    assert "differs between" in _words.say("subgroup_differences", _words.subgroup_facts(certain))
    few = Subgroups(found.overall, found.groups, ())
    assert "too small, or too few" in _words.say("subgroup_differences", _words.subgroup_facts(few))


def test_the_record_survives_json_and_strict_readers_refuse_others():
    s = bbc.simulate.accuracy(60, 10, random_state=0)
    e = bbc.correct(
        s.y, s.predictions, metric="accuracy", groups=np.arange(60) // 2, random_state=1
    )
    text = e.to_json()
    assert bbc.PerformanceEstimate.from_json(text).design == e.design
    assert e.design.n_groups == 30
    for damage in ('"n_groups": "junk"', '"n_groups": -1', '"n_groups": 1.5', '"n_gropus": 30'):
        with pytest.raises(ValueError, match="n_gro"):
            bbc.PerformanceEstimate.from_json(text.replace('"n_groups": 30', damage))
    # A document of an earlier version: what it lacks is unknown.
    old = json.loads(text)
    del old["design"]
    assert bbc.PerformanceEstimate.from_json(json.dumps(old)).design == bbc.results.Design()


def test_nothing_is_said_to_be_selected_of_one_configuration():
    """Once the bootstrap was said to repeat a selection that there was not."""
    s = bbc.simulate.accuracy(80, 1, random_state=0)
    e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    said = [_words.methods(e), _words.headline(e), _words.uncorrected(e)]
    assert not re.search("select|tuned", " ".join(said))
    assert "of which each scores the configuration on the rows out of bag" in said[0]
    checklist = dict(_words.checklist(e))
    assert checklist["Model selection separated from evaluation"] == "nothing was selected"


def test_rows_without_predictions_are_not_counted_with_the_groups():
    s = bbc.simulate.accuracy(60, 3, random_state=0)
    scores = s.predictions.astype(float)
    scores[:6] = np.nan
    e = bbc.correct(s.y, scores, metric="roc_auc", groups=np.arange(60) // 3, random_state=1)
    assert dict(e.facts)["data"] == "18 groups, 54 of 60 rows, 3 configurations"
    assert "on 54 rows (of 60; the others lack predictions) in 18 groups" in _words.methods(e)
