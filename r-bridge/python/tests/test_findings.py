"""Findings, warnings and model luck of R are those of Python: same codes, details and bits."""

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
OUTLIER = VALUES + 40 * (np.arange(N) == 7)[:, None]
GROUPS = np.arange(N) // 6
HARD = np.column_stack([Y, LABELS])
WEIGHTS = np.arange(N) % 3 + 0.5


def lucky(folds):
    """Labels of 40 configurations whose fitted models differ."""
    skill = RNG.normal(0.75, 0.12, size=(5, 40))[folds]
    return (Y[:, None] != (RNG.random((N, 40)) > skill)).astype(int)


LUCKY = lucky(FOLDS)
OTHER_FOLDS = (np.arange(N) // 2 + np.arange(N) // 10) % 5
HELD_OUT = np.where((np.arange(N) < 50)[:, None], SCORES, np.nan)
DRIFT = RNG.normal(0, 2, size=(5, 30))[FOLDS] + REAL[:, None]
DOUBTFUL = 0.2 + 0.6 * LABELS
DOUBTFUL[7] = np.where(Y[7] == 1, 1e-200, 1 - 1e-16)
SIZES = np.where(np.arange(N) % 12 == 5, 3.2, 0.7)[:, None] * RNG.uniform(0.85, 1, (N, 8))
TAILS = REAL[:, None] + SIZES * RNG.choice((-1, 1), (N, 8))
TWO_SIZES = np.arange(N)[:, None] + np.where(np.arange(N) % 30 == 5, 3, 1)[:, None] * [1.0, -1.0]
HUGE = REAL[:, None] * [0.8e200, 0.9e200]

# Truth, predictions (a list: repeats), metric, further arguments, and the code they are here for.
CASES = {
    "few rows": (Y[:16], SCORES[:16], "roc_auc", {}, "BBC002"),
    "few groups": (Y, LABELS, "accuracy", {"groups": np.arange(N) // 10}, "BBC002"),
    "few blocks": (Y, LABELS, "accuracy", {"block_length": 10, "folds": FOLDS}, "BBC002"),
    "few of a class": (RARE, SCORES, "roc_auc", {}, "BBC002"),
    "unstable": (Y, RNG.integers(0, 2, (N, 50)), "accuracy", {}, "BBC003"),
    "redraws": (FEW, SCORES + 4 * FEW[:, None], "roc_auc", {}, "BBC006"),
    "wide": (Y[:20], LABELS[:20], "accuracy", {}, "BBC008"),
    "perfect": (Y, SCORES + 9 * Y[:, None], "roc_auc", {}, "BBC021"),
    "perfect, without rates": (Y, SCORES + 9 * Y[:, None], "average_precision", {}, "BBC008"),
    "torn groups": (Y, SCORES, "roc_auc", {"groups": GROUPS, "folds": FOLDS}, "BBC010"),
    "luck": (Y, LUCKY, "accuracy", {"folds": FOLDS}, "BBC011"),
    "luck of losses": (REAL, DRIFT, "mean_absolute_error", {"folds": FOLDS}, "BBC011"),
    "luck, a lower bound": (Y, LUCKY, "f1", {"folds": FOLDS, "alternative": "greater"}, "BBC011"),
    "luck, an upper bound": (Y, LUCKY, "mcc", {"folds": FOLDS, "alternative": "less"}, "BBC011"),
    "luck, groups": (
        Y,
        LUCKY + 0.1 * RNG.normal(size=LUCKY.shape),
        "roc_auc",
        {"folds": np.arange(N) // 6 % 5, "groups": GROUPS},
        "BBC003",
    ),
    "luck, weights": (Y, LUCKY, "accuracy", {"folds": FOLDS, "sample_weight": WEIGHTS}, "BBC011"),
    "luck in repeats": (
        Y,
        [LUCKY, lucky(OTHER_FOLDS)],
        "accuracy",
        {"folds": np.array([FOLDS, OTHER_FOLDS])},
        "BBC011",
    ),
    "luck by fold": (Y, LUCKY, "accuracy", {"folds": FOLDS, "pooling": "fold"}, "BBC011"),
    "luck, two-level": (Y, LUCKY, "accuracy", {"folds": FOLDS, "method": "bbc-two-level"}, ""),
    "no luck": (Y, SCORES, "roc_auc", {"folds": FOLDS}, ""),
    "hold-out": (Y, HELD_OUT, "roc_auc", {"folds": np.zeros(N, int)}, "BBC011"),
    "outlier": (REAL, OUTLIER, "mean_squared_error", {}, "BBC013"),
    "one doubtful": (Y, DOUBTFUL, "log_loss", {}, "BBC013"),
    "bounded": (Y, DOUBTFUL, "brier_score", {}, ""),
    "weighted": (REAL, OUTLIER, "r2", {"sample_weight": WEIGHTS}, "BBC013"),
    "long tails": (REAL, TAILS, "root_mean_squared_error", {}, "BBC013"),
    "long tails, weights and groups": (
        REAL,
        TAILS,
        "r2",
        {"sample_weight": WEIGHTS, "groups": np.arange(N) // 3},
        "",
    ),
    "long tails, an upper bound": (
        REAL,
        [TAILS, TAILS[:, ::-1]],
        "mean_squared_error",
        {"alternative": "less"},
        "BBC013",
    ),
    "errors of two sizes": (np.arange(N), TWO_SIZES, "mean_squared_error", {}, "BBC034"),
    "squares overflow": (REAL * 1e200, HUGE, "r2", {}, ""),
    "skewed": (RARE, SCORES, "average_precision", {}, "BBC014"),
    "few folds": (Y, LABELS, "accuracy", {"folds": FOLDS % 4, "method": "bbc-f"}, "BBC015"),
    "labels": (Y, LABELS, "roc_auc", {}, "BBC016"),
    "truth": (Y, HARD, "accuracy", {}, "BBC017"),
    "truth of numbers": (REAL, np.column_stack([REAL, VALUES]), "r2", {}, "BBC017"),
    "slices": (REAL, VALUES, "r2", {"folds": np.arange(N) // 24, "way": "slices"}, "BBC018"),
    "dynamic": (Y, SCORES, "roc_auc", {"dynamic_search": True}, "BBC007"),
    "iterations": (REAL, VALUES, "r2", {"folds": FOLDS, "way": "iterations"}, "BBC007"),
    "nothing": (Y, SCORES[:, [0]] - np.arange(2) * Y[:, None], "roc_auc", {"folds": FOLDS}, ""),
}

CODE = """
library(bbcr)

# A table as tidymodels collects them.
collected <- function(predictions, folds, truth, id) data.frame(
  .row = rep(seq_along(truth), ncol(predictions)), .pred = c(predictions), .truth = truth,
  .config = rep(seq_len(ncol(predictions)), each = length(truth)), id = paste0(id, folds)
)
ways <- list(
  whole = function(predictions, truth, ...) bbc_correct(predictions, truth, ...),
  slices = function(predictions, truth, folds, ...) {
    bbc_correct(collected(predictions, folds, truth, "Slice"), ".truth", ...)
  },
  iterations = function(predictions, truth, folds, ...) {
    table <- collected(predictions, folds, truth, "Fold")
    bbc_correct(cbind(table, .iter = as.numeric(table$.config > 4)), ".truth", ...)
  }
)

for (name in NAMES) {
  data <- read.csv(paste0(name, ".csv"), check.names = FALSE)
  given <- as.list(read.csv(paste0(name, ".options.csv")))
  way <- ways[[given$way]]
  own <- function(start) unname(as.matrix(data[startsWith(names(data), start)]))
  predictions <- Filter(ncol, list(own("p0_"), own("p1_")))
  if (length(predictions) == 1) predictions <- predictions[[1]]
  rows <- list(folds = own("folds"), groups = data$groups, sample_weight = data$sample_weight)
  warned <- character()
  e <- withCallingHandlers(
    do.call(way, c(list(predictions, data$truth, seed = 1), given[names(given) != "way"],
                   rows[lengths(rows) > 0])),
    warning = function(w) {
      warned <<- c(warned, substr(conditionMessage(w), 1, 6))
      invokeRestart("muffleWarning")
    }
  )
  luck <- e$model_luck
  cat(name, "\\n", sprintf("%s %s\\n", e$findings$code, e$findings$detail),
      "warned: ", toString(sort(warned)), "\\nestimate: ", sprintf("%.17g", e$estimate),
      "\\nlimits: ", sprintf("%.17g ", unlist(e$confidence_interval[c("low", "high")])),
      "\\nluck: ", sprintf("%.17g ", unlist(luck[setdiff(names(luck), "untestable")])),
      luck$untestable, "\\n", sep = "")
}
"""


def python_result(name):
    """The result, as the way of the case gives it, and the codes of its warnings."""
    y, predictions, metric, options, _ = CASES[name]
    way = options.get("way", "whole")
    options = {key: value for key, value in options.items() if key != "way"}
    if way in ("slices", "iterations"):
        predictions = bbc.results.OutOfSamplePredictions(
            y=y,
            scores=np.asarray(predictions)[None],
            folds=options.pop("folds")[None],
            time_ordered=way == "slices",
            dynamic_search=way == "iterations",
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        e = bbc.correct(y, predictions, metric=metric, random_state=1, **options)
    return e, sorted(str(one.message)[:6] for one in caught)


def in_python(name):
    e, warned = python_result(name)
    interval = e.confidence_interval
    limits = () if interval is None else (interval.low, interval.high)
    luck = e.model_luck
    numbers = (
        []
        if luck is None
        else [
            value
            for value in (
                luck.p_value,
                luck.predicted_bias,
                luck.luck_variance,
                luck.row_variance,
                luck.n_permutations,
            )
            if value is not None
        ]
    )
    return [
        *(f"{one.code} {one.detail}" for one in e.findings),
        f"warned: {', '.join(warned)}",
        f"estimate: {e.estimate:.17g}",
        "limits: " + "".join(f"{limit:.17g} " for limit in limits),
        "luck: "
        + "".join(f"{value:.17g} " for value in numbers)
        + ("" if luck is None else luck.untestable),
    ]


def write_case(folder, name):
    """The columns of a case and its options as tables."""
    y, predictions, metric, options, _ = CASES[name]
    repeats = predictions if isinstance(predictions, list) else [predictions]
    columns = {"truth": y}
    for repeat, one in enumerate(repeats):
        columns |= {f"p{repeat}_{j}": column for j, column in enumerate(np.asarray(one).T)}
    for key in ("groups", "sample_weight"):
        columns |= {key: options[key]} if key in options else {}
    for repeat, own in enumerate(np.atleast_2d(options.get("folds", np.empty((0, len(y)))))):
        columns[f"folds{repeat}"] = own
    pd.DataFrame(columns).to_csv(folder / f"{name}.csv", index=False, float_format="%.17g")
    given = {"metric": metric, "way": "whole"} | {
        key: "TRUE" if value is True else value
        for key, value in options.items()
        if not isinstance(value, np.ndarray)
    }
    pd.DataFrame([given]).to_csv(folder / f"{name}.options.csv", index=False)


@pytest.fixture(scope="module")
def in_r(tmp_path_factory):
    """What R finds, by the name of the case."""
    folder = tmp_path_factory.mktemp("findings")
    for name in CASES:
        write_case(folder, name)
    names = ", ".join(f'"{name}"' for name in CASES)
    script = folder / "findings.R"
    script.write_text(CODE.replace("NAMES", f"c({names})"))
    done = subprocess.run(
        ["Rscript", script.name], cwd=folder, capture_output=True, encoding="utf-8"
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
    codes = [line[:6] for line in expected if line.startswith("BBC")]
    assert CASES[name][-1] in codes or (not CASES[name][-1] and set(codes) <= {"BBC003"})
