"""The papers' tables and figures run, in small; what they say at full size is committed."""

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "benches" / "paper"
sys.path.insert(0, str(ROOT))

from benches.paper.__main__ import NAMES, load  # noqa: E402
from benches.paper._results import claim_rows, page, tables_of  # noqa: E402
from benches.paper._run import read, run_study, write  # noqa: E402
from benches.paper._study import Study  # noqa: E402
from benches.paper._verdict import judge  # noqa: E402

from nightly import nightly  # noqa: E402

STUDIES = {name: load(name) for name in NAMES}
#: Those whose numbers tests below read.
READ = ("selection_optimism", "bias_grid", "inclusion")


def run(folder, *options):
    command = [sys.executable, "-m", "benches.paper", "--quick", "--output", str(folder)]
    return subprocess.run([*command, *options], cwd=ROOT, check=True, capture_output=True)


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module", params=[(*READ, "groups"), *nightly((NAMES,))])
def studies(request):
    return request.param


@pytest.fixture(scope="module")
def quick(studies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    run(folder, "--only", *studies)
    return folder


def names_in(folder):
    return {path.name.removesuffix("_claims.csv") for path in folder.glob("*_claims.csv")}


def test_every_study_writes_numbers_claims_a_picture_and_a_section(studies, quick):
    names = names_in(quick)
    text = (quick / "RESULTS.md").read_text(encoding="utf-8")
    assert names == set(studies)
    for name in names:
        assert rows_of(quick / f"{name}.csv")
        assert (quick / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert f"`{name}.csv`" in text
    assert (quick / "headlines.png").read_bytes().startswith(b"\x89PNG")


def test_committed_results_have_the_columns_of_the_code(quick):
    for name in names_in(PAPER) & names_in(quick):
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


def test_the_page_follows_from_the_committed_tables():
    text = (PAPER / "RESULTS.md").read_text(encoding="utf-8")
    assert page(list(STUDIES.values()), PAPER, quick=False) == text


def test_committed_claims_follow_from_the_committed_tables(tmp_path):
    for name, study in STUDIES.items():
        write(tmp_path / f"{name}.csv", claim_rows(tables_of(study, PAPER)))
        assert rows_of(tmp_path / f"{name}.csv") == rows_of(PAPER / f"{name}_claims.csv"), name


def marks(name, rows):
    return {table.title: judge(table).mark for table in STUDIES[name].tables(rows)}


def shifted(rows, column, by, where):
    """The committed rows, some numbers moved by so many of their standard errors."""
    return [
        {**row, column: row[column] + by * row["standard_error"]} if where(row) else row
        for row in rows
    ]


PLANTED = {
    # Every number too high, none by two standard errors.
    "selection_optimism": (
        lambda rows: [
            {**r, "difference_in_standard_errors": r["difference_in_standard_errors"] + 0.8}
            for r in rows
        ],
        "mean accuracy of the best against the paper's",
    ),
    "inclusion": (
        lambda rows: [
            {**r, "tightness_difference_in_standard_errors": -1.2} if r["method"] == "DL" else r
            for r in rows
        ],
        "DL: tightness",
    ),
    # One of 28 settings is optimistic, by 3.5 standard errors.
    "other_metrics": (
        lambda rows: [{**rows[0], "bias": 3.5 * rows[0]["standard_error"]}, *rows[1:]],
        "corrected performance is not optimistic",
    ),
    "pooling": (
        lambda rows: [{**r, "bias": 3 * r["standard_error"]} for r in rows],
        "mean of the folds' AUC",
    ),
    "groups": (
        lambda rows: [{**r, "p_coverage": 0.001} for r in rows],
        "drawing groups",
    ),
    "bias_grid": (
        lambda rows: shifted(rows, "bias", -4, lambda r: r["protocol"] == "BBC"),
        "bias less that of NCV, distribution of Figure 1",
    ),
    # The paper's own table: BBC covers at every level, and one of eleven is planted.
    "coverage": (
        lambda rows: [{**r, "p_below_level": 0.001} if r["level"] == 0.9 else r for r in rows],
        "BBC x 1, 20 rows: covers at all levels (0.953 at 95 %)",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_disagreement_is_found(name):
    plant, title = PLANTED[name]
    rows = read(PAPER / f"{name}.csv")
    assert marks(name, rows)[title] == "agrees"
    assert marks(name, plant(rows))[title] == "differs"


def test_a_search_that_is_more_optimistic_than_all_fits_fails():
    rows = read(PAPER / "dynamic_search.csv")
    honest = [{**r, "difference": -0.001} if r["estimator"] == "rungs" else r for r in rows]
    name, title = "dynamic_search", "rung by rung is not more optimistic than BBC of all fits"
    assert marks(name, honest)[title] == "agrees"
    planted = [
        {**r, "difference": 5 * r["difference_error"]}
        if (r["estimator"], r["learner"], r["search"]) == ("rungs", "SVC", "ASHA")
        else r
        for r in honest
    ]
    assert marks(name, planted)[title] == "differs"


def test_repetitions_that_the_cells_share_are_not_counted_as_independent():
    tables = STUDIES["spo_ranks"].tables(read(PAPER / "spo_ranks.csv"))
    table = next(table for table in tables if table.title.startswith("Ackley"))
    # Twelve correlations of the same runs: far from twelve observations.
    assert table.correlation.sum() > 3 * len(table.claims)


def test_studies_that_exclude_model_luck_say_so():
    text = (PAPER / "RESULTS.md").read_text(encoding="utf-8")
    for name, study in STUDIES.items():
        section = text.split(f"## {study.source}: {study.title}\n")[1].split("\n## ")[0]
        source = (PAPER / f"{name}.py").read_text(encoding="utf-8")
        calls = ("bbc.simulate.", ".beta(", ".binomial(", "def simulated(")
        simulated = any(call in source for call in calls)
        excluded = simulated and name != "run_time"
        assert ("luck of fitted models is excluded" in section) == excluded, name
    assert "RESULTS.md" in (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")


def refuse_the_second(cell, quick):
    if cell["number"] == 1:
        raise ValueError("no such setting")
    return [{**cell, "value": 10 * cell["number"]}]


FAILING = Study(
    name="fails", source="", title="",
    cells=lambda quick: [{"number": number} for number in range(4)],
    run=refuse_the_second, tables=lambda rows: [], draw=lambda rows, figure: None, scale="",
)  # fmt: skip


def test_a_setting_that_fails_does_not_stop_the_others(tmp_path):
    study = FAILING
    with pytest.raises(RuntimeError, match="fails: 1 settings failed"):
        run_study(study, tmp_path, quick=False, n_jobs=1)
    assert [row["number"] for row in rows_of(tmp_path / "fails.csv")] == ["0", "2", "3"]


def test_settings_that_a_machine_cannot_run_keep_their_rows(tmp_path):
    write(tmp_path / "fails.csv", [{"number": 1, "value": 7}])
    study = replace(FAILING, runs_here=lambda cell: cell["number"] != 1)
    run_study(study, tmp_path, quick=False, n_jobs=1)
    assert [row["value"] for row in read(tmp_path / "fails.csv")] == [0, 7, 20, 30]
