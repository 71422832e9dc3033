"""The only importer of the compiled module: from specifications to the kernel's numbers."""

from .._core import (
    bound,
    clopper_pearson,
    conservative_z,
    corrected_resampled_t,
    delong,
    delong_test,
    hanley_mcneil,
    hanley_mcneil_paraschakis2024,
    luck_matters,
    mabt,
    nested_cv,
    order_statistic_interval,
    tilting,
    tt,
    wald,
    wilson,
)
from ._folds import correct_fold_scores, fold_scores, row_scores
from ._kernel import (
    correct,
    correct_many,
    dominated,
    finish,
    kernel_predictions,
    kernel_version,
    naive_bootstrap,
    streaming_correction,
)
from ._luck import calibrated
from ._others import ScoredProblem, score_winners
from ._replay import limits, moments
from ._scores import largest_share, score

__all__ = [
    "ScoredProblem",
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
    "finish",
    "fold_scores",
    "hanley_mcneil",
    "hanley_mcneil_paraschakis2024",
    "kernel_predictions",
    "kernel_version",
    "largest_share",
    "limits",
    "luck_matters",
    "mabt",
    "moments",
    "naive_bootstrap",
    "nested_cv",
    "order_statistic_interval",
    "row_scores",
    "score",
    "score_winners",
    "streaming_correction",
    "tilting",
    "tt",
    "wald",
    "wilson",
]
