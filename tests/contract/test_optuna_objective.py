"""The objective for Optuna: what it keeps, tells and refuses, on the real library."""

import pickle
import threading

import numpy as np
import optuna
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, RepeatedKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale
from sklearn.tree import DecisionTreeClassifier

import bbc
from bbc.adapters import OptunaObjective

X, Y = load_breast_cancer(return_X_y=True)
X, Y = scale(X)[:120, :5], Y[:120]
pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
FOLDS = StratifiedKFold(8, shuffle=True, random_state=0)


def build(trial):
    return KNeighborsClassifier(trial.suggest_int("n_neighbors", 1, 60))


class Guesses(ClassifierMixin, BaseEstimator):
    """Labels that are drawn for each configuration and row, whatever it was trained on."""

    def __init__(self, number=0.0):
        self.number = number

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        seeds = np.asarray(X)[:, 0].astype(int)
        draw = [np.random.default_rng((int(1e9 * self.number), each)).integers(2) for each in seeds]
        return self.classes_[draw]


def guess(trial):
    return Guesses(trial.suggest_float("number", 0, 1))


def made_study(pruner=None, sampler=None, **options):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    options = {"direction": "maximize"} | options
    return optuna.create_study(
        sampler=sampler or optuna.samplers.RandomSampler(seed=0),
        pruner=pruner or optuna.pruners.SuccessiveHalvingPruner(),
        **options,
    )


def codes(estimate):
    return {each.code for each in estimate.findings}


PRUNERS = {
    "median": optuna.pruners.MedianPruner(n_startup_trials=4),
    "halving": optuna.pruners.SuccessiveHalvingPruner(),
    "hyperband": optuna.pruners.HyperbandPruner(min_resource=1, max_resource=8),
}


def corrected(objective, study, **options):
    return bbc.correct(objective.predictions(study), **options)


def test_predictions_know_the_metric_the_seed_and_the_rungs():
    study = made_study()
    objective = OptunaObjective(build, X, Y, metric="roc_auc", cv=FOLDS, random_state=7)
    study.optimize(objective, n_trials=15)
    p = objective.predictions(study)
    e = bbc.correct(p)
    assert (e.metric, e.seed, e.pooling) == ("roc_auc", 7, "rung")
    assert e.deployed.index == study.best_trial.number
    for again in (bbc.correct(p, random_state=7), bbc.correct(e), pickle.loads(pickle.dumps(e))):
        assert again.record == e.record
    with pytest.raises(ValueError, match='metric="log_loss" is not what the study selects by'):
        bbc.correct(p, metric="log_loss")
    with pytest.raises(ValueError, match="groups is known of the study"):
        bbc.correct(p, groups=Y)
    with pytest.raises(ValueError, match=r"families\['a'\] is corrected by missing=\"rungs\""):
        bbc.compare({"a": p, "b": p})


@pytest.mark.parametrize("name", PRUNERS)
def test_pruned_trials_keep_their_last_fold_and_are_scored_by_rungs(name):
    study = made_study(PRUNERS[name])
    objective = OptunaObjective(build, X, Y, cv=FOLDS)
    study.optimize(objective, n_trials=25)
    states = [trial.state.name for trial in study.trials]
    assert states.count("PRUNED") > (0 if name == "median" else 3)
    kept = objective.predictions(study)
    steps = np.array([len(trial.intermediate_values) for trial in study.trials])
    assert kept._data.predictions.mask[0].sum(axis=0).tolist() == (15 * steps).tolist()
    e = corrected(objective, study, random_state=1)
    assert "BBC007" not in codes(e)
    assert e.apparent == study.best_value
    assert e.winner_name == (
        f"trial {study.best_trial.number}(n_neighbors={study.best_params['n_neighbors']})"
    )
    by_hand = np.full((120, 25), np.nan)
    for trial, column in zip(study.trials, by_hand.T, strict=True):
        for train, test in list(FOLDS.split(X, Y))[: len(trial.intermediate_values)]:
            model = KNeighborsClassifier(**trial.params).fit(X[train], Y[train])
            column[test] = model.predict(X[test])
    other = bbc.correct(Y, by_hand, metric="accuracy", missing="rungs", random_state=1)
    assert (other.replicates == e.replicates).all()


