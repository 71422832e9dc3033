"""What a dropping rule reads after a fold, and what it decides."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..._typing import BoolArray, FloatArray
from ...errors import Argument, InvalidValueError
from ...metrics import Metric
from ...predictions import OutOfSamplePredictions
from .._cross_validation import CrossValidation
from .._run import Run

ZERO_ONE = ("accuracy", "zero_one_loss")


@dataclass(frozen=True, eq=False)
class Verdict:
    """A test's result, over the configurations that it compared.

    `best` is compared with the others and never dropped; `evidence` is what the rule found against
    each, in units of the rule.
    """

    best: int
    evidence: FloatArray
    dropped: BoolArray


@dataclass(frozen=True, eq=False)
class Stage:
    """The state of a race after a fold: `number` counts folds through all repeats.

    `predictions` are those of the remaining configurations for the repeats and rows so far.
    """

    trained: CrossValidation
    number: int
    predictions: OutOfSamplePredictions

    @property
    def metric(self) -> Metric:
        """The selection metric."""
        return self.trained.run.scoring.metric

    def fold_losses(self) -> FloatArray:
        """Scores of the folds so far in which the metric is defined, signed so that less is better.

        Returns an array of shape (n_folds, n_configurations).
        """
        scores = self.trained.scores_by_fold(
            self.trained.run.scoring.decides, self.trained.working
        )[: self.number + 1]
        scores = scores[~np.isnan(scores).any(axis=1)]
        return -scores if self.metric.greater_is_better else scores

    def row_losses(self) -> FloatArray:
        """Losses of the rows so far, averaged over the repeats that predicted them."""
        losses, mask = self._losses(), self.predictions.mask
        means: FloatArray = np.where(mask, losses, 0).sum(axis=0) / mask.sum(axis=0)
        return means

    def fold_row_losses(self) -> FloatArray:
        """Losses of the rows of the latest fold."""
        first_split = self.trained.fits.first_split
        repeat = int(np.searchsorted(first_split, self.number, side="right")) - 1
        assert self.predictions.folds is not None
        in_fold = self.predictions.folds[repeat] == self.number - first_split[repeat]
        losses: FloatArray = self._losses()[repeat, in_fold]
        return losses

    def _losses(self) -> FloatArray:
        """Losses of shape (n_repeats, n_rows, n_configurations), arbitrary where not predicted."""
        scores = self.trained.row_scores(self.trained.run.scoring.decides)
        return self.metric.limits()[1] - scores if self.metric.greater_is_better else scores


class DroppingRule(ABC):
    """A rule by which configurations are dropped."""

    def check(self, run: Run) -> None:  # noqa: B027 (most rules race on any run)
        """Refuse runs on which the rule cannot race, before anything is trained."""

    @abstractmethod
    def test(self, stage: Stage) -> Verdict | None:
        """Compare the configurations; None if there is too little to compare them on."""


@dataclass(frozen=True)
class FoldScoreRule(DroppingRule):
    """A race on the fold scores of any metric, from `fewest_folds` on."""

    level: float
    race: Callable[..., Verdict]
    fewest_folds: int

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the fold scores so far."""
        losses = stage.fold_losses()
        return None if len(losses) < self.fewest_folds else self.race(losses, level=self.level)


def refuse_unlike_rows(run: Run, rule: str) -> None:
    """Refuse weights and groups for a rule that assumes i.i.d. rows."""
    for name in ("sample_weight", "groups"):
        if getattr(run, name) is not None:
            raise InvalidValueError(
                Argument("dropping", rule),
                f"assumes independent and identically distributed rows and does "
                f'not support {name}; use dropping="bootstrap"',
            )
