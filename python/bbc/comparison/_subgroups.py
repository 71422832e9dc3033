"""The corrected performance of one winner in subgroups of rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._blocks_of_rows import in_blocks
from .._finished._roads import refuse_fold_scores
from .._rows import refuse_other_rows
from .._typing import Alternative, FloatArray, IndexArray
from .._validation import Problem, predictions_of
from .._winners import Winners, named_metrics
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..results import Difference, Subgroup, Subgroups
from ..streaming import is_stream
from ._compare import Draws, Replicates, compared_pairs, differences

__all__ = ["subgroups"]

_MOST_UNDEFINED = 0.1  # of the replicates: more, and those that are defined are no fair sample


@_validation.analysis
def subgroups(
    y_true: ArrayLike,
    predictions: Any,
    *,
    by: ArrayLike,
    metric: Any,
    decided_by: str | None = None,
    reference: Any = None,
    method: Literal["bbc", "bbc-two-level"] = "bbc",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    selection: Any = "best",
    alternative: Alternative = "two-sided",
    names: Sequence[str] | None = None,
    **options: Unpack[_validation.SharedArguments],
) -> Any:
    """Correct the performance of the selected configuration in subgroups of rows.

    One configuration serves all rows, so each replicate selects one, on all rows in bag, as
    `bbc.correct` does. Its out-of-bag rows are then scored subgroup by subgroup. No model is
    trained and nothing is selected within a subgroup.

    Parameters
    ----------
    predictions : array-like, list, frame, OutOfSamplePredictions or fitted search
        What `bbc.correct` takes, except streams; or a search that keeps its predictions.
    by : array-like of shape (n_rows,)
        The label of each row's subgroup: at least two different ones. Cut numbers such as ages
        into classes first.
    metric : str, Metric, scorer or callable, or a list or dict of several
        As in `bbc.correct`: of several, `decided_by` selects the winners.
    decided_by : str, optional
        Name of the selection metric among several; the first by default.
    reference : label, optional
        The subgroup with which the others are compared; by default all pairs are compared.
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws, as in `bbc.correct`.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out, as in `bbc.correct`.
    groups : array-like of shape (n_rows,), optional
        Rows of a group, such as a patient, are drawn together. They may be of several subgroups.
    pooling : {"pooled", "fold"}, default="pooled"
        The metric on all rows of a subgroup together, or its unweighted mean over folds.
    selection : "best", Selection or callable, default="best"
        How the winner is selected, as in `bbc.correct`; thresholds and ensembles are refused.
    confidence_level : float, default=0.95
        Level of the intervals of estimates and differences, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        The alternative of the p-values and the side of all intervals. For differences "greater"
        means that the performance is better in the first subgroup.

    Returns
    -------
    Subgroups, or dict of str to Subgroups
        The performance on all rows and in each subgroup, and differences between subgroups, with
        intervals; for several metrics a dict by name. A subgroup for which the metric is
        undefined, or undefined in more than a tenth of the replicates, has a reason instead.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    See Also
    --------
    bbc.compare : Families of configurations on the same rows.

    Notes
    -----
    Intervals of estimates are those of `bbc.correct`, with the events of the subgroup. The
    difference between two subgroups is the mean over the replicates of the difference between
    their out-of-bag scores. Its standard error is that of the winner's scores on the rows of both,
    as in `bbc.compare`, but without an addition for the training rows that folds share: the same
    models predict both subgroups. It is compared to a t-distribution with one degree of freedom
    less than the smaller subgroup has rows or groups (of its rarer class, for metrics that compare
    two classes). With "bbc-two-level" it is made from the replicates. p-values are not adjusted for
    the number of subgroups.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5.
    .. [2] G. S. Collins et al., "TRIPOD+AI statement: updated guidance for reporting clinical
       prediction models that use regression or machine learning methods", BMJ 385 (2024), e078378.

    Examples
    --------
    Configurations that are right in 60 % of the younger and 80 % of the older rows:

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> older = np.arange(300) % 2
    >>> y = rng.integers(0, 2, size=300)
    >>> right = rng.random((300, 40)) < 0.6 + 0.2 * older[:, None]
    >>> found = bbc.subgroups(
    ...     y, np.where(right, y[:, None], 1 - y[:, None]),
    ...     by=np.where(older, "older", "younger"), metric="accuracy", random_state=1)
    >>> [each.name for each in found.groups]
    ['older', 'younger']
    >>> found.difference("older", "younger").confidence_interval.low > 0
    True
    """
    _check_method(method)
    refuse_fold_scores(predictions, "bbc.subgroups")
    own = predictions_of(predictions, y_true)
    if is_stream(own):
        raise InvalidTypeError("predictions", "are a stream: subgroups need all rows at once")
    named, deciding, several = named_metrics(metric, decided_by)
    given = {
        "metric": named[deciding],
        "method": method,
        "labels": labels,
        "selection": _undivided(selection),
        "alternative": alternative,
        "names": names,
    }
    if block_length is not None:
        given = in_blocks(y_true, own, named[deciding], given | options, block_length)
    asked = _validation.asked(y_true, own, options | given, named=named)
    refuse_other_rows(
        y_true=y_true,
        by=by,
        predictions=own,
        folds=asked.data.folds,
        groups=asked.data.groups,
        sample_weight=asked.data.sample_weight,
    )
    winners = Winners(asked)
    problem = winners.problem(named[deciding])
    labelled = _labels(by, problem.n_rows_given)
    against = None if reference is None else str(reference)
    pairs = compared_pairs(labelled.names, against, reference, "subgroups")
    divided = labelled.among(problem)
    found = {
        name: _of_metric(winners, each, divided, pairs, against or "", name == deciding)
        for name, each in named.items()
    }
    return found if several else found[deciding]


class _Scored(NamedTuple):
    """A subgroup's data and its replicates, NaN where undefined; None if it has no estimate."""

    problem: Problem
    replicates: FloatArray | None
    result: Subgroup
    influence: Any = None


