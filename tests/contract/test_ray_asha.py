"""The program for Ray Tune's ASHA, on a stand-in for Ray, which is not installed for tests."""

import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import bbc

PROGRAM = Path(__file__).parents[2] / "docs" / "clusters" / "ray_asha.py"


class Stopped(Exception):  # noqa: N818
    """The scheduler has stopped a trial after a report."""


class ASHAScheduler:
    """Stops what is below the best third of all that have reported as often."""

    def __init__(self, max_t, grace_period, reduction_factor):
        self.last, self.factor = max_t, reduction_factor
        self.rungs = {grace_period * reduction_factor**power: [] for power in range(9)}

    def stops(self, n_reports, score):
        if n_reports >= self.last:
            return True
        if n_reports not in self.rungs:
            return False
        scores = self.rungs[n_reports]
        scores.append(score)
        return score < np.quantile(scores, 1 - 1 / self.factor)


class Tuner:
    """Runs trials one after the other, each until the scheduler stops it."""

    def __init__(self, trial, param_space, tune_config):
        self.trial, self.space, self.config = trial, param_space, tune_config

    def fit(self):
        rng = np.random.default_rng(0)
        for _ in range(self.config.num_samples):
            config = {name: int(rng.integers(*limits)) for name, limits in self.space.items()}
            reports = []

            def report(metrics, reports=reports):
                reports.append(metrics)
                score = metrics[self.config.metric]
                if self.config.scheduler.stops(len(reports), score):
                    raise Stopped

            tune.report = report
            with pytest.raises(Stopped):
                self.trial(config)
            yield SimpleNamespace(config=config, metrics=reports[-1])


tune = SimpleNamespace(
    Tuner=Tuner, TuneConfig=SimpleNamespace, randint=lambda low, high: (low, high), report=None
)


def test_what_asha_leaves_is_corrected_rung_by_rung(monkeypatch, capsys):
    ray, ray_tune, schedulers = (ModuleType(name) for name in ("ray", "tune", "schedulers"))
    ray.tune, schedulers.ASHAScheduler = tune, ASHAScheduler
    names = ("ray", "ray.tune", "ray.tune.schedulers")
    for name, module in zip(names, (ray, ray_tune, schedulers), strict=True):
        monkeypatch.setitem(sys.modules, name, module)
    made = runpy.run_path(str(PROGRAM))
    assert "accuracy=" in capsys.readouterr().out
    labels = np.column_stack(list(made["kept"].values()))
    mask = ~np.isnan(labels)
    n_rows = mask.sum(axis=0)
    assert mask.shape == (178, 40)
    assert (n_rows == 178).sum() > 1
    assert (n_rows < 30).sum() > 9
    e = bbc.correct(made["y"], made["kept"], metric="accuracy", missing="rungs", random_state=1)
    survivors = bbc.correct(
        made["y"],
        labels[:, n_rows == 178],
        metric="accuracy",
        random_state=1,
    )
    assert e.n_configurations == 40
    assert e.apparent == survivors.apparent
