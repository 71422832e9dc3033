"""Whose definition? The page shows what these packages compute today; R's values are recorded."""

import csv

import pytest
from benches.definitions.__main__ import COLUMNS, HERE, lines, recorded


def test_the_page_of_definitions_is_what_peers_compute():
    """`python -m benches.definitions` writes the table."""
    with (HERE / "definitions.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    found = lines(recorded())
    assert [tuple(row) for row in table] == [COLUMNS] * len(found)
    for row, line in zip(table, found, strict=True):
        assert (row["number"], row["convention"], row["data"], row["peer"]) == line.cells()[:4]
        assert float(row["bbc"]) == pytest.approx(line.ours, abs=1e-5)
        assert float(row["theirs"]) == pytest.approx(line.theirs, abs=1e-5)


def test_peers_that_share_a_convention_agree_exactly():
    with (HERE / "definitions.csv").open(newline="", encoding="utf-8") as file:
        agree = [row for row in csv.DictReader(file) if row["difference"] == "0"]
    assert {row["peer"] for row in agree} >= {"scikit-learn", "pROC", "survival", "R glm()"}
