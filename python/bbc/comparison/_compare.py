"""The comparison of families: from truth and predictions to estimates and differences."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._finished._roads import by_folds
from .._rows import refuse_other_rows
from .._typing import Alternative
from .._validation import Options, Problem
from ..correction import length_of_blocks
from ..errors import InvalidValueError, UndefinedMetricError
from ..results import Comparison, Difference, PerformanceEstimate
from ..results._comparison import of_replicates
from ..results._correction import to_result
from ._difference import (
    SHARED_TRAINING,
    Draws,
    Replicates,
    compared_pairs,
    differences,
    training_overlap,
)
from ._families import Family, collected

__all__ = ["compare"]

ComparisonMethod = Literal["bbc", "bbc-two-level"]


@_validation.analysis
@by_folds
def compare(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    families: Literal["learner"] | Sequence[str] | None = None,
    reference: str | None = None,
    method: ComparisonMethod = "bbc",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    selection: Any = "best",
    alternative: Alternative = "two-sided",
    **options: Unpack[_validation.SharedArguments],
) -> Comparison:
    """Compare families of configurations, each by its own winner.

    The best score of a large family is more optimistic than that of a small one, so apparent scores
    cannot be compared. Here each replicate selects the best of each family in bag and scores all of
    them on the same rows out of bag; the mean difference is corrected for selection, whatever the
    sizes of the families. No model is trained.

    Parameters
    ----------
    predictions : dict, fitted search or predictions
        A dict from the names of families to what `bbc.correct` takes as predictions, or to fitted
        searches that keep them: bbc's protocols and `bbc.keep_predictions`. With `families`, one of
        these. All families must have the same rows, folds, groups and weights. Fitted searches that
        kept scores only, and other sources that `bbc.correct_search` reads, are compared by folds,
        as by method "bbc-f"; `y_true` may then be None.
    metric : str, Metric, scorer or callable
        What is estimated, as in `bbc.correct`.
    families : "learner" or sequence of str of length n_configurations, optional
        Splits one set of predictions: "learner" by the keys of the dict of learners that a protocol
        tuned (``estimator={"svm": ..., "forest": ...}``), a list by the names it gives.
    reference : str, optional
        Compare only with this family, such as ``"default"``; by default all pairs are compared.
    method : {"bbc", "bbc-two-level"}, default="bbc"
        What a replicate draws, as in `bbc.correct`. With "bbc" the standard errors of differences
        are made from the rows of both winners; with "bbc-two-level" from the replicates, which draw
        folds, and so are wider.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out, the same for all families.
    block_length : int or "auto", optional
        For rows in order of time, as in `bbc.correct`; "auto" is the longest that a family needs.
    missing : {"raise", "drop-rows", "drop-configurations"}, default="raise"
        How to treat predictions that only some configurations lack. The rows that stay must be the
        same in all families.
    selection : "best" or callable, default="best"
        How each family's winner is selected, as in `bbc.correct`.
    confidence_level : float, default=0.95
        Level of the intervals of estimates and differences, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        The alternative of the p-values and the side of all intervals. For differences "greater"
        means that the first family is better, whatever the direction of the metric.

    Returns
    -------
    Comparison
        The estimate of each family, which equals that of `bbc.correct` with the same seed, and the
        difference of each pair with interval and p-value.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong, or families have unlike rows, folds, units or truths; the message
        names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    Notes
    -----
    The estimate is the mean of the differences d_b of the replicates. Its standard error is made
    from the families' best configurations on all rows: with u_i and v_i what row i (or group)
    contributes to their scores, it is the root of (1 + rho) * sum_i (u_i - v_i)**2. For a mean over
    rows, u_i is the centred value of the row over sqrt(n (n - 1)); for the AUC its placement, by
    class; for other metrics, which are no means, the jackknife. rho allows for training rows that
    the folds share, as Nadeau and Bengio do [2]_: it is 1 for one partition, K / (K - 1) for
    several of K folds (of five, if folds are not known), and 0 for a single hold-out. How much the
    shared rows matter depends on the learners and cannot be estimated from one cross-validation.

    The ratio is compared to a t-distribution with one degree of freedom less than there are rows or
    groups, of the smaller class for metrics that compare two classes, and of events for censored
    times. Where both best configurations are nearly the same (their contributions correlate above
    about .8), the replicates, in which other configurations win, may vary more; the larger of the
    two standard errors then counts: that of the replicates is their standard deviation over
    sqrt(E[N/M] - 1), with M of N units left out. Thresholds and ensembles, and "bbc-two-level",
    have that of the replicates only.

    Replicates select on fewer rows than the data have, which underestimates a family of C different
    configurations by at most .112 E[max of C normal variables] standard errors; the p-value is the
    largest that this allows. If no replicate differs, it is 1. p-values are not adjusted for the
    number of pairs.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5.
    .. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
       correlated receiver operating characteristic curves", Biometrics 44 (1988).

    Examples
    --------
    Sixty configurations that guess at random against one that does: no difference.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(5)
    >>> y = rng.integers(0, 2, size=100)
    >>> guesses = {"tuned": rng.integers(0, 2, (100, 60)), "default": rng.integers(0, 2, (100, 1))}
    >>> comparison = bbc.compare(
    ...     y, guesses, metric="accuracy", reference="default", random_state=1)
    >>> difference = comparison.difference("tuned", "default")
    >>> apparent = [e.apparent for e in comparison.estimates.values()]
    >>> apparent[0] - apparent[1] > 0.1, difference.p_value > 0.05
    (True, True)
    """
    own = {
        "metric": metric,
        "method": drawn(method),
        "labels": labels,
        "selection": selection,
        "alternative": alternative,
    }
    if block_length is not None:
        own["block_length"] = _length_for_all(y_true, predictions, own | options, block_length)
    asked = _validation.asked(y_true, predictions, own | options)
    settings, data = asked.options, asked.data
    if settings.selection.complexity is not None:
        raise InvalidValueError(
            "selection", "ranks the configurations of one search by complexity, not of families"
        )

    refuse_other_rows(
        y_true=y_true,
        predictions=predictions,
        folds=data.folds,
        groups=data.groups,
        sample_weight=data.sample_weight,
    )

    def problem_of(own: Any) -> Problem:
        return asked._replace(data=data._replace(predictions=own)).problem()

    found = collected(predictions, families, problem_of)
    shared = found[0].problem
    settings = settings.for_problem(shared, asked.resamples)
    pairs = compared_pairs([family.name for family in found], reference, reference, "families")
    estimates = _estimates(found, settings, asked.n_threads)
    return Comparison(
        estimates,
        _differences(estimates, pairs, found, settings, asked.n_threads),
        reference=reference or "",
        notes=(SHARED_TRAINING,) if drawn_units(shared, settings).overlap > 0 else (),
    )


def _length_for_all(y_true: Any, predictions: Any, options: Any, block_length: Any) -> int:
    """One length of blocks for all families: where it is found, the longest that one needs."""
    parts = predictions.values() if isinstance(predictions, Mapping) else [predictions]
    metric = _validation.options(metric=options["metric"]).metric
    found = [
        length_of_blocks(y_true, _validation.predictions_of(part), metric, options, block_length)
        for part in parts
    ]
    return max(found, default=0)


def drawn(method: Any) -> str:
    """The method, checked; folds' own scores cannot be compared."""
    return _validation.choice(method, "method", ("bbc", "bbc-two-level"))


