"""Every command x every defect of files and options: one message, an exit code, no number.

The defects of the data are those of `defects.CASES` that a table can hold, written wide, long and
as Parquet. Commands run in this process; a few in one of their own, as users start them.
"""

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import bbc
from bbc.cli import main
from defects import AUC, CASES, SCORES
from nightly import covering

_REFUSED, _NOT_UNDERSTOOD = 1, 2
N_ROWS, N_CONFIGURATIONS = SCORES.shape


def code_of(words):
    """The exit code of a command."""
    try:
        return main([str(word) for word in words])
    except SystemExit as ended:
        return ended.code


def refused(words, capsys, names="", codes=(_REFUSED,)):
    """Assert that a command ends with one message and without a number."""
    code = code_of(words)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert code in codes, (code, shown.err)
    assert "Traceback" not in shown.err
    *before, last = shown.err.splitlines()
    assert re.match(r"bbc( \w+)?: error: .", last), shown.err
    assert code == _NOT_UNDERSTOOD or not before, shown.err
    assert re.search(rf"(?<![a-z])({names})", last), last


def frames(case):
    """A defect as a wide frame (None if it has no such form), a long one, and options.

    None where a table cannot be wrong in this way.
    """
    case = dict(case)
    try:
        y, predictions = np.asarray(case.pop("y")), case.pop("predictions")
        repeats = np.asarray(predictions if isinstance(predictions, list) else [predictions])
    except ValueError:
        return None
    tables = {"metric", "sample_weight", "groups", "folds", "stratify", "missing", "pos_label"}
    if set(case) - tables or y.ndim != 1 or y.dtype.names or np.ma.isMA(predictions):
        return None
    if (
        repeats.ndim not in (3, 4)
        or repeats.shape[1] != len(y)
        or repeats.dtype.kind not in "iufUO"
    ):
        return None
    n_repeats, n_rows, n_configurations = repeats.shape[:3]
    rows = {
        name: np.asarray(case[name])
        for name in ("sample_weight", "groups", "folds")
        if name in case
    }
    if any(array.shape != (n_rows,) for array in rows.values()):
        return None
    words = ["--metric", case["metric"]]
    for name in rows:
        words += [f"--{name.replace('_', '-')}", name]
    for name in {"missing", "pos_label"} & set(case):
        words += [f"--{name.replace('_', '-')}", str(case[name])]
    if case.get("stratify"):
        words.append("--stratify-bootstrap")
    wide = None
    if repeats.ndim == 3 and n_repeats == 1:
        columns = {f"c{j}": repeats[0, :, j] for j in range(n_configurations)}
        wide = pd.DataFrame({"y": y} | rows | columns)
    places = np.indices(repeats.shape[:3]).reshape(3, -1)
    columns = {"repeat": places[0], "row": places[1], "configuration": places[2]}
    columns |= {name: array[places[1]] for name, array in ({"y": y} | rows).items()}
    if repeats.ndim == 3:
        columns["prediction"] = repeats.reshape(-1)
    else:
        cells = repeats.reshape(len(places[0]), -1)
        columns |= {f"p{k}": cells[:, k] for k in range(cells.shape[1])}
    return wide, pd.DataFrame(columns), words


def _of_long(frame):
    classes = [name for name in frame if re.fullmatch(r"p\d", name)]
    words = ["--long", "--repeat", "repeat"]
    for name in classes:
        words += ["--prediction", f"{name[1:]}={name}"]
    return words


def wide_csv(frame, _, path):
    frame.to_csv(path / "table.csv", index=False)
    return [path / "table.csv"]


def wide_parquet(frame, _, path):
    frame.to_parquet(path / "table.parquet")
    return [path / "table.parquet"]


def long_csv(_, frame, path):
    frame.to_csv(path / "table.csv", index=False)
    return [path / "table.csv", *_of_long(frame)]


FORMS = {"wide": wide_csv, "parquet": wide_parquet, "long": long_csv}


# What is a defect of arrays only: a table has no such types, one fold per row and repeat, and rows
# that a repeat did not predict.
_OF_OBJECTS = {"unequal columns", "long doubles", "folds of one repeat", "strata flag"}
_OF_OBJECTS |= {"hole in one repeat", "unsortable y", "id column", "outcome column"}
# Numbers that are written as text are numbers in CSV; Parquet has no complex ones; a long table
# says what its configurations are.
_NOT_IN = {
    "text as scores": ("wide", "long"),
    "complex y": ("parquet",),
    "classes as configurations": ("long",),
    "copy of the truth": ("long",),
}
ON_TABLES = ("correct", "compare")


def _data():
    for name in set(CASES) - _OF_OBJECTS:
        given = frames(CASES[name][0])
        for form in FORMS if given else ():
            if (form != "long" and given[0] is None) or form in _NOT_IN.get(name, ()):
                continue
            yield from ((command, form, name) for command in ON_TABLES)


