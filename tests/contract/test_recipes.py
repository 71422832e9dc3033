"""Recipes: what a user writes for a whole analysis, and what must come out.

A recipe is a function of the data that a user has. It is short: a test counts its statements.
"""

import ast
import inspect
import textwrap

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import bbc

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
MOST = 6
RECIPES = []


def recipe(function):
    """Have the statements of a recipe counted."""
    RECIPES.append(function)
    return function


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(y), 150, replace=False)
    return X[rows][:, [0, 1, 4, 9]], y[rows]


def holds(c, lowest, highest):
    """The estimate lies in this range and its interval, and the apparent score is no worse."""
    low, high = c.confidence_interval
    better = c.apparent - c.estimate if c.greater_is_better else c.estimate - c.apparent
    return lowest < c.estimate < highest and low < c.estimate < high and better >= 0


LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression())
STRENGTHS = {"logisticregression__C": [0.001, 0.01, 0.1, 1.0, 10.0]}


@recipe
def calibrated_search(X, y):
    search = bbc.keep_predictions(GridSearchCV(LOGISTIC, STRENGTHS, scoring="roc_auc", cv=5))
    c = bbc.correct(search.fit(X, y), random_state=1)
    return search, c, c.calibration(), c.decision_curve(thresholds=[0.2, 0.5])


def test_a_grid_search_with_calibration_and_net_benefit(cancer):
    search, c, calibration, curve = calibrated_search(*cancer)
    assert holds(c, 0.85, 0.98)
    assert c.winner == search.best_index_
    assert calibration.performance == curve.performance == c
    risks = search.oos_predictions_.scores[0, :, c.winner]
    assert calibration.brier_score.apparent == pytest.approx(brier_score_loss(cancer[1], risks))
    assert 0.3 < curve.net_benefit.estimates[0] < cancer[1].mean()


@recipe
def grid_as_it_is(X, y):
    search = GridSearchCV(LOGISTIC, STRENGTHS, scoring="roc_auc", cv=10).fit(X, y)
    return search, bbc.correct(search, random_state=1)


def test_a_grid_search_that_was_fitted_long_ago(cancer):
    search, c = grid_as_it_is(*cancer)
    assert c.method == "bbc-f"
    assert c.apparent == pytest.approx(search.best_score_)
    assert holds(c, 0.85, 0.98)


@recipe
def three_learners(X, y):
    learners = {
        "logistic": LOGISTIC,
        "tree": DecisionTreeClassifier(random_state=0),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    }
    grids = {
        "logistic": STRENGTHS,
        "tree": {"max_depth": [1, 2, 4]},
        "neighbours": {"kneighborsclassifier__n_neighbors": [1, 5, 15]},
    }
    search = bbc.BBC(learners, grids, scoring="roc_auc", cv=5, random_state=1).fit(X, y)
    return search, search.performance_.compare("learner", reference="tree")


def test_three_learners_compared(cancer):
    search, found = three_learners(*cancer)
    assert list(found.estimates) == ["logistic", "tree", "neighbours"]
    assert [pair.second for pair in found.differences] == ["tree", "tree"]
    pair = found.difference("logistic", "tree")
    assert pair.estimate > 0
    assert pair.confidence_interval.low < pair.estimate < pair.confidence_interval.high
    assert search.performance_.winner_name.startswith("logistic")


@recipe
def several_visits(X, y, patients):
    search = bbc.BBC(LOGISTIC, STRENGTHS, scoring="roc_auc", cv=GroupKFold(5), random_state=1)
    return search.fit(X, y, groups=patients).performance_


def test_several_rows_of_a_patient(cancer):
    X, y = (np.repeat(each, 2, axis=0) for each in cancer)
    patients = np.repeat(np.arange(150), 2)
    c = several_visits(X, y, patients)
    assert c.unit == "group"
    alone = several_visits(*cancer, np.arange(150))
    assert tuple(c.confidence_interval) == pytest.approx(tuple(alone.confidence_interval), abs=0.02)


@recipe
def survival_at_three_times(y, survival, times):
    p = bbc.Predictions(y, survival, times=times)
    c = bbc.correct(p, metric=bbc.metrics.integrated_brier_score(times), random_state=1)
    return c, c.clinical(times=times)


def test_survival_at_three_times():
    s = bbc.simulate.survival(200, 6, random_state=0)
    times = [0.3, 0.6, 1.0]
    survival = np.exp(-np.exp(s.predictions)[:, :, None] * np.array(times))
    c, found = survival_at_three_times(s.y, survival, times)
    assert found.performance == c
    assert found.times == tuple(times)
    assert [each.time for each in found.calibrations] == times
    assert all(each.slope.estimate > 0 for each in found.calibrations)
    assert found.n_events == np.count_nonzero(s.y["event"])


@recipe
def tuned_cut_off(y, risks):
    return bbc.correct(y, risks, metric="f1", selection=bbc.best_threshold(), random_state=1)


def test_a_cut_off_that_was_tuned_too():
    s = bbc.simulate.auc(150, 12, random_state=0)
    risks = 1 / (1 + np.exp(-s.predictions))
    c = tuned_cut_off(s.y, risks)
    labels = risks[:, c.winner] >= c.threshold
    right = np.count_nonzero(labels & (s.y == 1))
    assert c.apparent == pytest.approx(2 * right / (labels.sum() + s.y.sum()))
    assert c.estimate < c.apparent
    assert c.score("sensitivity").threshold == c.threshold


