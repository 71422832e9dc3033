"""Hoeffding races."""

from dataclasses import dataclass

import numpy as np

from ..._typing import FloatArray
from ...errors import Argument, InvalidValueError
from .._run import Run
from ._stage import ZERO_ONE, DroppingRule, Stage, Verdict, refuse_unlike_rows


@dataclass(frozen=True)
class HoeffdingRule(DroppingRule):
    """Drop what is worse than the best though both were as far off as Hoeffding's bound allows.

    References
    ----------
    .. [1] O. Maron, A. Moore, "Hoeffding races: accelerating model selection search for
       classification and function approximation", NIPS 6 (1994).
    """

    level: float

    def check(self, run: Run) -> None:
        """Refuse metrics that are not means of bounded losses."""
        metric = run.scoring.metric
        if metric.kernel not in (*ZERO_ONE, "brier_score"):
            raise InvalidValueError(
                Argument("dropping", "hoeffding"),
                f"requires a bounded per-row loss (accuracy, zero_one_loss or "
                f"brier_score); {metric.name!r} has none",
            )
        refuse_unlike_rows(run, "hoeffding")

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the mean losses of the rows so far."""
        classes = stage.trained.run.responses.classes
        low, high = stage.metric.limits(2 if classes is None else len(classes))
        return hoeffding(stage.row_losses(), level=self.level, width=high - low)


def hoeffding(losses: FloatArray, *, level: float, width: float) -> Verdict:
    """Race on losses (n_rows, n_configurations) within an interval of the given width.

    A mean is off by more than eps = width sqrt(log(2 / (1 - level)) / (2 n_rows)) with probability
    below 1 - level. Evidence is the distance of a configuration's lower end from the best's upper
    end: dropped where positive.
    """
    means = losses.mean(axis=0)
    best = int(means.argmin())
    if level >= 1:
        return Verdict(best, np.full(len(means), -np.inf), np.zeros(len(means), dtype=bool))
    eps = width * np.sqrt(np.log(2 / (1 - level)) / (2 * len(losses)))
    evidence = (means - eps) - (means[best] + eps)
    return Verdict(best, evidence, evidence > 0)
