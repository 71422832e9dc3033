"""Predictions of all configurations, and their score on a weighted sample of rows.

Readings chosen where the texts are silent:

- With ``pooling="fold"`` a sample is undefined if some repeat has no defined fold in it.
- Folds are averaged in the order of their first row, repeats in their order.
- A root (RMSE, MCC, distance, Spearman's rho) averaged over repeats is compared as float; all other
  exact metrics stay exact over repeats.
- With ``fixed_spread`` the squared errors of R2 are divided by the variance of the truth over all
  rows of the part that is scored (all rows, or a fold), as they are weighted; pooled, R2 is then
  compared as the mean squared error is.
- Sample weights that are all equal, or whole multiples of a common step, compare as these integers.
  Other weights compare means of rows by correctly rounded sums, functions of the confusion matrix
  (or their sum over repeats) by the float nearest to the exact value, and other metrics as floats;
  so do repeats that predicted different rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from .arithmetic import Array, Num, float_weights, fractions, mean, multiples, total
from .metrics import Metric, get, sum_of_losses
from .philox import numbering
from .truth import Truth

#: A mask of rows, and the truth of these rows.
Part: TypeAlias = tuple[Array, Truth]


@dataclass(frozen=True)
class Problem:
    """What a correction reads; predictions are (repeat, row, configuration[, class])."""

    truth: Truth
    predictions: Array
    metric: Metric
    pooling: str = "pooled"
    folds: Array | None = None
    sample_weight: Array | None = None
    seen: Array | None = None  # (repeat, row): where a repeat has predictions
    fixed_spread: bool = False

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return int(self.predictions.shape[0])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.predictions.shape[1])

    @property
    def n_configurations(self) -> int:
        """Number of configurations."""
        return int(self.predictions.shape[2])

    def weights(self, counts: Array, repeat: int) -> Array:
        """Counts times sample weights, 0 where the repeat has no prediction yet."""
        w = counts if self.sample_weight is None else counts * self.sample_weight
        return np.asarray(w if self.seen is None else w * self.seen[repeat])

    @cached_property
    def exact_weights(self) -> Array | None:
        """Sample weights as integers where their step allows it, else as fractions."""
        if self.sample_weight is None:
            return None
        integers = multiples(self.sample_weight)
        return fractions(self.sample_weight) if integers is None else integers

    def exact(self, counts: Array) -> Array:
        """Counts times sample weights as integers or fractions."""
        return counts if self.exact_weights is None else counts * self.exact_weights

    @cached_property
    def parts(self) -> list[list[Part]]:
        """Of each repeat, what a score is averaged over: all rows at once, or fold by fold."""
        if self.pooling == "pooled":
            return [[(np.ones(self.n_rows, dtype=bool), self.truth)]] * self.n_repeats
        assert self.folds is not None
        masks = []
        for folds in self.folds:
            codes = np.asarray(numbering(folds.tolist()))
            masks.append([codes == k for k in range(codes.max() + 1)])
        return [[(mask, self.truth.rows(mask)) for mask in own] for own in masks]

    @property
    def _of_fixed_spread(self) -> bool:
        return self.fixed_spread and self.metric.name == "r2"

    def _spread(self, mask: Array, truth: Truth, repeat: int) -> float:
        """The weighted variance of a part's truth over all its rows."""
        w = float_weights(self.weights(np.ones(self.n_rows, dtype=np.int64), repeat)[mask])
        weight = float(total(w))
        about = truth.y - float(total(w * truth.y)) / weight
        return float(total(w * about**2)) / weight

    def _explained(self, part: Part, prediction: Array, w: Array, repeat: int) -> float:
        """R2 of weighted rows of a part, with the variance of all its rows."""
        mask, truth = part
        w = float_weights(w)
        error = float(total(w * (truth.y - prediction) ** 2)) / float(total(w))
        return 1 - error / self._spread(mask, truth, repeat)

    def defined_parts(self, counts: Array, repeat: int) -> list[Part]:
        """The parts in which the metric is defined."""
        w = self.weights(counts, repeat)
        if self._of_fixed_spread:
            every = self.weights(np.ones(self.n_rows, dtype=np.int64), repeat)
            return [
                (m, own)
                for m, own in self.parts[repeat]
                if self.metric.defined(own, every[m]) and np.any(w[m] > 0)
            ]
        return [(m, own) for m, own in self.parts[repeat] if self.metric.defined(own, w[m])]

    def defined(self, counts: Array) -> bool:
        """Whether the sample has a score, whatever the configuration."""
        return all(len(self.defined_parts(counts, r)) > 0 for r in range(self.n_repeats))

    def repeat_score(self, configuration: int, counts: Array, repeat: int) -> float:
        """Score of a configuration in one repeat."""
        w = self.weights(counts, repeat)
        p = self.predictions[repeat][:, configuration]
        parts = self.defined_parts(counts, repeat)
        if self._of_fixed_spread:
            return float(mean([self._explained((m, own), p[m], w[m], repeat) for m, own in parts]))
        return float(mean([self.metric.value(truth, p[m], w[m]) for m, truth in parts]))

    def score(self, configuration: int, counts: Array) -> float:
        """Score of a configuration: the mean over repeats."""
        return float(
            mean([self.repeat_score(configuration, counts, r) for r in range(self.n_repeats)])
        )

    @property
    def integers(self) -> bool:
        """Whether weights are integers, or multiples of a common step."""
        return self.exact_weights is None or self.exact_weights.dtype.kind == "i"

    @property
    def compares_exactly(self) -> bool:
        """Whether exact sums decide ties."""
        return (
            self.metric.exact
            and self.pooling == "pooled"
            and (self.integers or self.metric.mean_of_rows or self.metric.ratio_of_sums)
            and self.seen is None
            and not (self.n_repeats > 1 and self.metric.rooted)
        )

    def key(self, configuration: int, counts: Array) -> Num:
        """Number that is the larger, the better the configuration is on this sample."""
        if self._of_fixed_spread and self.pooling == "pooled" and self.seen is None:
            errors = replace(self, metric=get("mean_squared_error"))
            return errors.key(configuration, counts)
        sign = 1 if self.metric.greater_is_better else -1
        if not self.compares_exactly:
            return sign * self.score(configuration, counts)
        w = self.exact(counts)
        if self.metric.row_loss is not None and self.n_repeats > 1:
            losses = [
                self.metric.row_loss(
                    self.truth.rows(w > 0), self.predictions[r][w > 0, configuration]
                )
                for r in range(self.n_repeats)
            ]
            every_repeat = np.tile(w[w > 0], self.n_repeats)
            result: Num = sum_of_losses(np.concatenate(losses), every_repeat)
            return -sign * result if self.metric.negated else sign * result
        if self.metric.mean_of_rows and not self.integers and self.n_repeats > 1:
            # One sum over the rows of all repeats, rounded once.
            own = self.truth
            truth = Truth(np.tile(own.y, self.n_repeats), own.classes, own.pos_label)
            stacked = self.predictions[:, :, configuration].reshape(-1)
            return sign * self.metric.key(truth, stacked, np.tile(w, self.n_repeats))
        keys = [
            self.metric.key(self.truth, self.predictions[r][:, configuration], w)
            for r in range(self.n_repeats)
        ]
        if self.metric.ratio_of_sums and not self.integers:
            return sign * float(sum(keys))
        return sign * mean(keys) if self.n_repeats > 1 else sign * keys[0]

    def fold_scores(self) -> Array:
        """Scores of every fold on its own rows: (repeat, fold, configuration)."""
        assert self.folds is not None
        everything = np.ones(self.n_rows, dtype=np.int64)
        by_fold = Problem(
            self.truth, self.predictions, self.metric, "fold", self.folds, self.sample_weight
        )
        table = []
        for r in range(self.n_repeats):
            w, rows = by_fold.weights(everything, r), []
            for m, truth in by_fold.parts[r]:
                if not self.metric.defined(truth, w[m]):
                    raise ValueError(f"{self.metric.name} is undefined in a fold")
                rows.append(
                    [
                        self.metric.value(truth, self.predictions[r][m][:, c], w[m])
                        for c in range(self.n_configurations)
                    ]
                )
            table.append(rows)
        return np.asarray(table)


def make_problem(
    y: object,
    predictions: object,
    metric: Metric,
    *,
    pooling: str = "pooled",
    folds: object = None,
    sample_weight: object = None,
    classes: tuple[object, ...] | None = None,
    pos_label: object = None,
    n_repeats: int | None = None,
    seen: object = None,
    fixed_spread: bool = True,
) -> Problem:
    """Problem from plain arrays; predictions are (row, configuration[, class]), or have repeats
    in front if ``n_repeats`` is given."""
    p = np.asarray(predictions)
    p = p if n_repeats is not None else p[None]
    f = None if folds is None else np.broadcast_to(np.atleast_2d(np.asarray(folds)), p.shape[:2])
    w = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    s = None if seen is None else np.asarray(seen, dtype=bool)
    truth = Truth(np.asarray(y), classes, pos_label)
    if metric.prepare is not None:
        truth = metric.prepare(truth, w)
    return Problem(truth, p, metric, pooling, f, w, s, fixed_spread)
