"""Pictures of results: scikit-learn-style displays that draw on axes of yours or their own."""

from ._replicates import ReplicateDisplay

__all__ = ["ReplicateDisplay"]
