"""The paper has the form that the Journal of Open Source Software asks for; its numbers hold."""

import csv
import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "paper.md").read_text(encoding="utf-8")
BODY = PAPER.split("---\n", 2)[2]


def test_the_paper_is_short_and_has_its_sections():
    assert len(BODY.split()) <= 1000
    sections = re.findall(r"^# (.*)$", BODY, re.M)
    assert sections[:3] == ["Summary", "Statement of need", "State of the field"]
    assert sections[-1] == "References"


def test_what_it_cites_is_in_its_bibliography():
    known = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper.bib").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"@(\w+)", BODY)) == set(known)
    assert len(known) == len(set(known))


def test_its_ten_splits_are_those_of_the_demo():
    with (ROOT / "benches" / "demo" / "splits.csv").open(newline="") as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    errors = rows[:, 1:3] - rows[:, 3:]
    said = re.search(
        r"accuracies is ([\d.]+) too high on average, and the corrected one (-?[\d.]+), "
        r"with a standard error of ([\d.]+)",
        " ".join(BODY.split()),
    )
    found = (*errors.mean(axis=0), errors[:, 1].std(ddof=1) / 10**0.5)
    assert said.groups() == tuple(f"{value:.3f}" for value in found)
