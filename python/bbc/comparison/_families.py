"""The comparison of families of configurations: classes of learners, or sets of features."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .. import _engine
from .._rows import refuse_other_rows
from .._typing import AnyArray, IndexArray
from .._validation import Asked, Options, Pooling, Problem, missing_objects
from .._winners import Winners, run
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..predictions import OF_ROWS, OUTPUTS, OutOfSamplePredictions
from ..results import Comparison
from ..results._comparison import of_replicates
from ..results._estimate import name_of
from ._differences import (
    NO_SHARES,
    SHARED_TRAINING,
    Draws,
    Replicates,
    compared_pairs,
    differences,
    drawn_units,
    has_shares,
    shares_of,
)


class Family(NamedTuple):
    """A family: its name, the call that corrects it, and its validated data.

    ``problem_of(options)`` is the data of another metric, and ``pooling_of(metric)`` how winners
    are scored, where that is not as they were selected.
    """

    name: str
    asked: Asked
    problem: Problem
    problem_of: Callable[[Options], Problem]
    pooling_of: Callable[[Metric], Pooling] | None = None


class Corrected(NamedTuple):
    """A family's name and correction, and how many of its configurations differ."""

    name: str
    winners: Winners
    n_distinct: int


def compare_of(
    winners: Winners,
    by: Any,
    learners: Sequence[str],
    reference: str | None,
    metric: Metric | None,
) -> Comparison:
    """Families of the configurations of one correction, by its metric or by another."""
    if by is None:
        raise InvalidTypeError("by", "must be a list with the family of each configuration")
    families = split(winners.asked, by, learners, winners.pooling_of)
    return _compared(families, reference, "by")(metric)


def compare_families(
    families: Sequence[Family],
    reference: str | None,
    secondary: Mapping[str, Metric],
    argument: str = "families",
) -> Comparison:
    """Families compared by the metric that selects their winners, and by others.

    `argument` is where families are said.
    """
    by = _compared(families, reference, argument)
    found = by(None)
    return replace(found, secondary={name: by(each) for name, each in secondary.items()})


def _compared(
    families: Sequence[Family], reference: str | None, argument: str
) -> Callable[[Metric | None], Comparison]:
    """The comparison of the winners, by the metric that selects them, None, or by another."""
    if len(families) < 2:
        count = f"{len(families)} famil{'y' if len(families) == 1 else 'ies'}"
        raise InvalidValueError(argument, f"has {count}, but a comparison needs two")
    _check_row_names(families)
    for family in families:
        _check_same(families[0], family)
    names = [family.name for family in families]
    pairs = compared_pairs(names, reference, reference, "families")
    corrected = _corrected(families)
    return lambda metric: _comparison(corrected, metric, pairs, reference or "")


def split(
    asked: Asked,
    by: Any,
    learners: Sequence[str],
    pooling_of: Callable[[Metric], Pooling] | None,
) -> list[Family]:
    """Families inside one matrix of configurations, in order of their first one.

    `learners` are those of the configurations, if a protocol tuned several.
    """
    if asked.options.selection.complexity is not None:
        raise InvalidValueError(
            "selection", "ranks the configurations of one search by complexity, not of families"
        )
    own, whole = asked.data.predictions, asked.problem()
    if isinstance(by, str):
        by = _of_learners(by, learners)
    names = _listed(by, whole.n_configurations_given)
    known_lost = isinstance(own, Problem) or getattr(own, "tried", None) is not None
    found = []
    members: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(name, []).append(place)
    kept = whole.kept_configurations
    for name, places in members.items():
        chosen = np.array(places)
        if known_lost and kept is not None and not np.isin(kept, chosen).any():
            continue  # all of them failed, or were dropped
        is_array = not isinstance(own, OutOfSamplePredictions)
        part = own if is_array else _of_configurations(own, chosen)
        call = asked._replace(data=asked.data._replace(predictions=part))

        def part_of(options: Options, name: str = name, chosen: IndexArray = chosen) -> Problem:
            return _part(name, asked.problem(options), chosen)

        found.append(Family(name, call, _part(name, whole, chosen), part_of, pooling_of))
    return found


def _of_learners(by: str, learners: Sequence[str]) -> Sequence[str]:
    if by != "learner":
        raise InvalidValueError(
            Argument("by", by), 'must be "learner" or a list with the family of each configuration'
        )
    if not any(learners):
        raise InvalidValueError(
            Argument("by", by),
            "is for a fitted protocol of bbc, such as bbc.BBC, whose estimator is a dict",
        )
    return learners


