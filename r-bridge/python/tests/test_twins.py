"""Functions that R has like Python give the same bits: those that the recorded bits do not hold."""

import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest

import bbc

RNG = np.random.default_rng(4)
N = 120
Y = np.arange(N) % 2
SCORES = RNG.normal(size=(N, 8)) + Y[:, None]
RISKS = 1 / (1 + np.exp(-SCORES))
KIND = np.array(["low", "mid", "high"])[np.arange(N) % 3]
CLASSES = sorted(set(KIND))
SHARES = RNG.random((N, 4, 3)) + 0.6 * (KIND[:, None] == CLASSES)[:, None]
SHARES /= SHARES.sum(axis=2, keepdims=True)
LOG_HAZARD = RNG.normal(size=N)
EVENT, CENSORED = RNG.exponential(np.exp(-LOG_HAZARD)), RNG.exponential(3.0, N)
TIME, STATUS = np.minimum(EVENT, CENSORED), (EVENT <= CENSORED).astype(int)
SURVIVING = np.exp(-np.exp(1.5 * LOG_HAZARD[:, None] + RNG.normal(0, 0.4, (N, 5))))
BY = np.where(np.arange(N) < 50, "a", "b")
FAMILIES = {"three": slice(0, 3), "five": slice(3, 8)}
OPTIONS = {"n_bootstraps": 60, "confidence_level": 0.8, "random_state": 1}

CODE = """
library(bbcr)
d <- read.csv("data.csv", check.names = FALSE)
own <- function(start) unname(as.matrix(d[startsWith(names(d), start)]))
risks <- own("risk_")
families <- list(three = risks[, 1:3], five = risks[, 4:8])
shares <- array(own("share_"), c(nrow(d), 4, 3))
kind <- factor(d$kind, c("high", "low", "mid"))
tell <- function(name, ...) {
  numbers <- sprintf("%.17g", replace(c(...), is.na(c(...)), -9))
  cat(name, "\\t", paste(numbers, collapse = " "), "\\n", sep = "")
}
run <- function(f, ..., n_bootstraps = 60) {
  arguments <- list(..., n_bootstraps = n_bootstraps, confidence_level = 0.8, seed = 1)
  suppressWarnings(do.call(f, arguments[lengths(arguments) > 0]))
}
ends <- function(e) c(e$estimate, unlist(e$confidence_interval[c("low", "high")]), e$apparent)
compared <- function(name, comparison) {
  for (family in names(families)) tell(name, ends(comparison$estimates[[family]]))
  columns <- c("estimate", "low", "high", "standard_error", "p_value")
  tell(name, unlist(comparison$differences[columns]))
}
described <- function(name, x) {
  numbers <- x$quantities
  for (i in seq_len(NROW(numbers))) {
    tell(name, unlist(numbers[i, c("estimate", "low", "high", "apparent")]))
  }
  points <- if (is.null(x$curve$curve)) x$curve else x$curve[x$curve$curve == "net_benefit", ]
  for (column in c("estimate", "low", "high", "apparent")) tell(name, points[[column]])
}

counted <- function(name, fit, ...) {
  found <- quietly(bbc_per_1000(fit, ...))$quantities
  for (i in 1:4) tell(name, unlist(found[i, c("estimate", "low", "high", "apparent")]))
}
quietly <- suppressWarnings

both <- run(bbc_compare, families, d$y, "roc_auc", secondary = "brier_score")
compared("compare roc_auc", both)
compared("compare brier_score", both$secondary$brier_score)
compared("blocks of compare", run(bbc_compare, families, d$y, "log_loss", block_length = "auto"))
split <- run(bbc_compare, risks, d$y, "log_loss", by = rep(c("three", "five"), c(3, 5)),
             block_length = "auto")
compared("blocks of families", split)
fit <- run(bbc_correct, risks, d$y, "log_loss", block_length = "auto")
path <- quietly(bbc_tuning_path(fit))$path
tell("blocks of path", path$estimate, path$low)
path <- quietly(bbc_tuning_path(fit, "roc_auc"))$path
tell("path by another metric", path$estimate, path$low, path$apparent)
groups <- quietly(bbc_subgroups(fit, d$by))
for (name in c("a", "b")) tell("blocks of subgroups", ends(groups$estimates[[name]]))
groups <- quietly(bbc_subgroups(fit, d$by, metric = "roc_auc"))
for (name in c("a", "b")) tell("subgroups by another metric", ends(groups$estimates[[name]]))
tell("blocks of interval", ends(quietly(bbc_winner_interval(fit))))
tell("another score", ends(quietly(bbc_score(fit, "average_precision"))))
fit <- run(bbc_correct, risks, d$y, "log_loss", block_length = 6)
tell("blocks of winners", quietly(bbc_possible_winners(fit))$p_values)
described("blocks of calibration", quietly(bbc_calibration(fit)))
one <- function(name, f, metric = "log_loss", ...) {
  described(name, quietly(f(run(bbc_correct, shares, kind, metric), of_class = "mid", ...)))
}
one("calibration of mid", bbc_calibration)
one("net benefit of mid", bbc_decision_curve, thresholds = c(0.1, 0.4))
one("ROC of mid", bbc_roc_curve, "roc_auc_ovr")
one("precision of mid", bbc_precision_recall_curve, "roc_auc_ovr")
at_cut_offs <- c(lapply(c("sensitivity", "ppv", "roc_auc"), bbc_metric),
                 list(bbc_metric("net_benefit", threshold = 0.2)))
for (folds in list(NULL, (seq_len(nrow(d)) - 1) %% 5)) {
  fit <- run(bbc_correct, risks, d$y, "youden_index", selection = bbc_best_threshold(),
             secondary = at_cut_offs, folds = folds,
             pooling = if (is.null(folds)) "pooled" else "fold")
  for (e in c(list(fit), fit$secondary)) {
    chosen <- if (is.null(e$threshold)) e$replicate_winners - 1
              else c(e$threshold, e$replicate_thresholds)
    tell(paste("cut-off", length(folds)), ends(e), e$replicates, chosen)
  }
  counted(paste("per 1000 at the cut-off", length(folds)), fit)
  counted(paste("per 1000 at 0.4", length(folds)), fit, threshold = 0.4)
}
cut_offs <- run(bbc_compare, families, d$y, "youden_index", secondary = at_cut_offs,
                selection = bbc_best_threshold())
compared("compare cut-offs", cut_offs$secondary$sensitivity)
calls <- run(bbc_correct, 1L * (risks > 0.6), d$y, at_cut_offs[[4]])
tell("net benefit of labels", ends(calls), calls$replicates)
counted("per 1000 of labels", calls)
fit <- run(bbc_correct, shares, kind, "log_loss")
counted("per 1000 of mid", fit, threshold = 0.4, of_class = "mid")
censored <- survival::Surv(d$time, d$status)
for (weights in list(NULL, d$weight)) {
  fit <- run(bbc_correct, own("surviving_"), censored, bbc_metric("survival_brier_score", time = 1),
             sample_weight = weights)
  x <- quietly(bbc_survival_calibration(fit, 1))
  name <- paste("survival", length(weights))
  described(name, x)
  tell(name, x$groups$n_rows, x$groups$observed)
}
"""


