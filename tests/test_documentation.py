"""The documentation is complete, and the files that it shows are those that were run."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def extension(name):
    """A module of the documentation's build."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_extensions" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_api_reference_lists_every_public_name_once():
    complete = extension("complete")
    pages = "\n".join(path.read_text() for path in (DOCS / "api").glob("*.rst"))
    listed = re.findall(r"^   ([\w.]+)$", pages, re.MULTILINE)
    missing = [name for name in complete.public_names() if name.removeprefix("bbc.") not in listed]
    assert missing == []
    assert [name for name in listed if listed.count(name) > 1] == []


def test_the_way_of_a_call_names_files_and_functions_that_exist():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\|[^|]*\| (`[^|]*`) \| (`[^|]*`) \|$", text, re.MULTILINE)
    assert len(steps) > 25
    for files, functions in steps:
        sources = [(ROOT / path).read_text(encoding="utf-8") for path in named(files)]
        for function in named(functions):
            assert any(has(source, function) for source in sources), (files, function)


def test_every_protocol_cites_what_its_base_does():
    for kind in (bbc.BBC, bbc.BBCD, bbc.CVT, bbc.NCV, bbc.TT, bbc.baselines.CVMCV):
        assert kind.__doc__.count('"Bootstrapping the out-of-sample') == 1


def test_the_program_for_dask_prints_what_the_page_shows():
    """Ray's prints the same and is run by hand: Ray is not installed for tests."""
    command = [sys.executable, "dask_search.py"]
    done = subprocess.run(command, cwd=DOCS / "clusters", capture_output=True, check=True)
    assert done.stdout == (DOCS / "clusters" / "search.txt").read_bytes()


@pytest.mark.parametrize("page", ["SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "README.md"])
def test_files_and_commands_that_a_page_names_exist(page):
    quoted = re.findall(r"`([^`\n]+)`", (ROOT / page).read_text(encoding="utf-8"))
    tops = {path.name for path in ROOT.iterdir()}
    targets = set(re.findall(r"^([\w -]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = {target for line in targets for target in line.split()}
    for text in quoted:
        if text.split("/")[0] in tops - {"build"} and not re.search(r"[*{\s]|NAME", text):
            assert (ROOT / text).exists(), text
        if text.startswith("make "):
            assert text.split()[1] in commands, text


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_what_the_cheat_sheet_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    grid = {"C": [0.01, 0.1, 1.0, 10.0]}
    (tmp_path / "scores.csv").write_text("y,a,b\n0,0.5,0.1\n1,0.7,0.9\n")
    names = {
        "X": X,
        "y": y,
        "predictions": 1 / (1 + np.exp(-(X[:, :1] + rng.normal(size=(120, 12))))),
        "folds": np.arange(120) % 10,
        "groups": np.arange(120) // 4 % 6,
        "families": ["a"] * 4 + ["b"] * 8,
        "array": rng.random((10, 5)),
        "complexity": np.arange(12),
        "file": "scores.csv",
        "grid": grid,
        "model": LogisticRegression(),
        "search": GridSearchCV(LogisticRegression(), grid, cv=10).fit(X, y),
        "bbc": bbc,
    }
    sections = dict(extension("cheatsheet").sections((DOCS / "cheatsheet.md").read_text()))
    for _, option in sections.pop("Options of correct"):
        said = f'{{"metric": "roc_auc", "folds": folds}} | dict({option})'
        exec(f"bbc.correct(y, predictions, **{said})", names)
    del sections["Shell and R"]
    codes = [code for rows in sections.values() for _, code in rows]
    assert len(codes) > 15
    for code in codes:
        exec(code, names)


def test_the_cheat_sheet_is_one_page(tmp_path):
    write, page, pdf = extension("cheatsheet").write, tmp_path / "page.md", tmp_path / "sheet.pdf"
    text = (DOCS / "cheatsheet.md").read_text()
    page.write_text(text)
    write(page, pdf)
    assert pdf.read_bytes().startswith(b"%PDF")
    page.write_text(text * 2)
    with pytest.raises(ValueError, match="longer than a page"):
        write(page, pdf)


def named(cell):
    return cell.strip("`").split("`, `")


def has(source, function):
    # Methods come with their class (Options.checked, Sampler::draw); R's have a dot in the name.
    in_r = rf"^{re.escape(function)} <- function"
    last = re.escape(re.split(r"::|\.", function)[-1])
    elsewhere = rf"(?:def|class|::|[\w>*&]) ?\b{last}(?:\(|:)"
    return re.search(rf"{in_r}|{elsewhere}", source, re.MULTILINE)
