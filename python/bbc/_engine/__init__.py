"""The only importer of the compiled module: from specifications to the kernel's numbers."""

from .. import _core as kernel
from ._censoring import against_curve
from ._inference import (
    block_length,
    discrete_argmin,
    in_bag_scores,
    luck_of,
    model_confidence_set,
    row_values,
    winner_interval,
)
from ._kernel import (
    correct,
    correct_families,
    correct_many,
    dominated,
    finish,
    kernel_predictions,
    kernel_version,
    naive_bootstrap,
    streaming_correction,
)
from ._luck import calibrated
from ._replay import limits, moments
from ._scores import (
    correct_fold_scores,
    fold_scores,
    influence,
    largest_share,
    n_distinct,
    ranking,
    row_scores,
    score,
)
from ._winners import (
    ScoredProblem,
    StatisticOfWinner,
    WinnerScores,
    curve_band,
    score_winners,
    winner_statistics,
)

__all__ = [
    "ScoredProblem",
    "StatisticOfWinner",
    "WinnerScores",
    "against_curve",
    "block_length",
    "calibrated",
    "correct",
    "correct_families",
    "correct_fold_scores",
    "correct_many",
    "curve_band",
    "discrete_argmin",
    "dominated",
    "finish",
    "fold_scores",
    "in_bag_scores",
    "influence",
    "kernel",
    "kernel_predictions",
    "kernel_version",
    "largest_share",
    "limits",
    "luck_of",
    "model_confidence_set",
    "moments",
    "n_distinct",
    "naive_bootstrap",
    "ranking",
    "row_scores",
    "row_values",
    "score",
    "score_winners",
    "streaming_correction",
    "winner_interval",
    "winner_statistics",
]
