"""Inference on the winner of a correction: which could be the best, and how good it is."""

from ._questions import InferenceQuestions

__all__ = ["InferenceQuestions"]
