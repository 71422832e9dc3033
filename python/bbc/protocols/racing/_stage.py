"""What a dropping rule sees after a fold, and what it says."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from ..._typing import AnyArray, BoolArray, FloatArray, IndexArray
from ...metrics import Metric
from ...predictions import OutOfSamplePredictions
from .._collected import Collected
from .._run import Run
from .._scores import scores_by_fold


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
    run, collected : Run, Collected
        The run, and all fits so far.
    number : int
        The fold, counted through all repeats.
    alive : ndarray of int
        The configurations that are compared.
    seen : OutOfSamplePredictions
        Their predictions so far, on the rows that have any.
    pooling : {"pooled", "fold"}
        Whether the metric is computed on all rows, or as the mean over folds.
    """

    run: Run
    collected: Collected
    number: int
    alive: IndexArray
    seen: OutOfSamplePredictions
    pooling: Literal["pooled", "fold"] = "pooled"

    @property
    def metric(self) -> Metric:
        """The metric that decides."""
        return self.run.scoring.metric

    def fold_losses(self) -> FloatArray:
        """Scores of the folds so far in which the metric is defined, signed so that less is better.

        Returns an array of shape (n_folds, n_configurations).
        """
        scores = scores_by_fold(self.run, self.collected, self.run.scoring.decides)
        own = scores[: self.number + 1, self.alive]
        own = own[~np.isnan(own).any(axis=1)]
        return -own if self.metric.greater_is_better else own

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
        y: AnyArray = self.seen.y
        if self.metric.kernel in ZERO_ONE:
            assert self.seen.labels is not None
            wrong: FloatArray = np.asarray(self.seen.labels != y[:, None], dtype=np.float64)
            return wrong
        assert self.seen.scores is not None
        classes = self.run.responses.classes
        assert classes is not None
        squares: FloatArray
        if self.seen.scores.ndim == 3:
            positive = y == classes[self.run.responses.positive]
            squares = (self.seen.scores - positive[:, None]) ** 2
        else:
            truth = y[:, None] == classes
            squares = ((self.seen.scores - truth[:, None, :]) ** 2).sum(axis=3)
        return squares


ZERO_ONE = ("accuracy", "zero_one_loss")


class Rule(Protocol):
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
