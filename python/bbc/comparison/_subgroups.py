"""The corrected performance of one winner in subgroups of rows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _engine, _validation
from .._rows import refuse_other_rows
from .._typing import FloatArray, IndexArray
from .._validation import Problem
from .._winners import Winners
from ..errors import InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..results import Difference, Subgroup, Subgroups
from ._differences import (
    NO_SHARES,
    NOTHING,
    Draws,
    Replicates,
    compared_pairs,
    differences,
    has_shares,
    shares_of,
)

__all__ = ["subgroups_of"]

_MOST_UNDEFINED = 0.1  # of the replicates: more, and those that are defined are no fair sample


def subgroups_of(winners: Winners, by: Any, reference: Any, metric: Metric | None) -> Subgroups:
    """The winners' performance in subgroups, by the metric that selected them or by another."""
    data = winners.asked.data
    refuse_other_rows(y_true=data.y_true, by=by, predictions=data.predictions, **data.by_row)
    reads = winners.options.metric if metric is None else metric
    problem = winners.problem(winners.options.metric)
    labelled = _labels(by, problem.n_rows_given)
    against = None if reference is None else str(reference)
    pairs = compared_pairs(labelled.names, against, reference, "subgroups")
    divided = labelled.among(problem)
    return _of_metric(winners, reads, divided, pairs, against or "", metric is None)


class _Scored(NamedTuple):
    """A subgroup's data and its replicates, NaN where undefined; None if it has no estimate."""

    problem: Problem
    replicates: FloatArray | None
    result: Subgroup
    influence: Any = None
    shares: FloatArray = NOTHING


class _Labels(NamedTuple):
    """The subgroup of each row, as an index of sorted names."""

    codes: IndexArray
    names: list[str]

    def among(self, problem: Problem) -> dict[str, IndexArray]:
        """The rows of each subgroup among those that stay."""
        kept = np.delete(self.codes, problem.left_out_rows)
        sizes = np.bincount(kept, minlength=len(self.names))
        rows = np.split(np.argsort(kept, kind="stable"), np.cumsum(sizes)[:-1])
        return dict(zip(self.names, rows, strict=True))


def _labels(by: Any, n_rows: int) -> _Labels:
    """The labels, validated."""
    codes, found = _validation.row_labels(by, "by", n_rows)
    if len(found) < 2:
        raise InvalidValueError("by", f"has one label ({found[0]}): subgroups need two")
    if _validation.is_real(found):
        raise InvalidValueError(
            "by",
            f"has {len(found)} different real numbers",
            hint="cut them into classes, as pandas.cut does",
        )
    order = np.argsort(found)
    return _Labels(np.argsort(order)[codes], [str(label) for label in found[order]])


def _of_metric(
    winners: Winners,
    metric: Metric,
    divided: Mapping[str, IndexArray],
    pairs: Sequence[tuple[str, str]],
    reference: str,
    decides: bool,
) -> Subgroups:
    """The subgroups by one metric."""
    whole = winners.problem(metric)
    found = {name: _scored(winners, metric, whole, name, rows) for name, rows in divided.items()}
    overall = winners.estimate if decides else winners.score(metric)
    apart = tuple(
        _difference(winners, metric, whole, (found[first], found[second]))
        for first, second in pairs
        if found[first].replicates is not None and found[second].replicates is not None
    )
    lacking = apart and not has_shares(whole, winners.options._replace(metric=metric))
    return Subgroups(
        overall,
        tuple(each.result for each in found.values()),
        apart,
        reference=reference,
        notes=(NO_SHARES,) if lacking else (),
    )


