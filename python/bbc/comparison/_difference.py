"""The differences between families from paired replicates, by the kernel."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .. import _engine
from .._typing import Alternative, FloatArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric
from ..results import ConfidenceInterval, Difference

GIVEN_FITS = (
    "differences are conditional on the fitted models: rows were drawn, which shows no luck of "
    'fitting; with folds, method="bbc-two-level" allows for it'
)


class Draws(NamedTuple):
    """What the replicates drew: `n_drawn` of as many units, in each of `n_repeats` partitions.

    `n_drawn` is the number of rows or groups, or for "bbc-two-level" of folds; `n_units` is the
    number of rows or groups in either case, of the smaller side where the sides differ.
    """

    n_drawn: int
    n_units: int
    n_repeats: int = 1
    of_folds: bool = False


class Replicates(NamedTuple):
    """A family: its name, its replicates, and how many configurations could win.

    Because of their number it may be underestimated, which p-values allow for; 1 is no allowance.
    """

    name: str
    values: FloatArray
    n_configurations: int = 1


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
        pairs,
        **draws._asdict(),
        greater_is_better=metric.greater_is_better,
        confidence_level=confidence_level,
        alternative=alternative,
        widest=highest - lowest,
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
