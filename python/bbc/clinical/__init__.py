"""What a clinical paper reports about the winner, from one correction."""

from ._winner import SECONDARY, WinnerPerformance

__all__ = ["SECONDARY", "WinnerPerformance"]
