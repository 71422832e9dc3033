"""Values of R's survival (make.R) and scikit-survival (make.py in tests/golden/survival)."""

from pathlib import Path

import numpy as np
import pytest

import bbc

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "survival"


def table(name):
    return np.genfromtxt(GOLDEN / f"{name}.csv", delimiter=",", names=True)


DATA = table("cases")


def case_of(value):
    rows = DATA[DATA["case"] == value["case"]]
    return np.column_stack([rows["event"], rows["time"]]), rows["risk"]


def apparent(y, predictions, metric):
    return bbc.correct(y, predictions, metric=metric, n_bootstraps=40, random_state=0).apparent


def named(value):
    return f"case {value['case']:.0f}"


@pytest.mark.parametrize("value", table("uno"), ids=named)
def test_unos_concordance_is_rs(value):
    y, risk = case_of(value)
    assert apparent(y, risk[:, None], "uno_concordance") == pytest.approx(value["uno"], abs=2e-15)
    up_to_tau = bbc.metrics.uno_concordance(tau=value["tau"])
    assert apparent(y, risk[:, None], up_to_tau) == pytest.approx(value["uno_to_tau"], abs=2e-15)


@pytest.mark.parametrize("value", table("sksurv"), ids=named)
def test_values_are_those_of_scikit_survival(value):
    y, risk = case_of(value)
    at = np.quantile(y[:, 1], [0.25, 0.5, 0.75])
    survival = np.exp(-at * np.exp(risk[:, None] / 2) / 10)
    found = {"uno": apparent(y, risk[:, None], "uno_concordance")}
    for k, time in enumerate(at):
        auc = bbc.metrics.cumulative_dynamic_auc(time)
        brier = bbc.metrics.survival_brier_score(time)
        found[f"auc_{k + 1}"] = apparent(y, risk[:, None], auc)
        found[f"brier_{k + 1}"] = apparent(y, survival[:, k : k + 1], brier)
    integrated = bbc.metrics.integrated_brier_score(at)
    found["integrated"] = apparent(y, survival[:, None], integrated)
    for name, number in found.items():
        assert number == pytest.approx(value[name], abs=2e-15), name