def ends(e):
    interval = e.confidence_interval
    return [e.estimate, interval.low, interval.high, e.apparent]


def compared(comparison):
    (d,) = comparison.differences
    limits = d.confidence_interval
    own = [d.estimate, limits.low, limits.high, d.standard_error, d.p_value]
    return [*(ends(each) for each in comparison.estimates.values()), own]


def described(quantities, curve):
    rows = [ends(each) for each in quantities]
    return rows + [getattr(curve, name) for name in ("estimates", "lows", "highs", "apparent")]


def counted(c, **asked):
    return [ends(each) for each in c.per_1000(**asked).quantities]


def of_blocks(blocks):
    """What a correction that draws blocks is asked."""
    found = {}
    c = bbc.correct(Y, RISKS, **blocks)
    path = c.tuning_path()
    found["blocks of path"] = [[*path.estimates, *path.lows]]
    path = c.tuning_path(metric="roc_auc")
    found["path by another metric"] = [[*path.estimates, *path.lows, *path.apparent]]
    divided = c.subgroups(BY, metric="roc_auc").estimates
    found["subgroups by another metric"] = [ends(each) for each in divided.values()]
    found["another score"] = [ends(c.score("average_precision"))]
    found["blocks of subgroups"] = [ends(each) for each in c.subgroups(BY).estimates.values()]
    found["blocks of interval"] = [ends(c.winner_interval())]
    c = bbc.correct(Y, RISKS, **blocks | {"block_length": 6})
    found["blocks of winners"] = [c.possible_winners().p_values]
    calibration = c.calibration()
    found["blocks of calibration"] = described(calibration.quantities, calibration.curve)
    return found


