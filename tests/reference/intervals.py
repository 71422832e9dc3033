"""All intervals and bounds besides BBC's, under one name."""

from .auc_intervals import (
    InfeasibleError,
    auc,
    delong,
    delong_test,
    hanley_mcneil,
    hanley_mcneil_variance,
    normal_interval,
    placements,
    sidak,
)
from .bootstrap_intervals import basic, bca, nb, percentile, studentised
from .bound_selection import Selected, acceptable, learn_scores, select
from .learner_intervals import bates, conservative_z, corrected_t, wald
from .proportion_intervals import clopper_pearson, wilson
from .tilting import Tilted, bt, mabt

__all__ = [
    "InfeasibleError",
    "Selected",
    "Tilted",
    "acceptable",
    "auc",
    "basic",
    "bates",
    "bca",
    "bt",
    "clopper_pearson",
    "conservative_z",
    "corrected_t",
    "delong",
    "delong_test",
    "hanley_mcneil",
    "hanley_mcneil_variance",
    "learn_scores",
    "mabt",
    "nb",
    "normal_interval",
    "percentile",
    "placements",
    "select",
    "sidak",
    "studentised",
    "wald",
    "wilson",
]
