"""Every metric by every function that several languages have; R, C and C++ check the same table."""

import warnings

import pytest

import bbc
from golden.bits import doors, reading

LINES = reading.lines("doors.csv")
DATA = reading.columns("data.csv")


def test_the_table_has_every_metric_and_every_plan():
    cases = list(doors.make_cases())
    assert [reading.case_of(doors.Case, line) for line in LINES] == cases
    given = [line for line in LINES if line["integers"] != "refused"]
    assert len(given) >= 560
    # Two-sided corrections of each metric are in cases.csv.
    assert {line["metric"] for line in given} == set(bbc.metrics.names())


@pytest.mark.parametrize("metric", sorted(bbc.metrics.names()))
def test_python(metric):
    for line in LINES:
        if line["metric"] != metric:
            continue
        case = reading.case_of(doors.Case, line)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", bbc.errors.BBCWarning)
            found = doors.line_of(DATA, case)
        assert found == {name: line[name] for name in ("integers", "reals")}, case


def test_limits_hold_the_estimate():
    """Clipping at the range of another number of classes would leave it outside."""
    for line in LINES:
        if line["function"] in ("correct", "winner_interval") and line["integers"] != "refused":
            estimate, _, *limits = map(float.fromhex, line["reals"].split())
            assert not limits or limits[0] <= estimate <= limits[1], line
