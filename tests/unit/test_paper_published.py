"""The selection and the split of paper 002's program, and the page's tables on model luck."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benches.model_luck import _page, learners  # noqa: E402
from benches.paper._published import directed_auc, learn_rows, select  # noqa: E402
from benches.paper.inclusion_variants import compared  # noqa: E402


def rare_class():
    y = (np.arange(500) >= 50).astype(np.int64)
    return y, np.arange(500) % 10


@pytest.mark.parametrize("every_fold", [True, False])
def test_the_split_has_both_classes_from_every_fold_only_if_asked(every_fold):
    y, folds = rare_class()
    rng = np.random.default_rng(0)
    complete, n_rare = [], []
    for _ in range(300):
        learn = learn_rows(y, folds, rng, every_fold=every_fold)
        assert learn.sum() == 375
        assert {(f, c) for f in range(10) for c in (0, 1)} == set(
            zip(folds[learn], y[learn], strict=True)
        )
        evaluated = set(zip(folds[~learn], y[~learn], strict=True))
        complete.append(len(evaluated) == 20)
        n_rare.append(50 - y[learn].size + y[learn].sum())
    # A quarter of 50 rare rows is 12.5; ten folds that all need one have more.
    if every_fold:
        assert all(complete)
        assert np.mean(n_rare) > 14.5
    else:
        assert np.mean(complete) < 0.1
        assert abs(np.mean(n_rare) - 12.5) < 1


def test_an_automatic_direction_makes_a_bad_configuration_look_good():
    y = np.repeat([0, 1], 50)
    bad = np.random.default_rng(1).normal(size=100) - 2 * y
    scores = np.column_stack([bad, -bad])
    automatic, directions = directed_auc(y, scores)
    plain, ones = directed_auc(y, scores, automatic=False)
    assert automatic[0] == automatic[1] > 0.8
    assert directions.tolist() == [-1, 1]
    assert plain[0] == pytest.approx(1 - plain[1])
    assert ones.tolist() == [1, 1]
    learn = np.arange(100) % 4 > 0
    folds = np.arange(100) % 5
    assert select(y, scores, folds, learn, "best", automatic=False).configuration == 1
    turned = np.column_stack([bad, -bad - y])
    assert select(y, turned, folds, learn, "best").configuration == 0
    assert select(y, turned, folds, learn, "best", automatic=False).configuration == 1


def test_z_of_a_variant_is_standard_normal_if_only_the_split_differs():
    setting, n_data_sets = (9, 6, 500, 100, 0.1), 200
    theirs = compared(setting, "DL", np.zeros((2, 2)), np.zeros((2, 2)))["paper_tightness"]
    rng = np.random.default_rng(2)
    z = []
    for _ in range(400):
        of_data = rng.normal(size=(n_data_sets, 1))
        # The paper's mean over the same data sets is `theirs`, with a split of its own.
        gap = of_data + rng.normal(size=(n_data_sets, 3))
        gap += theirs - gap[:, 2].mean()
        z.append(compared(setting, "DL", gap[:, :2], np.zeros((n_data_sets, 2)))["tightness_z"])
    # The variance of 400 values has a standard error of .07.
    assert 0.7 < np.var(z) < 1.3
    assert abs(np.mean(z)) < 0.2


FORM = {"n_folds": 5, "n_repeats": 1, "runs": 10, "bias_se": 0.003, "rmse": 0, "cpu": ""}


def form(name, n_rows, luck, bias, expectation, refit, width):
    return {
        "n_rows": n_rows, "luck": luck, **FORM, "form": name, "interval": "order statistics",
        "bias": bias, "covers_expectation": expectation, "covers_refit": refit, "width": width,
    }  # fmt: skip


def test_the_page_summarises_settings_without_hiding_the_worst(tmp_path):
    rows = [
        form("bbc", 200, 0, -0.01, 0.95, 0.96, 0.1),
        form("bbc", 200, 0.05, 0.04, 0.70, 0.50, 0.1),
        form("bbc", 500, 0.05, 0.02, 0.80, 0.60, 0.2),
        form("two-level", 200, 0, -0.01, 0.98, 0.97, 0.2),
        form("two-level", 200, 0.05, -0.01, 0.97, 0.93, 0.3),
        form("two-level", 500, 0.05, 0.0, 0.96, 0.94, 0.2),
    ]
    with (tmp_path / "forms.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    lines = _page._forms(tmp_path).splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[-2:]]
    assert cells[0][2:] == [
        "", "-0.010 ± 0.003", "", "+0.030 ± 0.002", "0.95", "0.70", "0.96", "0.50", "1.00",
    ]  # fmt: skip
    assert cells[1][-1] == "2.00"
    assert "3 simulated settings" in _page._forms(tmp_path)


def test_the_page_has_every_method_of_every_learner():
    with (_page.HERE / "learners.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    text = _page._learners(_page.HERE)
    assert text.count("±") == len(rows)
    assert {row["method"] for row in rows} == {"apparent", "bbc", "bbc-two-level", "bbc-f"}


def test_settings_of_learners_that_the_table_has_are_not_run_again(tmp_path, monkeypatch):
    worlds = [learners.World("k nearest", "none", n_rows=n) for n in (40, 50)]
    monkeypatch.setattr(learners, "worlds", lambda: worlds)
    monkeypatch.setattr(
        sys, "argv", ["learners", "--runs", "2", "--output", str(tmp_path), "--first-seed", "5"]
    )
    seeds = []
    one_run = learners.one_run
    monkeypatch.setattr(
        learners, "one_run", lambda world, seed: seeds.append(seed) or one_run(world, seed)
    )
    learners.main()
    path = tmp_path / "learners.csv"
    whole = path.read_text(encoding="utf-8")
    assert seeds == [5, 6, 1005, 1006]
    path.write_text("".join(whole.splitlines(keepends=True)[:5]), encoding="utf-8")
    learners.main()
    assert seeds[4:] == [1005, 1006]
    assert path.read_text(encoding="utf-8") == whole
