"""The papers' tables and figures run, in small; what they say at full size is committed."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "benches" / "paper"


def run(folder, *options):
    command = [sys.executable, "-m", "benches.paper", "--quick", "--output", str(folder)]
    return subprocess.run([*command, *options], cwd=ROOT, check=True, capture_output=True)


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    run(folder)
    return folder


def names_in(folder):
    return {path.name.removesuffix("_claims.csv") for path in folder.glob("*_claims.csv")}


def test_every_study_writes_numbers_claims_a_picture_and_a_section(quick):
    names = names_in(quick)
    text = (quick / "RESULTS.md").read_text(encoding="utf-8")
    assert names
    for name in names:
        assert rows_of(quick / f"{name}.csv")
        assert (quick / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert f"`{name}.csv`" in text


def test_committed_results_have_the_columns_of_the_code(quick):
    committed = names_in(PAPER)
    assert committed <= names_in(quick)
    for name in committed:
        found = rows_of(PAPER / f"{name}.csv")[0].keys()
        assert list(found) == list(rows_of(quick / f"{name}.csv")[0])


def test_columns_that_others_read(quick):
    setting = ["beta_a", "beta_b", "n_rows", "n_configurations"]
    expected = {
        "bias_grid": [
            *setting, "protocol", "bias", "standard_error", "n_repetitions", "models_fraction",
        ],
        "inclusion": [
            *setting, "minority", "method", "inclusion", "tightness", "n_runs", "infeasible",
        ],
    }  # fmt: skip
    for name, columns in expected.items():
        for folder in (quick, PAPER):
            assert list(rows_of(folder / f"{name}.csv")[0])[: len(columns)] == columns


def test_after_the_deadline_what_is_there_is_concluded(quick, tmp_path):
    lines = (quick / "bias_grid.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    partial = "".join(lines[:7])
    (tmp_path / "bias_grid.csv").write_text(partial, encoding="utf-8")
    run(tmp_path, "--only", "bias_grid", "--minutes", "0")
    assert (tmp_path / "bias_grid.csv").read_text(encoding="utf-8") == partial
    assert rows_of(tmp_path / "bias_grid_claims.csv")


def test_an_interrupted_study_goes_on(quick, tmp_path):
    name = "selection_optimism"
    whole = (quick / f"{name}.csv").read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    partial = tmp_path / f"{name}.csv"
    partial.write_text("".join([lines[0], *lines[20:]]), encoding="utf-8")
    run(tmp_path, "--only", name)
    assert partial.read_text(encoding="utf-8") == whole


def refuse_the_second(cell, quick):
    if cell["number"] == 1:
        raise ValueError("no such setting")
    return [{**cell, "value": 10 * cell["number"]}]


def test_a_setting_that_fails_does_not_stop_the_others(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benches.paper._run import run_study
    from benches.paper._study import Study

    study = Study(
        name="fails", source="", title="",
        cells=lambda quick: [{"number": number} for number in range(4)],
        run=refuse_the_second, claims=lambda rows: [], draw=lambda rows, figure: None, scale="",
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="fails: 1 settings failed"):
        run_study(study, tmp_path, quick=False, n_jobs=1)
    assert [row["number"] for row in rows_of(tmp_path / "fails.csv")] == ["0", "2", "3"]
