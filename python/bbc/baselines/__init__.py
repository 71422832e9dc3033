"""What corrections are compared with: other estimates, bounds and intervals; `bbc.baselines`.

Methods of the literature and of other packages, for studies and for those who need one of them.
"""

from .._docstrings import show_names
from ..search import CVMCV
from ..search._dominance import Dominance, dominated
from . import intervals
from ._bounds import bound, compare_bounds
from ._resampling_error import resampling_error
from ._splitters import ClusterKFold, QuantileKFold
from ._wmc import wmc

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
show_names(vars())
