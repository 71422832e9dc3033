"""Pictures of results: scikit-learn-style displays that draw on axes of yours or their own."""

from ._forest import ForestDisplay
from ._replicates import ReplicateDisplay
from ._selection import SelectionDisplay

__all__ = ["ForestDisplay", "ReplicateDisplay", "SelectionDisplay"]
