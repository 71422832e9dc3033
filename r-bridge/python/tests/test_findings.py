"""Findings of R are those of Python: the same codes and details on the same data."""

import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest

import bbc

RNG = np.random.default_rng(0)
N = 120
Y = np.arange(N) % 2
FOLDS = np.arange(N) // 2 % 5
SCORES = RNG.normal(size=(N, 8)) + Y[:, None]
LABELS = (SCORES > 0.5).astype(int)
REAL = RNG.normal(size=N)
VALUES = REAL[:, None] + RNG.normal(size=(N, 8))
RARE = (np.arange(N) % 20 == 3).astype(int)
FEW = (np.arange(N) % 60 == 3).astype(int)
LUCKY = Y[:, None] != (RNG.random((N, 40)) > RNG.normal(0.75, 0.12, size=(5, 40))[FOLDS])
OUTLIER = VALUES + 40 * (np.arange(N) == 7)[:, None]
GROUPS = np.arange(N) // 6
HARD = np.column_stack([Y, LABELS])

# Truth, predictions, metric, further arguments, and the code that they are here for.
CASES = {
    "few rows": (Y[:16], SCORES[:16], "roc_auc", {}, "BBC002"),
    "few groups": (Y, LABELS, "accuracy", {"groups": np.arange(N) // 10}, "BBC002"),
    "few of a class": (RARE, SCORES, "roc_auc", {}, "BBC002"),
    "unstable": (Y, RNG.integers(0, 2, (N, 50)), "accuracy", {}, "BBC003"),
    "redraws": (FEW, SCORES + 4 * FEW[:, None], "roc_auc", {}, "BBC006"),
    "wide": (Y[:20], LABELS[:20], "accuracy", {}, "BBC008"),
    "perfect": (Y, SCORES + 9 * Y[:, None], "roc_auc", {}, "BBC008"),
    "torn groups": (Y, SCORES, "roc_auc", {"groups": GROUPS, "folds": FOLDS}, "BBC010"),
    "luck": (Y, LUCKY.astype(int), "accuracy", {"folds": FOLDS}, "BBC011"),
    "outlier": (REAL, OUTLIER, "mean_squared_error", {}, "BBC013"),
    "weighted": (REAL, OUTLIER, "r2", {"sample_weight": np.arange(N) % 3 + 0.5}, "BBC013"),
    "skewed": (RARE, SCORES, "average_precision", {}, "BBC014"),
    "few folds": (Y, LABELS, "accuracy", {"folds": FOLDS % 4, "method": "bbc-f"}, "BBC015"),
    "labels": (Y, LABELS, "roc_auc", {}, "BBC016"),
    "truth": (Y, HARD, "accuracy", {}, "BBC017"),
    "truth of numbers": (REAL, np.column_stack([REAL, VALUES]), "r2", {}, "BBC017"),
    "nothing": (Y, SCORES[:, [0]] - np.arange(2) * Y[:, None], "roc_auc", {"folds": FOLDS}, ""),
}

CODE = """
library(bbcr)
for (name in {names}) {{
  data <- read.csv(paste0(name, ".csv"), check.names = FALSE)
  given <- as.list(read.csv(paste0(name, ".options.csv")))
  predictions <- unname(as.matrix(data[grep("^p[0-9]", names(data))]))
  rows <- as.list(data[intersect(names(data), c("folds", "groups", "sample_weight"))])
  e <- suppressWarnings(do.call(
    bbc_correct, c(list(predictions, data$truth, seed = 1), given, rows)
  ))
  cat(name, "\\n", sprintf("%s %s\\n", e$findings$code, e$findings$detail), sep = "")
}}
"""


def in_python(name):
    y, predictions, metric, options, _ = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        e = bbc.correct(y, predictions, metric=metric, random_state=1, **options)
    # R quotes names as Python does not.
    return [f"{one.code} {one.detail}".replace(repr(metric), f'"{metric}"') for one in e.findings]


@pytest.fixture(scope="module")
def in_r(tmp_path_factory):
    """What R finds, by the name of the case."""
    folder = tmp_path_factory.mktemp("findings")
    for name, (y, predictions, metric, options, _) in CASES.items():
        rows = {key: value for key, value in options.items() if key != "method"}
        columns = {f"p{j}": column for j, column in enumerate(np.asarray(predictions).T)}
        pd.DataFrame({"truth": y} | rows | columns).to_csv(
            folder / f"{name}.csv", index=False, float_format="%.17g"
        )
        given = {"metric": metric} | {key: options[key] for key in options if key not in rows}
        pd.DataFrame({key: [value] for key, value in given.items()}).to_csv(
            folder / f"{name}.options.csv", index=False
        )
    names = ", ".join(f'"{name}"' for name in CASES)
    script = folder / "findings.R"
    script.write_text(CODE.format(names=f"c({names})"))
    done = subprocess.run(
        ["Rscript", script.name], cwd=folder, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        if line in CASES:
            own = found[line] = []
        else:
            own.append(line)
    return found


@pytest.mark.parametrize("name", CASES)
def test_r_finds_what_python_finds(name, in_r):
    expected = in_python(name)
    assert in_r[name] == expected
    code = CASES[name][-1]
    assert any(line.startswith(code) for line in expected) if code else expected == []