def drawn_units(problem: Problem, settings: Options) -> Draws:
    """The units that the replicates draw, as `differences` needs them."""
    n_units = problem.n_units
    if settings.method == "bbc":
        return Draws(n_units, n_units, overlap=training_overlap(problem))
    return Draws(problem.fewest_folds, n_units, problem.n_repeats, of_folds=True)


def _estimates(
    families: Sequence[Family], settings: Options, n_threads: int
) -> dict[str, PerformanceEstimate]:
    """The correction of each family: one seed, and so the same replicates."""
    found: dict[str, PerformanceEstimate] = {}
    attempts: Any = None
    problems = [family.problem for family in families]
    results = _engine.correct_families(problems, settings, n_threads=n_threads)
    for (name, problem, predictions), raw in zip(families, results, strict=True):
        own = raw.get("attempts")  # only a function can be undefined for some predictions alone
        if attempts is not None and not (attempts == own).all():
            raise UndefinedMetricError(
                "metric",
                f": {settings.metric.name!r} is undefined (NaN) for some families only, in a "
                "replicate that others can be scored on; let the function return a number",
            )
        attempts = own
        found[name] = to_result(raw, problem, settings, predictions=predictions)
    return found


def _differences(
    estimates: Mapping[str, PerformanceEstimate],
    pairs: Sequence[tuple[str, str]],
    families: Sequence[Family],
    settings: Options,
    n_threads: int,
) -> tuple[Difference, ...]:
    names = list(estimates)
    return differences(
        [
            Replicates(
                family.name,
                of_replicates(estimates[family.name]),
                _engine.n_distinct(family.problem),
                _influence(family.problem, estimates[family.name], settings, n_threads),
            )
            for family in families
        ],
        [(names.index(first), names.index(second)) for first, second in pairs],
        drawn_units(families[0].problem, settings),
        settings.metric,
        confidence_level=settings.confidence_level,
        alternative=settings.alternative,
    )


def _influence(
    problem: Problem, estimate: PerformanceEstimate, settings: Options, n_threads: int
) -> Any:
    """The rows' contributions to the score of the best; None where folds or choices are drawn."""
    if settings.method != "bbc" or settings.selection.derives:
        return None
    assert estimate.winner is not None
    best = problem.index_among_kept(estimate.winner)
    return _engine.influence(problem, settings, best, n_threads=n_threads)
