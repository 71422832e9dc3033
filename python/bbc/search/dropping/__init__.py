"""Rules by which BBCD drops configurations: its own bootstrap, and the races it descends from."""

from typing import Any

from ... import _validation
from ._bootstrap import BootstrapRule
from ._cochran import CochranRule
from ._friedman import FriedmanRule
from ._hoeffding import HoeffdingRule
from ._paired_t import PairedTRule
from ._stage import DroppingRule, Stage, Verdict

__all__ = ["RULES", "DroppingRule", "Stage", "Verdict", "make_rule"]

RULES = ("bootstrap", "hoeffding", "friedman", "cochran", "paired_t")


def make_rule(name: str, level: float, n_folds: int, **bootstrap: Any) -> DroppingRule:
    """Return the rule of a name for a race of `n_folds` folds in all."""
    _validation.choice(name, "dropping", RULES)
    if name == "bootstrap":
        return BootstrapRule(level, **bootstrap)
    if bootstrap["selection"] != "best":
        raise ValueError(
            f'dropping="{name}" races for the best score, so selection must be "best"; '
            'dropping="bootstrap" takes other rules'
        )
    if name == "cochran":
        return CochranRule(level, n_folds)
    races: dict[str, Any] = {
        "hoeffding": HoeffdingRule,
        "friedman": FriedmanRule,
        "paired_t": PairedTRule,
    }
    rule: DroppingRule = races[name](level)
    return rule
