"""What files hold is shown, and commands no terminal: no cursor moves, no line is faked."""

import ast
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import bbc
from bbc.cli import main
from instrumented import numbered_data
from stores import entries_of, forge, is_fit

X, Y = numbered_data()
# A red "estimate 1" over the line above, a title of the window, a bell, C1, bidi, half a character.
EVIL = (
    "\x1b[2A\r\x1b[31m  estimate       1\x1b]0;owned\x07\x9b2J\u202e\x08\x00\ud83d\n  estimate  1"
)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "run.bbc"
    grid = {"var_smoothing": [1e-9, 0.1]}
    options = {"cv": 3, "store": path, "random_state": 0, "refit": False}
    bbc.CVT(GaussianNB(), grid, **options).fit(X, Y)
    return path


def rewrite_records(path, change):
    """Change the JSON of every record, under a valid check sum."""
    entries = entries_of(path)
    for key, (text, data) in entries.items():
        if not is_fit(key):
            head = json.loads(text)
            change(head[0])
            entries[key] = json.dumps(head), data
    forge(path, entries)


def to_evil(name):
    def change(content):
        for key, value in content.items():
            if key == name:
                content[key] = (
                    EVIL
                    if isinstance(value, str)
                    else [EVIL] * len(value)
                    if isinstance(value, list)
                    else dict.fromkeys(value, EVIL)
                )

    return change


def quiet(capsys):
    """All that was printed; a line that begins as one of ours is ours."""
    shown = "".join(capsys.readouterr())
    assert all(line.isprintable() for line in shown.split("\n")), shown
    assert not any(line.startswith("  estimate  1") for line in shown.split("\n"))
    return shown


@pytest.mark.parametrize("options", [[], ["--json"], ["--metric", "accuracy"]])
@pytest.mark.parametrize("field", ["configurations", "protocol", "metrics"])
def test_names_in_a_store(field, options, store, capsys):
    rewrite_records(store, to_evil(field))
    code = main(["show", str(store), *options])
    assert "\\x1b" in quiet(capsys) or options
    assert code == 0 or field == "metrics"
    assert all(line.isprintable() for line in bbc.StoredRun(store).summary().split("\n"))


def test_reasons_of_failures_in_a_store(store, capsys):
    entries = entries_of(store)
    for key, (text, _) in entries.items():
        if is_fit(key):
            entries[key] = json.dumps([json.loads(text)[0] | {"error": EVIL}, []]), b""
    forge(store, entries)
    assert main(["show", str(store)]) == 0
    assert "failed         var_smoothing=1e-09: \\x1b[2A" in quiet(capsys)


def test_what_differs_from_a_store_is_said_quietly(store):
    rewrite_records(store, to_evil("configurations"))
    grid = {"var_smoothing": [1e-9]}
    with pytest.raises(bbc.errors.StoreError, match="the grid lacks 1") as caught:
        bbc.CVT(GaussianNB(), grid, cv=3, store=store, random_state=0).fit(X, Y)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("field", ["names", "metric", "notes", "decided_by"])
def test_texts_in_a_saved_result(field, tmp_path, capsys):
    result = bbc.correct(Y, np.column_stack([Y, 1 - Y]), metric="accuracy", names=["a", "b"])
    content = json.loads(result.to_json())
    content[field] = [EVIL, EVIL] if field in ("names", "notes") else EVIL
    path = tmp_path / "result.json"
    path.write_text(json.dumps(content))
    for options in ([], ["--json"]):
        main(["show", str(path), *options])
        quiet(capsys)


def test_names_in_a_table(tmp_path, capsys):
    evil = EVIL.replace("\ud83d", "").replace("\x00", "")
    path = tmp_path / "table.csv"
    pd.DataFrame({"y": Y, evil: Y, f"{evil}b": 1 - Y}).to_csv(path, index=False)
    for words in (["--truth", "y"], ["--truth", "z"], ["--truth", "y", "--folds", f"{evil}b"]):
        main(["correct", str(path), *words, "--metric", "accuracy", "--n-bootstraps", "20"])
        quiet(capsys)


def test_a_file_of_another_name(tmp_path, capsys):
    for path in (tmp_path / "\x1b[31m.bbc", tmp_path / "\x1b[31m.json", tmp_path / "\x1b[31m.csv"):
        assert main(["show", str(path)]) == 1
        quiet(capsys)


def test_one_function_prints_what_files_hold():
    """Those that print by themselves know all their words."""
    folder = Path(bbc.cli.__file__).parent
    printing = {
        path.name
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    }
    assert printing == {"_demo.py", "_lists.py", "_output.py"}
