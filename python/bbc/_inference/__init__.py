"""Inference on the winner of given predictions: which could be the best, and how good it is."""

from ._possible import possible_winners
from ._winner import winner_interval
from ._wmc import wmc

__all__ = ["possible_winners", "winner_interval", "wmc"]
