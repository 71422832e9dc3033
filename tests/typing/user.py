"""Code as users write it, which `make lint` shows to mypy and pyright.

They must accept what has no comment. What is ignored they must refuse: an ignored line that has no
error is an error of its own.
"""

from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import bbc
from bbc.results import Calibration, Comparison, RemainingOptimism, Subgroups, TuningPath

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 80)
risks = rng.random((80, 20))
folds = np.arange(80) % 5
p = bbc.Predictions(y, risks, folds=folds, groups=np.arange(80) // 2)
c = bbc.correct(p, metric="roc_auc", secondary=["brier_score"], random_state=1)


def a_correction() -> None:
    assert_type(c, bbc.Correction)
    assert_type(c.estimate, float)
    assert_type(c.record, bbc.PerformanceEstimate)
    assert_type(c.summary() + c.to_json(indent=2), str)
    assert_type(c.to_frame(), pd.DataFrame)
    assert_type(bbc.Correction.from_json(c.to_json()).record.to_frame(), pd.DataFrame)
    low, high = c.confidence_interval
    print(f"{c:.2f}", low < high, c.winner_name, c.optimism, c.secondary["brier_score"].estimate)
    for finding in c.findings:
        print(finding.code, finding.kind.advice)


def its_questions() -> None:
    assert_type(c.score("average_precision"), bbc.PerformanceEstimate)
    assert_type(c.calibration(), Calibration)
    assert_type(c.subgroups(["a"] * 40 + ["b"] * 40), Subgroups)
    assert_type(c.compare(["few"] * 4 + ["many"] * 16), Comparison)
    assert_type(c.tuning_path(metric="brier_score"), TuningPath)
    assert_type(c.remaining_optimism(), RemainingOptimism)
    assert_type(c.calibration().plot(), bbc.plots.Display)
    c.decision_curve().plot()
    print(c.compare(["few"] * 4 + ["many"] * 16).difference("few", "many").p_value)
    print(c.possible_winners(test="argmin").possible.sum(), c.winner_interval())
    c.report("page.html")
    c.report(Path("page.html"), clinical=True)


def other_sources() -> None:
    bbc.correct(y, risks, metric="roc_auc", method="bbc-two-level", folds=folds, groups=None)
    bbc.correct(bbc.FoldScores(risks[:5]), metric="roc_auc", alternative="greater")
    both = bbc.compare({"a": p, "b": (p, bbc.best_threshold())}, metric="accuracy", random_state=0)
    assert_type(both, Comparison)
    search = bbc.BBC(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=0)
    search.fit(risks, y, groups=folds)
    print(search.performance_.estimate, search.best_params_)


def what_is_misspelt() -> None:
    print(c.estimat)  # type: ignore[attr-defined]  # pyright: ignore
    c.calibrate()  # type: ignore[attr-defined]  # pyright: ignore
    c.confidence_interval.plot()  # type: ignore[union-attr]  # pyright: ignore
    c.calibration(bins=3)  # type: ignore[call-arg]  # pyright: ignore
    c.to_frame(indent=2)  # type: ignore[call-arg]  # pyright: ignore
    c.possible_winners(test="mcd")  # type: ignore[arg-type]  # pyright: ignore
    bbc.Predictions(y, risks, fold=folds)  # type: ignore[call-arg]  # pyright: ignore
    bbc.correct(p, metrics="roc_auc")  # type: ignore[call-arg]  # pyright: ignore
    bbc.correct(p, n_bootstraps="many")  # type: ignore[arg-type]  # pyright: ignore
    bbc.correct(p, method="bbcf")  # type: ignore[arg-type]  # pyright: ignore
    bbc.compare([p, p], method="tt")  # type: ignore[arg-type]  # pyright: ignore
    bbc.BBC(LogisticRegression(), n_bootstrap=9)  # pyright: ignore
    bbc.corect(p)  # type: ignore[attr-defined]  # pyright: ignore
