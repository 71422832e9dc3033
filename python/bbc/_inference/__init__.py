"""Inference on the winner of given predictions: which could be the best, and how good it is."""

from ._possible import possible_winners

__all__ = ["possible_winners"]
