"""Every table of tests/golden/tables through the command line, `from_wide` and data frames.

R reads the same tables in test-table-specification.R, the page in tests/browser/check_try.py.
"""

import csv
import json
import re
import warnings
from pathlib import Path

import pandas as pd
import pytest

import bbc
from bbc.cli import main

FOLDER = Path(__file__).parents[1] / "golden" / "tables"
with (FOLDER / "cases.csv").open(encoding="utf-8", newline="") as lines:
    CASES = {case["case"]: case for case in csv.DictReader(lines)}
OF_FRAMES = [name for name, case in CASES.items() if case["frame"] != "-"]
HEADER = {"yes": True, "no": False, "": None}


def words(case):
    """The command line."""
    given = ["correct", str(FOLDER / case["file"]), "--seed", "1", "--json"]
    for name in ("truth", "folds", "metric", "pos_label", "decimal"):
        if case[name]:
            given += [f"--{name.replace('_', '-')}", case[name]]
    if case["header"]:
        given.append("--header" if case["header"] == "yes" else "--no-header")
    return [*given, "--names", "*"] if case["names"] else given


@pytest.mark.parametrize("name", CASES)
def test_the_command_line(name, capsys):
    case = CASES[name]
    code = main(words(case))
    shown = capsys.readouterr()
    if case["text"]:
        assert (code, shown.out) == (1, "")
        (line,) = shown.err.splitlines()
        assert re.search(re.escape(case["text"]), line, re.IGNORECASE), line
        return
    assert code == 0, shown.err
    names = case["taken"].split("|")
    document = json.loads(shown.out)
    assert document["names"] == names
    assert str(document["pos_label"] or "") == case["positive"]
    said = shown.err.splitlines()[-1]
    assert said.startswith(f"bbc: truth {case['truth']}")
    positive = f", positive class {case['positive']} ("
    assert (positive in said) == bool(case["positive"])
    assert f"; folds {case['folds']} (4); {len(names)} configurations ({', '.join(names)})" in said
    found = re.search(r"decimal (\w+)$", said)
    assert {"comma": ",", "point": "."}.get(found and found[1], "") == case["found"]


@pytest.mark.parametrize("name", CASES)
def test_files_in_python(name):
    case = CASES[name]
    options = {
        "truth": case["truth"],
        "folds": case["folds"],
        "decimal": case["decimal"] or None,
        "header": HEADER[case["header"]],
    }
    if case["names"]:
        options["names"] = case["taken"].split("|")
    # The class is named, and the metric known, only when it comes to the correction.
    if not case["text"] or "its classes are" in case["text"] or name == "ranks of no ranking":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", bbc.errors.BBCWarning)
            found = bbc.adapters.from_wide(FOLDER / case["file"], **options)
        if case["taken"]:
            assert found.names == tuple(case["taken"].split("|"))
        return
    with pytest.raises(ValueError, match=re.escape(case["text"])):
        bbc.adapters.from_wide(FOLDER / case["file"], **options)


@pytest.mark.parametrize("name", OF_FRAMES)
def test_frames(name):
    case = CASES[name]
    frame = pd.read_csv(FOLDER / case["file"], sep=case["separator"], decimal=case["mark"])
    y, folds = frame.pop(case["truth"]), frame.pop(case["folds"])
    options = {"metric": case["metric"], "folds": folds, "random_state": 1}
    options["pos_label"] = case["pos_label"] or None
    if case["names"]:
        options["names"] = list(frame)
    if case["frame"]:
        with pytest.raises(
            (ValueError, TypeError), match=re.sub(r"([()])", r"\\\1", case["frame"])
        ):
            bbc.correct(y, frame, **options)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", bbc.errors.BBCWarning)
        found = bbc.correct(y, frame, **options)
    assert found.names == tuple(frame)
    assert set(found.names) == set(case["taken"].split("|"))
    ranks = any("taken as ranks" in str(one.message) for one in caught)
    assert ranks == (name == "ranks")
    assert case["text"] or str(found.pos_label or "") == case["positive"]


def test_ways_out_of_a_refusal(capsys):
    """What an error advises is taken."""
    for file, advice in (
        ("no-header.csv", "say --no-header if it is one, --header if it names the columns"),
        ("thousands.csv", "or name the decimal mark, --decimal ,"),
        ("patient.csv", "--ignore patient_id; if it is one, list the configurations, --names"),
        ("text-truth.csv", "--pos-label must name the positive class"),
    ):
        path = FOLDER / file.replace("patient", "an-identifier")
        assert main(["correct", str(path), "--truth", "y", "--folds", "fold", "--metric", "f1"])
        assert advice in capsys.readouterr().err
