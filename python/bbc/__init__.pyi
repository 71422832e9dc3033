"""The names of __init__.py, for what reads them without running it."""

from . import (
    adapters as adapters,
)
from . import (
    errors as errors,
)
from . import (
    findings as findings,
)
from . import (
    intervals as intervals,
)
from . import (
    metrics as metrics,
)
from . import (
    plots as plots,
)
from . import (
    simulate as simulate,
)
from ._bounds import bound as bound
from ._bounds import compare_bounds as compare_bounds
from ._design import Design as Design
from ._dominance import Dominance as Dominance
from ._dominance import dominated as dominated
from ._finished._scores import FoldScores as FoldScores
from ._inference import (
    wmc as wmc,
)
from .adapters import keep_predictions as keep_predictions
from .api import compare as compare
from .api import correct as correct
from .assessment import (
    ClusterKFold as ClusterKFold,
)
from .assessment import (
    QuantileKFold as QuantileKFold,
)
from .assessment import (
    resampling_error as resampling_error,
)
from .batch import correct_many as correct_many
from .correction import Correction as Correction
from .predictions import OutOfSamplePredictions as OutOfSamplePredictions
from .reporting import report as report
from .results import (
    Bound as Bound,
)
from .results import (
    Calibration as Calibration,
)
from .results import (
    ClinicalPerformance as ClinicalPerformance,
)
from .results import (
    Comparison as Comparison,
)
from .results import (
    ConfidenceInterval as ConfidenceInterval,
)
from .results import (
    Curve as Curve,
)
from .results import (
    DecisionCurve as DecisionCurve,
)
from .results import (
    ModelLuck as ModelLuck,
)
from .results import (
    NegativeControl as NegativeControl,
)
from .results import (
    PerformanceCurve as PerformanceCurve,
)
from .results import (
    PerformanceEstimate as PerformanceEstimate,
)
from .results import (
    PossibleWinners as PossibleWinners,
)
from .results import (
    Quantity as Quantity,
)
from .results import (
    RowsPlan as RowsPlan,
)
from .results import (
    Subgroups as Subgroups,
)
from .results import (
    SurvivalCalibration as SurvivalCalibration,
)
from .results import (
    SurvivalPerformance as SurvivalPerformance,
)
from .results import (
    TuningPath as TuningPath,
)
from .results import (
    WeightedMeanCorrection as WeightedMeanCorrection,
)
from .search import (
    BBC as BBC,
)
from .search import (
    BBCD as BBCD,
)
from .search import (
    CVMCV as CVMCV,
)
from .search import (
    CVT as CVT,
)
from .search import (
    NCV as NCV,
)
from .search import (
    TT as TT,
)
from .search import (
    Recommendation as Recommendation,
)
from .search import (
    StoredRun as StoredRun,
)
from .search import (
    recommend as recommend,
)
from .selection import (
    Rungs as Rungs,
)
from .selection import (
    best_threshold as best_threshold,
)
from .selection import (
    greedy_ensemble as greedy_ensemble,
)
from .selection import (
    one_standard_error as one_standard_error,
)
from .selection import (
    top_k as top_k,
)
from .sources import Predictions as Predictions
from .streaming import Blocks as Blocks
from .streaming import StreamingCorrection as StreamingCorrection
from .study import negative_control as negative_control
from .study import plan_rows as plan_rows

__version__: str
