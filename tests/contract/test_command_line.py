"""The command line: same numbers as the package, reasons on standard error, honest exit codes."""

import csv
import io
import json
import subprocess
import sys
from inspect import signature
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc.cli import _demo, main
from families import compared_arrays

RECORDED = Path(__file__).parents[2] / "benches" / "demo" / "splits.csv"
SIMULATED = bbc.simulate.auc(60, 8, random_state=1)


@pytest.fixture
def wide(tmp_path):
    frame = pd.DataFrame(SIMULATED.predictions, columns=[f"c{i}" for i in range(8)])
    frame.insert(0, "y", SIMULATED.y)
    frame.insert(1, "fold", SIMULATED.folds)
    path = tmp_path / "wide.csv"
    frame.to_csv(path, index=False)
    return path


def test_help_needs_none_of_the_commands_and_knows_what_they_can_do():
    source = """import sys
from bbc.cli import main
try:
    main(["--help"])
finally:
    print("numpy" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("False\n")


def expected(**options):
    names = [f"c{i}" for i in range(8)]
    return bbc.correct(
        SIMULATED.y,
        SIMULATED.predictions,
        metric="roc_auc",
        folds=SIMULATED.folds,
        names=names,
        random_state=3,
        **options,
    )


def test_correct_gives_the_numbers_of_the_package(wide, capsys):
    words = ["correct", str(wide), "--truth", "y", "--folds", "fold", "--metric", "roc_auc"]
    assert main([*words, "--seed", "3"]) == 0
    assert capsys.readouterr().out == expected().summary() + "\n"
    assert main([*words, "--seed", "3", "--json", "--pooling", "fold"]) == 0
    shown = bbc.PerformanceEstimate.from_json(capsys.readouterr().out)
    assert shown == expected(pooling="fold")
    assert main([*words, "--seed", "3", "--method", "bbc-f"]) == 0
    assert capsys.readouterr().out == expected(method="bbc-f").summary() + "\n"
    assert main([*words, "--seed", "3", "--dynamic-search"]) == 0
    shown = capsys.readouterr().out
    assert shown == expected(dynamic_search=True).summary() + "\n"
    assert "BBC007         dynamic search" in shown


def test_standard_input_is_a_file_too(wide, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(wide.read_text()))
    words = ["--truth", "y", "--folds", "fold", "--metric", "roc_auc", "--seed", "3"]
    assert main(["correct", "-", *words]) == 0
    assert capsys.readouterr().out == expected().summary() + "\n"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("classes", [["a", "b", "c"], [0, 1, 2]])
def test_long_tables_of_class_scores(classes, suffix, tmp_path, capsys):
    rng = np.random.default_rng(0)
    truth = np.array(classes)[np.arange(45) % 3]
    scores = rng.dirichlet(np.ones(3), size=(45, 4))
    records = [
        {"row": row, "configuration": f"c{j}", "y": truth[row]}
        | {f"p_{k}": scores[row, j, i] for i, k in enumerate(classes)}
        for row in range(45)
        for j in range(4)
    ]
    path = tmp_path / f"long.{suffix}"
    table = pd.DataFrame(records)
    table.to_parquet(path) if suffix == "parquet" else table.to_csv(path, index=False)
    words = ["correct", str(path), "--long", "--truth", "y", "--metric", "roc_auc_ovr", "--json"]
    for label in (classes[2], *classes[:2]):  # in any order
        words += ["--prediction", f"{label}=p_{label}"]
    assert main([*words, "--seed", "3"]) == 0
    shown = bbc.PerformanceEstimate.from_json(capsys.readouterr().out)
    names = [f"c{j}" for j in range(4)]
    assert shown == bbc.correct(truth, scores, metric="roc_auc_ovr", names=names, random_state=3)


def test_long_work_in_blocks_changes_no_bit(wide, capsys, monkeypatch):
    monkeypatch.setattr("bbc.cli._commands._LONG_WORK", 0)
    monkeypatch.setattr("bbc.cli._messages._CELLS_PER_STEP", 2e5)
    monkeypatch.setattr("bbc._bar._PATIENCE", 0)
    monkeypatch.setattr("bbc._bar._BETWEEN", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    words = ["correct", str(wide), "--truth", "y", "--folds", "fold", "--metric", "roc_auc"]
    assert main([*words, "--seed", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.out == expected().summary() + "\n"
    assert "6 of 8 configurations" in shown.err


def test_long_work_by_a_metric_of_python_is_done_at_once(wide, capsys, monkeypatch):
    words = ["correct", str(wide), "--truth", "y", "--folds", "fold", "--metric", "neg_max_error"]
    words += ["--n-bootstraps", "40", "--seed", "3"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    monkeypatch.setattr("bbc.cli._commands._LONG_WORK", 0)
    assert main(words) == 0
    assert capsys.readouterr().out == shown


def families(tmp_path):
    """Two files, and one with all of their configurations."""
    paths = []
    columns = {"y": SIMULATED.y, "fold": SIMULATED.folds}
    parts = {"svm": SIMULATED.predictions[:, :5], "forest": SIMULATED.predictions[:, 5:]}
    for name, predictions in parts.items():
        own = {f"{name}{j}": column for j, column in enumerate(predictions.T)}
        paths.append(str(tmp_path / f"{name}.csv"))
        pd.DataFrame(columns | own).to_csv(paths[-1], index=False)
    merged = pd.concat([pd.read_csv(paths[0]), pd.read_csv(paths[1]).iloc[:, 2:]], axis=1)
    merged.to_csv(tmp_path / "all.csv", index=False)
    return paths, str(tmp_path / "all.csv"), parts


def test_compare_files_and_columns(tmp_path, capsys):
    paths, merged, parts = families(tmp_path)
    words = ["--truth", "y", "--folds", "fold", "--metric", "roc_auc", "--seed", "3"]
    assert main(["compare", *paths, *words, "--json"]) == 0
    shown = bbc.Comparison.from_json(capsys.readouterr().out)
    direct = compared_arrays(
        SIMULATED.y, parts, metric="roc_auc", folds=SIMULATED.folds, random_state=3
    )
    assert shown.differences == direct.differences
    assert main(["compare", *paths, *words]) == 0
    assert capsys.readouterr().out == shown.summary() + "\n"
    split = ["--family", "svm=svm*", "--family", "forest=forest*"]
    assert main(["compare", merged, *split, *words, "--json"]) == 0
    assert bbc.Comparison.from_json(capsys.readouterr().out).differences == direct.differences
    more = ["--reference", "svm", "--alternative", "greater", "--method", "bbc", "--json"]
    assert main(["compare", *paths, *words, *more]) == 0
    one = bbc.Comparison.from_json(capsys.readouterr().out)
    assert (one.differences[0].second, one.method, one.reference) == ("svm", "bbc", "svm")
    assert main(["compare", *paths, *words, "--block-length", "5", "--json"]) == 0
    by_blocks = bbc.Comparison.from_json(capsys.readouterr().out)
    assert {e.design.block_length for e in by_blocks.estimates.values()} == {5}
    assert by_blocks.differences != direct.differences


def test_compare_refuses_what_is_no_comparison(tmp_path, capsys):
    paths, merged, _ = families(tmp_path)
    words = ["--truth", "y", "--folds", "fold", "--metric", "roc_auc"]
    frame = pd.read_csv(paths[1])
    frame["y"] = 1 - frame["y"]
    frame.to_csv(tmp_path / "other.csv", index=False)
    frame.drop(columns="fold").to_csv(tmp_path / "lone.csv", index=False)
    for given, message in (
        ([merged], "one file is no comparison"),
        ([merged, merged], "a file is named twice"),
        ([*paths, "--family", "a=*"], "--family splits the configurations of one file"),
        ([merged, "--family", "svm"], "write NAME=PATTERN"),
        ([merged, "--family", "a=*", "--family", "a=b*"], "a name is given twice"),
        ([merged, "--family", "a=svm*"], "configuration 'forest0' is in no family"),
        ([merged, "--family", "a=*", "--family", "b=svm*"], "is in a and b"),
        ([merged, "--family", "a=*", "--family", "b=x*"], "no configuration fits b=x*"),
        ([merged, "--family", "a=*"], "has 1 family, but a comparison needs two"),
        ([paths[0], str(tmp_path / "other.csv")], "'other' has another truth than 'svm'"),
        ([paths[0], str(tmp_path / "lone.csv")], "lone.csv: "),
        ([*paths, "--reference", "knn"], "is none of the families ('svm', 'forest')"),
    ):
        assert main(["compare", *given, *words]) == 1
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("generator", ["accuracy", "auc", "regression", "survival"])
def test_tables_of_each_kind_of_truth(generator, tmp_path, capsys):
    path = tmp_path / "simulated.csv"
    simulated = getattr(bbc.simulate, generator)(50, 5, random_state=2)
    frame = pd.DataFrame(simulated.predictions).add_prefix("c").assign(fold=simulated.folds)
    is_survival = generator == "survival"
    truths = {name: 1 * simulated.y[name] for name in ("event", "time")} if is_survival else {}
    frame.assign(**(truths or {"y": simulated.y})).to_csv(path, index=False)
    truth = ["--truth", "event", "--truth", "time"] if is_survival else ["--truth", "y"]
    words = ["correct", str(path), *truth, "--metric", simulated.metric, "--folds", "fold"]
    assert main([*words, "--json", "--seed", "1"]) == 0
    shown = bbc.PerformanceEstimate.from_json(capsys.readouterr().out)
    direct = bbc.correct(
        simulated.y, simulated.predictions, metric=simulated.metric, random_state=1
    )
    assert shown.estimate == direct.estimate
    assert shown.n_folds == len(np.unique(simulated.folds))


def test_show_reads_stores_and_results(tmp_path, capsys):
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "run.bbc"
    grid = {"n_neighbors": [1, 5, 20]}
    search = bbc.BBC(KNeighborsClassifier(), grid, cv=3, store=path, random_state=4).fit(X, y)
    assert main(["show", str(path)]) == 0
    estimate = dict(search.performance_.record.facts)["estimate"]
    assert f"estimate       {estimate}\n" in capsys.readouterr().out
    assert main(["show", str(path), "--json"]) == 0
    document = capsys.readouterr().out
    result = tmp_path / "result.json"
    result.write_text(document)
    assert main(["show", str(result), "--json"]) == 0
    assert capsys.readouterr().out == document


def test_lists(capsys):
    assert main(["metrics", "--json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)} == set(bbc.metrics.names())
    assert main(["protocols"]) == 0
    shown = capsys.readouterr().out
    listed = dict(line.split(maxsplit=1) for line in shown.split("\n")[1:-3])
    assert listed.keys() == {"CVT", "TT", "CVMCV", "NCV", "BBC", "BBCD"}
    for name, facts in listed.items():
        own = getattr(bbc if hasattr(bbc, name) else bbc.baselines, name)
        gives_interval = "confidence_level" in signature(own).parameters
        assert f" {'yes' if gives_interval else 'no'}  " in facts
    assert "C configurations, K folds, R repeats" in shown


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["correct", "missing.csv", "--truth", "y", "--metric", "f1"], "No such file"),
        (["correct", "WIDE", "--truth", "z", "--metric", "f1"], "has no column 'z'"),
        (
            ["correct", "WIDE", "--truth", "y", "--folds", "fold", "--metric", "auroc"],
            "'roc_auc'? (`bbc metrics` lists all)",
        ),
        (
            ["correct", "WIDE", "--truth", "y", "--metric", "roc_auc"],
            "name it, --folds fold, or leave it out, --ignore fold; if it is one, list the "
            "configurations, --names",
        ),
        (["correct", "WIDE", "--truth", "y", "--metric", "roc_auc", "--repeat", "r"], "--long"),
        (["correct", "WIDE", "--truth", "y", "--metric", "roc_auc", "--row", "id"], "--row needs"),
        (["show", "WIDE"], "not a bbc store"),
        (["show", "missing.bbc"], "store 'missing.bbc': there is no such file"),
    ],
)
def test_refusals_name_the_reason_and_end_with_1(words, reason, wide, capsys):
    assert main([str(wide) if word == "WIDE" else word for word in words]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("bbc: error: ")
    assert reason in shown.err


def test_alone_it_shows_examples_that_run(wide, capsys, monkeypatch):
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    examples = [line.split("    ")[0].split() for line in shown.err.split("\n  bbc ")[1:]]
    assert [words[0] for words in examples] == ["demo", "correct"]
    monkeypatch.chdir(wide.parent)
    wide.rename("predictions.csv")
    for line in shown.err.splitlines():
        words = line.split("    ")[0].split()
        if line.startswith("  bbc ") and "demo" not in words:
            assert main(words[1:]) == 0


def test_the_demonstration_shows_the_splits_that_were_recorded(capsys, monkeypatch):
    """Ten splits, of which test_readme.py fits the first."""
    with RECORDED.open(newline="") as file:
        rows = [[row.pop("seed"), *map(float, row.values())] for row in csv.DictReader(file)]
    monkeypatch.setattr(_demo, "tuned", lambda X, y, seed: _demo.Split(*rows[seed]))
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    errors = np.array([row[1:3] for row in rows]) - np.array([row[3:] for row in rows])
    for value in (*errors.ravel(), *errors.mean(axis=0)):
        assert f"{value:+.3f}" in shown


def test_a_demonstration_without_matplotlib_is_refused_before_any_work(
    tmp_path, capsys, monkeypatch
):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["demo", "--plot", str(tmp_path / "demo.png")]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "python -m pip install 'bbc-cv[plots]'" in shown.err


def test_an_unknown_option_shows_the_usage_of_its_command(wide, capsys):
    words = ["correct", str(wide), "--truth", "y", "--metric", "roc_auc", "--bootstraps", "9"]
    with pytest.raises(SystemExit):
        main(words)
    shown = capsys.readouterr().err
    assert shown.startswith("usage: bbc correct ")
    assert shown.endswith("bbc correct: error: unrecognized arguments: --bootstraps 9\n")


def test_messages_speak_of_options(tmp_path, capsys):
    path = tmp_path / "table.csv"
    for text, more, said in (
        (
            "y,a,b\n0,,1\n1,2,1\n",
            [],
            "`bbc correct` does with --missing drop-configurations or --missing drop-rows; a "
            "search that dropped configurations on the way it scores with --missing rungs\n",
        ),
        ("y,a,b\n0,3,1\n1,2,1\n", ["--method", "bbc-f"], "--folds is needed by --method bbc-f"),
        ("y,a,b\n0,3,1\n0,2,1\n", [], "one class (0), metric 'roc_auc' needs two\n"),
    ):
        path.write_text(text)
        assert main(["correct", str(path), "--truth", "y", "--metric", "roc_auc", *more]) == 1
        assert said in capsys.readouterr().err


def test_what_cannot_be_understood_ends_with_2(capsys):
    with pytest.raises(SystemExit) as refused:
        main(["correct"])
    assert refused.value.code == 2
    assert "usage: bbc correct" in capsys.readouterr().err


def test_warnings_are_one_line_on_standard_error(tmp_path, capsys):
    rng = np.random.default_rng(0)
    columns = {"y": np.arange(12) == 3} | {f"c{i}": rng.random(12) for i in range(3)}
    columns["y"] = (np.arange(12) % 6 == 3).astype(int)
    path = tmp_path / "small.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    assert main(["correct", str(path), "--truth", "y", "--metric", "roc_auc", "--seed", "1"]) == 0
    line, taken = capsys.readouterr().err.splitlines()
    assert line.startswith("bbc: warning: ")
    assert taken.startswith("bbc: truth y, positive class 1 (2 of 12 rows); 3 configurations (")


def test_a_reader_that_stops_early_is_no_error():
    command = [sys.executable, "-m", "bbc", "metrics", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_an_interrupted_command_ends_with_130(capsys, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_demo, "tuned", stop)
    assert main(["demo"]) == 130
    assert capsys.readouterr().err.endswith("bbc: interrupted\n")
