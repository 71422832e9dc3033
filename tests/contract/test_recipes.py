"""Code of the page on migrating that needs packages which the documentation is built without."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale

import bbc

PAGE = (Path(__file__).parents[2] / "docs" / "migrating.md").read_text(encoding="utf-8")
X, Y = load_breast_cancer(return_X_y=True)
X, Y = scale(X)[:120], Y[:120]


class Guessing(LogisticRegression):
    """It guesses if `C` is small, so that most trials are far from the best."""

    def predict_proba(self, X):
        scores = super().predict_proba(X)
        return scores if self.C > 10 else np.random.default_rng(0).random(scores.shape)


def blocks(name):
    section = PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@pytest.fixture
def names(capsys):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    made = [np, optuna, bbc, StratifiedKFold, cross_val_predict, roc_auc_score]
    known = {each.__name__.rpartition(".")[2]: each for each in made}
    return known | {"np": np, "X": X, "y": Y, "LogisticRegression": Guessing}


@pytest.mark.filterwarnings("ignore:BBC0")
def test_trials_of_optuna_are_kept(names, capsys):
    exec(blocks("Optuna")[0], names)
    assert names["objective"].predictions(names["study"]).n_configurations == 50
    shown = capsys.readouterr().out
    assert shown.startswith("roc_auc of the winner") or "roc_auc=" in shown


def test_trials_of_optuna_are_pruned_by_their_predictions(names, capsys):
    keeping, pruning = blocks("Optuna")
    exec(keeping.partition("\n\n\nobjective")[0], names)
    exec(pruning, names)
    assert "roc_auc=" in capsys.readouterr().out
    study = names["study"]
    states = Counter(trial.state.name for trial in study.trials)
    assert states["PRUNED"] > 5
    assert list(names["kept"]) == [
        f"trial {trial.number}" for trial in study.trials if trial.state.name == "COMPLETE"
    ]
    # What was pruned guesses; what guesses and was kept came before the first that does not.
    pruned = [trial.params["C"] for trial in study.trials if trial.state.name == "PRUNED"]
    assert max(pruned) <= 10
    e = bbc.correct(Y, names["kept"], metric="roc_auc", random_state=1)
    assert e.winner_name == f"trial {study.best_trial.number}"
    assert e.apparent == study.best_value


def write_mljar(folder, name, frame):
    (folder / name).mkdir(parents=True)
    frame.to_csv(folder / name / "predictions_out_of_folds.csv", index=False)


@pytest.mark.filterwarnings("ignore:BBC0")
def test_folders_of_mljar(tmp_path, monkeypatch, names, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    target, scores = np.arange(30) % 2, rng.random((30, 3))
    for place in range(3):
        own = {"target": target, "prediction_0_for_no_1_for_yes": scores[:, place]}
        write_mljar(tmp_path / "AutoML_1", f"{place}_Model", pd.DataFrame(own))
    (code,) = blocks("mljar")
    exec(code, names)
    p = bbc.Predictions(names["y"], names["columns"])
    np.testing.assert_array_equal(p.values[0], scores)
    assert p.names == ("0_Model", "1_Model", "2_Model")
    assert "roc_auc=" in capsys.readouterr().out


def test_classes_of_mljar(tmp_path, monkeypatch, names):
    monkeypatch.chdir(tmp_path)
    scores = np.random.default_rng(0).dirichlet(np.ones(3), 30)
    target = np.array(["b", "a", "c"])[np.arange(30) % 3]
    columns = {f"prediction_{name}": scores[:, i] for i, name in enumerate(["b", "a", "c"])}
    frame = pd.DataFrame({"target": target} | columns)
    write_mljar(tmp_path / "AutoML_1", "1_Tree", frame)
    (code,) = blocks("mljar")
    exec(code.partition("print(")[0], names)
    of_class = {
        name: own.rename(columns=lambda name: name.removeprefix("prediction_"))
        for name, own in names["columns"].items()
    }
    p = bbc.Predictions(names["y"], of_class)
    assert p.labels.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(p.values[0, :, 0], scores[:, [1, 0, 2]])


def test_skore_checks_a_tuned_score(names):
    (code,) = blocks("skore")

    class CheckNotApplicable(Exception):  # noqa: N818
        pass

    names["skore"] = SimpleNamespace(CheckNotApplicable=CheckNotApplicable)
    exec(code.partition("\n\n\n")[0], names)
    check = names["TunedScore"]()
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=10).fit(X, Y)
    said = check.check_function(SimpleNamespace(estimator_=search))
    e = bbc.correct(search, random_state=1)
    assert said == f"best_score_ {search.best_score_:.3f} is the best of 2; {e!r}"
    with pytest.raises(CheckNotApplicable):
        check.check_function(SimpleNamespace(estimator_=KNeighborsClassifier()))
