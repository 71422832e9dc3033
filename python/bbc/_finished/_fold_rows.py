"""The rows that scores of folds are of: their truth, groups, and which fold tested each of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _engine, _validation
from .._typing import AnyArray, CodeArray, FloatArray
from .._validation import Problem
from ..errors import InvalidValueError, arguments_called
from ..metrics import Metric
from ._claim import Claim

#: Rows that are right in a fold are a whole number, up to the rounding of their share.
_WHOLE = 1e-6
#: Squared errors by two scores of a search agree up to this share of the truth's variance.
_SAME_ERRORS = 1e-5


class FoldRows(NamedTuple):
    """Rows that the folds tested.

    `problem` has their truth, groups and folds, which are None where they cannot be known, and no
    predictions; `classes` are those of a truth that the metric reads as numbers. `is_pooled` says
    whether the metric is an R2 whose squared errors are known.
    """

    problem: Problem
    classes: CodeArray | None
    is_pooled: bool

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.problem.truth.values)


def rows_of(
    claim: Claim,
    metric: Metric,
    y: Any,
    groups: Any,
    n_repeats: int,
    n_folds: int,
    *,
    weighted: bool,
) -> FoldRows | None:
    """The rows of a claim's scores, by the truth and groups of its search; None without.

    A truth that cannot be that of the search is refused. `weighted` says whether rows have weights
    in the scores.
    """
    if y is None:
        if groups is not None:
            raise InvalidValueError("groups", "are those of the rows of y, which is missing")
        return None
    with arguments_called(y_true="y"):
        found = _of_truth(y, groups, metric)
    _check_classes(claim, found.truth.values)
    folds = _folds(claim, found, groups, n_repeats, n_folds)
    n_rows = len(found.truth.values)
    if folds is None and n_rows < n_folds:
        raise InvalidValueError(
            "y", f"has fewer rows, {n_rows}, than the scores have folds, {n_folds}"
        )
    if folds is not None:
        _check_sizes(claim, folds, n_folds)
        tested = np.flatnonzero((folds >= 0).any(axis=0))
        found = found._replace(
            truth=found.truth.take(tested),
            groups=None if found.groups is None else found.groups[tested],
            folds=np.ascontiguousarray(folds[:, tested], dtype=np.int32),
            n_rows_given=len(tested),
        )
    known = bool(claim.is_classifier or claim.design.stratified)
    classes = found.truth.class_codes(known=known) if metric.target == "real" else None
    is_pooled = is_r2(metric) and classes is None and found.folds is not None and not weighted
    if is_pooled:
        _check_errors(claim, _variances(found, n_folds))
    elif is_r2(metric):  # of which the folds say nothing
        found = found._replace(folds=None)
    return FoldRows(found, classes, is_pooled)


def _of_truth(y: Any, groups: Any, metric: Metric) -> Problem:
    """The rows; of two classes one must be known to be positive, if the metric reads one."""
    try:
        return _validation.without_predictions(_validation.Data(y, groups=groups), metric)
    except InvalidValueError as error:
        if error.argument != "pos_label" or metric.pos_label is not None:
            raise
    classes = np.unique(_validation.plain_array(y, "y")).tolist()
    raise InvalidValueError(
        "y",
        f"has the classes {_validation.shown(classes)}, of which none is known to be the positive "
        f"one of metric {metric.name!r}",
        hint=f"pass numpy.asarray(y) == {classes[1]!r} if it is {classes[1]!r}, or as metric a "
        f"scorer with pos_label={classes[1]!r}",
    )


def is_r2(metric: Metric) -> bool:
    """Whether a metric is R2."""
    return metric.kernel == "r2"


def _folds(
    claim: Claim, found: Problem, groups: Any, n_repeats: int, n_folds: int
) -> CodeArray | None:
    """The fold of each row in each repeat, -1 where none tested it; None if they are not known."""
    if claim.splits_of is None:
        return None
    own = None if groups is None else _validation.plain_array(groups, "groups")
    splits = claim.splits_of(found.truth.values, own)
    if splits is None:
        return None
    if len(splits) != n_repeats * n_folds:
        raise InvalidValueError(
            "y",
            f": the search has {n_repeats * n_folds} splits, but its splitter makes {len(splits)} "
            "of these rows; pass what fit was given",
        )
    return _codes(splits, len(found.truth.values), n_repeats)


def _codes(splits: Sequence[Any], n_rows: int, n_repeats: int) -> CodeArray | None:
    """Test rows of splits, those of one repeat in turn, as codes; None if they overlap."""
    codes = np.full((n_repeats, n_rows), -1, np.int32)
    n_folds = len(splits) // n_repeats
    for number, test in enumerate(splits):
        rows = np.asarray(test)
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        if rows.max(initial=0) >= n_rows:
            raise InvalidValueError(
                "y", f"has {n_rows} rows, but split {number} of the search tests row {rows.max()}"
            )
        repeat, fold = divmod(number, n_folds)
        if (codes[repeat, rows] >= 0).any():
            return None
        codes[repeat, rows] = fold
    return codes


def _check_classes(claim: Claim, values: AnyArray) -> None:
    """Refuse a truth with another number of classes than the search saw."""
    if not np.isfinite(claim.n_classes):
        return
    n_classes = len(np.unique(values))
    if n_classes != claim.n_classes:
        raise InvalidValueError(
            "y",
            f"does not have the classes that the search saw: {n_classes} in the place of "
            f"{claim.n_classes:g}",
        )


def _check_sizes(claim: Claim, folds: CodeArray, n_folds: int) -> None:
    """Refuse rows of which the share that is right in a split cannot be what the search has."""
    sizes: FloatArray = np.concatenate(
        [np.bincount(own[own >= 0], minlength=n_folds) for own in folds]
    ).astype(np.float64)
    for said in claim.said.values():
        if said.metric is None or said.metric._facts.get("form") != "zero_one" or said.weighted:
            continue
        right = said.by_fold * sizes[:, np.newaxis]
        wrong = np.isfinite(right) & (np.abs(right - np.rint(right)) > _WHOLE)
        if wrong.any():
            split, place = np.argwhere(wrong)[0].tolist()
            raise InvalidValueError(
                "y",
                f"does not have the rows that the search saw: {said.called!r} of split {split} is "
                f"{said.by_fold[split, place]:.6g} (configuration {claim.names[place]!r}), which "
                f"is no whole number of its {sizes[split]:g} rows",
            )


def _variances(found: Problem, n_folds: int) -> FloatArray:
    """The variance of the truth in each split; one in which there is none is refused."""
    assert found.truth.real is not None
    assert found.folds is not None
    shares = _engine.spread_shares(found.truth.real, found.folds, n_folds).reshape(-1)
    if not shares.all():
        split = int(np.flatnonzero(shares == 0)[0])
        raise InvalidValueError("y", f"is constant in split {split}, whose R2 is undefined")
    return shares * float(np.var(found.truth.real))


def _check_errors(claim: Claim, variances: FloatArray) -> None:
    """Refuse a truth by which R2 and the squared error of the search contradict each other."""
    named = {each.metric.name: each for each in claim.said.values() if each.metric is not None}
    r2, errors = named.get("r2"), named.get("neg_mean_squared_error")
    if r2 is None or errors is None or errors.weighted:
        return
    by_r2 = (1.0 - r2.by_fold) * variances[:, np.newaxis]
    wrong = np.abs(by_r2 + errors.by_fold) > _SAME_ERRORS * variances[:, np.newaxis]
    if wrong.any():
        split, place = np.argwhere(wrong)[0].tolist()
        raise InvalidValueError(
            "y",
            "does not have the rows that the search saw, or in another order: by its R2 the mean "
            f"squared error of split {split} is {by_r2[split, place]:.6g} (configuration "
            f"{claim.names[place]!r}), by the search {-errors.by_fold[split, place]:.6g}",
        )
