"""Collects fits: the predictions of all configurations, their times and failures."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .._frozen import read_only
from .._store import FitKey, StoredFit
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from ..predictions import OutOfSamplePredictions
from ._responses import Responses
from ._splits import Partition


class Collected:
    """The results of one part's fits so far.

    `codes` (predicted labels as codes into the classes), `scores`, `decisions` and `mask` (True =
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
        empty = responses.empty(1)
        self.codes: AnyArray | None = None
        self.scores: FloatArray | None = None
        if "labels" in empty:
            self.codes = np.full(shape, -1, dtype=empty["labels"].dtype)
        if "scores" in empty:
            self.scores = np.full((*shape, *empty["scores"].shape[1:]), np.nan)
        self.decisions: FloatArray | None = None
        if "decisions" in empty and self.scores is not None:
            self.decisions = self.scores.copy()
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
        if self.codes is not None:
            self.codes[place] = fit.outputs["labels"]
        if self.scores is not None:
            self.scores[place] = fit.outputs["scores"]
        if self.decisions is not None:
            # A model without decision values has probabilities in their place.
            self.decisions[place] = fit.outputs.get("decisions", fit.outputs.get("scores"))
        self.mask[place] = True
        self.predicted[split, key.configuration] = True
        self.response[key.configuration] = fit.method

    def predictions(
        self,
        y: AnyArray,
        chosen: IndexArray,
        names: Sequence[str],
        reads: Literal["labels", "scores", ""],
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
        return OutOfSamplePredictions(
            y=y,
            labels=None if self.codes is None else read_only(self._labels(self.codes[:, :, part])),
            scores=None if self.scores is None else read_only(self.scores[:, :, part]),
            decisions=None if self.decisions is None else read_only(self.decisions[:, :, part]),
            reads=reads,
            folds=folds,
            mask=read_only(self.mask[:, :, part]),
            names=tuple(names[index] for index in chosen),
            classes=self.responses.classes,
            pos_label=self.responses.pos_label if self.responses.said else None,
            scored_class=self.responses.pos_label,
            response=tuple(self.response[index] for index in chosen),
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
