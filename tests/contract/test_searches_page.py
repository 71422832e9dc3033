"""The recipes of the page on searches run as written, on the real Optuna."""

import re
from pathlib import Path

import numpy as np
import optuna
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

import bbc

PAGE = (Path(__file__).parents[2] / "docs" / "searches.md").read_text(encoding="utf-8")
X, Y = load_breast_cancer(return_X_y=True)
X, Y = scale(X)[:120], Y[:120]


def blocks():
    return re.findall(r"```(?:python|\{run\})\n(.*?)```", PAGE, re.DOTALL)


def test_a_pruned_study_is_corrected_rung_by_rung(capsys):
    exec(blocks()[0], names := {})
    exec(blocks()[1], own := dict(names))
    shown = capsys.readouterr().out
    assert shown.count("accuracy=") == 2
    by_hand = own["study"]
    made = np.column_stack(list(own["kept"].values()))
    assert [trial.state.name for trial in by_hand.trials].count("PRUNED") > 5
    # Pruned trials keep all that they predicted, the last fold before the decision included.
    folds = np.array([len(trial.intermediate_values) for trial in by_hand.trials])
    assert (~np.isnan(made)).sum(axis=0).tolist() == (15 * folds).tolist()
    e = bbc.correct(Y, own["kept"], metric="accuracy", missing="rungs", random_state=1)
    assert e.winner_name == f"trial {by_hand.best_trial.number}"
    assert e.apparent == by_hand.best_value
    assert "BBC007" not in [finding.kind.code for finding in e.findings]
    # The same settings on the same folds: what is made by hand is what the objective makes.
    folds = list(own["folds"])
    same = bbc.adapters.OptunaObjective(names["build"], X, Y, metric="accuracy", cv=folds)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.RandomSampler(seed=0),
        pruner=optuna.pruners.MedianPruner(),
    )
    study.optimize(same, n_trials=50)
    assert (bbc.correct(same.predictions(study), random_state=1).replicates == e.replicates).all()


def test_half_of_the_folds_is_hidden_from_the_sampler(capsys):
    exec(blocks()[0].partition("\n\nobjective")[0], names := {})
    exec(blocks()[2], names)
    assert "accuracy=" in capsys.readouterr().out
    kept, study = names["objective"].predictions(names["study"]), names["study"]
    hidden = kept.folds[0] >= 4
    assert hidden.sum() == 60
    made = kept.values[0][:, study.best_trial.number]
    assert study.best_value == (made == Y)[~hidden].mean()


def test_folds_that_trials_shuffle_are_refused():
    rng = np.random.default_rng(0)
    made = np.full((120, 6), np.nan)
    for column in made.T:
        for test in rng.permutation(8)[: rng.integers(2, 7)]:
            rows = np.arange(120) % 8 == test
            column[rows] = Y[rows]
    with pytest.raises(ValueError, match="no common order of rungs"):
        bbc.correct(Y, made, metric="accuracy", labels=[0, 1], missing="rungs")
