"""One call of `fit`: checked input, and everything that its stages share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._fingerprints._fingerprint import Fingerprint
from .._store import FitKey, Store, StoredFit
from .._training._collected import Collected
from .._training._configurations import Configuration
from .._training._fit import Split, Trainer
from .._training._progress import Progress
from .._training._responses import Responses
from .._training._scoring import Scoring
from .._training._splits import Partition
from .._typing import AnyArray
from ..metrics import Metric
from ..predictions import is_time_ordered


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
    partitions : tuple of Partition
        One for each repeat, on which configurations are compared.
    new_partitions : tuple of Partition
        Others, for the winner alone.
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
    new_partitions: tuple[Partition, ...] = ()

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

    def pos_label_of(self, metric: Metric) -> Any:
        """Return the positive class, if the metric has classes."""
        return self.pos_label if metric.has_classes else None

    def splits(self) -> list[Split]:
        """Return the folds of all repeats, in order."""
        return [
            Split(repeat, number, fold)
            for repeat, one in enumerate(self.partitions)
            for number, fold in enumerate(one.folds)
        ]

    def collector(self, partitions: Sequence[Partition] | None = None) -> Collected:
        """Return an empty collection of fits."""
        own = self.partitions if partitions is None else partitions
        return Collected(self.responses, own, self.n_rows, len(self.configurations))

    def train_splits(
        self,
        part: str,
        splits: Sequence[Split],
        receive: Callable[[FitKey, StoredFit], None],
    ) -> None:
        """Train configurations in the splits of a part; hand on the fits as they finish."""
        self.begin_part(part, splits)
        n_models = len(self.configurations)
        self.plan(part, splits, n_models)
        self.progress.expect({(part, split.repeat, split.fold): n_models for split in splits})
        for key, fit in self.trainer.train(part, splits):
            receive(key, fit)

    def plan(self, part: str, splits: Sequence[Split], n_models: int) -> None:
        """Tell the progress how many models of each split a part will train."""
        self.progress.plan(part, [split.repeat for split in splits], n_models)

    def begin_part(self, part: str, splits: Sequence[Split]) -> None:
        """Tell the store about a part's folds."""
        if self.store is not None:
            self.store.start_part(part, folds_digest(splits))

    def on(self, partitions: Sequence[Partition]) -> "Run":
        """Return the run on other partitions."""
        return replace(self, partitions=tuple(partitions))


def folds_digest(splits: Sequence[Split]) -> str:
    """Return what tells the folds of two parts apart."""
    rows = [[split.repeat, split.fold, split.rows.train, split.rows.test] for split in splits]
    return Fingerprint().text(rows)
