"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

from importlib.metadata import version as _version

from . import adapters, errors, findings, intervals, metrics, plots, simulate
from ._bounds import bound, compare_bounds
from ._dominance import Dominance, dominated
from ._inference import possible_winners, winner_interval, wmc
from .adapters import correct_search, keep_predictions
from .assessment import ClusterKFold, QuantileKFold, resampling_error
from .batch import correct_many
from .comparison import compare, subgroups, tuning_path
from .correction import correct
from .predictions import OutOfSamplePredictions
from .reporting import report
from .results import (
    Bound,
    Comparison,
    ConfidenceInterval,
    ModelLuck,
    NegativeControl,
    PerformanceEstimate,
    PossibleWinners,
    RowsPlan,
    Subgroups,
    TuningPath,
    WeightedMeanCorrection,
)
from .search import (
    BBC,
    BBCD,
    BBCF,
    CVMCV,
    CVT,
    NCV,
    TT,
    Recommendation,
    StoredRun,
    open,  # noqa: A004
    recommend,
)
from .selection import best_threshold, greedy_ensemble, one_standard_error, top_k
from .streaming import Blocks, StreamingCorrection
from .study import negative_control, plan_rows

__version__ = _version("bbc-cv")

__all__ = [
    "BBC",
    "BBCD",
    "BBCF",
    "CVMCV",
    "CVT",
    "NCV",
    "TT",
    "Blocks",
    "Bound",
    "ClusterKFold",
    "Comparison",
    "ConfidenceInterval",
    "Dominance",
    "ModelLuck",
    "NegativeControl",
    "OutOfSamplePredictions",
    "PerformanceEstimate",
    "PossibleWinners",
    "QuantileKFold",
    "Recommendation",
    "RowsPlan",
    "StoredRun",
    "StreamingCorrection",
    "Subgroups",
    "TuningPath",
    "WeightedMeanCorrection",
    "__version__",
    "adapters",
    "best_threshold",
    "bound",
    "compare",
    "compare_bounds",
    "correct",
    "correct_many",
    "correct_search",
    "dominated",
    "errors",
    "findings",
    "greedy_ensemble",
    "intervals",
    "keep_predictions",
    "metrics",
    "negative_control",
    "one_standard_error",
    "open",
    "plan_rows",
    "plots",
    "possible_winners",
    "recommend",
    "report",
    "resampling_error",
    "simulate",
    "subgroups",
    "top_k",
    "tuning_path",
    "winner_interval",
    "wmc",
]