def test_the_history_of_a_pruned_search_is_that_of_its_first_trials():
    objective = OptunaObjective(build, X, Y, metric="log_loss", cv=FOLDS, random_state=4)
    study = made_study(optuna.pruners.MedianPruner(n_warmup_steps=1), direction="minimize")
    study.optimize(objective, n_trials=21)
    predictions = objective.predictions(study)
    drawn = {"n_bootstraps": 200, "random_state": 4}
    c = bbc.correct(predictions, **drawn)
    path = c.tuning_path()
    pruned = [trial.number for trial in study.trials if trial.state.name == "PRUNED"]
    assert len(pruned) > 3
    assert path.stopped.tolist() == pruned
    assert path.n_configurations.tolist() == [1, 2, 4, 8, 16, 21]
    assert path.estimate == c.record
    kept = predictions._data.predictions
    for place, t in enumerate(path.n_configurations[:-1]):
        scores = np.where(kept.mask[0, :, :t], kept.scores[0][:, :t], np.nan)
        alone = bbc.correct(Y, scores, metric="log_loss", missing="rungs", **drawn)
        assert (path.estimates[place], path.apparent[place]) == (alone.estimate, alone.apparent)
        assert (path.lows[place], path.highs[place]) == tuple(alone.confidence_interval)
        assert path.winners[place] == alone.winner
        # What Optuna itself had found by then, of trials that it carried to the end.
        ended = [trial for trial in study.trials[:t] if trial.state.name == "COMPLETE"]
        assert path.winners[place] == min(ended, key=lambda trial: trial.value).number
        assert path.apparent[place] == pytest.approx(min(trial.value for trial in ended))
    assert path == bbc.results.TuningPath.from_json(path.to_json())
    assert f"stopped early  {len(pruned)} of 21" in path.summary()
    display = path.plot()
    marks = next(line for line in display.ax_.lines if "stopped early" in line.get_label())
    assert marks.get_xdata().tolist() == [number + 1 for number in pruned]
    with pytest.raises(ValueError, match=r'^metric is not for missing="rungs"'):
        c.tuning_path(metric="roc_auc")


def test_a_search_without_a_pruner_is_corrected_plainly():
    study = made_study(optuna.pruners.NopPruner())
    objective = OptunaObjective(build, X, Y, metric="average_precision", cv=5)
    study.optimize(objective, n_trials=8)
    e = corrected(objective, study, random_state=1)
    every = bbc.BBC(
        KNeighborsClassifier(), study, scoring="average_precision", cv=5, random_state=1
    )
    assert objective.predictions(study).design.dynamic_search is False
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007"):
        every.fit(X, Y)
    assert e.apparent == study.best_value
    distinct = {trial.params["n_neighbors"] for trial in study.trials}
    if len(distinct) == 8:
        assert (e.replicates == every.performance_.replicates).all()


@pytest.mark.filterwarnings("ignore:BBC0")
@pytest.mark.parametrize(
    ("sampler", "dynamic"),
    [
        (optuna.samplers.TPESampler(seed=0), True),
        (optuna.samplers.RandomSampler(seed=0), False),
        (optuna.samplers.QMCSampler(seed=0), False),
        (optuna.samplers.BruteForceSampler(seed=0), False),
        (optuna.samplers.GridSampler({"n_neighbors": [1, 5, 30]}), False),
        (
            optuna.samplers.PartialFixedSampler({}, optuna.samplers.RandomSampler(seed=0)),
            False,
        ),
        (optuna.samplers.PartialFixedSampler({}, optuna.samplers.TPESampler(seed=0)), True),
    ],
)
def test_samplers_that_see_scores_are_told(sampler, dynamic):
    study = made_study(sampler=sampler)
    objective = OptunaObjective(build, X, Y, cv=4)
    study.optimize(objective, n_trials=3)
    assert objective.predictions(study).design.dynamic_search is dynamic
    e = corrected(objective, study, random_state=1, n_bootstraps=50)
    assert ("BBC007" in codes(e)) is dynamic
    # The sampler counts that chose, not the one that the study has when it is read.
    study.sampler = optuna.samplers.RandomSampler()
    assert objective.predictions(study).design.dynamic_search is dynamic


def test_hidden_folds_are_hidden_and_alone_score():
    study = made_study(
        optuna.pruners.NopPruner(), sampler=optuna.samplers.TPESampler(seed=0, n_startup_trials=3)
    )
    objective = OptunaObjective(build, X, Y, cv=FOLDS, n_hidden_folds=4)
    study.optimize(objective, n_trials=12)
    kept = objective.predictions(study)
    assert kept._data.predictions.mask.all()
    shown = kept.folds[0] < 4
    right = kept.values[0] == Y[:, None]
    assert [trial.value for trial in study.trials] == right[shown].mean(axis=0).tolist()
    assert all(list(trial.intermediate_values) == [0, 1, 2, 3] for trial in study.trials)
    e = corrected(objective, study, random_state=1)
    assert "BBC007" not in codes(e)
    assert e.apparent == right.mean(axis=0).max()
    rungs = bbc.results.Rungs((~shown).astype(int), choose_only=[0])
    again = bbc.correct(
        Y, kept.values[0], metric="accuracy", missing="rungs", rungs=rungs, random_state=1
    )
    assert (again.replicates == e.replicates).all()


