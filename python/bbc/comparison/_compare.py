"""The comparison of families of configurations: classes of learners, or sets of features."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._blocks_of_rows import length_of_blocks
from .._finished._roads import by_folds
from .._rows import refuse_other_rows
from .._typing import Alternative, AnyArray, FloatArray, IndexArray
from .._validation import Asked, Options, Problem, missing_objects, predictions_of
from .._winners import Winners, named_metrics, refuse_several
from ..errors import (
    Argument,
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
    arguments_called,
)
from ..metrics import Metric
from ..predictions import OUTPUTS, OutOfSamplePredictions
from ..results import Comparison, Comparisons, ConfidenceInterval, Difference
from ..results._comparison import of_replicates
from ..results._estimate import name_of

SHARED_TRAINING = (
    "the models of different folds share training rows; standard errors allow for it by a rule of "
    "thumb, because one cross-validation cannot show how much it matters"
)


class Draws(NamedTuple):
    """The draws of replicates: `n_drawn` of as many units, in each of `n_repeats` partitions.

    `n_drawn` is the number of rows or groups, or for "bbc-two-level" of folds; `n_units` is the
    number of rows or groups in either case, of the smaller side where the sides differ. `overlap`
    is what training rows that folds share add to the variance of rows.
    """

    n_drawn: int
    n_units: int
    n_repeats: int = 1
    of_folds: bool = False
    overlap: float = 0.0


class Replicates(NamedTuple):
    """A family: its name, its replicates, and how many configurations could win.

    Because of their number it may be underestimated, which p-values allow for; 1 is no allowance.
    `influence` is what each unit contributes to the score of its best configuration on all rows,
    None if that is not known.
    """

    name: str
    values: FloatArray
    n_configurations: int = 1
    influence: Any = None


def training_overlap(problem: Problem) -> float:
    """The variance due to training rows that folds share, as a multiple of that of rows."""
    n_folds = 0.0 if problem.folds is None else float(problem.fewest_folds)
    if problem.seen is not None and n_folds <= 1:
        # Each repeat held other rows out: as many folds as it would take to hold out all.
        n_folds = problem.n_rows / float(problem.seen.sum(axis=1).mean())
    return _engine.kernel.training_overlap(n_folds, problem.n_repeats)


#: Families or subgroups that are compared in pairs, of which there are then 19,900.
MOST_COMPARED = 200


def compared_pairs(
    names: Sequence[str], reference: str | None, given: Any, kind: str
) -> list[tuple[str, str]]:
    """The pairs of a `kind` to compare; the reference, which was `given`, is always second."""
    if reference is None:
        if len(names) > MOST_COMPARED:
            raise InvalidValueError(
                "families" if kind == "families" else "by",
                f"has {len(names)} {kind}, at most {MOST_COMPARED} can be compared in pairs",
                hint=("compare them with one, {}", Argument("reference", names[0])),
            )
        return list(combinations(names, 2))
    if reference not in names:
        known = ", ".join(map(repr, names))
        raise InvalidValueError(Argument("reference", given), f"is none of the {kind} ({known})")
    return [(name, reference) for name in names if name != reference]


def differences(
    families: Sequence[Replicates],
    pairs: Sequence[tuple[str, str]],
    draws: Draws,
    metric: Metric,
    *,
    confidence_level: float,
    alternative: Alternative,
) -> tuple[Difference, ...]:
    """The difference of each pair of families, which are named."""
    names, values, n_configurations, influences = map(list, zip(*families, strict=True))
    place_of = {name: place for place, name in enumerate(names)}
    lowest, highest = metric.limits(math.inf)
    raws = _engine.kernel.differences(
        values,
        n_configurations,
        influences,
        [(place_of[first], place_of[second]) for first, second in pairs],
        n_drawn=draws.n_drawn,
        n_units=draws.n_units,
        n_repeats=draws.n_repeats,
        of_folds=draws.of_folds,
        overlap=draws.overlap,
        greater_is_better=metric.greater_is_better,
        confidence_level=confidence_level,
        alternative=alternative,
        lowest=lowest,
        highest=highest,
    )
    found = []
    for pair, raw in zip(pairs, raws, strict=True):
        low, high, reason = raw.pop("low"), raw.pop("high"), raw.pop("infeasible")
        if reason:
            better = {"first_better": raw["first_better"], "second_better": raw["second_better"]}
            found.append(Difference(*pair, raw["estimate"], **better, infeasible=reason))
        else:
            interval = ConfidenceInterval(low, high, confidence_level, alternative)
            found.append(Difference(*pair, **raw, confidence_interval=interval))
    return tuple(found)


_BY_LEARNER = "learner"
_SAME = ("folds", "groups", "sample_weight")


class Family(NamedTuple):
    """A family: its name, its validated data, and its predictions as the caller passed them.

    ``problem_of(options)`` is the data of another metric.
    """

    name: str
    problem: Problem
    predictions: Any
    problem_of: Callable[[Options], Problem]


class Corrected(NamedTuple):
    """A family's name and correction, and how many of its configurations differ."""

    name: str
    winners: Winners
    n_distinct: int


