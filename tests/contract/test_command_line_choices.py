"""Cut-offs and ensembles on the command line: what the package chooses."""

import json

import pandas as pd
import pytest

import bbc
from bbc.cli import main

SIMULATED = bbc.simulate.auc(60, 8, random_state=1)
NAMES = [f"c{i}" for i in range(8)]
CHOICES = {
    "best": ("roc_auc", "best"),
    "threshold": ("f1", bbc.best_threshold()),
    "greedy": ("roc_auc", bbc.greedy_ensemble()),
    "greedy:7": ("roc_auc", bbc.greedy_ensemble(7)),
    "top:3": ("roc_auc", bbc.top_k(3)),
}


@pytest.mark.parametrize("word", CHOICES)
def test_choices_are_those_of_the_package(word, tmp_path, capsys, monkeypatch):
    """In one call however long the work is: blocks would be refused."""
    metric, rule = CHOICES[word]
    path = tmp_path / "table.csv"
    frame = pd.DataFrame(SIMULATED.predictions, columns=NAMES)
    frame.assign(y=SIMULATED.y, fold=SIMULATED.folds).to_csv(path, index=False)
    if word != "best":
        monkeypatch.setattr("bbc.cli._commands._LONG_WORK", 0)
    words = ["correct", str(path), "--truth", "y", "--folds", "fold", "--metric", metric]
    assert main([*words, "--selection", word, "--seed", "3", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    e = bbc.correct(
        *(SIMULATED.y, SIMULATED.predictions),
        metric=metric,
        folds=SIMULATED.folds,
        names=NAMES,
        selection=rule,
        random_state=3,
    )
    assert bbc.PerformanceEstimate.from_json(json.dumps(document)) == e
    if word == "threshold":
        assert document["threshold"] == e.threshold
        assert len(document["replicate_thresholds"]) == 5000
    elif word != "best":
        assert len(document["weights"]) == 8
        assert len(document["membership_frequency"]) == 8
