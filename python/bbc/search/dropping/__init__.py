"""Rules by which BBCD drops configurations: the bootstrap, and earlier racing methods."""

from typing import Any

from ... import _validation
from ...errors import Argument, InvalidValueError
from ._bootstrap import BootstrapRule
from ._cochran import CochranRule
from ._races import HoeffdingRule, friedman, paired_t
from ._stage import DroppingRule, FoldScoreRule, Stage, Verdict

__all__ = ["RULES", "DroppingRule", "Stage", "Verdict", "make_rule"]

RULES = ("bootstrap", "hoeffding", "friedman", "cochran", "paired_t")


def make_rule(name: str, level: float, n_folds: int, **bootstrap: Any) -> DroppingRule:
    """Return the rule of a name for a race of `n_folds` folds in all."""
    _validation.choice(name, "dropping", RULES)
    if name == "bootstrap":
        return BootstrapRule(level, **bootstrap)
    if bootstrap["selection"] != "best":
        raise InvalidValueError(
            Argument("dropping", name),
            'races for the best score, so selection must be "best"; '
            'dropping="bootstrap" supports other rules',
        )
    if name == "cochran":
        return CochranRule(level, n_folds)
    if name == "hoeffding":
        return HoeffdingRule(level)
    if name == "friedman":  # irace's number of folds before its first test
        return FoldScoreRule(level, friedman, fewest_folds=5)
    return FoldScoreRule(level, paired_t, fewest_folds=3)