def _listed(by: Any, n_configurations: int) -> list[str]:
    if np.ndim(by) != 1:
        raise InvalidTypeError("by", f"must be a list of names, got {by!r}")
    listed = [str(name) for name in by]
    nameless = np.flatnonzero(missing_objects(np.array(list(by), dtype=object)))
    if nameless.size:
        raise InvalidValueError("by", f"has no name for configuration {nameless[0]}")
    if len(listed) != n_configurations:
        raise InvalidValueError(
            "by", f"has {len(listed)} entries for {n_configurations} configurations"
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


def _check_row_names(families: Sequence[Family]) -> None:
    """Refuse families that name the same rows differently."""
    named: dict[str, Any] = {}
    for name, call, *_ in families:
        named[f"the truth of {name!r}"] = call.data.y_true
        named[f"families[{name!r}]"] = call.data.predictions
        named |= {f"{part} of {name!r}": value for part, value in call.data.by_row.items()}
    refuse_other_rows(**named)


def _check_same(first: Family, other: Family) -> None:
    """Refuse families whose replicates would not draw the same rows."""
    ours, theirs = first.problem, other.problem
    if not _equal(ours.left_out_rows, theirs.left_out_rows) or not _equal(ours.seen, theirs.seen):
        _refuse(first, other, "predictions of other rows than")
    for name in ("values", "codes"):
        if not _equal(getattr(ours.truth, name), getattr(theirs.truth, name)):
            _refuse(first, other, "another truth than")
    if ours.truth.pos_label != theirs.truth.pos_label:
        _refuse(first, other, "another pos_label than")
    for name in OF_ROWS:
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
        "families",
        f": {other.name!r} has {what} {first.name!r}",
        hint="families are compared on the same rows, folds, groups and weights",
    )


def _corrected(families: Sequence[Family]) -> list[Corrected]:
    """The correction of each family: one seed, and so the same replicates."""
    problems = [family.problem for family in families]
    settings = [
        each.asked.options.for_problem(each.problem, each.asked.resamples) for each in families
    ]
    n_threads = families[0].asked.n_threads
    # Draws that are given are the same: the units are.
    rules = [each._replace(resamples=None) for each in settings]
    if all(each == rules[0] for each in rules[1:]):
        results = _engine.correct_families(problems, settings[0], n_threads=n_threads)
    else:  # each has a rule of its own
        pairs = zip(problems, settings, strict=True)
        results = [run(problem, each, n_threads=n_threads) for problem, each in pairs]
    found: list[Corrected] = []
    first: Any = results[0]
    for family, raw in zip(families, results, strict=True):
        # Only a function can be undefined for some predictions alone.
        same = raw["n_redrawn"] == first["n_redrawn"]
        attempts: Any = raw.get("attempts")
        if not same or not np.array_equal(attempts, first.get("attempts")):
            raise UndefinedMetricError(
                "metric",
                f": {settings[0].metric.name!r} is undefined (NaN) for some families only, in a "
                "replicate that others can be scored on; let the function return a number",
            )
        winners = Winners(
            family.asked,
            family.problem_of,
            known=(family.problem, raw),
            pooling_of=family.pooling_of,
        )
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
    options = [each.options for each in corrections]
    selecting = [each.problem(own.metric) for each, own in zip(corrections, options, strict=True)]
    draws = drawn_units(selecting[0], options[0])
    pooling_of, selects = corrections[0].pooling_of, options[0].metric
    if metric is None and (pooling_of is None or pooling_of(selects) == options[0].pooling):
        problems, estimates = selecting, [each.estimate for each in corrections]
    else:
        scored = [
            each.scored(metric or own.metric)
            for each, own in zip(corrections, options, strict=True)
        ]
        options, problems = [each.options for each in scored], [each.problem for each in scored]
        among = np.all([each.scores.defined for each in scored], axis=0)
        estimates = [
            correction.performance(each, among)
            for correction, each in zip(corrections, scored, strict=True)
        ]
        if metric is None:  # the means over folds select, and another pooling scores
            rules = [each.options.selection.rule for each in corrections]
            told = ["means" if rule == "best" else rule for rule in rules]
            estimates = [
                replace(e, design=replace(e.design, selection=rule))
                for e, rule in zip(estimates, told, strict=True)
            ]
    replicates = [
        Replicates(
            name,
            of_replicates(estimate),
            n_distinct,
            _influence(problem, correction.winner, own, correction.n_threads),
            shares_of(problem, correction.raw, own),
        )
        for (name, correction, n_distinct), problem, own, estimate in zip(
            families, problems, options, estimates, strict=True
        )
    ]
    return Comparison(
        {family.name: each for family, each in zip(families, estimates, strict=True)},
        differences(replicates, pairs, draws, problems[0], options[0]),
        reference=reference,
        notes=_notes(draws, problems[0], options),
    )


def _notes(draws: Draws, problem: Problem, options: Sequence[Options]) -> tuple[str, ...]:
    """What standard errors hold by a rule of thumb, or do not hold."""
    notes: tuple[str, ...] = (SHARED_TRAINING,) if draws.overlap > 0 else ()
    if any(not has_shares(problem, each) for each in options):
        notes += (NO_SHARES,)
    return notes


def _influence(problem: Problem, winner: int, settings: Options, n_threads: int) -> Any:
    """The rows' contributions to the score of the best; None where folds or choices are drawn."""
    if settings.method != "bbc" or settings.selection.derives:
        return None
    return _engine.influence(problem, settings, winner, n_threads=n_threads)
