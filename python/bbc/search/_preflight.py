"""Validates targets, folds and weights before fitting."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from .. import _validation
from .._training._probe import probe
from .._typing import AnyArray
from ..errors import InvalidValueError
from ..metrics import Metric
from ..selection import Selection
from ..selection import get as get_selection
from ._run import Run


def cuts(selection: Any) -> bool:
    """Whether a rule chooses the cut-off that makes labels of scores."""
    return get_selection(selection).rule == "best_threshold"


def check_statistics(run: Run, owner: Any, needs: _validation.Needs) -> None:
    """Validate the rule, and targets, groups, weights and folds for each metric.

    `owner` is the protocol, and `needs` is what its estimate requires of the data.
    """
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

    def taken(values: AnyArray | None) -> AnyArray | None:
        return None if values is None else values[rows]

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
            groups=taken(run.groups),
            sample_weight=taken(run.sample_weight),
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
        raise ValueError(f"selection: {rule} is for bbc.BBC, not for bbc.{type(owner).__name__}")
    if len(run.scoring.metrics) > 1:
        raise ValueError(f"scoring: {rule} takes one metric, got {', '.join(run.scoring.metrics)}")
    _validation.options(
        metric=run.scoring.metric, method=owner.method, interval=owner.interval, selection=rule
    )
    if rule.rule != "best_threshold" and owner.refit:
        raise ValueError(
            f"refit: {rule} leaves no single configuration to train on all rows; use refit=False"
        )
    if rule.rule == "best_threshold" and run.responses.pos_label is None:
        raise ValueError("selection: best_threshold() is for classifiers of two classes")


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
        plain["groups"] = np.asarray(plain["groups"])
        _validation.groups(plain["groups"], n_rows, None)
    return plain
