"""The winners of a correction of fold scores: questions take folds for rows."""

from typing import NamedTuple, TypeVar

import numpy as np

from ._finished._roads import as_metric, as_predictions, of_folds, refuse_few_folds
from ._finished._scores import FoldScores, of_question
from ._validation import Options, asked
from ._winners import Winners
from .results._correction import warn

_Answer = TypeVar("_Answer")


class FoldWinners(NamedTuple):
    """What a correction of fold scores was made of."""

    scores: FoldScores
    options: Options
    n_threads: int

    def of_means(self, question: str) -> Winners:
        """The winners by the mean over folds, which are the rows."""
        refuse_few_folds(question, self.scores.n_folds)
        given = {
            "metric": as_metric(self.scores),
            "n_bootstraps": self.options.n_bootstraps,
            "confidence_level": self.options.confidence_level,
            "alternative": self.options.alternative,
            "random_state": self.options.seed,
            "n_threads": self.n_threads,
        }
        return Winners(asked(np.zeros(self.scores.n_folds), as_predictions(self.scores), given))

    def told(self, answer: _Answer) -> _Answer:
        """An answer that says folds where it would say rows."""
        findings = of_question(self.scores)
        warn(findings)
        found: _Answer = of_folds(answer, self.scores.n_folds, findings)
        return found
