"""What `bbc` offers: type checkers read it, and so does `bbc`, which imports what is used."""

from . import adapters as adapters
from . import baselines as baselines
from . import errors as errors
from . import findings as findings
from . import metrics as metrics
from . import plots as plots
from . import results as results
from . import simulate as simulate
from ._finished._scores import FoldScores as FoldScores
from .adapters import EarlyStopping as EarlyStopping
from .adapters import keep_predictions as keep_predictions
from .api import compare as compare
from .api import correct as correct
from .correction import Correction as Correction
from .reporting import report as report
from .results import Comparison as Comparison
from .results import ConfidenceInterval as ConfidenceInterval
from .results import PerformanceEstimate as PerformanceEstimate
from .search import BBC as BBC
from .search import BBCD as BBCD
from .search import CVT as CVT
from .search import NCV as NCV
from .search import TT as TT
from .search import StoredRun as StoredRun
from .selection import best_threshold as best_threshold
from .selection import greedy_ensemble as greedy_ensemble
from .selection import one_standard_error as one_standard_error
from .selection import top_k as top_k
from .sources import Predictions as Predictions
from .streaming import Blocks as Blocks
from .study import negative_control as negative_control
from .study import plan_rows as plan_rows

__version__: str
