"""What a dropping rule sees after a fold, and what it says."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..._typing import BoolArray, FloatArray, IndexArray
from ...metrics import Metric
from ...predictions import OutOfSamplePredictions
from .._cross_validation import CrossValidation, Pooling
from .._run import Run


@dataclass(frozen=True, eq=False)
class Verdict:
    """A test's result, over the configurations that it compared.

    Attributes
    ----------
    best : int
        The configuration that the others are compared with; it is never dropped.
    evidence : ndarray
        What the rule found against each; each rule says what it is.
    dropped : ndarray of bool
        Who is dropped.
    """

    best: int
    evidence: FloatArray
    dropped: BoolArray


@dataclass(frozen=True, eq=False)
class Stage:
    """The state of a race after a fold.

    Attributes
    ----------
    trained : CrossValidation
        All fits so far.
    number : int
        The fold, counted through all repeats.
    seen : OutOfSamplePredictions
        Predictions of the configurations that are left, of the repeats and rows predicted so far.
    """

    trained: CrossValidation
    number: int
    seen: OutOfSamplePredictions

    @property
    def run(self) -> Run:
        """The run."""
        return self.trained.run

    @property
    def working(self) -> IndexArray:
        """The configurations that are compared."""
        return self.trained.working

    @property
    def pooling(self) -> Pooling:
        """Whether the metric is computed on all rows, or as the mean over folds."""
        return self.trained.poolings[self.run.scoring.decides]

    @property
    def metric(self) -> Metric:
        """The metric that decides."""
        return self.run.scoring.metric

    def fold_losses(self) -> FloatArray:
        """Scores of the folds so far in which the metric is defined, signed so that less is better.

        Returns an array of shape (n_folds, n_configurations).
        """
        scores = self.trained.scores_by_fold(self.run.scoring.decides, self.working)
        scores = scores[: self.number + 1]
        scores = scores[~np.isnan(scores).any(axis=1)]
        return -scores if self.metric.greater_is_better else scores

    def row_losses(self) -> FloatArray:
        """Losses of the rows so far, averaged over the repeats that predicted them."""
        losses, there = self._losses(), self.seen.mask
        means: FloatArray = np.where(there, losses, 0).sum(axis=0) / there.sum(axis=0)
        return means

    def fold_row_losses(self) -> FloatArray:
        """Losses of the rows of the latest fold."""
        repeats = self.run.partitions
        sizes = np.cumsum([len(one.folds) for one in repeats])
        repeat = int(np.searchsorted(sizes, self.number, side="right"))
        fold = self.number - int(sizes[repeat] - len(repeats[repeat].folds))
        assert self.seen.folds is not None
        own: FloatArray = self._losses()[repeat, self.seen.folds[repeat] == fold]
        return own

    def _losses(self) -> FloatArray:
        """Losses of shape (n_repeats, n_rows, n_configurations); holes have no meaning."""
        scores = self.trained.row_scores(self.run.scoring.decides)
        return self.metric.limits()[1] - scores if self.metric.greater_is_better else scores


ZERO_ONE = ("accuracy", "zero_one_loss")


class DroppingRule(Protocol):
    """A rule by which configurations are dropped."""

    def check(self, run: Run) -> None:
        """Refuse what the rule cannot race on, before anything is trained."""

    def test(self, stage: Stage) -> Verdict | None:
        """Compare the configurations; None if there is too little to compare them on."""


def refuse_unlike_rows(run: Run, rule: str) -> None:
    """Refuse weights and groups where a rule takes rows as independent and alike."""
    for name in ("sample_weight", "groups"):
        if getattr(run, name) is not None:
            raise ValueError(
                f'dropping="{rule}" takes rows as independent and alike, so it has no place for '
                f'{name}; use dropping="bootstrap"'
            )
