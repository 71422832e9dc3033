"""The differences between families, from paired replicates and their winners' rows."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .. import _engine
from .._typing import Alternative, FloatArray
from .._validation import Problem
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..results import ConfidenceInterval, Difference

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


def compared_pairs(
    names: Sequence[str], reference: str | None, given: Any, kind: str
) -> list[tuple[str, str]]:
    """The pairs of a `kind` to compare; the reference, which was `given`, is always second."""
    if reference is None:
        return list(combinations(names, 2))
    if reference not in names:
        known = ", ".join(map(repr, names))
        raise InvalidValueError(Argument("reference", given), f"is none of the {kind} ({known})")
    return [(name, reference) for name in names if name != reference]


def differences(
    families: Sequence[Replicates],
    pairs: Sequence[tuple[int, int]],
    draws: Draws,
    metric: Metric,
    *,
    confidence_level: float,
    alternative: Alternative,
) -> tuple[Difference, ...]:
    """The difference of each pair of families."""
    lowest, highest = metric.range
    found = _engine.kernel.differences(
        [family.values for family in families],
        [family.n_configurations for family in families],
        [family.influence for family in families],
        pairs,
        **draws._asdict(),
        greater_is_better=metric.greater_is_better,
        confidence_level=confidence_level,
        alternative=alternative,
        lowest=lowest,
        highest=highest,
    )
    return tuple(
        _difference((families[i].name, families[j].name), raw, confidence_level, alternative)
        for (i, j), raw in zip(pairs, found, strict=True)
    )


def _difference(
    names: tuple[str, str], raw: dict[str, Any], level: float, alternative: Alternative
) -> Difference:
    low, high, reason = (raw.pop(key) for key in ("low", "high", "infeasible"))
    if reason:
        described = {key: raw[key] for key in ("estimate", "first_better", "second_better")}
        return Difference(*names, **described, infeasible=reason)
    interval = ConfidenceInterval(low, high, level, alternative)
    return Difference(*names, **raw, confidence_interval=interval)
