"""A result as a self-contained page."""

from ._page import Report, report

__all__ = ["Report", "report"]