_ProblemOf = Callable[[Any, Options | None], Problem]


def collected(predictions: Any, families: Any, y_true: Any, problem_of: _ProblemOf) -> list[Family]:
    """The families, whose rows, folds and units must be the same; `problem_of` validates."""
    if families is not None:
        found = _split(predictions, families, y_true, problem_of)
    elif isinstance(predictions, Mapping):
        found = _named(predictions, y_true, problem_of)
    else:
        raise InvalidTypeError(
            "predictions",
            "must be a dict from the names of families to their predictions, got "
            f"{type(predictions).__name__}",
            hint=(
                "{} splits a search over several learners, and a list with the family of each "
                "configuration splits other predictions",
                Argument("families", _BY_LEARNER),
            ),
        )
    if len(found) < 2:
        count = f"{len(found)} famil{'y' if len(found) == 1 else 'ies'}"
        raise InvalidValueError("predictions", f"has {count}, but a comparison needs two")
    for family in found:
        _check_same(found[0], family)
    return found


def _named(predictions: Mapping[Any, Any], y_true: Any, problem_of: _ProblemOf) -> list[Family]:
    found = []
    for name, given in predictions.items():
        if not isinstance(name, str) or not name:
            raise InvalidTypeError("predictions", f"has a family named {name!r}, which is no text")
        with arguments_called(predictions=f"predictions[{name!r}]"):
            own = predictions_of(given, y_true)
            found.append(Family(name, problem_of(own, None), own, partial(problem_of, own)))
    return found


def _split(predictions: Any, families: Any, y_true: Any, problem_of: _ProblemOf) -> list[Family]:
    """Families inside one matrix of configurations, in order of their first one."""
    if isinstance(predictions, Mapping):
        raise InvalidTypeError("families", "is for one set of predictions, not for a dict of them")
    own = predictions_of(predictions, y_true)
    if isinstance(families, str):
        if families != _BY_LEARNER:
            raise InvalidValueError(
                "families",
                f'must be "{_BY_LEARNER}" or a list with the family of each configuration, got '
                f"{families!r}",
            )
        families = _learners(predictions)
    whole = problem_of(own, None)
    names = _listed(families, whole.n_configurations_given)
    tried = getattr(own, "tried", None)
    found = []
    members: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(name, []).append(place)
    kept = whole.kept_configurations
    for name, places in members.items():
        chosen = np.array(places)
        if tried is not None and kept is not None and not np.isin(kept, chosen).any():
            continue  # all of them failed, or were dropped
        is_array = not isinstance(own, OutOfSamplePredictions)
        part = own if is_array else _of_configurations(own, chosen)

        def part_of(options: Options, name: str = name, chosen: IndexArray = chosen) -> Problem:
            return _part(name, problem_of(own, options), chosen)

        found.append(Family(name, _part(name, whole, chosen), part, part_of))
    return found


def _learners(search: Any) -> list[str]:
    """The learner of each configuration whose predictions a search keeps."""
    configurations = getattr(search, "configurations_", ())
    kept = getattr(search, "oos_predictions_", None)
    learner_of = {each.name: each.estimator_name for each in configurations}
    if kept is None or not learner_of or "" in learner_of.values():
        raise InvalidValueError(
            Argument("families", _BY_LEARNER),
            "is for a fitted protocol of bbc, such as bbc.BBC, whose estimator is a dict",
        )
    return [learner_of[name] for name in kept.tried or kept.names]


def _listed(families: Any, n_configurations: int) -> list[str]:
    if np.ndim(families) != 1:
        raise InvalidTypeError("families", f"must be a list of names, got {families!r}")
    listed = [str(name) for name in families]
    nameless = np.flatnonzero(missing_objects(np.array(list(families), dtype=object)))
    if nameless.size:
        raise InvalidValueError("families", f"has no name for configuration {nameless[0]}")
    if len(listed) != n_configurations:
        raise InvalidValueError(
            "families", f"has {len(listed)} entries for {n_configurations} configurations"
        )
    return listed