def test_hidden_folds_with_a_pruner():
    study = made_study()
    objective = OptunaObjective(guess, np.arange(120)[:, None], Y, cv=FOLDS, n_hidden_folds=4)
    study.optimize(objective, n_trials=20)
    n_folds = objective.predictions(study)._data.predictions.mask[0].sum(axis=0) // 15
    pruned = [trial.state.name == "PRUNED" for trial in study.trials]
    assert sum(pruned) > 3
    assert n_folds[pruned].max() <= 4
    assert (n_folds[~np.array(pruned)] == 8).all()
    assert corrected(objective, study, random_state=1, n_bootstraps=100).confidence_interval


def test_ranks_are_compared_within_rungs_and_losses_are_minimized():
    study = made_study()
    objective = OptunaObjective(build, X, Y, metric="roc_auc", cv=FOLDS)
    study.optimize(objective, n_trials=15)
    e = corrected(objective, study, random_state=1, n_bootstraps=100)
    assert e.pooling == "rung"
    other = {"metric": "log_loss", "reselect": True}
    assert corrected(objective, study, **other, random_state=1, n_bootstraps=100).estimate > 0
    inputs, outcome = load_diabetes(return_X_y=True)
    study = made_study(direction="minimize")
    objective = OptunaObjective(
        lambda trial: Ridge(trial.suggest_float("alpha", 1e-3, 1e3, log=True)),
        inputs[:100],
        outcome[:100],
        metric="mean_squared_error",
        cv=5,
    )
    study.optimize(objective, n_trials=15)
    assert corrected(objective, study, random_state=1).apparent == pytest.approx(study.best_value)


def test_groups_stay_together_and_are_drawn():
    groups = np.arange(120) // 3
    study = made_study()
    objective = OptunaObjective(build, X, Y, cv=GroupKFold(8), groups=groups)
    study.optimize(objective, n_trials=15)
    assert corrected(objective, study, random_state=1, n_bootstraps=100).unit == "group"


def test_trials_in_threads_are_those_of_one():
    alone, beside = (OptunaObjective(build, X, Y, cv=FOLDS, random_state=0) for _ in range(2))
    expected = {}
    for objective, n_jobs in ((alone, 1), (beside, 3)):
        sampler = optuna.samplers.GridSampler({"n_neighbors": list(range(1, 13))}, seed=0)
        study = made_study(optuna.pruners.NopPruner(), sampler=sampler)
        study.optimize(objective, n_jobs=n_jobs)
        columns = objective.predictions(study).values[0].T
        for trial, column in zip(study.trials, columns, strict=True):
            first = expected.setdefault(trial.params["n_neighbors"], column)
            assert (column == first).all()
    assert len(expected) == 12
    # With a pruner what is pruned depends on who was first; every study can be corrected.
    study = made_study()
    study.optimize(beside, n_trials=30, n_jobs=3)
    assert corrected(beside, study, random_state=1, n_bootstraps=100).n_configurations == 30


def test_equal_settings_have_equal_seeds():
    seen = {}

    def tree(trial):
        return DecisionTreeClassifier(
            max_depth=trial.suggest_int("max_depth", 2, 3), splitter="random"
        )

    study = made_study(optuna.pruners.NopPruner())
    objective = OptunaObjective(tree, X, Y, cv=4, random_state=5)
    study.optimize(objective, n_trials=8)
    for trial, column in zip(study.trials, objective.predictions(study).values[0].T, strict=True):
        first = seen.setdefault(trial.params["max_depth"], column)
        assert (first == column).all()
    assert len(seen) == 2


def test_a_search_goes_on_with_its_objective_and_after_pickling():
    study = made_study()
    objective = OptunaObjective(build, X, Y, cv=FOLDS, random_state=0)
    study.optimize(objective, n_trials=10)
    study.optimize(objective, n_trials=5)
    again, other = pickle.loads(pickle.dumps((objective, study)))
    again_study = other
    again_study.optimize(again, n_trials=5)
    assert corrected(again, again_study, random_state=1, n_bootstraps=100).n_configurations == 20
    fresh = OptunaObjective(build, X, Y, cv=FOLDS, random_state=0)
    with pytest.raises(ValueError, match=r"study has trial 0, whose predictions are not here"):
        study.optimize(fresh, n_trials=1)
    with pytest.raises(ValueError, match=r"whose predictions are not here"):
        fresh.predictions(study)


def test_failed_and_empty_trials_are_left_out():
    def sometimes(trial):
        if trial.number == 1:
            raise optuna.TrialPruned
        model = build(trial)
        return model.set_params(n_neighbors=1000) if trial.number == 2 else model

    study = made_study()
    objective = OptunaObjective(sometimes, X, Y, cv=FOLDS)
    study.optimize(objective, n_trials=12, catch=ValueError)
    assert [trial.state.name for trial in study.trials][1:3] == ["PRUNED", "FAIL"]
    names = objective.predictions(study).names
    assert len(names) == 10
    assert not [name for name in names if name.startswith(("trial 1(", "trial 2("))]


