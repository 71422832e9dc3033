"""R and Python show the same digits of a result."""

import math
import random

import numpy as np
import pandas as pd

import bbc
from bbc._digits import decimals, shown
from bbc._sentences import say
from bbc.reporting import _families
from bbc.reporting._words import facts_of

R_NUMBERS = """
library(bbcr)
d <- read.csv("numbers.csv")
for (i in seq_len(nrow(d))) {
  line <- d[i, ]
  interval <- if (!is.na(line$low)) list(low = line$low, high = line$high)
  places <- bbcr:::decimals(c(line$of_estimate, line$of_low, line$of_high), interval)
  cat(if (is.null(places)) "none" else places, bbcr:::to_decimals(line$value, places), "\\n")
}
"""
R_RESULT = """
library(bbcr)
d <- as.matrix(read.csv("data.csv"))
say <- bbcr:::say
e <- bbc_correct(d[, -1], d[, 1], "roc_auc", secondary = c("brier_score", "neg_log_loss"),
                 seed = 1, n_bootstraps = 500)
for (one in bbcr:::every_metric(e)) {
  facts <- bbcr:::facts_of(one)
  cat(say("headline", facts), say("uncorrected", facts), sep = "\\n")
  cat(sub(" [(].*", "", say("stated", facts)), sep = "\\n")
  cat(bbcr:::facts(one)[c("estimate", "interval", "apparent")], sep = "\\n")
}
"""
R_COMPARISON = """
library(bbcr)
d <- as.matrix(read.csv("data.csv"))
families <- list(few = d[, 2:4], many = d[, 5:12], one = d[, 13, drop = FALSE])
folds <- (seq_len(nrow(d)) - 1) %% 5
compared <- function(...) {
  x <- bbc_compare(families, d[, 1], "roc_auc", secondary = "neg_log_loss", folds = folds,
                   n_bootstraps = 500, seed = 1, ...)
  facts <- bbcr:::comparison_facts(x)
  for (one in bbcr:::every_comparison(x)) cat(bbcr:::conclusion_of(one), sep = "\\n")
  for (name in c("comparison_title", "compared_families", "comparison_methods",
                 "comparison_caption")) {
    cat(bbcr:::say(name, facts), sep = "\\n")
  }
  for (table in list(bbcr:::performances_table(x), bbcr:::differences_table(x))) {
    cat(names(table), unlist(t(as.matrix(table))), sep = "\\n")
  }
}
compared()
compared(method = "bbc-two-level", reference = "one", alternative = "greater",
         confidence_level = 0.9)
"""


def steps():
    """Errors and limits of all sizes, round ones too: none, all and some of them known."""
    draw = random.Random(3)
    sizes = [None, 0.0, *(10.0**k for k in range(-9, 4)), 0.0005, 0.004999, 0.005]
    for _ in range(300):
        low = draw.choice([None, draw.uniform(-2, 2), draw.randrange(-100, 100) / 100])
        width = draw.choice([0.0, 0.1, 0.2, draw.uniform(0, 1), math.inf])
        yield {
            "of_estimate": draw.choice(sizes),
            "of_low": draw.choice(sizes),
            "of_high": draw.choice(sizes),
            "low": low,
            "high": None if low is None else low + width,
            "value": draw.choice([draw.uniform(-1, 1), 1234.5678 * draw.random(), -0.0004, 2e15]),
        }


def test_numbers_have_the_same_digits(run_r, tmp_path):
    lines = list(steps())
    pd.DataFrame(lines).to_csv(tmp_path / "numbers.csv", index=False)
    done = run_r("Rscript", R_NUMBERS)
    assert done.returncode == 0, done.stderr
    expected = []
    for line in lines:
        errors = (line["of_estimate"], line["of_low"], line["of_high"])
        interval = None if line["low"] is None else (line["low"], line["high"])
        places = decimals(errors, interval)
        expected.append(f"{'none' if places is None else places} {shown(line['value'], places)}")
    assert [line.strip() for line in done.stdout.splitlines()] == expected


def test_a_result_is_told_in_the_same_numbers(run_r, tmp_path):
    rng = np.random.default_rng(2)
    y = np.arange(90) % 2
    risks = 1 / (1 + np.exp(-(y[:, None] + rng.normal(size=(90, 6)))))
    pd.DataFrame(np.column_stack([y, risks])).to_csv(tmp_path / "data.csv", index=False)
    done = run_r("Rscript", R_RESULT)
    assert done.returncode == 0, done.stderr
    c = bbc.correct(
        y,
        risks,
        metric="roc_auc",
        secondary=["brier_score", "neg_log_loss"],
        random_state=1,
        n_bootstraps=500,
    )
    expected = []
    for one in (c.record, *c.record.secondary.values()):
        facts, labels = facts_of(one), dict(one.facts)
        expected += [say("headline", facts), say("uncorrected", facts)]
        expected.append(say("stated", facts).partition(" (")[0])
        expected += [labels[label] for label in ("estimate", "interval", "apparent")]
    assert done.stdout.splitlines() == expected


def test_a_comparison_is_told_in_the_same_words(run_r, tmp_path):
    rng = np.random.default_rng(4)
    y = np.arange(90) % 2
    noise = rng.normal(size=(90, 12)) * np.repeat([2.0, 0.6, 3.0], [3, 8, 1])
    risks = 1 / (1 + np.exp(-(2 * y[:, None] - 1 + noise)))
    pd.DataFrame(np.column_stack([y, risks])).to_csv(tmp_path / "data.csv", index=False)
    done = run_r("Rscript", R_COMPARISON)
    assert done.returncode == 0, done.stderr
    parts = {"few": risks[:, :3], "many": risks[:, 3:11], "one": risks[:, 11:]}
    folds = np.arange(90) % 5
    families = {name: bbc.Predictions(y, each, folds=folds) for name, each in parts.items()}
    of_both = {"metric": "roc_auc", "secondary": ["neg_log_loss"], "random_state": 1}
    expected = []
    for options in (
        {},
        {
            "method": "bbc-two-level",
            "reference": "one",
            "alternative": "greater",
            "confidence_level": 0.9,
        },
    ):
        c = bbc.compare(families, n_bootstraps=500, **of_both, **options)
        c = _families.as_losses(c)
        facts = _families.facts_of(c)
        expected += _families.conclusions(c)
        for name in (
            *("comparison_title", "compared_families", "comparison_methods"),
            "comparison_caption",
        ):
            expected.append(say(name, facts))
        for table in (_families.performances(c, facts), _families.differences(c, facts)):
            expected += [cell for row in table for cell in row]
    assert "was better than" in expected[0]
    theirs = done.stdout.replace("bbcr", "bbc").replace("Inf]", "inf]").splitlines()
    assert theirs == expected