DATA = sorted(_data())


@pytest.mark.parametrize(("command", "form", "defect"), covering(DATA, every=3))
def test_wrong_data_are_refused(command, form, defect, tmp_path, capsys):
    wide, long, words = frames(CASES[defect][0])
    path, *own = FORMS[form](wide, long, tmp_path)
    if command == "compare":
        own.insert(0, path.with_stem("other"))
        own[0].write_bytes(path.read_bytes())
    codes = (_REFUSED, _NOT_UNDERSTOOD)
    refused([command, path, *own, "--truth", "y", "--seed", "0", *words], capsys, codes=codes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Good tables, and files that are something else."""
    path = tmp_path_factory.mktemp("files")
    wide, long, _ = frames(AUC | {"folds": np.arange(N_ROWS) % 3})
    wide.to_csv(path / "wide.csv", index=False)
    long.to_csv(path / "long.csv", index=False)
    text = (path / "wide.csv").read_text()
    lines = text.splitlines(keepends=True)
    contents = {
        "empty.csv": "",
        "header.csv": lines[0],
        "ragged.csv": lines[0] + lines[1] + "1,2\n",
        "repeated.csv": text.replace("c1", "c0", 1),
        "quote.csv": lines[0] + '"' + "".join(lines[1:]),
        "only-truth.csv": "y\n0\n1\n",
        "wide.txt": text,
        "wide.xlsx": text,
        "text.parquet": text,
        "empty.parquet": "",
        "text.bbc": text,
        "empty.bbc": "",
        "half.json": '{"estimate": 0.5',
        "list.json": "[]",
        "null.json": "null",
        "number.json": "0.5",
        "other.json": '{"estimate": 0.5}',
        "empty.json": "",
    }
    for name, content in contents.items():
        (path / name).write_text(content)
    (path / "latin.csv").write_bytes(text.replace("c0", "c\xe9").encode("latin-1"))
    (path / "utf16.csv").write_bytes(text.encode("utf-16"))
    (path / "nul.csv").write_bytes(text.encode().replace(b"0.", b"\0.", 1))
    (path / "bytes.json").write_bytes(b"\xff\xfe{}")
    frame = pd.DataFrame({"y": [], "c0": []})
    frame.to_parquet(path / "no-rows.parquet")
    estimate = bbc.correct(AUC["y"], SCORES, metric="roc_auc", random_state=0)
    (path / "result.json").write_text(estimate.to_json())
    (path / "folder.csv").mkdir()
    (path / "folder.bbc").mkdir()
    return path


WIDE = ["FOLDER/wide.csv", "--truth", "y", "--folds", "folds", "--metric", "roc_auc"]
LONG = ["FOLDER/long.csv", "--long", *WIDE[1:], "--repeat", "repeat"]

TABLES = [
    "missing.csv",
    "empty.csv",
    "header.csv",
    "ragged.csv",
    "repeated.csv",
    "quote.csv",
    "only-truth.csv",
    "wide.txt",
    "wide.xlsx",
    "text.parquet",
    "empty.parquet",
    "no-rows.parquet",
    "missing.parquet",
    "latin.csv",
    "utf16.csv",
    "nul.csv",
    "folder.csv",
    "text.bbc",
]
FILES = [
    "missing.bbc",
    "text.bbc",
    "empty.bbc",
    "folder.bbc",
    "wide.csv",
    "missing.json",
    "half.json",
    "list.json",
    "null.json",
    "number.json",
    "other.json",
    "empty.json",
    "bytes.json",
]
FORMATS = ([], ["--json"], ["--html", "FOLDER/report.html"])

# Of an option: what is wrong with it; the commands that have it.
NUMBERS = {
    "--metric": ("rocauc", "", "ROC_AUC", "3"),
    "--pos-label": ("7", "yes"),
    "--n-bootstraps": ("0", "-1", "2.5", "many", "4294967296", "1e3"),
    "--confidence-level": ("0", "1", "-0.1", "95", "nan", "high", "0.9999"),
    "--seed": ("-1", "9007199254740992", "1.5", "seed", "18446744073709551616"),
    "--n-threads": ("0", "-1", "1.5", "all"),
    "--truth": ("z", "", "c0"),
    "--folds": ("z", "y "),
    "--groups": ("z", ""),
    "--sample-weight": ("z", ""),
    "--ignore": ("z", ""),
}
CHOICES = {
    "--method": ("bbd", ""),
    "--pooling": ("mean", ""),
    "--alternative": ("both", ""),
    "--missing": ("ignore", ""),
    "--selection": ("", "median", "threshold:3", "greedy:", "greedy:0", "top", "top:-1", "top:99"),
    "--html": ("FOLDER/none/report.html", "FOLDER/folder.csv"),
}
OF_LONG = {
    "--row": ("z", ""),
    "--configuration": ("z", ""),
    "--prediction": ("z", "", "1=p", "=prediction"),
    "--repeat": ("z", ""),
}
_AS_CALLED = {
    "--truth": "truth|y|column",
    "--seed": "seed|random_state",
    "--n-threads": "n.threads",
    "--pos-label": "pos.label",
    "--confidence-level": "confidence.level",
    "--n-bootstraps": "n.bootstraps",
    "--html": "none|folder",
    "--method": "method",
}


def _options():
    """Words, and what the message must name."""
    for options, good in (
        (NUMBERS | CHOICES, WIDE),
        (OF_LONG, LONG),
    ):
        for option, values in options.items():
            called = _AS_CALLED.get(option, rf"{option[2:]}|column|empty")
            for value in values:
                yield ["correct", *_replaced(good, option, value)], called
    for option in ("--prediction", "--repeat"):
        yield ["correct", *WIDE, option, "c0"], "--long"
    yield ["correct", *WIDE, "--truth", "c0"], "truth|y|metric|column"
    yield ["correct", *WIDE, "--truth", "c0", "--truth", "c1"], "truth"
    yield ["correct", *LONG, "--prediction", "a", "--prediction", "b"], "--prediction"
    for option in ("--metric", "--folds", "--seed", "--decimal", "--header"):
        value = {"--metric": ["roc_auc"], "--decimal": ["."], "--header": []}
        twice = [option, *value.get(option, ["0"])] * 2
        yield ["correct", *WIDE, *twice], f"argument {option}.* is given twice"
    yield ["correct", *WIDE, "--header", "--no-header"], "is given twice"
    yield ["show", "FOLDER/result.json", "--html", "FOLDER/none/r.html"], "none"
    yield ["show", "FOLDER/result.json", "--html", "FOLDER/folder.csv"], "folder"
    yield ["show", "FOLDER/result.json", "--metric", "f1"], "--metric"
    yield ["demo", "--plot", "FOLDER/none/demo.png"], "none"
    yield ["demo", "--plot", "FOLDER/folder.csv"], "folder"


def _replaced(good, option, value):
    """The words, with another value of the option."""
    if option not in good:
        return [*good, option, value]
    place = good.index(option) + 1
    return [*good[:place], value, *good[place + 1 :]]


OPTIONS = list(_options())
REST = [
    ["corect"],
    ["--none"],
    *([command, "--none"] for command in [*ON_TABLES, "protocols", "metrics", "demo"]),
    *([command, "extra", "extra"] for command in ["protocols", "metrics", "demo", "show"]),
    *([command] for command in [*ON_TABLES, "show"]),
    *([command, "FOLDER/wide.csv", "--truth", "y"] for command in ON_TABLES),
    *([command, "FOLDER/wide.csv", "--metric", "f1"] for command in ON_TABLES),
    ["simulate", "auc"],
]


@pytest.mark.parametrize("name", TABLES)
def test_files_that_are_no_tables_are_refused(name, folder, capsys):
    place = folder / name
    refused(
        ["correct", place, *WIDE[1:]], capsys, re.escape(str(place)) + "|only-truth|predictions"
    )


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("more", FORMATS, ids=" ".join)
def test_files_that_hold_no_result_are_refused(name, more, folder, capsys):
    given = [word.replace("FOLDER", str(folder)) for word in more]
    refused(["show", folder / name, *given], capsys, re.escape(name))
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(("words", "called"), OPTIONS, ids=[" ".join(w) for w, _ in OPTIONS])
def test_wrong_options_are_refused(words, called, folder, capsys):
    given = [word.replace("FOLDER", str(folder)) for word in words]
    refused(given, capsys, called, (_REFUSED, _NOT_UNDERSTOOD))


@pytest.mark.parametrize("words", REST, ids=" ".join)
def test_what_cannot_be_understood_is_refused(words, folder, capsys):
    given = [word.replace("FOLDER", str(folder)) for word in words]
    refused(given, capsys, codes=(_NOT_UNDERSTOOD,))


PROCESSES = [
    (["correct", "FOLDER/ragged.csv", "--truth", "y", "--metric", "f1"], _REFUSED),
    (["correct", "-", "--truth", "y", "--metric", "f1"], _REFUSED),
    (["show", "FOLDER/text.bbc"], _REFUSED),
    (["correct", "-", "--n-threads", "many"], _NOT_UNDERSTOOD),
]


@pytest.mark.parametrize(("words", "code"), PROCESSES, ids=[" ".join(w) for w, _ in PROCESSES])
def test_processes_end_with_the_code(words, code, folder):
    given = [word.replace("FOLDER", str(folder)) for word in words]
    command = [sys.executable, "-m", "bbc", *given]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert "error: " in done.stderr
    assert "Traceback" not in done.stderr


N_REFUSALS = (
    len(DATA) + len(TABLES) + len(FORMATS) * len(FILES) + len(OPTIONS) + len(REST) + len(PROCESSES)
)
