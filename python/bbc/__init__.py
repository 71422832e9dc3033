"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

from importlib.metadata import version as _version

from . import adapters, errors, findings, intervals, metrics, plots, simulate
from ._bounds import bound, compare_bounds
from ._dominance import Dominance, dominated
from .adapters import correct_search, keep_predictions
from .assessment import ClusterKFold, QuantileKFold, resampling_error
from .batch import correct_many
from .comparison import compare, tuning_path
from .correction import correct
from .predictions import OutOfSamplePredictions
from .reporting import report
from .results import (
    Bound,
    Comparison,
    ConfidenceInterval,
    ModelLuck,
    PerformanceEstimate,
    TuningPath,
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
from .selection import one_standard_error
from .streaming import Blocks, StreamingCorrection

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
    "OutOfSamplePredictions",
    "PerformanceEstimate",
    "QuantileKFold",
    "Recommendation",
    "StoredRun",
    "StreamingCorrection",
    "TuningPath",
    "__version__",
    "adapters",
    "bound",
    "compare",
    "compare_bounds",
    "correct",
    "correct_many",
    "correct_search",
    "dominated",
    "errors",
    "findings",
    "intervals",
    "keep_predictions",
    "metrics",
    "one_standard_error",
    "open",
    "plots",
    "recommend",
    "report",
    "resampling_error",
    "simulate",
    "tuning_path",
]
