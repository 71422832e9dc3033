"""Differences of paired replicates, of families or subgroups, with their standard errors."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from .. import _engine
from .._typing import FloatArray
from .._validation import Options, Problem
from ..errors import Argument, InvalidValueError
from ..results import ConfidenceInterval, Difference

SHARED_TRAINING = (
    "the models of different folds share training rows; standard errors allow for it by a rule of "
    "thumb, because one cross-validation cannot show how much it matters"
)


#: Of folds that are drawn, where nothing says how classes weigh in the score.
NO_SHARES = (
    "standard errors of Python functions do not hold how the shares of the classes vary between "
    "samples"
)
NOTHING = np.zeros(0)


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
    None if that is not known, and `shares` what each row contributes by the shares of the classes
    where draws of folds hide them.
    """

    name: str
    values: FloatArray
    n_configurations: int = 1
    influence: Any = None
    shares: FloatArray = NOTHING


def training_overlap(problem: Problem) -> float:
    """The variance due to training rows that folds share, as a multiple of that of rows."""
    n_folds = 0.0 if problem.folds is None else float(problem.fewest_folds)
    if problem.seen is not None and n_folds <= 1:
        # Each repeat held other rows out: as many folds as it would take to hold out all.
        n_folds = problem.n_rows / float(problem.seen.sum(axis=1).mean())
    return _engine.kernel.training_overlap(n_folds, problem.n_repeats)


def has_shares(problem: Problem, settings: Options) -> bool:
    """Whether standard errors hold what drawn folds hide of the shares of classes, if anything."""
    if settings.method == "bbc" or settings.class_counts == "fixed":
        return True
    return settings.metric.family != "callable" or problem.drawn_classes is None


def shares_of(problem: Problem, raw: dict[str, Any], settings: Options) -> FloatArray:
    """What the rows contribute, by the shares of their classes, to the score of what is best.

    `raw` are the kernel's numbers of the correction.
    """
    if settings.method == "bbc" or settings.metric.family == "callable":
        return NOTHING
    winner = raw["winner"]
    if settings.selection.derives:
        scored = _engine.ScoredProblem(problem, settings)
        (problem, settings), winner = _engine.chosen_output(scored, raw), 0
    return _engine.class_contributions(problem, settings, winner)


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
    problem: Problem,
    options: Options,
) -> tuple[Difference, ...]:
    """The difference of each pair of families, which are named, by a metric and at a level."""
    names, values, n_configurations, influences, shares = map(list, zip(*families, strict=True))
    place_of = {name: place for place, name in enumerate(names)}
    places = [(place_of[first], place_of[second]) for first, second in pairs]
    lowest, highest = options.metric.limits(math.inf)
    level, alternative = options.confidence_level, options.alternative
    raws = _engine.kernel.differences(
        values,
        n_configurations,
        influences,
        [
            (one, other, _engine.hidden_by_draws(problem, options, shares[one], shares[other]))
            for one, other in places
        ],
        n_drawn=draws.n_drawn,
        n_units=draws.n_units,
        n_repeats=draws.n_repeats,
        of_folds=draws.of_folds,
        overlap=draws.overlap,
        greater_is_better=options.metric.greater_is_better,
        confidence_level=level,
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
            interval = ConfidenceInterval(low, high, level, alternative)
            found.append(Difference(*pair, **raw, confidence_interval=interval))
    return tuple(found)


def drawn_units(problem: Problem, settings: Options) -> Draws:
    """The units that the replicates draw, as `differences` needs them."""
    n_units = problem.n_units
    if settings.method == "bbc":
        return Draws(n_units, n_units, overlap=training_overlap(problem))
    return Draws(problem.fewest_folds, n_units, problem.n_repeats, of_folds=True)