def test_a_study_without_a_winner_has_no_performance():
    study = made_study(optuna.pruners.ThresholdPruner(lower=2))
    objective = OptunaObjective(build, X, Y, cv=FOLDS)
    study.optimize(objective, n_trials=4)
    with pytest.raises(ValueError, match="study has no complete trial, so that there is no winner"):
        objective.predictions(study)

    def failing(trial):
        return build(trial).set_params(n_neighbors=1000)

    study = made_study()
    objective = OptunaObjective(failing, X, Y, cv=FOLDS)
    study.optimize(objective, n_trials=3, catch=ValueError)
    with pytest.raises(ValueError, match="study has no trials of this objective: 3 failed"):
        corrected(objective, study)


def reporting(trial):
    trial.report(0.3, 0)
    return build(trial)


def later_step(trial):
    trial.report(0.3, 40)
    return build(trial)


@pytest.mark.parametrize("own", [reporting, later_step])
def test_steps_without_predictions_are_refused(own):
    study = made_study()
    objective = OptunaObjective(own, X, Y, cv=FOLDS)
    with (
        pytest.warns(UserWarning, match="reported value is ignored")
        if own is reporting
        else (pytest.MonkeyPatch.context())
    ):
        study.optimize(objective, n_trials=1)
    with pytest.raises(ValueError, match=r"step \d+ of trial 0, for which there are no predict"):
        corrected(objective, study)


class CountedFits(KNeighborsClassifier):
    """Says whether a model was trained."""

    trained = threading.Event()

    def fit(self, X, y):
        CountedFits.trained.set()
        return super().fit(X, y)


WILCOXON = {"pruner": optuna.pruners.PatientPruner(optuna.pruners.WilcoxonPruner(), patience=1)}


@pytest.mark.parametrize(
    ("of_study", "options", "message"),
    [
        ({"pruner": optuna.pruners.WilcoxonPruner()}, {}, "study has a WilcoxonPruner"),
        (WILCOXON, {}, "study has a WilcoxonPruner"),
        ({"direction": "minimize"}, {}, "direction 'minimize'; 'accuracy' needs 'maximize'"),
        ({"direction": None, "directions": ["maximize"] * 2}, {}, "several objectives"),
        ({}, {"metric": "average_precision"}, "rung by rung takes means over rows.*NopPruner"),
        ({}, {"metric": make_scorer(accuracy_score)}, ""),
        ({}, {"metric": "no such"}, "metric"),
        ({}, {"cv": RepeatedKFold(n_splits=3, n_repeats=2)}, "cv.* tests rows more than once"),
        ({}, {"n_hidden_folds": 10}, "n_hidden_folds=10 leaves none of 10 folds"),
        ({}, {"groups": np.zeros(3)}, "groups has 3 entries"),
        ({}, {"y": Y[:5]}, "X has 120 rows, y has 5"),
    ],
)
def test_refusals_come_before_training(of_study, options, message):
    CountedFits.trained.clear()
    study = made_study(**of_study)
    options = {"X": X, "y": Y} | options
    objective = OptunaObjective(
        lambda trial: CountedFits(trial.suggest_int("n_neighbors", 1, 9)), **options
    )
    if not message:  # a scorer that has a formula
        study.optimize(objective, n_trials=1)
        return
    with pytest.raises((ValueError, TypeError), match=message):
        study.optimize(objective, n_trials=1)
    assert not CountedFits.trained.is_set()


def test_what_build_returns_is_checked():
    for returned, message in (
        (None, r"build\(trial\) must be an estimator with a fit method"),
        (KNeighborsClassifier, r"build\(trial\) must be an estimator, not its class"),
    ):
        objective = OptunaObjective(lambda trial, made=returned: made, X, Y)
        with pytest.raises(TypeError, match=message):
            made_study().optimize(objective, n_trials=1)
    kinds = [LogisticRegression(), Ridge()]
    objective = OptunaObjective(lambda trial: kinds[trial.number], X, Y)
    with pytest.raises(ValueError, match=r"build returned Ridge\(\), but classifiers before"):
        made_study().optimize(objective, n_trials=2)
    with pytest.raises(TypeError, match="build must be a function of a trial"):
        OptunaObjective(KNeighborsClassifier(), X, Y)
    with pytest.raises(TypeError, match="trial must be of a study that is optimized"):
        objective(optuna.trial.FixedTrial({}))
    with pytest.raises(ValueError, match="study has no trials of this objective"):
        objective.predictions(made_study())
    with pytest.raises(TypeError, match="study must be a study"):
        corrected(objective, Y)
