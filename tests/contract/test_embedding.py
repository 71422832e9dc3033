"""The compiled library, installed and used by projects of its own in C++ and C."""

import re
import subprocess

import numpy as np
import pytest

import bbc
from embedding import ROOT, build_examples, run

QUICK_START = ROOT / "docs" / "quickstart"


@pytest.fixture(scope="module")
def examples(installed, tmp_path_factory):
    """The example consumers, built against an installed package."""
    return build_examples(installed, tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """A CSV of a truth and scores, and the same as arrays."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    values = rng.random((60, 15)) + 0.3 * y[:, None]
    path = tmp_path_factory.mktemp("data") / "scores.csv"
    header = ",".join(["y", *(f"c{j}" for j in range(15))])
    rows = (
        f"{t}," + ",".join(repr(float(v)) for v in row) for t, row in zip(y, values, strict=True)
    )
    path.write_text("\n".join([header, *rows]) + "\n")
    return path, y, values


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_print_the_numbers_of_python(examples, scores, program):
    path, y, values = scores
    printed = run(examples / program, path, 11)
    expected = bbc.correct(y, values, metric="roc_auc", random_state=11)
    low, high = expected.confidence_interval
    numbers = [float(text) for text in re.findall(r"[-\d.e]+(?=\s)", printed)]
    assert numbers == [expected.estimate, low, high, expected.apparent, expected.winner]


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_print_what_the_documentation_shows(examples, program):
    shown = QUICK_START / "correct_csv.txt"
    assert run(examples / program, QUICK_START / "scores.csv", 1) == shown.read_text()


def test_pipeline_of_small_problems_runs(examples):
    printed = run(examples / "pipeline", 200)
    assert re.match(r"[\d.e+]+ problems per second; mean corrected accuracy 0\.\d+", printed)


@pytest.mark.parametrize("program", ["correct_csv", "correct_csv_c"])
def test_consumers_report_errors(examples, tmp_path, program):
    path = tmp_path / "one_class.csv"
    path.write_text("y,a\n1,0.5\n1,0.25\n1,0.75\n")
    done = subprocess.run([examples / program, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "class" in done.stderr