def _part(name: str, whole: Problem, chosen: IndexArray) -> Problem:
    """The data of the family of the `chosen` configurations."""
    kept = whole.kept_configurations
    stay = np.arange(whole.n_configurations_given) if kept is None else kept
    inside = np.isin(stay, chosen)
    if not inside.any():
        raise InvalidValueError(
            Argument("missing", "drop-configurations"), f"leaves none of family {name!r}"
        )
    places = np.searchsorted(chosen, stay[inside])
    return whole._replace(
        predictions=tuple(array[:, inside] for array in whole.predictions),
        # Without names, they are called by their numbers in the whole.
        names=tuple(name_of(whole.names, index) for index in chosen.tolist()),
        n_configurations_given=len(chosen),
        left_out_configurations=np.setdiff1d(np.arange(len(chosen)), places),
        kept_configurations=None if kept is None else places,
    )


def _of_configurations(own: OutOfSamplePredictions, chosen: IndexArray) -> OutOfSamplePredictions:
    if own.places is not None:
        chosen = np.flatnonzero(np.isin(own.places, chosen))
    parts: dict[str, Any] = {"tried": None, "places": None}
    for name in (*OUTPUTS, "mask"):
        array: AnyArray | None = getattr(own, name)
        parts[name] = None if array is None else array[:, :, chosen]
    for name in ("names", "response"):
        listed = getattr(own, name)
        parts[name] = None if listed is None else tuple(listed[index] for index in chosen)
    return replace(own, **parts)


def _check_same(first: Family, other: Family) -> None:
    """Refuse families whose replicates would not draw the same rows."""
    ours, theirs = first.problem, other.problem
    if not _equal(ours.left_out_rows, theirs.left_out_rows) or not _equal(ours.seen, theirs.seen):
        _refuse(first, other, "predictions of other rows than")
    for name in _SAME:
        if not _equal(getattr(ours, name), getattr(theirs, name)):
            _refuse(first, other, f"other {name} than")
    if ours.n_repeats != theirs.n_repeats:
        _refuse(first, other, f"{theirs.n_repeats} repeats, not the {ours.n_repeats} of")


def _equal(ours: AnyArray | None, theirs: AnyArray | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)


def _refuse(first: Family, other: Family, what: str) -> None:
    raise InvalidValueError(
        "predictions",
        f": family {other.name!r} has {what} family {first.name!r}",
        hint="families are compared on the same rows, folds, groups and weights",
    )


__all__ = ["compare"]

ComparisonMethod = Literal["bbc", "bbc-two-level"]


@overload
def compare(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: list[Any] | tuple[Any, ...] | Mapping[str, Any],
    decided_by: str | None = None,
    families: Literal["learner"] | Sequence[str] | None = None,
    reference: str | None = None,
    method: ComparisonMethod = "bbc",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    selection: Any = "best",
    alternative: Alternative = "two-sided",
    **options: Unpack[_validation.SharedArguments],
) -> Comparisons: ...


@overload
def compare(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    families: Literal["learner"] | Sequence[str] | None = None,
    reference: str | None = None,
    method: ComparisonMethod = "bbc",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    selection: Any = "best",
    alternative: Alternative = "two-sided",
    **options: Unpack[_validation.SharedArguments],
) -> Comparison: ...


@_validation.analysis
@by_folds
def compare(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    families: Literal["learner"] | Sequence[str] | None = None,
    reference: str | None = None,
    method: ComparisonMethod = "bbc",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    selection: Any = "best",
    alternative: Alternative = "two-sided",
    **options: Unpack[_validation.SharedArguments],
) -> Any:
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
        kept scores only, and other sources that `bbc.correct` reads, are compared by folds,
        as by method "bbc-f"; `y_true` may then be None.
    metric : str, Metric, scorer or callable, or a list or dict of these
        What is estimated, as in `bbc.correct`. Of several metrics one selects each family's winner,
        and the winners are compared by all; not for searches that kept scores only.
    decided_by : str, optional
        Name of the selection metric among several; the first by default.
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
    Comparison or Comparisons
        The estimate of each family, which equals that of `bbc.correct` with the same seed, and the
        difference of each pair with interval and p-value; for several metrics a mapping by name. A
        replicate in which the metric is undefined for the winner of one family is left out for all
        families; the estimates count them.

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
    about 0.8), the replicates, in which other configurations win, may vary more; the larger of the
    two standard errors then counts: that of the replicates is their standard deviation over
    sqrt(E[N/M] - 1), with M of N units left out. Thresholds and ensembles, and "bbc-two-level",
    have that of the replicates only.

    Replicates select on fewer rows than the data have, which underestimates a family of C different
    configurations by at most 0.112 E[max of C normal variables] standard errors; the p-value is the
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
    named, deciding, several = named_metrics(metric, decided_by)
    own = {
        "metric": named[deciding],
        "method": drawn(method),
        "labels": labels,
        "selection": selection,
        "alternative": alternative,
    }
    if block_length is not None:
        own["block_length"] = _length_for_all(y_true, predictions, own | options, block_length)
    asked = _validation.asked(y_true, predictions, own | options, named=named)
    settings, data = asked.options, asked.data
    _refuse_complexity(settings)
    refuse_several(settings.selection, named, deciding)
    refuse_other_rows(
        y_true=y_true,
        predictions=predictions,
        folds=data.folds,
        groups=data.groups,
        sample_weight=data.sample_weight,
    )

    def problem_of(own: Any, options: Options | None) -> Problem:
        return asked._replace(data=data._replace(predictions=own)).problem(options)

    found = collected(predictions, families, y_true, problem_of)
    corrected = _corrected(found, asked)
    pairs = compared_pairs([each.name for each in found], reference, reference, "families")
    compared = {
        name: _comparison(corrected, None if name == deciding else each, pairs, reference or "")
        for name, each in named.items()
    }
    return Comparisons(compared) if several else compared[deciding]