def _scored(
    winners: Winners, metric: Metric, whole: Problem, name: str, rows: IndexArray
) -> _Scored:
    """The winners' scores on the rows of a subgroup, or why it has none."""
    problem = whole.of_rows(rows)
    counts = _counts(problem)
    reason = _too_small(problem, winners.options)
    scores = None
    if not reason:
        try:
            _validation.check_classes(problem.truth, metric)
            scores = winners.score_rows(metric, problem, rows)
        except UndefinedMetricError as error:
            reason = str(error).removeprefix("y_true ")
    if scores is not None:
        n, n_undefined = len(scores.defined), int(np.count_nonzero(~scores.defined))
        if n_undefined > _MOST_UNDEFINED * n:
            reason = f"{metric.name!r} is undefined in {n_undefined} of {n} replicates"
    if reason or scores is None:
        return _Scored(problem, None, Subgroup(name, len(rows), counts, too_small=reason))
    estimate = winners.of_rows(scores, metric, problem)
    return _Scored(
        problem,
        scores.replicates,
        Subgroup(name, len(rows), counts, estimate),
        _influence(winners, metric, whole, problem, rows),
        _shares(winners, metric, whole, problem, rows),
    )


def _influence(
    winners: Winners,
    metric: Metric,
    whole: Problem,
    problem: Problem,
    rows: IndexArray,
) -> Any:
    """Contributions of all units to the winner's score here; None if folds are drawn."""
    settings = winners.options
    if settings.method != "bbc":
        return None
    assert winners.estimate.winner is not None
    return _engine.influence(
        problem,
        settings._replace(metric=metric),
        whole.index_among_kept(winners.estimate.winner),
        units=rows if whole.groups is None else whole.groups[rows],
        n_units=whole.n_units,
        n_threads=1,
    )


def _shares(
    winners: Winners, metric: Metric, whole: Problem, problem: Problem, rows: IndexArray
) -> FloatArray:
    """What all rows contribute to the winner's score here by the shares of their classes.

    Rows of the same class in different subgroups are of different classes of the difference.
    """
    own = shares_of(problem, winners.raw, winners.options._replace(metric=metric))
    if not len(own):
        return NOTHING
    found = np.zeros(len(whole.truth.values))
    found[rows] = own
    return found


def _too_small(problem: Problem, settings: _validation.Options) -> str:
    """Why no metric can be corrected on these rows; empty if one can."""
    if problem.n_rows == 0:
        return "no configuration predicted its rows"
    if problem.n_units < 2:
        return "it has one row" if problem.groups is None else "its rows are of one group"
    if problem.sample_weight is not None and not problem.sample_weight.any():
        return "its rows have no weight"
    if problem.seen is not None and not problem.seen.any(axis=1).all():
        return "a repeat predicted none of its rows"
    if settings.method == "bbc-two-level" and problem.fewest_folds < 2:
        return "its rows are in one fold, and folds are drawn"
    return ""


def _counts(problem: Problem) -> dict[str, int]:
    """Rows of each class, or events and censored rows."""
    truth = problem.truth
    if truth.event is not None:
        events = int(np.count_nonzero(truth.event))
        return {"events": events, "censored": problem.n_rows - events}
    if truth.codes is None or truth.classes is None:
        return {}
    counts = np.bincount(truth.codes, minlength=len(truth.classes))
    return {str(label): int(n) for label, n in zip(truth.classes, counts, strict=True)}


def _difference(
    winners: Winners,
    metric: Metric,
    whole: Problem,
    pair: tuple[_Scored, _Scored],
) -> Difference:
    """The difference on the replicates in which both subgroups have a score."""
    settings = winners.options._replace(metric=metric)
    first, second = (np.asarray(each.replicates) for each in pair)
    both = ~(np.isnan(first) | np.isnan(second))
    (found,) = differences(
        [
            Replicates(each.result.name, values[both], 1, each.influence, each.shares)
            for each, values in zip(pair, (first, second), strict=True)
        ],
        [(pair[0].result.name, pair[1].result.name)],
        _draws(whole, settings, [each.problem for each in pair]),
        whole,
        settings,
    )
    return found


def _draws(whole: Problem, settings: _validation.Options, sides: Sequence[Problem]) -> Draws:
    """The units that the replicates draw, for a mean over the rows of the smaller side."""
    n_units = min(side.n_units for side in sides)
    if settings.method == "bbc":
        return Draws(whole.n_units, n_units)
    fewest = min(side.fewest_folds for side in sides)
    return Draws(fewest, n_units, whole.n_repeats, of_folds=True)
