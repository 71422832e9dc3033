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


LONG = ("row", "configuration", "prediction")


def listed(text):
    """The parts of a cell."""
    return text.split("|") if text else []


def table_of(case, source, **options):
    """The predictions that a table holds, read as wide or long."""
    if case["row"]:
        named = {"fold": "folds", "group": "groups"} | {name: name for name in LONG}
        options |= {name: case[column] for name, column in named.items() if case[column]}
        return bbc.Predictions.from_long(source, truth=case["truth"], **options)
    options |= {name: case[name] for name in ("folds", "groups") if case[name]}
    ignore = listed(case["ignore"])
    return bbc.Predictions.from_wide(source, truth=case["truth"], ignore=ignore, **options)


def words(case):
    """The command line."""
    given = ["correct", str(FOLDER / case["file"]), "--seed", "1", "--json"]
    for name in ("truth", "folds", "metric", "pos_label", "decimal", "groups", *LONG):
        if case[name]:
            given += [f"--{name.replace('_', '-')}", case[name]]
    for name in listed(case["ignore"]):
        given += ["--ignore", name]
    if case["row"]:
        given.append("--long")
    if case["header"]:
        given.append("--header" if case["header"] == "yes" else "--no-header")
    return [*given, "--names", "*"] if case["names"] else given


def groups_of(case):
    """The cells of the groups."""
    path = FOLDER / case["file"]
    if path.suffix == ".parquet":
        return pd.read_parquet(path).reset_index()[case["groups"]]
    return pd.read_csv(path, keep_default_na=False)[case["groups"]]


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
    names = listed(case["taken"])
    document = json.loads(shown.out)
    assert document["names"] == names
    assert str(document["pos_label"] or "") == case["positive"]
    said = shown.err.splitlines()[-1]
    assert said.startswith(f"bbc: truth {case['truth']}")
    positive = f", positive class {case['positive']} ("
    assert (positive in said) == bool(case["positive"])
    if case["folds"]:
        assert f"; folds {case['folds']} (4); " in said
    if case["groups"]:
        assert f"; groups {case['groups']} ({len(set(groups_of(case)))}); " in said
    assert f"; {len(names)} configurations ({', '.join(names)})" in said
    found = re.search(r"decimal (\w+)$", said)
    assert {"comma": ",", "point": "."}.get(found and found[1], "") == case["found"]


@pytest.mark.parametrize("name", CASES)
def test_files_in_python(name):
    case = CASES[name]
    path = FOLDER / case["file"]
    options = {"decimal": case["decimal"] or None, "header": HEADER[case["header"]]}
    if case["names"]:
        options["names"] = listed(case["taken"])
    # The class is named, and the metric known, only when it comes to the correction.
    if (
        not case["text"]
        or "its classes are" in case["text"]
        or case["text"] == "is text"
        or name == "ranks of no ranking"
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", bbc.errors.BBCWarning)
            found = table_of(case, path, **options)
        if case["taken"]:
            assert found.names == tuple(listed(case["taken"]))
        return
    with pytest.raises(ValueError, match=re.escape(case["text"])):
        table_of(case, path, **options)


def corrected(case, frame, form):
    """A frame as an argument of `bbc.correct`, or read by `from_wide` or `from_long`."""
    options = {"metric": case["metric"], "random_state": 1, "pos_label": case["pos_label"] or None}
    if form == "read":
        roles = {case[name] for name in ("truth", "folds", "groups")}
        names = {"names": [name for name in frame if name not in roles]} if case["names"] else {}
        predictions = table_of(case, frame, pos_label=options.pop("pos_label"), **names)
        return bbc.correct(predictions, **options)
    y = frame.pop(case["truth"])
    options |= {name: frame.pop(case[name]) for name in ("folds", "groups") if case[name]}
    if case["names"]:
        options["names"] = list(frame)
    return bbc.correct(y, frame, **options)


#: What only a reader of the whole table can see, and a long table; a reader knows no metric.
READ = [name for name in OF_FRAMES if CASES[name]["ignore"] or CASES[name]["row"]]
FORMS = [("read", name) for name in OF_FRAMES if name != "ranks of no ranking"]
FORMS += [("passed", name) for name in OF_FRAMES if name not in READ]


@pytest.mark.parametrize(("form", "name"), FORMS)
def test_frames(form, name):
    case = CASES[name]
    frame = pd.read_csv(FOLDER / case["file"], sep=case["separator"], decimal=case["mark"])
    if case["frame"]:
        said = re.sub(r"([()])", r"\\\1", case["frame"])
        with pytest.raises((ValueError, TypeError), match=said):
            corrected(case, frame, form)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", bbc.errors.BBCWarning)
        found = corrected(case, frame, form)
    assert set(found.names) == set(listed(case["taken"]))
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
