"""CVST: Cochran's Q finds the top configurations of each fold, a sequential test the flops."""

from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from ..._typing import BoolArray, FloatArray
from ...errors import Argument, InvalidValueError
from .._run import Run
from ._stage import ZERO_ONE, DroppingRule, Stage, Verdict, refuse_unlike_rows

# The errors of the sequential test, as in the authors' experiments.
_ALPHA, _BETA = 0.01, 0.1


@dataclass
class CochranRule(DroppingRule):
    """Drop what was among the top of too few folds, by Wald's sequential test.

    The top of a fold are the best configurations whose zero-one losses Cochran's Q cannot tell
    apart.

    References
    ----------
    .. [1] T. Krueger, D. Panknin, M. Braun, "Fast cross-validation via sequential testing",
       Journal of Machine Learning Research 16 (2015), sections 3.2 and 3.3.
    """

    level: float
    n_folds: int
    _trace: dict[int, list[bool]] = field(default_factory=dict)

    def check(self, run: Run) -> None:
        """Refuse metrics other than zero-one losses, and too few folds."""
        metric = run.scoring.metric
        if metric.kernel not in ZERO_ONE:
            raise InvalidValueError(
                Argument("dropping", "cochran"),
                f"requires zero-one losses (accuracy or zero_one_loss), "
                f'not {metric.name!r}; dropping="friedman" supports any metric',
            )
        if _top_share(self.n_folds) >= 1:
            raise InvalidValueError(
                Argument("dropping", "cochran"),
                f": the sequential test needs at least 7 folds in all, not {self.n_folds}",
            )
        refuse_unlike_rows(run, "cochran")

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the losses of the latest fold, and by the folds before."""
        working = stage.trained.working.tolist()
        top = top_configurations(stage.fold_row_losses(), level=self.level)
        for index, is_top in zip(working, top, strict=True):
            self._trace.setdefault(index, []).append(bool(is_top))
        traces = np.array([self._trace[index] for index in working])
        wins = traces.sum(axis=1)
        # Of those most often among the top, the best on all rows so far.
        means = stage.row_losses().mean(axis=0)
        best = int(np.lexsort((means, -wins))[0])
        flops = wins <= fewest_tops(traces.shape[1], self.n_folds)
        flops[best] = False
        return Verdict(best, wins / traces.shape[1], flops)


def top_configurations(losses: FloatArray, *, level: float) -> BoolArray:
    """Whether each of (n_rows, n_configurations) zero-one losses is among the top.

    The best k are tested for k = 2, 3, ... until Cochran's Q rejects that they are alike, at
    (1 - level) over the number of tests (Bonferroni).
    """
    n_configurations = losses.shape[1]
    order = np.argsort(losses.mean(axis=0), kind="stable")
    alpha = (1 - level) / max(n_configurations - 1, 1)
    n_top = 1
    while n_top < n_configurations and cochran_q(losses[:, order[: n_top + 1]])[1] > alpha:
        n_top += 1
    top = np.zeros(n_configurations, dtype=bool)
    top[order[:n_top]] = True
    return top


def cochran_q(losses: FloatArray) -> tuple[float, float]:
    """Cochran's Q of a table of zeros and ones, (n_rows, k), and its chi-squared p-value."""
    k = losses.shape[1]
    of_rows, of_columns = losses.sum(axis=1), losses.sum(axis=0)
    spread = k * of_rows.sum() - (of_rows**2).sum()
    if spread == 0:  # all agree in every row
        return 0.0, 1.0
    q = (k - 1) * (k * (of_columns**2).sum() - of_columns.sum() ** 2) / spread
    return float(q), float(stats.chi2.sf(q, k - 1))


def fewest_tops(n_folds_so_far: int, n_folds: int) -> float:
    """How often a configuration is among the top of `n_folds_so_far` folds, at most, to be dropped.

    Wald's test of a share of 1/2 against a larger one; the value is the line of the flops.
    """
    share = _top_share(n_folds)
    odds = np.log(share / 0.5) + np.log(0.5 / (1 - share))
    return float((n_folds_so_far * np.log(0.5 / (1 - share)) + np.log(_BETA / (1 - _ALPHA))) / odds)


def _top_share(n_folds: int) -> float:
    """The share of top folds that Wald's test accepts after all folds and no earlier."""
    return float(0.5 * ((1 - _BETA) / _ALPHA) ** (1 / n_folds))
