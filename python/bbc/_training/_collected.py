"""Fits collected: predictions of all configurations, and the inner loops of nested validation."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .._frozen import read_only
from .._store import FitKey, StoredFit
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from ..errors import InvalidValueError
from ..predictions import OutOfSamplePredictions
from ._fit import Split
from ._scoring import Responses
from ._splits import Fold, Partition


class Collected:
    """The results of one part's fits so far.

    `outputs` (labels as codes into the classes, scores, decisions, survival) and `mask` (True =
    predicted) have the axes (repeat, row, configuration); `predicted`, `fit_times` and
    `score_times` (NaN without a fit) have the axes (split, configuration). Splits are the folds of
    all repeats in order, and `first_split` is each repeat's first. `failures` are reasons by
    configuration, `response` the methods that gave their scores.
    """

    def __init__(
        self,
        responses: Responses,
        partitions: Sequence[Partition],
        n_rows: int,
        n_configurations: int,
    ) -> None:
        self.responses = responses
        self.partitions = partitions
        shape = (len(partitions), n_rows, n_configurations)
        self.outputs: dict[str, AnyArray] = {
            name: np.full((*shape, *row.shape[1:]), row.flat[0])
            for name, row in responses.empty(1).items()
        }
        self.mask: BoolArray = np.zeros(shape, dtype=bool)
        self.failures: dict[int, list[str]] = defaultdict(list)
        self.first_split = np.cumsum([0, *(len(partition.folds) for partition in partitions)])
        splits = (self.n_splits, n_configurations)
        self.predicted: BoolArray = np.zeros(splits, dtype=bool)
        self.fit_times: FloatArray = np.full(splits, np.nan)
        self.score_times: FloatArray = np.full(splits, np.nan)
        self.response = [""] * n_configurations

    @property
    def n_splits(self) -> int:
        """Number of folds in all repeats."""
        return int(self.first_split[-1])

    def repeats_of(self, configuration: int) -> IndexArray:
        """Return the repeats in which a configuration has predicted some fold."""
        splits = np.flatnonzero(self.predicted[:, configuration])
        return np.unique(np.searchsorted(self.first_split, splits, side="right") - 1)

    def add(self, key: FitKey, fit: StoredFit) -> None:
        """Add the result of one fit."""
        split = self.first_split[key.repeat] + key.fold
        self.fit_times[split, key.configuration] = fit.fit_time
        self.score_times[split, key.configuration] = fit.score_time
        if fit.error:
            self.failures[key.configuration].append(fit.error)
            return
        rows = self.partitions[key.repeat].folds[key.fold].test
        place = (key.repeat, rows, key.configuration)
        for name, array in self.outputs.items():
            # A model without decision values has probabilities in their place.
            instead = "scores" if name == "decisions" else name
            array[place] = fit.outputs.get(name, fit.outputs.get(instead))
        self.mask[place] = True
        self.predicted[split, key.configuration] = True
        self.response[key.configuration] = fit.method

    def predictions(
        self,
        y: AnyArray,
        chosen: IndexArray,
        names: Sequence[str],
        reads: Literal["labels", "scores", "survival", ""],
        *,
        with_folds: bool = True,
        **design: Any,
    ) -> OutOfSamplePredictions:
        """Return the predictions of the chosen configurations; `design` are further fields."""
        part = slice(None) if len(chosen) == self.mask.shape[2] else chosen
        folds = None
        if with_folds:
            of_repeats = [each.fold_ids(len(y)) for each in self.partitions]
            folds = read_only(np.stack(of_repeats).astype(np.int32))
        outputs = {name: array[:, :, part] for name, array in self.outputs.items()}
        if "labels" in outputs:
            outputs["labels"] = self._labels(outputs["labels"])
        return OutOfSamplePredictions(
            y=y,
            **{name: read_only(array) for name, array in outputs.items()},  # type: ignore[arg-type]
            times=self.responses.times,
            reads=reads,
            folds=folds,
            mask=read_only(self.mask[:, :, part]),
            names=tuple(map(names.__getitem__, chosen)),
            classes=self.responses.classes,
            pos_label=self.responses.pos_label if self.responses.said else None,
            scored_class=self.responses.pos_label,
            response=tuple(map(self.response.__getitem__, chosen)),
            **design,
        )

    def _labels(self, codes: AnyArray) -> AnyArray:
        classes = self.responses.classes
        assert classes is not None
        if classes.dtype.kind in "iu":
            # The narrowest type takes down to an eighth of the memory of int64.
            narrow = np.result_type(np.min_scalar_type(classes[0]), np.min_scalar_type(classes[-1]))
            classes = classes.astype(narrow) if narrow.kind in "iu" else classes
        labels: AnyArray = classes[codes]
        return labels


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
