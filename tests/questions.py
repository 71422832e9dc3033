"""The questions about the winners of a correction, asked in one way.

Tests that go through all questions call them by `ask` alone, so that how a question is spelt stands
here and nowhere else.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import bbc
import signatures

N_ROWS, N_CONFIGURATIONS = 60, 10
#: The subgroup of each row, and the family of each configuration.
BY = np.where(np.arange(N_ROWS) % 3 == 0, "young", "old")
FAMILIES = ("tree",) * 4 + ("line",) * 6
PLACES = {name: [i for i, own in enumerate(FAMILIES) if own == name] for name in ("tree", "line")}
TIMES = (0.5, 1.0)
THRESHOLD = 0.3


class Question(NamedTuple):
    """A question: what it is asked with, and where its answer holds the correction.

    `records` are the corrections in an answer, each by the family that it is of; None is all
    configurations. They stand in the fields `held`. `method` answers it, by default the one of its
    name. The correction has what it `needs`.
    """

    name: str
    records: Callable[[Any], Mapping[str | None, Any]]
    held: str = ""
    truth: str = "binary"
    own: Mapping[str, Any] = {}
    method: str = ""
    needs: Mapping[str, Any] = {}


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
        Question("per_1000", own={"threshold": THRESHOLD}, **_one("performance")),
        Question(
            "clinical_performance", own={"thresholds": [THRESHOLD]}, method="clinical", **_first()
        ),
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
            method="clinical",
            **_first(),
        ),
        Question("subgroups", own={"by": BY}, **_one("overall")),
        Question("compare", lambda a: a.estimates, "estimates", own={"by": FAMILIES}),
        Question("tuning_path", **_one("estimate")),
        Question("possible_winners", lambda _: {}),
        Question("winner_interval", lambda _: {}),
        Question(
            "remaining_optimism",
            own={"shift_limits": True},
            needs={"folds": np.arange(N_ROWS) % 6},
            **_one("estimate"),
        ),
    )
}
#: Methods of a correction that are no questions about its winners.
NO_QUESTIONS = {
    "from_json": "makes one",
    "plot": "draws the record",
    "report": "writes what others answer",
    "score": "the record by another metric: see test_several.py",
}


def known_questions() -> set[str]:
    """The methods that answer questions, whether or not they are listed above."""
    found = {
        name
        for name, value in inspect.getmembers(bbc.Correction)
        if not name.startswith("_") and callable(value)
    }
    return found - NO_QUESTIONS.keys()


def asked_questions() -> set[str]:
    """The methods that are listed above."""
    return {each.method or each.name for each in QUESTIONS.values()}


def _own_arguments(question: str) -> set[str]:
    method = getattr(bbc.Correction, QUESTIONS[question].method or question)
    return set(inspect.signature(method).parameters) - {"self"}


def takes(question: str, name: str) -> bool:
    """True if the question has an argument, or follows it where the correction has it."""
    own_draws = ("possible_winners", "winner_interval", "remaining_optimism")
    follows = name != "resamples" or question not in own_draws
    of_correction = name in signatures.parameters(bbc.correct) and follows
    return of_correction or name in _own_arguments(question)


def with_times(predictions: Any) -> tuple[Any, dict[str, Any]]:
    """Predictions, and the times of those that are of survival, as `bbc.correct` takes them."""
    if not (isinstance(predictions, dict) and "times" in predictions):
        return predictions, {}
    outputs = {name: each for name, each in predictions.items() if name != "times"}
    return outputs, {"times": predictions["times"]}


def ask(question: str, y: Any, predictions: Any, **options: Any) -> Any:
    """Ask a question about the correction that `bbc.correct` makes with these arguments.

    Of a fitted search, which knows the truth, `y` is not given on.
    """
    own = dict(QUESTIONS[question].own)
    predictions, beside = with_times(predictions)
    own |= {
        name: options.pop(name) for name in _own_arguments(question) - {"metric"} if name in options
    }
    knows = y is None or hasattr(predictions, "fit")
    given = (predictions,) if knows else (y, predictions)
    corrected = bbc.correct(*given, **options, **beside)
    return getattr(corrected, QUESTIONS[question].method or question)(**own)
