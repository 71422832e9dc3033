"""The concordance index is that of R's survival and Hmisc: tests/golden/concordance/make.R."""

from pathlib import Path

import numpy as np
import pytest

import bbc

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "concordance"
DATA = np.genfromtxt(GOLDEN / "cases.csv", delimiter=",", names=True)
VALUES = np.genfromtxt(GOLDEN / "values.csv", delimiter=",", names=True)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"case {value['case']:.0f}")
def test_concordance_index_is_rs(value):
    rows = DATA[DATA["case"] == value["case"]]
    y = np.column_stack([rows["event"], rows["time"]])
    estimate = bbc.correct(
        y, rows["risk"][:, None], metric="concordance_index", n_bootstraps=40, random_state=0
    )
    assert estimate.apparent == pytest.approx(value["survival"], abs=1e-14)
    assert estimate.apparent == pytest.approx(value["hmisc"], abs=1e-14)