def _refuse_complexity(settings: Options) -> None:
    if settings.selection.complexity is not None:
        raise InvalidValueError(
            "selection", "ranks the configurations of one search by complexity, not of families"
        )


def compare_of(
    winners: Winners, by: Any, reference: str | None, metric: Metric | None
) -> Comparison:
    """Families of the configurations of one correction, by its metric or by another."""
    asked = winners.asked
    if by is None:
        raise InvalidTypeError("by", "must be a list with the family of each configuration")
    _refuse_complexity(asked.options)
    found = collected(
        asked.data.predictions, by, asked.data.y_true, lambda _, options: asked.problem(options)
    )
    pairs = compared_pairs([each.name for each in found], reference, reference, "families")
    return _comparison(_corrected(found, asked), metric, pairs, reference or "")


def _length_for_all(y_true: Any, predictions: Any, options: Any, block_length: Any) -> int:
    """One length of blocks for all families: where it is found, the longest that one needs."""
    parts = predictions.values() if isinstance(predictions, Mapping) else [predictions]
    metric = _validation.options(metric=options["metric"]).metric
    found = [
        length_of_blocks(
            y_true, _validation.predictions_of(part, y_true), metric, options, block_length
        )
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


def _corrected(families: Sequence[Family], asked: Asked) -> list[Corrected]:
    """The correction of each family: one seed, and so the same replicates."""
    problems = [family.problem for family in families]
    settings = asked.options.for_problem(problems[0], asked.resamples)
    results = _engine.correct_families(problems, settings, n_threads=asked.n_threads)
    found: list[Corrected] = []
    attempts: Any = None
    for family, raw in zip(families, results, strict=True):
        own = raw.get("attempts")  # only a function can be undefined for some predictions alone
        if attempts is not None and not (attempts == own).all():
            raise UndefinedMetricError(
                "metric",
                f": {settings.metric.name!r} is undefined (NaN) for some families only, in a "
                "replicate that others can be scored on; let the function return a number",
            )
        attempts = own
        data = asked.data._replace(predictions=family.predictions)
        winners = Winners(asked._replace(data=data), family.problem_of, known=(family.problem, raw))
        found.append(Corrected(family.name, winners, _engine.n_distinct(family.problem)))
    return found


def _comparison(
    families: Sequence[Corrected],
    metric: Metric | None,
    pairs: Sequence[tuple[str, str]],
    reference: str,
) -> Comparison:
    """The families' winners compared by the metric that selected them, None, or by another."""
    corrections = [family.winners for family in families]
    options = corrections[0].options
    draws = drawn_units(corrections[0].problem(options.metric), options)
    if metric is None:
        problems = [each.problem(options.metric) for each in corrections]
        estimates = [each.estimate for each in corrections]
    else:
        scored = [each.scored(metric) for each in corrections]
        options, problems = scored[0].options, [each.problem for each in scored]
        among = np.all([each.scores.defined for each in scored], axis=0)
        estimates = [
            correction.performance(each, among)
            for correction, each in zip(corrections, scored, strict=True)
        ]
    replicates = [
        Replicates(
            name,
            of_replicates(estimate),
            n_distinct,
            _influence(problem, correction.winner, options, correction.n_threads),
        )
        for (name, correction, n_distinct), problem, estimate in zip(
            families, problems, estimates, strict=True
        )
    ]
    return Comparison(
        {family.name: each for family, each in zip(families, estimates, strict=True)},
        differences(
            replicates,
            pairs,
            draws,
            options.metric,
            confidence_level=options.confidence_level,
            alternative=options.alternative,
        ),
        reference=reference,
        notes=(SHARED_TRAINING,) if draws.overlap > 0 else (),
    )


def _influence(problem: Problem, winner: int, settings: Options, n_threads: int) -> Any:
    """The rows' contributions to the score of the best; None where folds or choices are drawn."""
    if settings.method != "bbc" or settings.selection.derives:
        return None
    return _engine.influence(problem, settings, winner, n_threads=n_threads)
