"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

from importlib.metadata import version as _version

from . import adapters, errors, findings, intervals, metrics, plots, simulate
from ._bounds import bound, compare_bounds
from ._design import Design
from ._dominance import Dominance, dominated
from ._inference import possible_winners, winner_interval, wmc
from .adapters import correct_search, keep_predictions
from .assessment import ClusterKFold, QuantileKFold, resampling_error
from .batch import correct_many
from .clinical import (
    calibration,
    clinical_performance,
    decision_curve,
    precision_recall_curve,
    roc_curve,
)
from .comparison import compare, subgroups, tuning_path
from .correction import correct
from .predictions import OutOfSamplePredictions
from .reporting import report
from .results import (
    Bound,
    Calibration,
    ClinicalPerformance,
    Comparison,
    ConfidenceInterval,
    Curve,
    DecisionCurve,
    ModelLuck,
    NegativeControl,
    PerformanceCurve,
    PerformanceEstimate,
    Performances,
    PossibleWinners,
    Quantity,
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


def __dir__() -> list[str]:
    return __all__


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
    "Calibration",
    "ClinicalPerformance",
    "ClusterKFold",
    "Comparison",
    "ConfidenceInterval",
    "Curve",
    "DecisionCurve",
    "Design",
    "Dominance",
    "ModelLuck",
    "NegativeControl",
    "OutOfSamplePredictions",
    "PerformanceCurve",
    "PerformanceEstimate",
    "Performances",
    "PossibleWinners",
    "QuantileKFold",
    "Quantity",
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
    "calibration",
    "clinical_performance",
    "compare",
    "compare_bounds",
    "correct",
    "correct_many",
    "correct_search",
    "decision_curve",
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
    "precision_recall_curve",
    "recommend",
    "report",
    "resampling_error",
    "roc_curve",
    "simulate",
    "subgroups",
    "top_k",
    "tuning_path",
    "winner_interval",
    "wmc",
]
