"""The differences between families from paired replicates, by the kernel."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import _engine
from .._typing import Alternative, FloatArray
from ..results import ConfidenceInterval, Difference


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


def differences(
    families: Sequence[Replicates],
    pairs: Sequence[tuple[int, int]],
    draws: Draws,
    *,
    greater_is_better: bool,
    confidence_level: float,
    alternative: Alternative,
    widest: float,
) -> tuple[Difference, ...]:
    """The difference of each pair of families.

    `widest` is the largest difference that the metric allows.
    """
    found = _engine.kernel.differences(
        [family.values for family in families],
        [family.n_configurations for family in families],
        pairs,
        **draws._asdict(),
        greater_is_better=greater_is_better,
        confidence_level=confidence_level,
        alternative=alternative,
        widest=widest,
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
