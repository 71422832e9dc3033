"""What corrections are compared with: other estimates, bounds and intervals; `bbc.baselines`.

Methods of the literature and of other packages, for studies and for those who need one of them.
"""

from . import intervals
from ._bounds import bound, compare_bounds
from ._dominance import Dominance, dominated
from ._inference import wmc
from .assessment import ClusterKFold, QuantileKFold, resampling_error
from .search import CVMCV

__all__ = [
    "CVMCV",
    "ClusterKFold",
    "Dominance",
    "QuantileKFold",
    "bound",
    "compare_bounds",
    "dominated",
    "intervals",
    "resampling_error",
    "wmc",
]
