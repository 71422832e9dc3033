"""What the statistics would refuse after the training is refused before it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from .. import _validation
from .._typing import AnyArray
from ..metrics import Metric
from ..selection import get as get_selection
from ._run import Run


def check_statistics(run: Run, selection: Any, **needs: Any) -> None:
    """Validate truth, groups, weights and folds for each metric, with predictions made up.

    `needs` are the arguments of `_validation.problem` that the protocol's estimate asks for.
    """
    get_selection(selection).check(len(run.configurations))
    tested = np.array([one.labels(run.n_rows) for one in run.partitions])
    rows = np.flatnonzero((tested >= 0).any(axis=0))
    by_fold = bool(needs.get("every_fold_scored") or needs.get("folds_needed_by"))
    # Incomplete partitions have no fold for each row, and no estimate by fold.
    complete = bool((tested[:, rows] >= 0).all())

    def taken(values: AnyArray | None) -> AnyArray | None:
        return None if values is None else values[rows]

    if needs.get("every_fold_scored"):
        _refuse_unequal([len(one.folds) for one in run.partitions])
    y = run.y[rows]
    for metric in run.scoring.metrics.values():
        if metric.family == "callable" and run.sample_weight is not None:
            raise ValueError(
                f"sample_weight: metric {metric.name!r} is a Python function of (y, prediction) "
                "and takes no weights"
            )
        if metric.predicts == "labels" and y.dtype.kind == "f":
            _refuse_regressors(run, metric)
        made_up = _made_up(metric, y, run.responses.classes)
        if made_up is None:
            continue
        _validation.problem(
            y,
            [made_up] * len(tested),
            metric,
            labels=run.responses.classes if metric.target in ("binary", "classes") else None,
            pos_label=run.pos_label if metric.target in ("binary", "classes") else None,
            groups=taken(run.groups),
            sample_weight=taken(run.sample_weight),
            folds=tested[:, rows] if complete and by_fold else None,
            **(needs if complete else needs | {"folds_needed_by": ""}),
        )


def _refuse_regressors(run: Run, metric: Metric) -> None:
    """Refuse labels of a regressor: whole numbers such as 151.0 pass for labels in a truth."""
    for one in run.configurations:
        if is_regressor(one.estimator):
            raise ValueError(
                f"scoring: metric {metric.name!r} compares labels, but {one.name!r} is a regressor "
                "and y is real numbers; use a metric of values such as 'r2', or give labels as "
                "integers"
            )


def _refuse_unequal(sizes: Sequence[int]) -> None:
    for repeat, size in enumerate(sizes):
        if size != sizes[0]:
            raise ValueError(
                f"cv: repeat {repeat} has {size} folds, repeat 0 has {sizes[0]}; means over folds "
                "need as many in each"
            )


def with_plain_groups(params: Mapping[str, Any], n_rows: int) -> dict[str, Any]:
    """Return the metadata with groups, if there are any, as an array without holes."""
    plain = dict(params)
    if plain.get("groups") is not None:
        plain["groups"] = np.asarray(plain["groups"])
        _validation.groups(plain["groups"], n_rows, None)
    return plain


def _made_up(metric: Metric, y: AnyArray, classes: AnyArray | None) -> AnyArray | None:
    """Predictions that no check of predictions refuses; None if the metric takes anything."""
    if metric.predicts == "any":
        return None
    if metric.predicts == "labels":
        return y[:, None]
    if metric.predicts in ("class_scores", "class_probabilities"):
        n_classes = 2 if classes is None else len(classes)
        return np.full((len(y), 1, n_classes), 1.0 / n_classes)
    return np.ones((len(y), 1))
