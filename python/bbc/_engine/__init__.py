"""The only importer of the compiled module: specs in, kernel arguments out, results back."""

from ._convert import Plan, kernel_version
from ._correct import Correction, correct, correct_many
from ._dominance import dominated
from ._folds import correct_fold_scores, fold_scores, tt
from ._intervals import (
    bound,
    clopper_pearson,
    conservative_z,
    corrected_resampled_t,
    delong,
    delong_test,
    hanley_mcneil,
    hanley_mcneil_paraschakis2024,
    naive_bootstrap,
    nested_cv,
    tilting,
    wald,
    wilson,
)
from ._luck import calibrated, luck_matters
from ._others import Contender, OnWinners, score_winners
from ._replay import ends, moments
from ._scores import largest_share, order_statistic_interval, score

__all__ = [
    "Contender",
    "Correction",
    "OnWinners",
    "Plan",
    "bound",
    "calibrated",
    "clopper_pearson",
    "conservative_z",
    "correct",
    "correct_fold_scores",
    "correct_many",
    "corrected_resampled_t",
    "delong",
    "delong_test",
    "dominated",
    "ends",
    "fold_scores",
    "hanley_mcneil",
    "hanley_mcneil_paraschakis2024",
    "kernel_version",
    "largest_share",
    "luck_matters",
    "moments",
    "naive_bootstrap",
    "nested_cv",
    "order_statistic_interval",
    "score",
    "score_winners",
    "tilting",
    "tt",
    "wald",
    "wilson",
]