@recipe
def pruned_study(build, X, y):
    objective = bbc.adapters.OptunaObjective(build, X, y, metric="roc_auc", cv=5, random_state=0)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.RandomSampler(seed=1),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=3, n_warmup_steps=1),
    )
    study.optimize(objective, n_trials=20)
    return study, bbc.correct(objective.predictions(study), random_state=1)


def test_a_study_that_pruned_trials(cancer):
    def build(trial):
        depth = trial.suggest_int("max_depth", 1, 6)
        return DecisionTreeClassifier(
            max_depth=depth, min_samples_leaf=trial.suggest_int("leaf", 1, 30), random_state=0
        )

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study, c = pruned_study(build, *cancer)
    pruned = [trial for trial in study.trials if trial.state == optuna.trial.TrialState.PRUNED]
    assert pruned
    assert c.n_configurations == len(study.trials) == 20
    assert c.metric == "roc_auc"
    assert 0.75 < c.estimate <= c.apparent


@recipe
def table_of_predictions(path):
    p = bbc.Predictions.from_long(
        path, truth="y", row="patient", configuration="model", prediction="risk", fold="fold"
    )
    return bbc.correct(p, metric="roc_auc", secondary=["brier_score"], random_state=1)


def test_a_long_table_of_predictions(tmp_path):
    s = bbc.simulate.auc(90, 6, random_state=0)
    risks = 1 / (1 + np.exp(-s.predictions))
    patient, model = (each.ravel() for each in np.indices(risks.shape))
    table = {"patient": patient, "model": [f"m{j}" for j in model], "risk": risks.ravel()}
    table = pd.DataFrame(table | {"y": s.y[patient], "fold": patient % 5})
    table.sample(frac=1, random_state=0).to_csv(tmp_path / "long.csv", index=False)
    c = table_of_predictions(tmp_path / "long.csv")
    assert c.names[c.winner] == c.winner_name
    own = risks[:, int(c.winner_name[1:])]
    assert c.apparent == pytest.approx(roc_auc_score(s.y, own))
    assert c.secondary["brier_score"].apparent == pytest.approx(brier_score_loss(s.y, own))
    assert c.predictions.n_rows == 90


@recipe
def by_age(X, y, age):
    search = bbc.BBC(LOGISTIC, STRENGTHS, scoring="roc_auc", cv=5, random_state=1).fit(X, y)
    return search.performance_.subgroups(np.where(age < 50, "younger", "older"))


def test_subgroups_of_rows(cancer):
    age = np.random.default_rng(0).integers(20, 80, 150)
    found = by_age(*cancer, age)
    assert {each.name: each.n_rows for each in found.groups} == {
        "younger": np.count_nonzero(age < 50),
        "older": np.count_nonzero(age >= 50),
    }
    (pair,) = found.differences
    assert pair.confidence_interval.low < 0 < pair.confidence_interval.high  # ages are random
    assert found.overall.winner == found["older"].estimate.winner


@recipe
def page_of_a_paper(X, y, path):
    search = bbc.BBC(LOGISTIC, STRENGTHS, scoring="neg_log_loss", cv=5, random_state=1).fit(X, y)
    return search.performance_, search.performance_.report(path, clinical=True)


def test_the_page_of_a_paper(cancer, tmp_path):
    c, path = page_of_a_paper(*cancer, tmp_path / "page.html")
    text = path.read_text(encoding="utf-8")
    loss = dict(c.record.facts)["estimate"].removeprefix("-")
    assert f"<td>{loss}</td>" in text
    for heading in ("Calibration", "Net benefit", "Discrimination"):
        assert f"<h2>{heading}</h2>" in text
    assert "http://" not in text.replace("http://www.w3.org", "")


@recipe
def regression(X, y):
    pipeline = make_pipeline(StandardScaler(), Ridge())
    grid = {"ridge__alpha": [0.1, 1.0, 10.0, 100.0, 1000.0]}
    search = bbc.BBC(pipeline, grid, scoring="neg_mean_absolute_error", cv=5, random_state=1)
    c = search.fit(X, y).performance_
    return c, c.score("r2")


def test_a_regression():
    X, y = load_diabetes(return_X_y=True)
    c, r2 = regression(X[:200], y[:200])
    assert holds(c, -60, -40)
    assert r2.winner == c.winner
    assert r2.decided_by == "neg_mean_absolute_error"
    assert 0.2 < r2.estimate < 0.6


@recipe
def still_tuning(X, y):
    grid = {"max_depth": [1, 2, 4, None], "min_samples_leaf": [1, 5, 20]}
    forest = RandomForestClassifier(20, random_state=0)
    c = bbc.BBC(forest, grid, scoring="roc_auc", cv=5, random_state=1).fit(X, y).performance_
    return c, c.tuning_path(), c.possible_winners()


def test_when_to_stop_and_which_others_could_be_the_best(cancer):
    c, path, possible = still_tuning(*cancer)
    assert path.n_configurations.tolist() == [1, 2, 4, 8, 12]
    assert path.estimates[-1] == pytest.approx(c.estimate)
    assert possible.possible[c.winner]
    assert 1 <= possible.n_possible <= 12


@pytest.mark.parametrize("function", RECIPES, ids=lambda each: each.__name__)
def test_a_recipe_is_short(function):
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert len(tree.body) <= MOST
    assert all(not isinstance(each, ast.For | ast.If | ast.Try) for each in ast.walk(tree))


def test_there_are_twelve_of_them():
    assert len(RECIPES) == 12