def _check_method(method: Any) -> None:
    if method in ("bbc-f", "tt"):
        raise InvalidValueError(
            Argument("method", method),
            "scores whole folds, which subgroups divide",
            hint=(
                "use {} or {}",
                Argument("method", "bbc"),
                Argument("method", "bbc-two-level"),
            ),
        )
    _validation.choice(method, "method", ("bbc", "bbc-two-level"))


def _undivided(selection: Any) -> Any:
    if getattr(selection, "derives", False):
        raise InvalidValueError(
            "selection",
            "must select a configuration: subgroups score its predictions, not those of a chosen "
            "threshold or ensemble",
        )
    return selection


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
    if found.dtype.kind == "f" and (found != np.floor(found)).any():
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
    return Subgroups(
        overall,
        tuple(each.result for each in found.values()),
        tuple(
            _difference(winners, metric, whole, (found[first], found[second]))
            for first, second in pairs
            if found[first].replicates is not None and found[second].replicates is not None
        ),
        reference=reference,
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
    settings = winners.options
    first, second = (np.asarray(each.replicates) for each in pair)
    both = ~(np.isnan(first) | np.isnan(second))
    (found,) = differences(
        [
            Replicates(pair[0].result.name, first[both], influence=pair[0].influence),
            Replicates(pair[1].result.name, second[both], influence=pair[1].influence),
        ],
        [(pair[0].result.name, pair[1].result.name)],
        _draws(whole, settings, [each.problem for each in pair]),
        metric,
        confidence_level=settings.confidence_level,
        alternative=settings.alternative,
    )
    return found


def _draws(whole: Problem, settings: _validation.Options, sides: Sequence[Problem]) -> Draws:
    """The units that the replicates draw, for a mean over the rows of the smaller side."""
    n_units = min(side.n_units for side in sides)
    if settings.method == "bbc":
        return Draws(whole.n_units, n_units)
    fewest = min(side.fewest_folds for side in sides)
    return Draws(fewest, n_units, whole.n_repeats, of_folds=True)
