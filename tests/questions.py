"""The questions about the winners of a correction, asked in one way.

Tests that go through all questions call them by `ask` alone, so that how a question is spelt stands
here and nowhere else.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import bbc
from signatures import public_objects

N_ROWS, N_CONFIGURATIONS = 60, 8
#: The subgroup of each row, and the family of each configuration.
BY = np.where(np.arange(N_ROWS) % 3 == 0, "young", "old")
FAMILIES = ("tree",) * 4 + ("line",) * 4
PLACES = {name: [i for i, own in enumerate(FAMILIES) if own == name] for name in ("tree", "line")}
TIMES = (0.5, 1.0)
THRESHOLD = 0.3


class Question(NamedTuple):
    """A question: what it is asked with, and where its answer holds the correction.

    `records` are the corrections in an answer, each by the family that it is of; None is all
    configurations. They stand in the fields `held`. `draws` is False where no replicates are drawn,
    and `named_method` where the argument `method` says what the question does, not what a
    correction draws.
    """

    name: str
    records: Callable[[Any], Mapping[str | None, Any]]
    held: str = ""
    truth: str = "binary"
    own: Mapping[str, Any] = {}
    draws: bool = True
    named_method: bool = False


def _one(field: str) -> dict[str, Any]:
    """Where one field is the correction."""
    return {"held": field, "records": lambda answer: {None: getattr(answer, field)}}


def _first() -> dict[str, Any]:
    """Where it is the first of the performances by several metrics."""
    return {"held": "performance", "records": lambda answer: {None: answer.performances[0]}}


_OF_TIME = [bbc.metrics.uno_concordance(tau=TIMES[-1]), bbc.metrics.survival_brier_score(TIMES[1])]
QUESTIONS = {
    each.name: each
    for each in (
        Question("calibration", own={"n_bins": 4}, **_one("performance")),
        Question("decision_curve", own={"thresholds": [THRESHOLD]}, **_one("performance")),
        Question("roc_curve", **_one("performance")),
        Question("precision_recall_curve", **_one("performance")),
        Question("clinical_performance", own={"thresholds": [THRESHOLD]}, **_first()),
        Question(
            "survival_calibration",
            truth="survival",
            own={"time": TIMES[0]},
            **_one("performance"),
        ),
        Question(
            "survival_performance",
            truth="survival",
            own={"times": TIMES[:1], "secondary": _OF_TIME},
            **_first(),
        ),
        Question("subgroups", own={"by": BY}, **_one("overall")),
        Question("compare", lambda a: a.estimates, "estimates", own={"families": FAMILIES}),
        Question("tuning_path", **_one("estimate")),
        Question("possible_winners", lambda _: {}, named_method=True),
        Question("winner_interval", lambda _: {}, draws=False, named_method=True),
    )
}
#: Other public functions of truth, predictions and a metric.
NO_QUESTIONS = {
    "bbc.correct": "what is asked about",
    "bbc.dominated": "a test of configurations while a search runs",
    "bbc.intervals.naive_bootstrap": "an interval of one configuration",
    "bbc.intervals.tilting": "an interval of one configuration",
}


def known_questions() -> set[str]:
    """The questions that bbc answers, whether or not they are listed above."""
    needed = {"y_true", "predictions", "metric"}
    found = {
        path
        for path, value in public_objects().items()
        if inspect.isfunction(value) and needed <= inspect.signature(value).parameters.keys()
    }
    return {path.removeprefix("bbc.") for path in found - NO_QUESTIONS.keys()}


def takes(question: str, name: str) -> bool:
    """True if a question has an argument of its own."""
    return name in inspect.signature(getattr(bbc, question)).parameters


def ask(question: str, y: Any, predictions: Any, **options: Any) -> Any:
    """Ask a question about the correction that `bbc.correct` makes with these arguments.

    Of a fitted search, `y` is None where it keeps scores only.
    """
    if question == "tuning_path":  # whose default may draw folds where the correction does not
        options = {"method": "bbc"} | options
    return getattr(bbc, question)(y, predictions, **dict(QUESTIONS[question].own) | options)
