"""The inner loops of nested cross-validation: the models to train, and the folds that use them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .._store import FitKey, StoredFit
from .._typing import IndexArray
from ..errors import InvalidValueError
from ._collected import Collected
from ._fit import Split
from ._splits import Fold, Partition


@dataclass(frozen=True)
class Use:
    """An inner fold that uses a model: some of the rows that the model predicts."""

    outer: int
    inner: int
    rows: slice


@dataclass(frozen=True)
class InnerPlan:
    """The inner partition of each outer fold (of all repeats, in order), and the models for them.

    One model of each configuration is trained for each of `splits`; `uses` are the inner folds that
    use it, by (repeat, number).
    """

    partitions: list[Partition] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    uses: dict[tuple[int, int], tuple[Use, ...]] = field(default_factory=dict)

    @property
    def n_inner_folds(self) -> int:
        """The number of inner folds of all outer folds."""
        return sum(len(partition.folds) for partition in self.partitions)

    def add_split(self, repeat: int, number: int, rows: Fold, *uses: Use) -> None:
        """Plan the models of one split."""
        self.splits.append(Split(repeat, number, rows))
        self.uses[repeat, number] = uses

    def distribute(self, collected: Collected, key: FitKey, fit: StoredFit) -> None:
        """Add a fit to all inner folds that use it."""
        for use in self.uses[key.repeat, key.fold]:
            outputs = {name: values[use.rows] for name, values in fit.outputs.items()}
            place = FitKey(key.part, use.outer, use.inner, key.configuration)
            collected.add(place, replace(fit, outputs=outputs))


def leaving_two_out(partitions: Sequence[Partition], n_rows: int, *, share: bool) -> InnerPlan:
    """Plan the inner loops on the outer folds less the held-out one.

    The model trained without folds i and j serves outer fold i (as inner fold j) and outer fold j
    (as inner fold i): trained once if `share`, else for each.
    """
    plan = InnerPlan()
    for repeat, partition in enumerate(partitions):
        if not partition.is_complete(n_rows):
            raise InvalidValueError(
                "cv",
                ": nested cross-validation on the folds as they are needs folds that test every "
                "row once and train on all others; give inner_cv for other splitters",
            )
        first, n_folds = len(plan.partitions), len(partition.folds)
        tests = [fold.test for fold in partition.folds]
        for i in range(n_folds):
            others = [j for j in range(n_folds) if j != i]
            plan.partitions.append(
                Partition(tuple(_without(tests, i, j, n_rows, [j]) for j in others))
            )
        pairs = [(i, j) for i in range(n_folds) for j in range(i + 1, n_folds)]
        for number, (i, j) in enumerate(pairs):
            split, end = len(tests[i]), len(tests[i]) + len(tests[j])
            if share:
                # Inner folds are numbered without the outer one.
                uses = (
                    Use(first + i, j - 1, slice(split, end)),
                    Use(first + j, i, slice(0, split)),
                )
                plan.add_split(repeat, number, _without(tests, i, j, n_rows, [i, j]), *uses)
                continue
            for direction, (outer, inner, tested) in enumerate([(i, j - 1, j), (j, i, i)]):
                rows = _without(tests, i, j, n_rows, [tested])
                use = Use(first + outer, inner, slice(0, len(tests[tested])))
                plan.add_split(repeat, 2 * number + direction, rows, use)
    return plan


def split_training_rows(
    partitions: Sequence[Partition],
    split: Callable[[IndexArray, int], Sequence[Partition]],
) -> InnerPlan:
    """Plan the inner loops on partitions of each outer fold's training rows."""
    plan = InnerPlan()
    for repeat, partition in enumerate(partitions):
        number = 0
        for outer in partition.folds:
            made = split(outer.train, len(plan.partitions))
            if len(made) > 1:
                raise InvalidValueError(
                    "inner_cv", "must test no row twice: it does not support repeats"
                )
            folds = [
                Fold(outer.train[fold.train], outer.train[fold.test]) for fold in made[0].folds
            ]
            for inner, fold in enumerate(folds):
                use = Use(len(plan.partitions), inner, slice(0, len(fold.test)))
                plan.add_split(repeat, number, fold, use)
                number += 1
            plan.partitions.append(Partition(tuple(folds)))
    return plan


def _without(
    tests: Sequence[IndexArray], i: int, j: int, n_rows: int, predicted: Sequence[int]
) -> Fold:
    left_out = np.zeros(n_rows, dtype=bool)
    left_out[tests[i]] = True
    left_out[tests[j]] = True
    return Fold(np.flatnonzero(~left_out), np.concatenate([tests[k] for k in predicted]))
