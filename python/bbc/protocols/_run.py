"""One call of `fit`: checked input, and everything that its stages share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, column_or_1d

from .. import _validation
from .._typing import AnyArray, IndexArray
from ..predictions import OutOfSamplePredictions, is_time_ordered
from ..store import FitKey, Store, StoredFit
from ._collected import Collected
from ._configurations import Configuration
from ._fingerprint import Fingerprint
from ._fit import Cell, Trainer, warn_of_failures
from ._progress import Progress
from ._responses import Responses
from ._scoring import Scoring, reads
from ._splits import Partition


@dataclass
class Run:
    """What one call of `fit` works with.

    Attributes
    ----------
    y : ndarray
        The truth, one-dimensional (structured for survival).
    classifier : bool
        Whether the estimators are classifiers.
    groups, sample_weight : ndarray or None
        One entry per row.
    dynamic_search : bool
        Whether configurations were chosen in the light of the scores of others.
    working : ndarray of int
        Configurations that are left: no fit of theirs failed.
    """

    X: Any
    y: AnyArray
    classifier: bool
    groups: AnyArray | None
    sample_weight: AnyArray | None
    split_params: Mapping[str, Any]
    configurations: tuple[Configuration, ...]
    scoring: Scoring
    responses: Responses
    pos_label: Any
    seed: int
    partitions: tuple[Partition, ...]
    trainer: Trainer
    progress: Progress
    store: Store | None
    dynamic_search: bool
    working: IndexArray = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def names(self) -> list[str]:
        """Names of all configurations."""
        return [one.name for one in self.configurations]

    @property
    def time_ordered(self) -> bool:
        """Whether each row is predicted by models of earlier rows only."""
        return is_time_ordered(
            (fold.train, fold.test) for one in self.partitions for fold in one.folds
        )

    def cells(self) -> list[Cell]:
        """Return the folds of all repeats, in order."""
        return [
            Cell(repeat, number, fold)
            for repeat, one in enumerate(self.partitions)
            for number, fold in enumerate(one.folds)
        ]

    def collector(self, partitions: Sequence[Partition] | None = None) -> Collected:
        """Return an empty collection of fits."""
        own = self.partitions if partitions is None else partitions
        return Collected(self.responses, own, self.n_rows, len(self.configurations))

    def cross_validate(self) -> Collected:
        """Train every configuration in every fold; fails only if all of them do."""
        collected = self.train("cv")
        self.settle(collected)
        return collected

    def train(self, part: str, chosen: Sequence[int] | None = None) -> Collected:
        """Train configurations in every fold of the run's partitions."""
        collected = self.collector()
        self.train_cells(part, self.cells(), collected.add, chosen)
        return collected

    def train_cells(
        self,
        part: str,
        cells: Sequence[Cell],
        receive: Callable[[FitKey, StoredFit], None],
        chosen: Sequence[int] | None = None,
    ) -> None:
        """Train configurations in the cells of a part; hand on the fits as they finish."""
        self.begin_part(part, cells)
        n_models = len(self.configurations if chosen is None else chosen)
        self.plan(part, cells, n_models)
        self.progress.expect({(part, cell.repeat, cell.fold): n_models for cell in cells})
        for key, fit in self.trainer.train(part, cells, chosen):
            receive(key, fit)

    def plan(self, part: str, cells: Sequence[Cell], n_models: int) -> None:
        """Tell the progress how many models of each cell a part will train."""
        self.progress.plan(part, [cell.repeat for cell in cells], n_models)

    def begin_part(self, part: str, cells: Sequence[Cell]) -> None:
        """Tell the store about a part's folds."""
        if self.store is not None:
            self.store.start_part(part, folds_digest(cells))

    def settle(self, *collections: Collected) -> None:
        """Leave out the configurations of which a fit failed."""
        failures: dict[int, list[str]] = {}
        for one in collections:
            for index, reasons in one.failures.items():
                failures.setdefault(index, []).extend(reasons)
        warn_of_failures(failures, self.configurations)
        everyone = np.arange(len(self.configurations))
        self.working = everyone[~np.isin(everyone, list(failures))]

    def on(self, partitions: Sequence[Partition]) -> "Run":
        """Return the run on other partitions."""
        return replace(self, partitions=tuple(partitions))

    def predictions(
        self, collected: Collected, chosen: IndexArray | None = None, metric: str | None = None
    ) -> OutOfSamplePredictions:
        """Return the predictions of some configurations, read by one of the metrics."""
        deciding = self.scoring.metric if metric is None else self.scoring.metrics[metric]
        return collected.predictions(
            self.y,
            self.working if chosen is None else chosen,
            self.names,
            reads(deciding, self.classifier),
            groups=self.groups,
            sample_weight=self.sample_weight,
            dynamic_search=self.dynamic_search,
            time_ordered=self.time_ordered,
        )


def check_target(y: Any, classifier: bool) -> AnyArray:
    """Return the truth as a new array of one dimension, with a clear error if it is not one."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    array = np.asarray(y)
    if array.dtype.names is not None:
        if array.ndim != 1:
            raise ValueError(f"y must have one entry per row, got shape {array.shape}")
        return array.copy()
    array = column_or_1d(y, warn=True)
    _refuse_missing(array)
    if classifier:
        try:
            check_classification_targets(array)
        except ValueError as error:
            raise ValueError(f"y: {error}") from None
    return np.array(array)


def check_rows(X: Any, y: AnyArray, params: Mapping[str, Any]) -> Any:
    """Return X in a form whose rows can be taken; refuse lengths that differ."""
    X = indexable(X)[0]
    n_rows = _num_samples(X)
    if n_rows != len(y):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows, y has {len(y)}"
        )
    for name, value in params.items():
        if name in ("groups", "sample_weight") and value is not None and len(value) != n_rows:
            raise ValueError(f"{name} has {len(value)} entries, X has {n_rows} rows")
    return X


def folds_digest(cells: Sequence[Cell]) -> str:
    """Return what tells the folds of two parts apart."""
    rows = [[cell.repeat, cell.fold, cell.rows.train, cell.rows.test] for cell in cells]
    return Fingerprint().text(rows)


def _refuse_missing(y: AnyArray) -> None:
    if y.dtype.kind == "O":
        wrong = _validation.missing_objects(y)
    elif y.dtype.kind == "f":
        wrong = ~np.isfinite(y)
    else:
        return
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "infinity" if y.dtype.kind == "f" and np.isinf(y[row]) else "NaN"
        raise ValueError(f"Input y contains {what}: row {row} ({int(wrong.sum())} in all)")
