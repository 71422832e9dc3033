"""One call of `fit`: validated input, and what its stages share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._store import FitKey, Store, StoredFit
from .._store._fingerprint import Fingerprint
from .._training._check import Checks
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
    """One call of `fit`.

    Configurations are compared on `partitions`, one per repeat; `new_partitions` are for the winner
    alone. `y` is structured for survival. `splitter` is what a `Design` says of the folds.
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
    splitter: Mapping[str, Any]
    checks: Checks
    pooling: str
    new_partitions: tuple[Partition, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.y)

    @property
    def names(self) -> list[str]:
        """Names of all configurations."""
        return [configuration.name for configuration in self.configurations]

    @property
    def time_ordered(self) -> bool:
        """Whether each row is predicted by models of earlier rows only."""
        return is_time_ordered(
            (fold.train, fold.test) for partition in self.partitions for fold in partition.folds
        )

    def pos_label_of(self, metric: Metric) -> Any:
        """Return the positive class, if the metric has classes."""
        return self.pos_label if metric.has_classes else None

    def splits(self) -> list[Split]:
        """Return the folds of all repeats, in order."""
        return [
            Split(repeat, number, fold)
            for repeat, partition in enumerate(self.partitions)
            for number, fold in enumerate(partition.folds)
        ]

    def collector(self, partitions: Sequence[Partition] | None = None) -> Collected:
        """Return an empty collection of fits."""
        partitions = self.partitions if partitions is None else partitions
        return Collected(self.responses, partitions, self.n_rows, len(self.configurations))

    def train(
        self, part: str, splits: Sequence[Split], chosen: Sequence[int] | None = None
    ) -> Iterator[tuple[FitKey, StoredFit]]:
        """Train the chosen configurations in splits of a part; yield the fits as they finish."""
        if chosen is None:
            chosen = range(len(self.configurations))
        self.progress.expect({(part, split.repeat, split.fold): len(chosen) for split in splits})
        return self.trainer.train(part, splits, chosen)

    def plan(self, part: str, splits: Sequence[Split], n_models: int) -> None:
        """Announce how many models of each split a part will train."""
        self.progress.plan(part, [split.repeat for split in splits], n_models)

    def begin_part(self, part: str, splits: Sequence[Split]) -> None:
        """Store a part's folds, or compare them with the stored ones."""
        if self.store is not None:
            self.store.start_part(part, folds_digest(splits))

    def on(self, partitions: Sequence[Partition]) -> "Run":
        """Return the run with other partitions."""
        return replace(self, partitions=tuple(partitions))


def folds_digest(splits: Sequence[Split]) -> str:
    """Return what identifies the folds of a part."""
    rows = [[split.repeat, split.fold, split.rows.train, split.rows.test] for split in splits]
    return Fingerprint().text(rows)
