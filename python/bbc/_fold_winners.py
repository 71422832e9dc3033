"""The winners of a correction of fold scores, of which folds are what is drawn."""

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _engine
from ._finished._scores import FoldScores, of_scores_alone
from ._validation import Options
from ._winners import Winners
from .comparison import path_of
from .errors import InvalidValueError
from .results import Comparison, PerformanceEstimate, TuningPath
from .results._correction import warn

_Answer = TypeVar("_Answer")
#: With five folds the model confidence set loses the best configuration in 9 % of simulated
#: searches, with ten in 4 % at most; the discrete argmin in 10 % and more.
_FEWEST_FOLDS = 10


def numbers_of(
    scores: FoldScores, options: Options, n_threads: int, n_first: int | None = None
) -> dict[str, Any]:
    """The kernel's numbers, with what the truth tells: of all configurations, or the first."""
    rows = scores._rows
    return _engine.correct_fold_scores(
        np.ascontiguousarray(scores.values[:, :, :n_first]),
        options,
        rows=None if rows is None else rows.problem,
        classes=None if rows is None else rows.classes,
        n_threads=n_threads,
    )


def told(answer: _Answer, scores: FoldScores) -> _Answer:
    """An answer with what limits of fold scores do not show, a comparison in each estimate."""
    findings = of_scores_alone(scores, by_truth=False, truth_tells=False)
    warn(findings)

    def tell(one: Any) -> Any:
        return replace(one, data_findings=(*one.data_findings, *findings))

    if isinstance(answer, Comparison):
        estimates = {name: tell(each) for name, each in answer.estimates.items()}
        return replace(answer, estimates=estimates)
    found: _Answer = tell(answer)
    return found


class FoldWinners(NamedTuple):
    """What a correction of fold scores was made of."""

    scores: FoldScores
    options: Options
    n_threads: int

    def of_means(self, question: str) -> Winners:
        """The winners by the mean over folds."""
        n_folds = self.scores.n_folds
        if question == "possible_winners" and n_folds < _FEWEST_FOLDS:
            raise InvalidValueError(
                "predictions",
                f"are scores of {n_folds} folds: with fewer than {_FEWEST_FOLDS} the best "
                "configuration would be left out too often",
                hint="use more folds, or keep predictions (bbc.keep_predictions)",
            )
        drawn = {"random_state": self.options.seed, "n_threads": self.n_threads, "method": "bbc"}
        return Winners(self.scores._asked(self.options._asdict() | drawn))

    def path(self, winners: Winners, record: PerformanceEstimate) -> TuningPath:
        """The path of means over folds, whose numbers are those of corrections of fold scores."""
        winners.tell(record)
        return path_of(
            winners, None, partial(numbers_of, self.scores, self.options, self.n_threads)
        )
