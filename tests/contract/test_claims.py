"""What a tool claims is what is corrected: its metric, its sign, its rule and its choice."""

import json
import warnings

import numpy as np
import optuna
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, KFold
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.errors import ArgumentError, BBCWarning
from bbc.results import PerformanceEstimate

X, Y = (array[:120] for array in load_breast_cancer(return_X_y=True))
X = X[:, :4]
GRID = {"max_depth": [1, 2, 3, 5], "min_samples_leaf": [1, 5]}
SEED = {"random_state": 1, "n_bootstraps": 200}


def searched(grid=GRID, **options):
    tree = DecisionTreeClassifier(random_state=0)
    cv = KFold(5, shuffle=True, random_state=0)
    return GridSearchCV(tree, grid, **({"cv": cv, "scoring": "accuracy"} | options)).fit(X, Y)


def of_dict(estimator, X, y):
    p = estimator.predict_proba(X)[:, 1]
    return {"good": roc_auc_score(y, p), "loss": log_loss(y, p, labels=[0, 1])}


def study_of(scores, value=np.mean, key="fold_scores", direction="maximize", failed=0):
    study = optuna.create_study(direction=direction)
    for number, column in enumerate(scores.T):
        study.add_trial(
            optuna.trial.create_trial(
                value=float(value(column)),
                params={"x": float(number)},
                distributions={"x": optuna.distributions.FloatDistribution(0, 100)},
                user_attrs={key: column.tolist()},
            )
        )
    for _ in range(failed):
        study.add_trial(optuna.trial.create_trial(state=optuna.trial.TrialState.FAIL))
    return study


def quietly(function, *given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given, **options)


SCORES = np.random.default_rng(3).uniform(0.6, 0.9, (10, 6))


@pytest.mark.parametrize("scoring", [None, "accuracy", "roc_auc", "neg_log_loss", "f1"])
def test_the_winner_is_the_one_that_is_deployed(scoring):
    search = searched(scoring=scoring)
    e = quietly(bbc.correct, search, **SEED)
    assert e.winner == search.best_index_ == e.deployed.index
    assert e.apparent == pytest.approx(search.best_score_, rel=1e-12)
    assert e.deployed.score == search.best_score_
    assert e.deployed.frequency == np.mean(e.replicate_winners == search.best_index_)
    assert e.deployed.is_corrected
    assert "BBC024" not in [each.code for each in e.findings]


def test_what_ties_up_to_rounding_is_the_search_s_choice():
    search = searched()
    results = search.cv_results_
    # The same scores in another order: a mean that differs in its last bit.
    for split in range(5):
        results[f"split{split}_test_score"][:] = [0.1, 0.7, 0.3, 0.2, 0.6][split]
        results[f"split{split}_test_score"][3] = [0.7, 0.2, 0.1, 0.6, 0.3][split]
    results["mean_test_score"] = np.mean(
        [results[f"split{split}_test_score"] for split in range(5)], axis=0
    )
    for chosen in (0, 3, 5):
        search.best_index_ = chosen
        e = quietly(bbc.correct, search, **SEED)
        assert (e.winner, e.winner_name) == (chosen, e.names[chosen])
        assert e.deployed.is_corrected


def test_another_choice_than_the_rule_s_is_refused():
    search = searched()
    search.best_index_ = int(np.argmin(search.cv_results_["mean_test_score"]))
    with pytest.raises(ArgumentError, match=r"choice cannot be repeated: .* is corrected, but"):
        bbc.correct(search, **SEED)


def test_a_refit_that_is_a_function_is_not_repeated():
    search = searched(refit=lambda results: int(np.argmin(results["mean_test_score"])))
    with pytest.raises(ArgumentError, match=r"selects by a refit .* reselect=True corrects"):
        bbc.correct(search, **SEED)
    with pytest.raises(ArgumentError, match="selects by a refit that is a function"):
        bbc.correct(search, metric="accuracy", **SEED).tuning_path()
    with pytest.warns(BBCWarning, match="BBC024 another configuration is deployed"):
        e = bbc.correct(search, reselect=True, **SEED)
    assert e.deployed.index == search.best_index_
    assert not e.deployed.is_corrected
    assert e.apparent == pytest.approx(search.cv_results_["mean_test_score"].max())


def test_the_first_line_says_which_of_the_two_is_corrected():
    search = searched(scoring=["roc_auc", "accuracy"], refit="roc_auc")
    with pytest.raises(
        ArgumentError, match="is not what the search selects by, which is 'roc_auc'"
    ):
        bbc.correct(search, metric="accuracy", **SEED)
    search.cv_results_["split0_test_accuracy"][search.best_index_] = 0.0
    e = quietly(bbc.correct, search, metric="accuracy", reselect=True, **SEED)
    assert e.winner != search.best_index_
    said = f"This is the performance of {e.winner_name}; the search deploys {e.deployed.name}"
    assert " ".join(e.summary().split()).startswith(said)
    assert said in " ".join(e._repr_html_().split())
    assert said in bbc.report(e).html
    again = PerformanceEstimate.from_json(e.to_json())
    assert again.deployed == e.deployed
    assert again.summary() == e.summary()


