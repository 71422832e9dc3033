"""One call of `fit`: its input, checked before fitting, and what a store keeps of it."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import sklearn
from sklearn.base import is_regressor

from .. import _validation
from .._frozen import as_array, ends_in_nul
from .._names import SEEDING
from .._store import FitKey, Identity, Store, StoredFit
from .._store._fingerprint import VALUE, Cloned, Code, Fingerprint, version
from .._training._check import Checks
from .._training._collected import Collected
from .._training._configurations import RULE, Configuration
from .._training._fit import Progress, Split, Trainer
from .._training._scoring import Responses, Scoring, probe, refuse_times
from .._training._splits import Partition, copies_across_folds
from .._typing import AnyArray
from .._warn import warn
from ..errors import InvalidValueError, arguments_called
from ..metrics import Metric
from ..predictions import BY_ROW, is_time_ordered
from ..selection import Selection
from ..selection import get as get_selection

#: What is said of a run's predictions, which they keep.
OF_PREDICTIONS = (*BY_ROW[1:], "dynamic_search", "time_ordered", "time_indexed", "n_copies")


@dataclass
class Run:
    """One call of `fit`.

    Configurations are compared on `partitions`, one per repeat; `new_partitions` are for the winner
    alone. `y` is structured for survival. `splitter` is what a `Design` says of the folds,
    `stratified_by` the bins of y that they have equally, `time_indexed` whether the rows came with
    times that rise, and `no_blocks` as of a `Source`.
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
    time_indexed: bool = False
    no_blocks: tuple[str, str] | None = None
    new_partitions: tuple[Partition, ...] = ()
    stratified_by: AnyArray | None = None

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
        """True if each row is predicted by models of earlier rows only."""
        return is_time_ordered(
            (fold.train, fold.test) for partition in self.partitions for fold in partition.folds
        )

    @cached_property
    def n_copies(self) -> int | None:
        """How many rows have copies outside their fold; None if the inputs are no table."""
        return copies_across_folds(self.X, self.y, self.partitions)

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
        self, part: str, splits: Sequence[Split], chosen: Sequence[int]
    ) -> Iterator[tuple[FitKey, StoredFit]]:
        """Train the chosen configurations in splits of a part; yield the fits as they finish."""
        self.progress.expect({(part, split.repeat, split.fold): len(chosen) for split in splits})
        return self.trainer.train(part, product(splits, chosen))

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


_VERSION = "the version of "
# Packages that affect numbers, whatever package the learners come from.
_ALWAYS = ("numpy", "scikit-learn", "scipy")
# Settings of scikit-learn that change the input of learners.
_SETTINGS = ("array_api_dispatch", "enable_metadata_routing", "transform_output")
# Patterns of the records.
LATEST = {
    "protocol": str,
    "metrics": [str],
    "pooling": str,
    "dynamic search": bool,
    "groups": (type(None), "biufSU1"),
    "sample_weight": (type(None), "f1"),
}
# Of runs that were stored since a positive class need not be said, too.
LATEST_OR_EARLIER = (LATEST | {"pos_label given": bool}, LATEST)
DESCRIPTION = {
    "seed": int,
    "labels": bool,
    "methods": [str],
    "positive": (type(None), int),
    "probabilities": bool,
    "classes": (type(None), "biufSU1"),
    "y": "biufSUV1",
    "test rows": "i1",
    "test sizes": "i2",
    "time ordered": bool,
}
# Of runs that predict survival at some times, or whose rows have bins or an index of times, too.
DESCRIPTIONS = tuple(
    DESCRIPTION | beside | indexed | binned
    for binned in ({}, {"stratified by": "i1"})
    for indexed in ({}, {"time indexed": bool})
    for beside in ({}, {"times": [float]}, {"decisions": bool})
)


