"""The page that says which source answers which question is true, and names all of both."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc
from bbc.correction import _QUESTIONS
from bbc.errors import InvalidValueError, NotKeptError

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "questions.md").read_text(encoding="utf-8")
N_ROWS = 60
RNG = np.random.default_rng(0)
Y = np.arange(N_ROWS) % 2
X = Y[:, None] + RNG.normal(size=(N_ROWS, 2))
RISKS = 1 / (1 + np.exp(-RNG.normal(Y[:, None] - 0.5, 1, (N_ROWS, 10))))
TIMES = np.column_stack([Y, 0.5 + RNG.random(N_ROWS)])
BRIER = bbc.metrics.survival_brier_score(1.0)
FOLDS = np.arange(N_ROWS) // 2 % 10
DRAWS = {"n_bootstraps": 40, "random_state": 1}
LEARNER, GRID = LogisticRegression(), {"C": np.logspace(-2, 1, 10).tolist()}
ARGUMENTS = {
    "score": ("roc_auc",),
    "survival_calibration": (1.0,),
    "subgroups": (np.arange(N_ROWS) // 30,),
    "compare": (["a"] * 5 + ["b"] * 5,),
}


def rows(text):
    """The cells of each line of a table that begins with this head."""
    table = PAGE[PAGE.index(text) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in table]


ANSWERS = {
    re.search(r"`(\w+)\(", question).group(1): dict(
        zip(("rows", "scores by fold", "neither"), answers, strict=True)
    )
    for question, *answers in rows("| question | from rows")
}
REASONS = {source: (kept, reason) for source, kept, reason in rows("| source | kept")}


def of_rows(**options):
    return bbc.correct(Y, RISKS, **{"metric": "log_loss", "folds": FOLDS, **DRAWS} | options)


def search():
    return GridSearchCV(LEARNER, GRID, cv=10).fit(X, Y)


def protocol(name, **options):
    kind = getattr(bbc, name, None) or getattr(bbc.baselines, name)
    made = kind(LEARNER, GRID, cv=10, scoring="neg_log_loss", random_state=1)
    return made.set_params(**options).fit(X, Y).performance_


def stored():
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.bbc"
        protocol("BBC", n_bootstraps=40, store=path)
        return bbc.correct(bbc.StoredRun(path), **DRAWS)


def of_scores():
    return bbc.correct(bbc.FoldScores(RNG.random((10, 10)), metric="accuracy"), **DRAWS)


#: Corrections of each source, by the line of the page that is about it.
SOURCES = {
    "the truth and predictions, or `bbc.Predictions`": [
        of_rows,
        lambda: bbc.correct(bbc.Predictions(Y, RISKS, folds=FOLDS), metric="log_loss", **DRAWS),
    ],
    "a fitted search of `bbc.keep_predictions`": [
        lambda: bbc.correct(bbc.keep_predictions(search()).fit(X, Y), pooling="pooled", **DRAWS),
    ],
    "a fitted `bbc.BBC` or `bbc.BBCD`; a `bbc.StoredRun`": [
        lambda: protocol("BBC", n_bootstraps=40),
        lambda: protocol("BBCD", n_bootstraps=40, dropping_level=1.0),
        lambda: protocol("BBC", method="bbc-f", n_bootstraps=40),
        stored,
    ],
    "a fitted search of scikit-learn": [lambda: bbc.correct(search(), **DRAWS)],
    "`bbc.FoldScores`, `cv_results_` or a study": [
        of_scores,
        lambda: bbc.correct(pd.DataFrame(search().cv_results_), metric="accuracy", **DRAWS),
    ],
    "`bbc.Blocks` or a Dask array": [
        lambda: bbc.correct(Y, bbc.Blocks([RISKS]), metric="log_loss", **DRAWS),
    ],
    '`method="tt"`, or a fitted `bbc.TT`': [
        lambda: bbc.correct(Y, RISKS, metric="log_loss", method="tt", folds=FOLDS),
        lambda: protocol("TT"),
    ],
    "a fitted `bbc.CVT`, `bbc.NCV` or `bbc.baselines.CVMCV`": [
        lambda: protocol("CVT"),
        lambda: protocol("NCV", cv=3),
        lambda: protocol("CVMCV"),
    ],
    "`Correction.from_json`": [lambda: bbc.Correction.from_json(of_rows().to_json())],
}


def test_the_page_names_every_question_and_source():
    assert ANSWERS.keys() == _QUESTIONS.keys() | {"report"}
    reference = (DOCS / "api" / "correcting.rst").read_text(encoding="utf-8")
    listed = re.findall(r"^   Correction\.(\w+)$", reference, re.MULTILINE)
    assert {*listed} == _QUESTIONS.keys() | {"report", "plot"}
    assert list(REASONS) == list(SOURCES)
    assert {kept for kept, _ in REASONS.values()} == {"rows", "scores by fold", "neither"}


@pytest.mark.parametrize("source", SOURCES)
def test_each_source_answers_what_the_page_says(source):
    kept, reason = REASONS[source]
    for make in SOURCES[source]:
        of_classes = make()
        for question, answers in ANSWERS.items():
            c = of_classes
            if question == "survival_calibration" and kept == "rows":
                c = bbc.correct(TIMES, RISKS, metric=BRIER, **DRAWS)
            ask = getattr(c, question)
            follows = _QUESTIONS.get(question)
            if kept == "rows" and follows and c.method not in follows.methods:
                with pytest.raises(InvalidValueError, match=f'method="{c.method}"'):
                    ask(*ARGUMENTS.get(question, ()))
                continue
            if answers[kept] == "yes":
                assert ask(*ARGUMENTS.get(question, ())) is not None
                continue
            assert answers[kept] == "no"
            with pytest.raises(NotKeptError) as caught:
                ask(*ARGUMENTS.get(question, ()))
            told = str(caught.value)
            assert told.startswith(f"Correction.{question} needs predictions of rows: ")
            assert reason
            assert told.endswith(reason)


CHOSEN = {
    "configuration": "configurations",
    "threshold": "configurations, cut-offs",
    "any": "any",
    "best": "the best score",
}


def test_the_options_that_a_question_follows_are_those_of_the_page():
    """That it follows these and refuses others is in test_options_of_questions.py."""
    expected = {
        question: [
            ", ".join(follows.methods),
            CHOSEN[follows.selects],
            "two-sided" if follows.two_sided else "any",
            "yes" if follows.resamples else "no",
            "yes" if follows.calibrated else "no",
        ]
        for question, follows in _QUESTIONS.items()
    }
    told = {
        question: options
        for questions, *options in rows("| question | `method`")
        for question in re.findall(r"`(\w+)`", questions)
    }
    assert told == expected


def test_a_correction_rung_by_rung_answers_its_path_alone():
    predictions = np.where(
        np.arange(N_ROWS)[:, None] < 30 + 10 * np.arange(4), RISKS[:, :4], np.nan
    )
    predictions[:, 3] = RISKS[:, 3]
    c = bbc.correct(Y, predictions, metric="log_loss", missing="rungs", **DRAWS)
    assert c.tuning_path().estimate == c.record
    for question in _QUESTIONS.keys() - {"tuning_path"}:
        with pytest.raises(InvalidValueError, match="missing"):
            getattr(c, question)(*ARGUMENTS.get(question, ()))