def test_documents_before_deployed_are_read():
    e = quietly(bbc.correct, searched(), **SEED)
    document = json.loads(e.to_json())
    assert document["schema"] == 3
    del document["deployed"]
    old = PerformanceEstimate.from_json(json.dumps(document | {"schema": 2}))
    assert old == e
    assert old.deployed is None
    document["deployed"] = {"index": 8, "name": "x"}
    with pytest.raises(ValueError, match="deployed is 8 of 8 configurations"):
        PerformanceEstimate.from_json(json.dumps(document))


def test_keys_of_a_function_say_nothing_of_metric_and_sign():
    """`loss` is one: the search says nothing of it, unless it chose by it."""
    search = searched(scoring=of_dict, refit="good")
    e = quietly(bbc.correct, search, **SEED)
    assert (e.metric, e.metric_range, e.winner) == ("good", None, search.best_index_)
    with pytest.raises(ArgumentError, match="greater_is_better must say whether larger values"):
        bbc.correct(search, metric="loss", reselect=True, **SEED)
    loss = quietly(
        bbc.correct, search, metric="loss", greater_is_better=False, reselect=True, **SEED
    )
    assert loss.apparent == pytest.approx(search.cv_results_["mean_test_loss"].min())
    largest = searched(scoring=of_dict, refit="loss")
    with pytest.raises(ArgumentError, match="contradicts the search, which takes the largest"):
        bbc.correct(largest, greater_is_better=False, **SEED)
    e = quietly(bbc.correct, largest, **SEED)
    assert e.apparent == pytest.approx(largest.cv_results_["mean_test_loss"].max())


@pytest.mark.parametrize("value", [np.mean, np.sum, lambda scores: 100 * np.mean(scores)])
def test_a_study_whose_value_orders_as_the_means_do(value):
    study = study_of(SCORES, value)
    e = quietly(bbc.correct, study, metric="accuracy", **SEED)
    assert e.winner == study.best_trial.number == e.deployed.index
    assert e.deployed.score == study.best_value
    assert e.apparent == pytest.approx(SCORES.mean(axis=0).max())


def test_a_study_whose_value_is_another_number_is_refused():
    study = study_of(SCORES, lambda scores: scores[0])
    with pytest.raises(ArgumentError, match="compares is neither the mean nor the sum"):
        bbc.correct(study, metric="accuracy", **SEED)
    e = quietly(bbc.correct, study, metric="accuracy", reselect=True, **SEED)
    assert e.winner == SCORES.mean(axis=0).argmax() != study.best_trial.number
    assert not e.deployed.is_corrected


@pytest.mark.parametrize(
    ("study", "metric", "message"),
    [
        (study_of(SCORES * 6), "accuracy", r"outside \[0, 1\]"),
        (study_of(-SCORES, direction="minimize"), "roc_auc", "is better at the other end, but the"),
        (study_of(SCORES), "log_loss", "the study takes the largest of its scores 'fold_scores'"),
    ],
)
def test_values_that_the_metric_cannot_have_are_refused(study, metric, message):
    with pytest.raises(ArgumentError, match=message):
        bbc.correct(study, metric=metric, **SEED)


def test_a_study_of_negated_scores_may_say_so():
    study = study_of(-SCORES, direction="minimize")
    e = quietly(bbc.correct, study, metric="roc_auc", greater_is_better=False, **SEED)
    assert e.metric_range == (-1, 0)
    assert e.winner == study.best_trial.number


def test_what_was_lost_is_found():
    def failing(estimator, X, y):
        if estimator.max_depth == 5 and estimator.min_samples_leaf == 1:
            raise ValueError("no luck")
        return estimator.score(X, y)

    search = quietly(searched, scoring=failing)
    with pytest.warns(BBCWarning, match="BBC026 fits or scores were lost: 5 scores of 1 conf"):
        e = bbc.correct(search, **SEED)
    assert e.left_out_configurations.tolist() == [6]
    found = next(each for each in e.findings if each.code == "BBC026")
    assert "configuration 'max_depth=5, min_samples_leaf=1', split 0" in found.detail
    with pytest.warns(BBCWarning, match="2 fits failed, the first: trial 6"):
        bbc.correct(study_of(SCORES, failed=2), metric="accuracy", **SEED)


def test_halving_deploys_one_of_its_last_round():
    tree = DecisionTreeClassifier(random_state=0)
    halving = HalvingGridSearchCV(tree, GRID, cv=5, factor=2, random_state=0, min_resources=30)
    e = quietly(bbc.correct, halving.fit(X, Y), **SEED)
    assert e.deployed.index == halving.best_index_ == e.winner


def test_scores_that_were_read_know_what_is_deployed():
    search = searched(scoring=["roc_auc", "accuracy"], refit="roc_auc")
    read = bbc.FoldScores(search)
    assert quietly(bbc.correct, read, **SEED).deployed.is_corrected
    other = bbc.FoldScores(search, metric="accuracy")
    e = quietly(bbc.correct, other, **SEED)
    assert e.deployed.index == search.best_index_


def test_tables_choose_nothing():
    e = quietly(bbc.correct, searched().cv_results_, metric="accuracy", **SEED)
    assert e.deployed is None


def test_one_configuration_is_no_choice():
    e = quietly(bbc.correct, searched({"max_depth": [2]}), **SEED)
    assert [each.code for each in e.findings if each.code == "BBC027"] == ["BBC027"]
    rows = bbc.correct(Y, Y[:, None] * 0.9, metric="brier_score", **SEED)
    assert "BBC027" in [each.code for each in rows.findings]
