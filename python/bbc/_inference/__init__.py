"""Inference on the winner of a correction: which could be the best, and how good it is."""

from ._possible import possible_winners_of
from ._winner import winner_interval_of
from ._wmc import wmc

__all__ = ["possible_winners_of", "winner_interval_of", "wmc"]
