"""What a clinical paper reports about the winner, from one correction."""

from ._questions import ClinicalQuestions
from ._winner import WinnerPerformance

__all__ = ["ClinicalQuestions", "WinnerPerformance"]