def in_python():
    found = {}
    parts = {name: RISKS[:, part] for name, part in FAMILIES.items()}
    families = {name: bbc.Predictions(Y, part) for name, part in parts.items()}
    both = bbc.compare(families, metric="roc_auc", secondary=["brier_score"], **OPTIONS)
    found["compare roc_auc"] = compared(both)
    found["compare brier_score"] = compared(both.secondary["brier_score"])
    blocks = OPTIONS | {"metric": "log_loss", "block_length": "auto"}
    found["blocks of compare"] = compared(bbc.compare(families, **blocks))
    by = ["three"] * 3 + ["five"] * 5
    found["blocks of families"] = compared(bbc.compare(bbc.Predictions(Y, RISKS), by=by, **blocks))
    found |= of_blocks(blocks)
    c = bbc.correct(KIND, SHARES, metric="log_loss", **OPTIONS)
    calibration = c.calibration(of_class="mid")
    found["calibration of mid"] = described(calibration.quantities, calibration.curve)
    decision = c.decision_curve(thresholds=[0.1, 0.4], of_class="mid")
    found["net benefit of mid"] = described((), decision.net_benefit)
    c = bbc.correct(KIND, SHARES, metric="roc_auc_ovr", **OPTIONS)
    found["ROC of mid"] = described((), c.roc_curve(of_class="mid").curve)
    precision = c.precision_recall_curve(of_class="mid")
    found["precision of mid"] = described((), precision.curve)
    benefit = bbc.metrics.net_benefit(0.2)
    cut = OPTIONS | {"metric": "youden_index", "selection": bbc.best_threshold()}
    cut |= {"secondary": ["sensitivity", "precision", "roc_auc", benefit]}
    for folds in (None, np.arange(N) % 5):
        pooling = "pooled" if folds is None else "fold"
        c = bbc.correct(Y, RISKS, folds=folds, pooling=pooling, **cut)
        found[f"cut-off {0 if folds is None else N}"] = [
            [*ends(e), *e.replicates]
            + (
                [*e.replicate_winners]
                if e.threshold is None
                else [e.threshold, *e.replicate_thresholds]
            )
            for e in (c, *c.secondary.values())
        ]
        found[f"per 1000 at the cut-off {0 if folds is None else N}"] = counted(c)
        found[f"per 1000 at 0.4 {0 if folds is None else N}"] = counted(c, threshold=0.4)
    cut_offs = bbc.compare(families, **cut)
    found["compare cut-offs"] = compared(cut_offs.secondary["sensitivity"])
    calls = bbc.correct(Y, (RISKS > 0.6).astype(int), metric=benefit, **OPTIONS)
    found["net benefit of labels"] = [[*ends(calls), *calls.replicates]]
    found["per 1000 of labels"] = counted(calls)
    c = bbc.correct(KIND, SHARES, metric="log_loss", **OPTIONS)
    found["per 1000 of mid"] = counted(c, threshold=0.4, of_class="mid")
    metric = bbc.metrics.survival_brier_score(1.0)
    truth = np.column_stack([STATUS, TIME])
    for weights in (None, np.arange(N) % 3 + 1.0):
        c = bbc.correct(truth, SURVIVING, metric=metric, sample_weight=weights, **OPTIONS)
        at_one = c.survival_calibration(1.0)
        rows = described(at_one.quantities, at_one.curve)
        rows.append([*at_one.group_counts, *at_one.group_observed])
        found[f"survival {0 if weights is None else N}"] = rows
    return {
        name: [[float(value) for value in np.nan_to_num(row, nan=-9)] for row in rows]
        for name, rows in found.items()
    }


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """What Python and R find, by the name of the case."""
    folder = tmp_path_factory.mktemp("twins")
    columns = {"y": Y, "kind": KIND, "time": TIME, "status": STATUS, "by": BY}
    columns |= {"weight": np.arange(N) % 3 + 1.0}
    columns |= {f"risk_{j}": column for j, column in enumerate(RISKS.T)}
    columns |= {f"surviving_{j}": column for j, column in enumerate(SURVIVING.T)}
    for k in range(3):
        columns |= {f"share_{j}_{k}": SHARES[:, j, k] for j in range(4)}
    frame = pd.DataFrame(columns)
    frame.to_csv(folder / "data.csv", index=False, float_format="%.17g")
    (folder / "twins.R").write_text(CODE)
    command = ["Rscript", "twins.R"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    in_r = {}
    for line in done.stdout.splitlines():
        name, numbers = line.split("\t")
        in_r.setdefault(name, []).append([float(word) for word in numbers.split()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return in_python(), in_r


def test_r_gives_the_bits_of_python(twins):
    ours, theirs = twins
    assert ours.keys() == theirs.keys()
    for name, rows in ours.items():
        assert theirs[name] == rows, name
