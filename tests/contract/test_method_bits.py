"""Methods other than BBC give what they gave; R checks the same table."""

import warnings

import pytest

import bbc
from golden.bits import methods, reading

LINES = reading.lines("methods.csv")
DATA = reading.columns("data.csv")
SCORES = reading.columns("scores.csv")


@pytest.mark.parametrize(
    "line",
    LINES,
    ids=lambda line: "-".join(
        line[name] for name in ("function", "metric", "method", "rule", "variant", "seed")
    ),
)
def test_python(line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bbc.errors.BBCWarning)
        result = methods.compute(DATA, SCORES, reading.case_of(methods.Case, line))
    assert methods.line_of(result) == {name: line[name] for name in ("integers", "reals")}


def test_the_table_has_bounds_among_several_candidates():
    bounds = [line["integers"] for line in LINES if line["rule"] == "top10%"]
    n_evaluated = methods.N_ROWS // 4
    assert bounds
    assert all(len(bound.split()) > 3 + 1 + n_evaluated for bound in bounds)