def identify(
    run: Run, fit_params: Mapping[str, Any], kernel_version: str
) -> tuple[Identity, dict[str, str]]:
    """Return the identity of a run, and what cannot be compared, with the reason."""
    fingerprint = Fingerprint()
    configurations: dict[str, str] = {}
    n_equal: Counter[str] = Counter()
    for each in run.configurations:
        digest = fingerprint.of(Cloned(run.trainer.seeded(each)), f"configuration {each.name!r}")
        configurations[f"{digest}.{n_equal[digest]}"] = each.name
        n_equal[digest] += 1
    settings = sklearn.get_config()
    data = {
        "the number of rows": str(run.n_rows),
        "y": fingerprint.of(run.y, "y"),
        "X": fingerprint.of(run.X, "X"),
        "fit parameters": fingerprint.of(dict(sorted(fit_params.items())), "fit parameters"),
        "random_state": str(run.seed),
        SEEDING: RULE,
        "what is predicted": run.responses.describe,
        # The part itself may start much later, after inner loops.
        "the partition": folds_digest(run.splits()),
        "scikit-learn's configuration": fingerprint.text([settings[name] for name in _SETTINGS]),
    }
    roots = list(fingerprint.met.values())
    code = Code(roots)
    known = {"bbc": kernel_version, "Python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    known |= {name: version(name) for name in sorted({*_ALWAYS, *code.packages})}
    versions = {_VERSION + name: [found] for name, found in known.items()}
    identity = Identity(
        {name: [found] for name, found in data.items()},
        versions | _listed(code.facts),
        configurations,
        lambda: _listed(Code(roots).values),
    )
    return identity, code.unseen


def warn_of_unseen(store: Store, unseen: Mapping[str, str]) -> None:
    """Warn once of what is not compared."""
    lines = [f"{name} ({why})" for name, why in sorted(unseen.items())]
    lines += [f"{name.removeprefix(VALUE)} (changed by training)" for name in store.changing]
    if lines:
        warn(
            f"store {store.path!r} cannot detect changes of the following, so pass another path "
            f"when you change them: {'; '.join(lines)}"
        )


def _listed(values: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(found) for name, found in values.items()}


def description(run: Run) -> dict[str, Any]:
    """Return what is needed to use a run's fits without the caller."""
    splits, responses = run.splits(), run.responses
    times = {"times": list(responses.times)} if responses.times else {}
    beside = {"decisions": True} if responses.decisions else {}
    indexed = {"time indexed": True} if run.time_indexed else {}
    binned = {} if run.stratified_by is None else {"stratified by": run.stratified_by}
    return (
        times
        | beside
        | indexed
        | binned
        | {
            "seed": run.seed,
            "labels": responses.labels,
            "methods": list(responses.methods),
            "positive": responses.positive,
            "probabilities": responses.probabilities,
            "classes": _plain(responses.classes),
            "y": _plain(run.y),
            "test rows": np.concatenate([split.rows.test for split in splits]),
            "test sizes": np.array([[split.repeat, len(split.rows.test)] for split in splits]),
            "time ordered": run.time_ordered,
        }
    )


def latest(run: Run, protocol: str, pooling: str) -> dict[str, Any]:
    """Return what may differ from call to call on the same fits."""
    decides = run.scoring.metric
    others = [each.name for each in run.scoring.metrics.values() if each is not decides]
    return {
        "protocol": protocol,
        "metrics": [decides.name, *others],
        "pooling": pooling,
        "dynamic search": run.dynamic_search,
        "pos_label given": run.responses.said,
        "groups": _plain(run.groups),
        "sample_weight": None if run.sample_weight is None else run.sample_weight.astype(float),
    }


def versions_of(code: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the versions that fits were made with."""
    return {
        name.removeprefix(_VERSION): ", ".join(found)
        for name, found in code.items()
        if name.startswith(_VERSION)
    }


def seed_of(store: Store) -> int:
    """Return the seed of the run that a store holds."""
    run = store.record("run", DESCRIPTIONS)
    assert run is not None
    return int(run["seed"])


def was_dynamic(store: Store) -> bool:
    """True if an earlier call chose configurations given the scores of others."""
    found = store.record("latest", LATEST_OR_EARLIER)
    return found is not None and bool(found["dynamic search"])


def _plain(values: AnyArray | None) -> AnyArray | None:
    """Objects as strings: a store keeps nothing that could run code."""
    if values is None or not values.dtype.hasobject:
        return values
    for value in filter(ends_in_nul, values.flat):
        raise InvalidValueError("store", f": it cannot keep {value!r}, which ends in NUL")
    return values.astype(str)


def check_statistics(run: Run, owner: Any, needs: _validation.Needs) -> None:
    """Validate the rule, and targets, groups, weights and folds for each metric.

    `owner` is the protocol, and `needs` is what its estimate requires of the data.
    """
    refuse_times(run.scoring, ((each.name, each.build()) for each in run.configurations))
    rule = get_selection(owner.selection)
    rule.check(len(run.configurations))
    if rule.derives:
        _check_choice(rule, run, owner)
    partitions = [*run.partitions, *run.new_partitions]
    tested = np.array([each.fold_ids(run.n_rows) for each in partitions])
    rows = np.flatnonzero((tested >= 0).any(axis=0))
    by_fold = needs.every_fold_scored or bool(needs.folds_needed_by)
    # Incomplete partitions leave rows without a fold, and give no estimate by fold.
    complete = bool((tested[:, rows] >= 0).all())

    if needs.every_fold_scored:
        _refuse_unequal([len(each.folds) for each in partitions])
    y = run.y[rows]
    for metric in run.scoring.metrics.values():
        if len(rows) < run.n_rows:
            _validation.refuse_given_censoring(metric, "the folds leave rows without a prediction")
        if metric.family == "callable" and run.sample_weight is not None:
            raise InvalidValueError(
                "sample_weight",
                f": metric {metric.name!r} is a Python function of (y, prediction) "
                "and takes no weights",
            )
        if metric.predicts == "labels" and y.dtype.kind == "f":
            _refuse_regressors(run, metric)
        data = _validation.Data(
            y,
            folds=tested[:, rows] if complete and by_fold else None,
            groups=None if run.groups is None else run.groups[rows],
            sample_weight=None if run.sample_weight is None else run.sample_weight[rows],
            pos_label=run.pos_label_of(metric),
            classes=run.responses.classes if metric.has_classes else None,
        )
        needed = needs if complete else needs._replace(folds_needed_by="")
        _validation.without_predictions(data, metric, needed)
    for name, metric in {} if rule.derives else run.scoring.metrics.items():
        label, strict = run.pos_label_of(metric), run.checks.on_difference == "raise"
        probe(name, metric, y, run.responses, pos_label=label, refuse=strict)


def _check_choice(rule: Selection, run: Run, owner: Any) -> None:
    """Refuse a cut-off or an ensemble where there is no estimate, or no final model, of it."""
    if not getattr(owner, "_takes_derived", False):
        raise InvalidValueError(
            "selection", f": {rule} is for bbc.BBC, not for bbc.{type(owner).__name__}"
        )
    others = [each for each in run.scoring.metrics.values() if each is not run.scoring.metric]
    if rule.rule == "best_threshold":
        with arguments_called(metric="scoring"):
            for metric in others:
                _validation.described_metric(rule, metric)
    elif others:
        raise InvalidValueError(
            "scoring", f": {rule} takes one metric, got {', '.join(run.scoring.metrics)}"
        )
    _validation.options(metric=run.scoring.metric, method=owner.method, selection=rule)
    if rule.rule != "best_threshold" and owner.refit:
        raise InvalidValueError(
            "refit",
            f": {rule} leaves no single configuration to train on all rows; use refit=False",
        )
    if rule.rule == "best_threshold" and run.responses.pos_label is None:
        raise InvalidValueError("selection", ": best_threshold() is for classifiers of two classes")


def _refuse_regressors(run: Run, metric: Metric) -> None:
    """Refuse labels of a regressor: whole numbers such as 151.0 look like labels."""
    for each in run.configurations:
        if is_regressor(each.estimator):
            raise InvalidValueError(
                "scoring",
                f": metric {metric.name!r} compares labels, but {each.name!r} is a "
                "regressor and y is real numbers; use a metric of values such as 'r2', or give "
                "labels as integers",
            )


def _refuse_unequal(sizes: Sequence[int]) -> None:
    for repeat, size in enumerate(sizes):
        if size != sizes[0]:
            raise InvalidValueError(
                "cv",
                f": repeat {repeat} has {size} folds, repeat 0 has {sizes[0]}; means over folds "
                "require equal numbers",
            )


def with_plain_groups(params: Mapping[str, Any], n_rows: int) -> dict[str, Any]:
    """Return the metadata with validated groups as an array."""
    plain = dict(params)
    if plain.get("groups") is not None:
        plain["groups"] = as_array(plain["groups"])
        _validation.groups(plain["groups"], n_rows, None)
    return plain
