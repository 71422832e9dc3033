"""What is read of one winner has the recorded bits; R checks the same table."""

import warnings

import pytest

import bbc
from golden.bits import clinical, reading

LINES = reading.lines("clinical.csv")
DATA = reading.columns("data.csv")


@pytest.mark.parametrize(
    "line",
    LINES,
    ids=lambda line: "-".join(line[name] for name in ("function", "metric", "seed")),
)
def test_python(line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        result = clinical.compute(DATA, reading.case_of(clinical.Case, line))
    assert clinical.line_of(result) == {name: line[name] for name in ("integers", "reals")}


def test_the_table_has_what_is_undefined():
    """Slopes of separated classes, and subgroups that are too small."""
    assert any("nan" in line["reals"] for line in LINES if line["function"] == "calibration")
    small = [line for line in LINES if " -1" in line["integers"]]
    assert any(line["function"] == "subgroups" for line in small)
